import type { Day } from '../../platform/calendar.ts'
import type { Assortment } from '../assortment/assortment.ts'
import { createCacheByOwner } from '../listing/lru-cache.ts'
import type { Split } from '../net.ts'
import { isPercentage } from '../offer.ts'
import { type Block, dayNumber } from './block.ts'
import type { BrandTable } from './brand-table.ts'

/** A block on a publisher's terms on a day. */
export type BlockTerms = {
  /** 1: the brand is live and carried. */
  readonly brands: Uint8Array
  /** 1: the offer is carried, valid on the day, and in the publisher's currency. */
  readonly offers: Uint8Array
  /** The highest net reward of each offer, see `Commissions`; computed when a list sorts by it. */
  readonly figures: () => Float64Array
  /** The highest of each brand where no offer is excluded for a user. */
  readonly highest: () => Float64Array
}

// Publishers with the same terms share these: some megabytes for each set of terms at half a million offers.
const TERMS_MAX = 16
const ofBlock = createCacheByOwner<Block, BlockTerms>(TERMS_MAX)
const ofStock = createCacheByOwner<BrandTable, readonly BlockTerms[]>(TERMS_MAX)

/** For each block of the assortment's catalog; unchanged blocks are cached. */
export function termsOfBlocks(assortment: Assortment, day: Day): readonly BlockTerms[] {
  const { table } = assortment.catalog
  const key = `${assortment.termsKey} ${day}`
  const number = dayNumber(day)
  return ofStock(table, key, () =>
    table.blocks.map((block) => ofBlock(block, key, () => makeTerms(block, assortment, number))),
  )
}

function makeTerms(block: Block, assortment: Assortment, day: number): BlockTerms {
  let figures: Float64Array | null = null
  let highest: Float64Array | null = null
  const terms: BlockTerms = {
    brands: carriedBrands(block, assortment),
    offers: validOffers(block, assortment, day),
    figures: () => {
      figures ??= figuresOf(block, assortment)
      return figures
    },
    highest: () => {
      highest ??= highestOf(block, terms.figures(), terms.offers, assortment.catalog.table.commissions.percentages())
      return highest
    },
  }
  return terms
}

// Loops, because half a million callbacks take a tenth of a second.
function carriedBrands({ brands }: Block, assortment: Assortment): Uint8Array {
  const carried = new Uint8Array(brands.length)
  for (const [at, brand] of brands.entries()) if (!brand.retired && assortment.carriesBrand(brand)) carried[at] = 1
  return carried
}

function validOffers({ offers, starts, ends }: Block, assortment: Assortment, day: number): Uint8Array {
  const valid = new Uint8Array(offers.length)
  for (let at = 0; at < valid.length; at++) {
    const offer = offers[at]
    const isToday = (starts[at] ?? 0) <= day && day <= (ends[at] ?? 0)
    if (!isToday || offer === undefined || offer.currency !== assortment.currency) continue
    if (assortment.carries(offer)) valid[at] = 1
  }
  return valid
}

function figuresOf({ offers, commissions }: Block, { splitOf, catalog }: Assortment): Float64Array {
  const figures = new Float64Array(offers.length)
  let split: Split | null = null
  let ofSplit: Float64Array = figures
  for (let at = 0; at < figures.length; at++) {
    const offer = offers[at]
    if (offer === undefined) break
    const own = splitOf(offer)
    if (own !== split) ofSplit = catalog.table.commissions.figuresOf(own)
    split = own
    figures[at] = ofSplit[commissions[at] ?? 0] ?? 0
  }
  return figures
}

/**
 * One more than the highest figure of each brand among the listed offers, in the unit of the brand's reward type if any
 * has it; 0 without an offer.
 */
export function highestOf(
  { brands, offerFrom, commissions }: Block,
  figures: Float64Array,
  listed: Uint8Array,
  percentages: Uint8Array,
): Float64Array {
  const highest = new Float64Array(brands.length)
  for (let brand = 0; brand < brands.length; brand++) {
    const rewardType = brands[brand]?.rewardType ?? null
    const wanted = rewardType === null ? -1 : isPercentage(rewardType) ? 1 : 0
    const end = offerFrom[brand + 1] ?? 0
    let fitting = 0
    let highestOfAll = 0
    for (let at = offerFrom[brand] ?? 0; at < end; at++) {
      if (listed[at] !== 1) continue
      const figure = (figures[at] ?? 0) + 1
      if (figure > highestOfAll) highestOfAll = figure
      if (figure > fitting && percentages[commissions[at] ?? 0] === wanted) fitting = figure
    }
    highest[brand] = fitting > 0 ? fitting : highestOfAll
  }
  return highest
}
