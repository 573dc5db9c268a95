import { parseObject, readLines } from '../../cli/match/lines.ts'
import { parseRow } from '../../cli/match/rows.ts'
import type { BrandFacts, MerchantFacts } from '../../src/catalog/merchants/index.ts'

/**
 * A descriptor, labeled with the brand whose offer should reward a purchase there; null if the catalog has no such
 * brand.
 */
export type Labelled = {
  readonly id: string | number
  readonly facts: MerchantFacts
  readonly brandUid: string | null
  /** The foreign brand that the descriptor belongs to, which a worldwide catalog would have; null if there is none. */
  readonly elsewhere: string | null
}

/**
 * Reads rows for `laurel match` that carry a label: either `brand_id`, or the brand's name in `brand` with its site in
 * `brand_website`. `brand: null` means no brand, or a brand that only other catalogs have, named in `elsewhere`.
 * @throws if a label's brand is not in the catalog
 */
export async function readLabelled(file: string, brands: readonly BrandFacts[]): Promise<Labelled[]> {
  const uids = new Set(brands.map(({ brandUid }) => brandUid))
  const byName = Map.groupBy(brands, ({ name }) => name.toLowerCase())
  const bySite = Map.groupBy(brands, ({ domains }) => domains[0])
  const named = (name: string, site: unknown): string | null => {
    const same = byName.get(name.toLowerCase()) ?? []
    const found = same.find(({ domains }) => domains[0] === site) ?? (same.length === 1 ? same[0] : undefined)
    // Both names and sites change between versions of the package, but seldom at the same time.
    const onSite = typeof site === 'string' ? (bySite.get(site) ?? []) : []
    return found?.brandUid ?? (onSite.length === 1 ? (onSite[0]?.brandUid ?? null) : null)
  }
  const rows: Labelled[] = []
  const unbound: string[] = []
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      const { brand, brand_id, brand_website, elsewhere } = parseObject(file, line)
      const brandUid =
        typeof brand_id === 'string' ? brand_id : typeof brand === 'string' ? named(brand, brand_website) : null
      if (typeof brand === 'string' && (brandUid === null || !uids.has(brandUid))) unbound.push(brand)
      else
        rows.push({
          ...parseRow(file, line, 'us'),
          brandUid,
          elsewhere: typeof elsewhere === 'string' ? elsewhere : null,
        })
    }
  }
  if (unbound.length > 0) throw new Error(`${file} names brands that the catalog has not: ${unbound.join(', ')}`)
  return rows
}

/** Reduces text to its lowercase words, as simply as possible. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
}

/** Returns the names in brandless rows. A catalog brand with one of these names would match its row. */
export function collectBrandlessNames(rows: readonly Labelled[]): Set<string> {
  const none = rows.filter(({ brandUid }) => brandUid === null)
  return new Set(
    none.flatMap(({ facts: { merchantDescriptor = '' }, elsewhere }) => {
      const words = foldText(merchantDescriptor).split(' ')
      const phrases = [2, 3].flatMap((length) =>
        words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' ')),
      )
      return elsewhere === null ? phrases : [...phrases, foldText(elsewhere)]
    }),
  )
}
