import type { Day } from '../../../platform/calendar.ts'
import type { Assortment } from '../assortment/assortment.ts'
import type { CatalogOffer } from '../catalog.ts'
import { computeOfferNet, displayNumber, type Split } from '../net.ts'
import { isPercentage } from '../offer.ts'
import { type Block, encodeDay, PERCENTAGE } from '../table/block.ts'
import { createCacheByOwner } from './lru-cache.ts'

/** A block evaluated on a publisher's terms for one day. */
type BlockTerms = {
  readonly block: Block
  /** 1 if the brand is live and carried. */
  readonly brands: Uint8Array
  /**
   * For an offer that is carried and valid on the day: FIRST if it is in the publisher's first currency, and FURTHER if
   * it is in another of the publisher's currencies. 0 for all other offers.
   */
  readonly offers: Uint8Array
  /** Computes the highest net reward of each offer on demand, as an integer that sorts like the displayed number. */
  readonly figures: () => Float64Array
}

/** A block as one user sees it. */
export type BlockView = Omit<BlockTerms, 'offers'> & {
  /** `offers`, with 0 for offers the user cannot have. */
  readonly listed: Uint8Array
}

// Publishers with the same terms share these columns, which take several megabytes per set of terms for half a million
// offers. They hold no reference to an assortment, because a block outlives the catalog state it was first listed in.
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
      offers: validOffers(block, assortment, encodeDay(day)),
    }))
    return {
      block,
      ...carried,
      figures: () => {
        figures ??= figuresOfBlock(block, termsKey, () =>
          Float64Array.from(block.offers, (offer) => computeFigure(offer, assortment.getSplit(offer))),
        )
        return figures
      },
    }
  }
}

// Uses loops, because half a million callbacks take a tenth of a second.
function carriedBrands({ brands }: Block, assortment: Assortment): Uint8Array {
  const carried = new Uint8Array(brands.length)
  for (const [at, brand] of brands.entries()) if (!brand.retired && assortment.carriesBrand(brand)) carried[at] = 1
  return carried
}

// Marks an offer in the publisher's first currency, or in another of its currencies.
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

// Figures have at most four decimal places, so scaling turns them into integers that a double represents exactly.
const FIGURE_SCALE = 10_000
// Equal groups are shared between offers of the same reward type and currency, so few figures are computed.
const figuresOfSplit = new WeakMap<Split, WeakMap<CatalogOffer['groups'], number>>()

function computeFigure(offer: CatalogOffer, split: Split): number {
  const known = figuresOfSplit.get(split) ?? new WeakMap<CatalogOffer['groups'], number>()
  figuresOfSplit.set(split, known)
  const found = known.get(offer.groups)
  if (found !== undefined) return found
  const figure = Math.round(displayNumber(offer, computeOfferNet(offer, split).maxCustomerOffer) * FIGURE_SCALE)
  known.set(offer.groups, figure)
  return figure
}

/**
 * Returns the brand's listed offer with the highest figure, or -1 if there is none. Prefers offers in the unit of the
 * brand's reward type, then offers in the publisher's first currency, because figures in different currencies cannot be
 * compared. The older offer wins a tie.
 */
export function findBestOffer({ block, listed, figures }: BlockView, brand: number): number {
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
