import { zipCentroid, zipState } from '../platform/geography.ts'
import type { Assortment } from './assortment.ts'
import { BLOCK_BRANDS, type Block } from './block.ts'
import type { CatalogOffer } from './catalog.ts'
import { gapBetween, pointsOf } from './points.ts'
import { createRecentOf } from './recent.ts'
import type { Stock } from './stock.ts'

/** What is known of one user that decides which offers are listed for them. */
export type Personal = {
  /** Names all of this; the same name, the same lists. Empty: nothing is left out for this user. */
  readonly key: string
  /** Offers the user cannot earn on any more. */
  readonly usedUp: ReadonlySet<string>
  readonly activated: ReadonlySet<string>
  readonly home: Home | null
}
export type Home = { readonly zip: string; readonly point: Float64Array; readonly state: string | null }

export const nobody: Personal = { key: '', usedUp: new Set(), activated: new Set(), home: null }

/** Where a user lives; null if the zip code is none that is known. */
export function homeOf(zipCode: string | null): Home | null {
  const zip = zipCode?.slice(0, 5) ?? ''
  const middle = zipCentroid(zip)
  return middle === null ? null : { zip, point: pointsOf([middle]), state: zipState(zip) }
}

export function personalOf(usedUp: ReadonlySet<string>, activated: ReadonlySet<string>, home: Home | null): Personal {
  const parts = [home === null ? '' : home.zip, [...usedUp].sort().join(' '), [...activated].sort().join(' ')]
  return { key: parts.every((part) => part === '') ? '' : JSON.stringify(parts), usedUp, activated, home }
}

/** What the offers of a catalog ask of users, so that nobody is looked up for nothing. */
export type Asks = { readonly deeds: boolean; readonly home: boolean }

export function asksOf({ catalog }: Assortment): Asks {
  const known = asks.get(catalog.stock)
  if (known !== undefined) return known
  const { blocks } = catalog.stock
  const fresh = {
    deeds: blocks.some(({ hasPersonal }) => hasPersonal),
    home: blocks.some(({ stores }) => stores.locals.length > 0),
  }
  asks.set(catalog.stock, fresh)
  return fresh
}
const asks = new WeakMap<Stock, Asks>()

/** The offers for customers who stayed away: left out for whoever is not known to be one. */
export function offersForLapsed({ catalog }: Assortment): readonly CatalogOffer[] {
  return catalog.stock.blocks.flatMap(({ forLapsed }) => forLapsed)
}

/** The offers whose codes are handed out one by one: there may be none left. */
export function offersWithPools({ catalog }: Assortment): readonly CatalogOffer[] {
  return catalog.stock.blocks.flatMap(({ withPools }) => withPools)
}

/** Offers that are valid but not for this user, as numbers in their blocks. */
export type Unfit = {
  readonly usedUp: ReadonlyMap<number, readonly number[]>
  /** By the number of the block; local offers that are too far from home. */
  readonly tooFar: readonly (readonly number[] | undefined)[]
}

export function unfitFor(stock: Stock, { usedUp, home }: Personal): Unfit {
  return { usedUp: usedUpIn(stock, usedUp), tooFar: home === null ? NOTHING : tooFarFrom(stock, home) }
}

const NOTHING: readonly never[] = []

function usedUpIn(stock: Stock, usedUp: ReadonlySet<string>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>()
  for (const offerUid of usedUp) {
    const place = stock.placeOf.get(stock.offers.get(offerUid)?.brandUid ?? '')
    if (place === undefined) continue
    const number = Math.floor(place / BLOCK_BRANDS)
    const block = stock.blocks[number]
    const own = block?.offersOfBrand[place % BLOCK_BRANDS]?.findIndex((offer) => offer.offerUid === offerUid) ?? -1
    if (block === undefined || own === -1) continue
    const at = (block.offerFrom[place % BLOCK_BRANDS] ?? 0) + own
    found.set(number, [...(found.get(number) ?? NOTHING), at])
  }
  return found
}

// Neighbours share what is too far from them: some hundred kilobytes for each of so many zip codes.
const ZIPS_MAX = 64
const tooFarInStock = createRecentOf<Stock, Unfit['tooFar']>(ZIPS_MAX)
const tooFarInBlock = createRecentOf<Block, readonly number[] | null>(ZIPS_MAX)

function tooFarFrom(stock: Stock, home: Home): Unfit['tooFar'] {
  return tooFarInStock(stock, home.zip, () =>
    stock.blocks.map((block) =>
      block.stores.locals.length === 0
        ? undefined
        : (tooFarInBlock(block, home.zip, () => tooFarIn(block, home)) ?? undefined),
    ),
  )
}

function tooFarIn({ stores }: Block, home: Home): readonly number[] | null {
  const far = stores.locals.filter(
    ({ near, reach, state }) => !isNear(near, reach, home) && (state === null || state !== home.state),
  )
  return far.length === 0 ? null : far.map(({ offer }) => offer)
}

function isNear(near: Float64Array, reach: number, home: Home): boolean {
  for (let at = 0; 3 * at < near.length; at++) if (gapBetween(near, at, home.point, 0) <= reach) return true
  return false
}
