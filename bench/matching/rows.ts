import { linesOf, objectIn } from '../../cli/match/lines.ts'
import { rowOf } from '../../cli/match/rows.ts'
import type { BrandFacts, MerchantFacts } from '../../src/matching/index.ts'

/** A descriptor and whose offer a purchase there should earn by: a brand, or null for none of the catalog. */
export type Labelled = { readonly id: string | number; readonly facts: MerchantFacts; readonly brandUid: string | null }

/**
 * Reads rows of `laurel match` that carry a label: `brand_id`, or the brand's name as `brand` with its site as
 * `brand_website`; `brand: null` is none. @throws when a label names no brand of the catalog.
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
      const { brand, brand_id, brand_website } = objectIn(file, line)
      const brandUid =
        typeof brand_id === 'string' ? brand_id : typeof brand === 'string' ? named(brand, brand_website) : null
      if (typeof brand === 'string' && (brandUid === null || !uids.has(brandUid))) unbound.push(brand)
      else rows.push({ ...rowOf(file, line, 'us'), brandUid })
    }
  }
  if (unbound.length > 0) throw new Error(`${file} names brands that the catalog has not: ${unbound.join(', ')}`)
  return rows
}
