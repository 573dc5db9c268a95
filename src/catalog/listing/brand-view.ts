import type { Brand } from '../catalog.ts'
import { netOfOffer, shownNumber } from '../net.ts'
import { isPercentage } from '../offer.ts'
import type { BestOffer, ShownOffer } from '../schema.ts'
import { BLOCK_BRANDS } from '../table/block.ts'
import { metresOf } from './distance.ts'
import { chordTo } from './location-match.ts'
import type { ListContext, Selection } from './select-brands.ts'

/** A brand as one user sees it: the offers that are listed, their net rewards, and the best offer. */
export type ShownBrand = {
  readonly brand: Brand
  readonly category: string
  readonly offers: readonly ShownOffer[]
  readonly best: BestOffer | null
}

/** The brand at a place of a selection. */
export function shownBrandAt(
  { assortment, personal }: ListContext,
  selection: Selection,
  place: number,
  origins: Float64Array,
): ShownBrand | null {
  const { table, categories } = assortment.catalog
  const block = table.blocks[Math.floor(place / BLOCK_BRANDS)]
  const brand = block?.brands[place % BLOCK_BRANDS]
  if (block === undefined || brand === undefined) return null
  const shown = (at: number): ShownOffer[] => {
    const offer = block.offers[at]
    if (offer === undefined) return []
    const { offerUid } = offer
    return [
      {
        offer,
        net: netOfOffer(offer, assortment.splitOf(offer)),
        wording: assortment.wordingOf(offerUid),
        activated: personal.activated.has(offerUid),
        ...(origins.length === 0 ? {} : { metres: metresFrom(chordTo(block, at, origins)) }),
      },
    ]
  }
  return {
    brand,
    category: categories.find(({ categoryId }) => categoryId === brand.categoryId)?.category ?? '',
    offers: selection.offersAt(place).flatMap(shown),
    best: bestOf(brand, selection.allOffersAt(place).flatMap(shown)),
  }
}

function metresFrom(gap: number): number | null {
  return gap === Number.POSITIVE_INFINITY ? null : metresOf(gap)
}

/**
 * The offer with the highest reward, in the unit of the brand's reward type if any has it; of two equal ones the older.
 */
function bestOf(brand: Brand, offers: readonly ShownOffer[]): BestOffer | null {
  const named = brand.rewardType
  const fitting =
    named === null ? [] : offers.filter(({ offer }) => isPercentage(offer.rewardType) === isPercentage(named))
  const figure = ({ offer, net }: BestOffer): number => shownNumber(offer, net.maxCustomerOffer)
  const candidates = fitting.length > 0 ? fitting : offers
  return candidates.reduce<BestOffer | null>(
    (best, one) => (best === null || figure(one) > figure(best) ? one : best),
    null,
  )
}
