import { createRoute } from '@tanstack/react-router'
import * as queries from '../api/catalog-queries.ts'
import { needs, needsScope } from '../api/permissions.ts'
import { matching, pageNumber, parseChoice, text } from '../search.ts'
import { page, publisherPage } from './page.ts'

const brands = createRoute({
  ...page('/brands', needs('catalog:read'), () => import('../pages/brands/list.tsx'), { text }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.catalogBrands(deps)),
})

const brand = createRoute({
  ...page('/brands/$brand', needs('catalog:read'), () => import('../pages/brands/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.catalogBrand(params.brand)),
})

const catalogImport = createRoute(
  page('/brands/import', needs('catalog:change'), () => import('../pages/catalog-import/page.tsx')),
)

const STATES = ['live', 'scheduled', 'ended', 'retired'] as const
const TYPES = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE'] as const
const offers = createRoute({
  ...page('/offers', needs('catalog:read'), () => import('../pages/offers/list.tsx'), {
    text,
    state: parseChoice(STATES),
    type: parseChoice(TYPES),
    category: matching(/^\d{1,9}$/),
  }),
  loader: ({ context: { client }, deps }) =>
    Promise.all([
      client.ensureInfiniteQueryData(queries.catalogOffers(deps)),
      client.ensureQueryData(queries.catalogCategories),
    ]),
})

const offer = createRoute({
  ...page('/offers/$offer', needs('catalog:read'), () => import('../pages/offers/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.catalogOffer(params.offer)),
})

const categories = createRoute({
  ...page('/categories', needs('catalog:read'), () => import('../pages/categories/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(queries.catalogCategories),
})

const stores = createRoute({
  ...page('/stores', needs('catalog:read'), () => import('../pages/stores/page.tsx'), {
    text,
    state: matching(/^[A-Z]{2}$/),
    place: matching(/^(\d|1[0-2])-\d{1,4}-\d{1,4}$/),
  }),
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.catalogStores(deps)),
})

const preview = createRoute({
  ...publisherPage('/preview', needsScope('users:read'), () => import('../pages/preview/page.tsx'), {
    user: text,
    text,
    page: pageNumber,
  }),
})

/** Brands, offers and stores of the entire service. */
export const catalogRoutes = [brands, catalogImport, brand, offers, offer, categories, stores] as const
/** The catalog as one publisher's users see it. */
export const publisherCatalogRoutes = [preview] as const
