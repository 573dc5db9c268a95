import type { Day } from '../../platform/calendar.ts'
import type { Assortment } from '../assortment/assortment.ts'
import type { CatalogOffer } from '../catalog.ts'
import { netOfOffer, type Split, shownNumber } from '../net.ts'
import { isPercentage } from '../offer.ts'
import { type Block, dayNumber, PERCENTAGE } from '../table/block.ts'
import { createCacheByOwner } from './lru-cache.ts'

/** A block on a publisher's terms on a day. */
type BlockTerms = {
  readonly block: Block
  /** 1: the brand is live and carried. */
  readonly brands: Uint8Array
  /** FIRST or FURTHER: the offer is carried, valid on the day, and in that currency of the publisher, or in another. */
  readonly offers: Uint8Array
  /** The highest net reward of each offer, as an integer that sorts as the shown number does; computed when needed. */
  readonly figures: () => Float64Array
}

/** A block as one user sees it. */
export type BlockView = Omit<BlockTerms, 'offers'> & {
  /** The same, and 0 for what the user cannot have. */
  readonly listed: Uint8Array
}

// Publishers with the same terms share these: some megabytes for each set of terms at half a million offers. They hold no
// assortment: a block outlives the state of the catalog in which it was first listed.
const TERMS_MAX = 16
const carriedInBlock = createCacheByOwner<Block, Pick<BlockTerms, 'brands' | 'offers'>>(TERMS_MAX)
const figuresOfBlock = createCacheByOwner<Block, Float64Array>(TERMS_MAX)

export function createTerms(assortment: Assortment, day: Day): (block: Block) => BlockTerms {
  const { termsKey } = assortment
  const dayKey = `${termsKey} ${day}`
  return (block) => {
    let figures: Float64Array | null = null
    const carried = carriedInBlock(block, dayKey, () => ({
      brands: carriedBrands(block, assortment),
      offers: validOffers(block, assortment, dayNumber(day)),
    }))
    return {
      block,
      ...carried,
      figures: () => {
        figures ??= figuresOfBlock(block, termsKey, () =>
          Float64Array.from(block.offers, (offer) => figureOf(offer, assortment.splitOf(offer))),
        )
        return figures
      },
    }
  }
}

// Loops, because half a million callbacks take a tenth of a second.
function carriedBrands({ brands }: Block, assortment: Assortment): Uint8Array {
  const carried = new Uint8Array(brands.length)
  for (const [at, brand] of brands.entries()) if (!brand.retired && assortment.carriesBrand(brand)) carried[at] = 1
  return carried
}

// In the publisher's first currency, and in a further one.
const FIRST = 1
const FURTHER = 2

function validOffers({ offers, starts, ends }: Block, assortment: Assortment, day: number): Uint8Array {
  const { currencies } = assortment
  const valid = new Uint8Array(offers.length)
  for (let at = 0; at < valid.length; at++) {
    const offer = offers[at]
    const isToday = (starts[at] ?? 0) <= day && day <= (ends[at] ?? 0)
    if (!isToday || offer === undefined || !currencies.includes(offer.currency)) continue
    if (assortment.carries(offer)) valid[at] = offer.currency === currencies[0] ? FIRST : FURTHER
  }
  return valid
}

// Figures have at most four decimals, so these are integers that a double holds exactly.
const FIGURE_SCALE = 10_000
// Offers of one reward type and currency share equal groups, so few figures are computed.
const figuresOfSplit = new WeakMap<Split, WeakMap<CatalogOffer['groups'], number>>()

function figureOf(offer: CatalogOffer, split: Split): number {
  const known = figuresOfSplit.get(split) ?? new WeakMap<CatalogOffer['groups'], number>()
  figuresOfSplit.set(split, known)
  const found = known.get(offer.groups)
  if (found !== undefined) return found
  const figure = Math.round(shownNumber(offer, netOfOffer(offer, split).maxCustomerOffer) * FIGURE_SCALE)
  known.set(offer.groups, figure)
  return figure
}

/**
 * The listed offer of a brand with the highest figure: among those in the unit of the brand's reward type if there are
 * any, and among these in the publisher's first currency if there are any, because figures in different currencies cannot
 * be compared. Of two equal ones the older. -1 without an offer.
 */
export function bestOffer({ block, listed, figures }: BlockView, brand: number): number {
  const rewardType = block.brands[brand]?.rewardType ?? null
  const wanted = rewardType === null ? -1 : isPercentage(rewardType) ? PERCENTAGE : 0
  const all = figures()
  let best = -1
  let bestFit = -1
  for (let at = block.offerFrom[brand] ?? 0; at < (block.offerFrom[brand + 1] ?? 0); at++) {
    if (listed[at] === 0) continue
    const isInUnit = ((block.traits[at] ?? 0) & PERCENTAGE) === wanted
    const fit = (isInUnit ? 2 : 0) + (listed[at] === FIRST ? 1 : 0)
    if (fit < bestFit || (fit === bestFit && (all[at] ?? 0) <= (all[best] ?? 0))) continue
    best = at
    bestFit = fit
  }
  return best
}
