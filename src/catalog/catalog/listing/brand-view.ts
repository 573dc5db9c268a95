import type { Brand } from '../catalog.ts'
import { metresOf } from '../chords.ts'
import { netOfOffer } from '../net.ts'
import type { BestOffer, ShownOffer } from '../schema.ts'
import { chordTo } from './location-filter.ts'
import type { ListContext, Selection } from './select-brands.ts'

/** A brand as one user sees it: its listed offers, their net rewards, and the best offer. */
export type ShownBrand = {
  readonly brand: Brand
  readonly category: string
  readonly offers: readonly ShownOffer[]
  readonly best: BestOffer | null
}

/** Returns the brand at a place in a selection. */
export function shownBrandAt(
  { assortment, personal }: ListContext,
  selection: Selection,
  place: number,
  origins: Float64Array,
): ShownBrand {
  const { block, brand: at, offers, best } = selection.brandAt(place)
  const brand = block.brands[at]
  if (brand === undefined) throw new Error(`no brand at place ${place}`)
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
        ...(origins.length === 0 ? {} : { metres: metresOf(chordTo(block, at, origins)) }),
      },
    ]
  }
  return {
    brand,
    category: assortment.catalog.categories.find(({ categoryId }) => categoryId === brand.categoryId)?.category ?? '',
    offers: offers.flatMap(shown),
    best: shown(best)[0] ?? null,
  }
}
