import type { Day } from '../../../platform/calendar.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import { isPercentage, OFFER_TYPES } from '../offer.ts'
import { getChannels } from '../offer-location.ts'
import { type BlockStores, buildBlockStores } from './block-stores.ts'
import { type BlockWords, buildBlockWords } from './block-words.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * Consecutive brands in the catalog with their offers and all the columns that lists need. A block never changes. A
 * catalog change rebuilds the blocks it touches. Smaller blocks slow down lists, and larger ones slow down changes.
 */
export const BLOCK_BRANDS = 128

/**
 * A block is stored as columns of numbers, because chasing half a million objects through memory makes lists a hundred
 * times slower.
 */
export type Block = {
  readonly brands: readonly Brand[]
  /**
   * All offers that are not retired, one after another, oldest first within each brand. The offers of brand b are at
   * offerFrom[b] up to, but not including, offerFrom[b + 1]. The offers of a retired brand are retained in case it
   * returns.
   */
  readonly offers: readonly CatalogOffer[]
  readonly offerFrom: Uint32Array
  readonly brandByOffer: Uint8Array
  readonly categories: Int32Array
  /** Days as numbers such as 20261121. An open start is the lowest value, and an open end the highest. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** A bitmask: the offer types in order, then the flags below. */
  readonly traits: Uint8Array
  /** True if any offer depends on what users have done. */
  readonly hasPersonal: boolean
  /** Offers for lapsed customers, hidden from everyone else. */
  readonly forLapsed: readonly CatalogOffer[]
  /** Offers that hand out codes from a pool. */
  readonly withPools: readonly CatalogOffer[]
  readonly stores: BlockStores
  readonly words: BlockWords
}

export const IN_STORE = 16
export const ONLINE = 32
export const PERCENTAGE = 64

export function buildBlock(
  brands: readonly Brand[],
  offersOfBrand: readonly (readonly CatalogOffer[])[],
  vocabulary: Vocabulary,
): Block {
  const offers = offersOfBrand.flat()
  const offerFrom = new Uint32Array(brands.length + 1)
  const brandByOffer = new Uint8Array(offers.length)
  offersOfBrand.forEach((own, brand) => {
    const from = offerFrom[brand] ?? 0
    offerFrom[brand + 1] = from + own.length
    brandByOffer.fill(brand, from, from + own.length)
  })
  return {
    brands,
    offers,
    offerFrom,
    brandByOffer,
    categories: Int32Array.from(brands, (brand) => brand.categoryId),
    starts: Int32Array.from(offers, ({ startDate }) => (startDate === null ? 0 : encodeDay(startDate))),
    ends: Int32Array.from(offers, ({ endDate }) => (endDate === null ? DAY_MAX : encodeDay(endDate))),
    traits: Uint8Array.from(offers, encodeTraits),
    hasPersonal: offers.some(isPersonal),
    forLapsed: offers.filter((offer) => !offer.retired && offer.conditions.lapsedCustomerOnly),
    withPools: offers.filter((offer) => !offer.retired && offer.conditions.uniqueCodes),
    stores: buildBlockStores(offers),
    words: buildBlockWords(brands, offers, brandByOffer, vocabulary),
  }
}

const DAY_MAX = 99_999_999

/** Converts a day to a number that sorts chronologically. */
export function encodeDay(day: Day): number {
  return Number(day.replaceAll('-', ''))
}

export function encodeTypes(types: readonly CatalogOffer['offerType'][]): number {
  return types.reduce((bits, type) => bits | (1 << OFFER_TYPES.indexOf(type)), 0)
}

function encodeTraits(offer: CatalogOffer): number {
  const channels = getChannels(offer)
  return (
    encodeTypes([offer.offerType]) |
    (channels.includes('IN_STORE') ? IN_STORE : 0) |
    (channels.includes('ONLINE') ? ONLINE : 0) |
    (isPercentage(offer.rewardType) ? PERCENTAGE : 0)
  )
}

/** Returns true if the offer depends on what users have done. */
function isPersonal({ oneTimeUse, newCustomerOnly, conditions }: CatalogOffer): boolean {
  return (
    oneTimeUse ||
    newCustomerOnly ||
    conditions.lapsedCustomerOnly ||
    conditions.activationRequired ||
    conditions.userLimits.length > 0 ||
    conditions.budgets.length > 0 ||
    conditions.uniqueCodes
  )
}
