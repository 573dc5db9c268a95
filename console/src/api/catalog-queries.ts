import type { Schemas } from './client.ts'
import { PAGE_SIZE, page, parts, query, rows } from './query.ts'

/** The queries whose results may change when a catalog is imported. */
export const CATALOG = [
  '/operator/brands',
  '/operator/offers',
  '/operator/categories',
  '/operator/stores',
  '/publishers/brands',
] as const

/** Queries brands, in the order of the catalog. */
export const catalogBrands = ({ text }: { readonly text?: string | undefined }) =>
  parts('/operator/brands', { query: { search_text: text, limit: PAGE_SIZE } })

/** Queries a brand with its offers. */
export const catalogBrand = (brand_uid: string) => query('/operator/brands/{brand_uid}', { path: { brand_uid } })

export const catalogOffer = (offer_uid: string) => query('/operator/offers/{offer_uid}', { path: { offer_uid } })

export const catalogCategories = rows('/operator/categories')

export type StoreSearch = {
  readonly text?: string | undefined
  readonly state?: string | undefined
  readonly place?: string | undefined
}

/** Queries the matching stores: how many there are, where they are, and the first of them. */
export const catalogStores = ({ text, ...where }: StoreSearch) =>
  page('/operator/stores', { query: { search_text: text, ...where } })

type OfferSearch = {
  readonly text?: string | undefined
  readonly state?: Schemas['OfferOfCatalog']['state'] | undefined
  readonly type?: Schemas['OfferType'] | undefined
  /** A category id. */
  readonly category?: string | undefined
}

/** Queries offers, newest first. */
export function catalogOffers({ text, state, type, category }: OfferSearch) {
  const category_id = category === undefined ? undefined : Number(category)
  const query = { search_text: text, state, offer_type: type, category_id, limit: PAGE_SIZE }
  return parts('/operator/offers', { query })
}
