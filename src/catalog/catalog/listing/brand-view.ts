import type { Brand } from '../catalog.ts'
import { toMetres } from '../chords.ts'
import { computeOfferNet } from '../net.ts'
import type { BestOffer, PresentedOffer } from '../schema.ts'
import { computeChordTo } from './location-filter.ts'
import { everything, type ListContext, type Selection, selectBrands } from './select-brands.ts'
import { brandNotFound } from './service.ts'

/** A brand as one user sees it: its listed offers, their net rewards, and the best offer. */
export type BrandView = {
  readonly brand: Brand
  readonly category: string
  readonly offers: readonly PresentedOffer[]
  readonly best: BestOffer | null
}

/** @throws Refusal brand_not_found */
export function viewBrand(context: ListContext, brandUid: string): BrandView {
  const selection = selectBrands(context, { ...everything, brandUid })
  const [place] = selection.places
  if (place === undefined) throw brandNotFound()
  return viewBrandAt(context, selection, place, everything.origins)
}

/** Returns the brand at the given place in a selection. */
export function viewBrandAt(
  { assortment, personal }: ListContext,
  selection: Selection,
  place: number,
  origins: Float64Array,
): BrandView {
  const { block, brand: at, offers, best } = selection.brandAt(place)
  const brand = block.brands[at]
  if (brand === undefined) throw new Error(`no brand at place ${place}`)
  const shown = (at: number): PresentedOffer[] => {
    const offer = block.offers[at]
    if (offer === undefined) return []
    const { offerUid } = offer
    return [
      {
        offer,
        net: computeOfferNet(offer, assortment.getSplit(offer)),
        wording: assortment.findWording(offerUid),
        activated: personal.activated.has(offerUid),
        ...(origins.length === 0 ? {} : { metres: toMetres(computeChordTo(block, at, origins)) }),
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
