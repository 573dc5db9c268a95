import { zipCentroid, zipState } from '../../platform/geography.ts'
import { lookUp } from '../../platform/sharded-map.ts'
import type { Assortment } from '../assortment/assortment.ts'
import type { CatalogOffer } from '../catalog.ts'
import { BLOCK_BRANDS, type Block } from '../table/block.ts'
import type { BrandTable } from '../table/brand-table.ts'
import { chordSquare, pointsOf } from './distance.ts'
import { createCacheByOwner } from './lru-cache.ts'

/** What decides which offers one user sees. */
export type UserFilter = {
  /** Equal keys, equal lists. Empty: nothing is excluded. */
  readonly key: string
  /** Offers that the user cannot earn on. */
  readonly usedUp: ReadonlySet<string>
  readonly activated: ReadonlySet<string>
  readonly home: Home | null
}
export type Home = { readonly zip: string; readonly point: Float64Array; readonly state: string | null }

export const anyUser: UserFilter = { key: '', usedUp: new Set(), activated: new Set(), home: null }

/** Where a user lives; null for an unknown zip code. */
export function homeOf(zipCode: string | null): Home | null {
  const zip = zipCode?.slice(0, 5) ?? ''
  const middle = zipCentroid(zip)
  return middle === null ? null : { zip, point: pointsOf([middle]), state: zipState(zip) }
}

export function userViewOf(usedUp: ReadonlySet<string>, activated: ReadonlySet<string>, home: Home | null): UserFilter {
  const parts = [home === null ? '' : home.zip, [...usedUp].sort().join(' '), [...activated].sort().join(' ')]
  return { key: parts.every((part) => part === '') ? '' : JSON.stringify(parts), usedUp, activated, home }
}

/** Which facts of users any offer depends on. */
type Asks = { readonly deeds: boolean; readonly home: boolean }

export function asksOf({ catalog }: Assortment): Asks {
  const known = asks.get(catalog.table)
  if (known !== undefined) return known
  const { blocks } = catalog.table
  const fresh = {
    deeds: blocks.some(({ hasPersonal }) => hasPersonal),
    home: blocks.some(({ stores }) => stores.localOffers.length > 0),
  }
  asks.set(catalog.table, fresh)
  return fresh
}
const asks = new WeakMap<BrandTable, Asks>()

/** Offers for lapsed customers, hidden from all others. */
export function offersForLapsed({ catalog }: Assortment): readonly CatalogOffer[] {
  return catalog.table.blocks.flatMap(({ forLapsed }) => forLapsed)
}

/** Offers that hand out codes from a pool, which can be empty. */
export function offersWithPools({ catalog }: Assortment): readonly CatalogOffer[] {
  return catalog.table.blocks.flatMap(({ withPools }) => withPools)
}

/** Valid offers that this user cannot have, as indexes in their blocks. */
export type Excluded = {
  readonly usedUp: ReadonlyMap<number, readonly number[]>
  /** Local offers too far from home, by the number of the block. */
  readonly tooFar: readonly (readonly number[] | undefined)[]
}

export function excludedFor(table: BrandTable, { usedUp, home }: UserFilter): Excluded {
  return { usedUp: usedUpIn(table, usedUp), tooFar: home === null ? NOTHING : tooFarFrom(table, home) }
}

const NOTHING: readonly never[] = []

function usedUpIn(table: BrandTable, usedUp: ReadonlySet<string>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>()
  for (const offerUid of usedUp) {
    const place = lookUp(table.placeOf, lookUp(table.offers, offerUid)?.brandUid ?? '')
    if (place === undefined) continue
    const number = Math.floor(place / BLOCK_BRANDS)
    const block = table.blocks[number]
    const own = block?.offersOfBrand[place % BLOCK_BRANDS]?.findIndex((offer) => offer.offerUid === offerUid) ?? -1
    if (block === undefined || own === -1) continue
    const at = (block.offerFrom[place % BLOCK_BRANDS] ?? 0) + own
    found.set(number, [...(found.get(number) ?? NOTHING), at])
  }
  return found
}

// Users of one zip code share this: some hundred kilobytes for each.
const ZIPS_MAX = 64
const tooFarInStock = createCacheByOwner<BrandTable, Excluded['tooFar']>(ZIPS_MAX)
const tooFarInBlock = createCacheByOwner<Block, readonly number[] | null>(ZIPS_MAX)

function tooFarFrom(table: BrandTable, home: Home): Excluded['tooFar'] {
  return tooFarInStock(table, home.zip, () =>
    table.blocks.map((block) =>
      block.stores.localOffers.length === 0
        ? undefined
        : (tooFarInBlock(block, home.zip, () => tooFarIn(block, home)) ?? undefined),
    ),
  )
}

function tooFarIn({ stores }: Block, home: Home): readonly number[] | null {
  const far = stores.localOffers.filter(
    ({ near, reach, state }) => !isNear(near, reach, home) && (state === null || state !== home.state),
  )
  return far.length === 0 ? null : far.map(({ offer }) => offer)
}

function isNear(near: Float64Array, reach: number, home: Home): boolean {
  for (let at = 0; 3 * at < near.length; at++) if (chordSquare(near, at, home.point, 0) <= reach) return true
  return false
}
