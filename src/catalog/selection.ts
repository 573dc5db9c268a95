import type { SortField } from '../platform/http/index.ts'
import type { OfferType } from './offer.ts'
import { fitsLocation, type LocationFilter } from './places.ts'
import type { ShownBrand, ShownOffer, View } from './view.ts'

export const BRAND_SORTS = ['name', 'category_id', 'category', 'max_customer_offer', 'brand_uid'] as const
export type BrandSort = (typeof BRAND_SORTS)[number]

export type BrandFilter = {
  readonly categoryId: number | null
  readonly offerTypes: readonly OfferType[]
  readonly location: LocationFilter | null
  readonly searchText: string | null
  readonly sort: readonly SortField<BrandSort>[]
}

/** A brand of a list, with those of its offers that the filter asks for. */
export type Selected = { readonly shown: ShownBrand; readonly offers: readonly ShownOffer[] }

/**
 * The brands that a filter asks for. Filters on offers choose the offers, and leave out brands that keep none; without such a filter
 * a brand that has no offer today is listed too, with an empty list.
 */
export function selectBrands(view: Pick<View, 'brands'>, filter: BrandFilter): readonly Selected[] {
  const { categoryId, offerTypes, location } = filter
  const search = filter.searchText?.trim().toLowerCase() ?? ''
  const asksForOffers = offerTypes.length > 0 || location !== null
  const selected: Selected[] = []
  for (const shown of view.brands) {
    if (categoryId !== null && shown.brand.categoryId !== categoryId) continue
    if (search !== '' && !shown.foldedTexts.includes(search)) continue
    const offers = asksForOffers ? shown.offers.filter((one) => fits(one, offerTypes, location)) : shown.offers
    if (asksForOffers && offers.length === 0) continue
    selected.push({ shown, offers })
  }
  return filter.sort.length === 0 ? selected : selected.sort(orderOf(filter.sort))
}

function fits({ offer }: ShownOffer, types: readonly OfferType[], location: LocationFilter | null): boolean {
  return (types.length === 0 || types.includes(offer.offerType)) && (location === null || fitsLocation(offer, location))
}

const COMPARE: Readonly<Record<BrandSort, (a: ShownBrand, b: ShownBrand) => number>> = {
  name: (a, b) => compareTexts(a.foldedName, b.foldedName),
  category_id: (a, b) => a.brand.categoryId - b.brand.categoryId,
  category: (a, b) => compareTexts(a.category, b.category),
  max_customer_offer: (a, b) => a.max - b.max,
  brand_uid: (a, b) => compareTexts(a.brand.brandUid, b.brand.brandUid),
}

/** The id breaks ties, in the direction of the last field. */
function orderOf(sort: readonly SortField<BrandSort>[]): (a: Selected, b: Selected) => number {
  const fields = [...sort, { field: 'brand_uid' as const, descending: sort.at(-1)?.descending === true }]
  return (a, b) => {
    for (const { field, descending } of fields) {
      const order = COMPARE[field](a.shown, b.shown)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
