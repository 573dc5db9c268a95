import postgres from 'postgres'
import type { Reader } from '../../../platform/db/database.ts'
import type { CatalogOffer } from '../catalog.ts'
import type { Store } from '../store.ts'
import type { Catalog } from '../table/assemble.ts'
import { createSharing, sharedOffer } from './load.ts'
import { type BrandVersion, listChangedOffers, listFormerOffers, type StoreJson } from './load-queries.ts'

/** Returns the offers of a brand that were not retired at that version, oldest first, as they were then. */
export type FormerOffers = (asOf: BrandVersion) => readonly CatalogOffer[]

/**
 * Returns offers as they were in earlier versions of the catalog. Runs no queries if every requested version is the
 * current one.
 */
export async function readFormerOffers(
  reader: Reader,
  catalog: Catalog,
  wanted: readonly BrandVersion[],
): Promise<FormerOffers> {
  const earlier = [...new Map(wanted.map((one) => [toKey(one), one])).values()].filter(
    ({ version }) => version < catalog.version,
  )
  if (earlier.length === 0) return ({ brandUid }) => catalog.getOffers(brandUid)
  // Sequential, so that anything replaced between the two queries at least appears among the former offers.
  const changed = Map.groupBy(await listChangedOffers(reader, earlier), toKey)
  if (changed.size === 0) return ({ brandUid }) => catalog.getOffers(brandUid)
  const share = createSharing()
  const former = Map.groupBy(
    (await listFormerOffers(reader, earlier)).map(({ asOf, stores, ...row }) => ({
      brandUid: row.brandUid,
      version: asOf,
      offer: sharedOffer(row, stores.map(toStore), share),
    })),
    toKey,
  )
  return (asOf) => {
    const present = catalog.getOffers(asOf.brandUid)
    const since = changed.get(toKey(asOf))
    if (since === undefined) return present
    const then = (former.get(toKey(asOf)) ?? []).map(({ offer }) => offer)
    // An offer replaced between the two queries is among the former offers only.
    const replaced = new Set([...since, ...then].map(({ offerUid }) => offerUid))
    return [
      ...present.filter(({ offerUid }) => !replaced.has(offerUid)),
      ...then.filter(({ retired }) => !retired),
    ].sort((a, b) => a.ordinal - b.ordinal)
  }
}

const toKey = ({ brandUid, version }: BrandVersion): string => `${version} ${brandUid}`

function toStore(store: StoreJson): Store {
  const members = Object.entries(store).map(([column, value]) => [postgres.toCamel(column), value])
  return Object.fromEntries(members) as Store
}
