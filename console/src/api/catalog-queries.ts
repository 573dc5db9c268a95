import { type Answer, get, type Schemas } from './client.ts'
import { PAGE_SIZE, page, parts, query, rows } from './query.ts'

/** The queries whose results an import may change. */
export const CATALOG = [
  '/operator/brands',
  '/operator/offers',
  '/operator/categories',
  '/operator/stores',
  '/publishers/brands',
] as const
const BRANDS_PAGE_SIZE = 50

type BrandSearch = { readonly text?: string | undefined; readonly page?: number | undefined }

export const catalogBrands = ({ text, page: number = 0 }: BrandSearch) =>
  page('/operator/brands', { query: { search_text: text, page: number, size: BRANDS_PAGE_SIZE } })

/** Queries a brand with its offers. */
export const catalogBrand = (brand_uid: string) => query('/operator/brands/{brand_uid}', { path: { brand_uid } })

export const catalogOffer = (offer_uid: string) => query('/operator/offers/{offer_uid}', { path: { offer_uid } })

export const catalogCategories = rows('/operator/categories')

export type StoreSearch = {
  readonly text?: string | undefined
  readonly state?: string | undefined
  readonly place?: string | undefined
}

/** Queries how many stores match, where they are on a map, and the first of them. */
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
  return {
    ...parts('/operator/offers', { query }),
    queryFn: ({ pageParam }: { readonly pageParam: string | null }) => readOffers(query, pageParam),
  }
}

// Filtered pages search only a few thousand offers each, so a page may be empty before the end. Reads on until the
// screen is full, but does not make anyone wait for a search of the whole catalog.
const SCREENFUL = 20
const PAGES_MAX = 10

async function readOffers(query: object, from: string | null): Promise<Answer<'get', '/operator/offers'>> {
  const content: Schemas['OfferOfCatalog'][] = []
  let cursor = from
  for (let pages = 0; pages < PAGES_MAX && content.length < SCREENFUL; pages++) {
    const page = await get('/operator/offers', { query: { ...query, cursor: cursor ?? undefined } })
    content.push(...page.content)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return { content, next_cursor: cursor }
}
