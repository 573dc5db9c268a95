import type { Day } from '../../platform/calendar.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import { isPercentage, OFFER_TYPES } from '../offer.ts'
import { channelsOf } from '../offer-location.ts'
import { type BlockStores, storesOf } from './block-stores.ts'
import { type BlockWords, wordsIn } from './block-words.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * Consecutive brands of the catalog with their offers and all columns that lists need. A block never changes; a change
 * of the catalog rebuilds the blocks that it touches. Smaller blocks make lists slower, larger ones changes.
 */
export const BLOCK_BRANDS = 128

/** Lists read columns of numbers: following half a million objects through memory takes a hundred times as long. */
export type Block = {
  readonly brands: readonly Brand[]
  /**
   * All offers in a row; those of brand b, oldest first: from offerFrom[b] to before offerFrom[b + 1]. Those of a
   * retired brand are kept for its return.
   */
  readonly offers: readonly CatalogOffer[]
  readonly offerFrom: Uint32Array
  readonly brandOf: Uint8Array
  readonly categories: Int32Array
  /** Days as numbers such as 20261121; an open start is the least, an open end the greatest. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Bits: offer types in their order, then those below. */
  readonly traits: Uint8Array
  /** Whether any offer depends on what users did. */
  readonly hasPersonal: boolean
  /** Offers for lapsed customers, hidden from all others. */
  readonly forLapsed: readonly CatalogOffer[]
  /** Offers that hand out codes from a pool. */
  readonly withPools: readonly CatalogOffer[]
  readonly stores: BlockStores
  readonly words: BlockWords
}

export const IN_STORE = 16
export const ONLINE = 32
export const PERCENTAGE = 64

export function blockOf(
  brands: readonly Brand[],
  offersOfBrand: readonly (readonly CatalogOffer[])[],
  vocabulary: Vocabulary,
): Block {
  const offers = offersOfBrand.flat()
  const offerFrom = new Uint32Array(brands.length + 1)
  const brandOf = new Uint8Array(offers.length)
  offersOfBrand.forEach((own, brand) => {
    const from = offerFrom[brand] ?? 0
    offerFrom[brand + 1] = from + own.length
    brandOf.fill(brand, from, from + own.length)
  })
  return {
    brands,
    offers,
    offerFrom,
    brandOf,
    categories: Int32Array.from(brands, (brand) => brand.categoryId),
    starts: Int32Array.from(offers, ({ startDate }) => (startDate === null ? 0 : dayNumber(startDate))),
    ends: Int32Array.from(offers, ({ endDate }) => (endDate === null ? DAY_MAX : dayNumber(endDate))),
    traits: Uint8Array.from(offers, traitsOf),
    hasPersonal: offers.some(isPersonal),
    forLapsed: offers.filter((offer) => !offer.retired && offer.conditions.lapsedCustomerOnly),
    withPools: offers.filter((offer) => !offer.retired && offer.conditions.uniqueCodes),
    stores: storesOf(offers),
    words: wordsIn(brands, offers, brandOf, vocabulary),
  }
}

const DAY_MAX = 99_999_999

/** A day as a number in the order of days. */
export function dayNumber(day: Day): number {
  return Number(day.replaceAll('-', ''))
}

export function typeBits(types: readonly CatalogOffer['offerType'][]): number {
  return types.reduce((bits, type) => bits | (1 << OFFER_TYPES.indexOf(type)), 0)
}

function traitsOf(offer: CatalogOffer): number {
  const channels = channelsOf(offer)
  return (
    typeBits([offer.offerType]) |
    (channels.includes('IN_STORE') ? IN_STORE : 0) |
    (channels.includes('ONLINE') ? ONLINE : 0) |
    (isPercentage(offer.rewardType) ? PERCENTAGE : 0)
  )
}

/** Whether the offer depends on what the user did. */
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
