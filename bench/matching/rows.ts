import { linesOf, objectIn } from '../../cli/match/lines.ts'
import { rowOf } from '../../cli/match/rows.ts'
import type { BrandFacts, MerchantFacts } from '../../src/merchants/index.ts'

/** A descriptor and whose offer a purchase there should earn by: a brand, or null for none of the catalog. */
export type Labelled = {
  readonly id: string | number
  readonly facts: MerchantFacts
  readonly brandUid: string | null
  /** The brand of another country that it is, which a catalog of the whole world would have. */
  readonly elsewhere: string | null
}

/**
 * Reads rows of `laurel match` that carry a label: `brand_id`, or the brand's name as `brand` with its site as
 * `brand_website`; `brand: null` is none, or one that only other catalogs have, named as `elsewhere`. @throws when a
 * label names no brand of the catalog.
 */
export async function readLabelled(file: string, brands: readonly BrandFacts[]): Promise<Labelled[]> {
  const uids = new Set(brands.map(({ brandUid }) => brandUid))
  const byName = Map.groupBy(brands, ({ name }) => name.toLowerCase())
  const bySite = Map.groupBy(brands, ({ domains }) => domains[0])
  const named = (name: string, site: unknown): string | null => {
    const same = byName.get(name.toLowerCase()) ?? []
    const found = same.find(({ domains }) => domains[0] === site) ?? (same.length === 1 ? same[0] : undefined)
    // Names change from one version of the package to the next, and so do sites, but seldom both at once.
    const onSite = typeof site === 'string' ? (bySite.get(site) ?? []) : []
    return found?.brandUid ?? (onSite.length === 1 ? (onSite[0]?.brandUid ?? null) : null)
  }
  const rows: Labelled[] = []
  const unbound: string[] = []
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      const { brand, brand_id, brand_website, elsewhere } = objectIn(file, line)
      const brandUid =
        typeof brand_id === 'string' ? brand_id : typeof brand === 'string' ? named(brand, brand_website) : null
      if (typeof brand === 'string' && (brandUid === null || !uids.has(brandUid))) unbound.push(brand)
      else
        rows.push({ ...rowOf(file, line, 'us'), brandUid, elsewhere: typeof elsewhere === 'string' ? elsewhere : null })
    }
  }
  if (unbound.length > 0) throw new Error(`${file} names brands that the catalog has not: ${unbound.join(', ')}`)
  return rows
}

/** The words of a text, as plainly as it can be done. */
export function foldedOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
}

/** Names that rows of none carry: a catalog with a brand of that name would make it their brand. */
export function namesOfNone(rows: readonly Labelled[]): Set<string> {
  const none = rows.filter(({ brandUid }) => brandUid === null)
  return new Set(
    none.flatMap(({ facts: { merchantDescriptor = '' }, elsewhere }) => {
      const words = foldedOf(merchantDescriptor).split(' ')
      const phrases = [2, 3].flatMap((length) =>
        words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' ')),
      )
      return elsewhere === null ? phrases : [...phrases, foldedOf(elsewhere)]
    }),
  )
}
