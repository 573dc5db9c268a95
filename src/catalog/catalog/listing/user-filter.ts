import { findZipCentroid, findZipState, normalizePostalCode } from '../../../platform/geography.ts'
import { lookUp } from '../../../platform/sharded-map.ts'
import type { Assortment } from '../assortment/assortment.ts'
import type { CatalogOffer } from '../catalog.ts'
import { findLeastChord, toPoints } from '../chords.ts'
import { BLOCK_BRANDS, type Block } from '../table/block.ts'
import type { BrandTable } from '../table/brand-table.ts'
import { createCacheByOwner } from './lru-cache.ts'

/** Determines which offers one user sees. */
export type UserFilter = {
  /** Equal keys yield equal lists. Empty if the other members are empty. */
  readonly key: string
  /** Offers the user can no longer earn on. */
  readonly usedUp: ReadonlySet<string>
  readonly activated: ReadonlySet<string>
  readonly home: Home | null
}
export type Home = { readonly zip: string; readonly point: Float64Array; readonly state: string | null }

export const anyUser: UserFilter = { key: '', usedUp: new Set(), activated: new Set(), home: null }

/** Locates a user's home; null if the zip code is unknown. */
export function findHome(zipCode: string | null): Home | null {
  if (zipCode === null) return null
  const zip = normalizePostalCode(zipCode)
  const middle = findZipCentroid(zip)
  return middle === null ? null : { zip, point: toPoints([middle]), state: findZipState(zip) }
}

export function buildUserFilter(
  usedUp: ReadonlySet<string>,
  activated: ReadonlySet<string>,
  home: Home | null,
): UserFilter {
  const parts = [home === null ? '' : home.zip, [...usedUp].sort().join(' '), [...activated].sort().join(' ')]
  return { key: parts.every((part) => part === '') ? '' : JSON.stringify(parts), usedUp, activated, home }
}

/** Lists offers for lapsed customers, which are hidden from everyone else. */
export function listOffersForLapsed({ catalog }: Assortment): readonly CatalogOffer[] {
  return catalog.table.blocks.flatMap(({ forLapsed }) => forLapsed)
}

/** Lists offers that hand out codes from a pool, which might run out. */
export function listOffersWithPools({ catalog }: Assortment): readonly CatalogOffer[] {
  return catalog.table.blocks.flatMap(({ withPools }) => withPools)
}

/** Returns a function that lists the indexes of the offers in a block that this user cannot have. */
export function createExclusion(
  table: BrandTable,
  { usedUp, home }: UserFilter,
): (number: number) => readonly number[] {
  const usedUpIn = usedUpByBlock(table, usedUp)
  return (number) => {
    const used = usedUpIn.get(number) ?? NONE
    const block = table.blocks[number]
    if (home === null || block === undefined || block.stores.localOffers.length === 0) return used
    return [...used, ...tooFarInBlock(block, home.zip, () => tooFarIn(block, home))]
  }
}

const NONE: readonly never[] = []

function usedUpByBlock(table: BrandTable, usedUp: ReadonlySet<string>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>()
  for (const offerUid of usedUp) {
    const place = lookUp(table.placesByUid, lookUp(table.offers, offerUid)?.brandUid ?? '')
    const number = Math.floor((place ?? -1) / BLOCK_BRANDS)
    const at = table.blocks[number]?.offers.findIndex((offer) => offer.offerUid === offerUid) ?? -1
    if (at !== -1) found.set(number, [...(found.get(number) ?? NONE), at])
  }
  return found
}

// Users with the same zip code share an entry, which takes a few hundred kilobytes.
const ZIPS_MAX = 64
const tooFarInBlock = createCacheByOwner<Block, readonly number[]>(ZIPS_MAX)

/** Returns the local offers that are too far from home. */
function tooFarIn({ stores }: Block, home: Home): readonly number[] {
  return stores.localOffers
    .filter(
      ({ near, reach, state }) =>
        findLeastChord(near, 0, near.length / 3, home.point) > reach && (state === null || state !== home.state),
    )
    .map(({ offer }) => offer)
}
