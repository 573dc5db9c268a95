import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { optional } from '../search.ts'
import { api, bodyOf, type Schemas } from './client.ts'
import { BY_CURSOR, FRESH_MS, REPLACED } from './lists.ts'

const BRANDS_PAGE_SIZE = 50
const OFFERS_PAGE_SIZE = 30

/** The key prefix of all catalog queries, because an import may change any of their results. */
export const CATALOG_KEY = ['catalog'] as const

type BrandSearch = { readonly text?: string | undefined; readonly page?: number | undefined }

export function catalogBrands({ text, page = 0 }: BrandSearch) {
  const query = { ...optional({ search_text: text }), page, size: BRANDS_PAGE_SIZE }
  return queryOptions({
    queryKey: [...CATALOG_KEY, 'brands', query],
    queryFn: () => bodyOf(api.GET('/operator/brands', { params: { query } })),
    ...REPLACED,
  })
}

/** Queries a brand with its offers. */
export function catalogBrand(brandUid: string) {
  const params = { path: { brand_uid: brandUid } }
  return queryOptions({
    queryKey: [...CATALOG_KEY, 'brand', brandUid],
    queryFn: () => bodyOf(api.GET('/operator/brands/{brand_uid}', { params })),
    staleTime: FRESH_MS,
  })
}

export function catalogOffer(offerUid: string) {
  const params = { path: { offer_uid: offerUid } }
  return queryOptions({
    queryKey: [...CATALOG_KEY, 'offer', offerUid],
    queryFn: () => bodyOf(api.GET('/operator/offers/{offer_uid}', { params })),
    staleTime: FRESH_MS,
  })
}

export const catalogCategories = queryOptions({
  queryKey: [...CATALOG_KEY, 'categories'],
  queryFn: async () => (await bodyOf(api.GET('/operator/categories'))).content,
  staleTime: FRESH_MS,
})

export type StoreSearch = {
  readonly text?: string | undefined
  readonly state?: string | undefined
  readonly place?: string | undefined
}

/** Queries how many stores match, where they are on a map, and the first of them. */
export function catalogStores({ text, state, place }: StoreSearch) {
  const query = optional({ search_text: text, state, place })
  return queryOptions({
    queryKey: [...CATALOG_KEY, 'stores', query],
    queryFn: () => bodyOf(api.GET('/operator/stores', { params: { query } })),
    ...REPLACED,
  })
}

type OfferSearch = {
  readonly text?: string | undefined
  readonly state?: Schemas['OfferOfCatalog']['state'] | undefined
  readonly type?: Schemas['OfferType'] | undefined
  /** A category id. */
  readonly category?: string | undefined
}

/** Queries offers, newest first. */
export function catalogOffers({ text, state, type, category }: OfferSearch) {
  const query = {
    limit: OFFERS_PAGE_SIZE,
    ...optional({ search_text: text, state, offer_type: type }),
    ...(category === undefined ? {} : { category_id: Number(category) }),
  }
  return infiniteQueryOptions({
    queryKey: [...CATALOG_KEY, 'offers', query],
    queryFn: ({ pageParam }) => readOffers(query, pageParam),
    ...BY_CURSOR,
  })
}

// Filtered pages search only a few thousand offers each, so a page may be empty before the end. Reads on until the
// screen is full, but does not make anyone wait for a search of the whole catalog.
const SCREENFUL = 20
const PAGES_MAX = 10

async function readOffers(query: object, from: string | null) {
  const content: Schemas['OfferOfCatalog'][] = []
  let cursor = from
  for (let pages = 0; pages < PAGES_MAX && content.length < SCREENFUL; pages++) {
    const after = cursor === null ? {} : { cursor }
    const page = await bodyOf(api.GET('/operator/offers', { params: { query: { ...query, ...after } } }))
    content.push(...page.content)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return { content, next_cursor: cursor }
}
