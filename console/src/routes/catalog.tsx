import { createRoute } from '@tanstack/react-router'
import { needs, needsScope } from '../api/permissions.ts'
import { catalogCategories } from '../api/queries.ts'
import { BRANDS, catalogBrand } from '../pages/brands/queries.ts'
import { catalogOffer, OFFERS } from '../pages/offers/queries.ts'
import { LISTED_BRANDS } from '../pages/preview/queries.ts'
import { catalogStores } from '../pages/stores/queries.ts'
import { matching, text } from '../search.ts'
import { listPage, page, publisherPage } from './page.ts'

const brands = createRoute(listPage('/brands', needs('catalog:read'), () => import('../pages/brands/list.tsx'), BRANDS))

const brand = createRoute({
  ...page('/brands/$brand', needs('catalog:read'), () => import('../pages/brands/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(catalogBrand(params.brand)),
})

const catalogImport = createRoute(
  page('/brands/import', needs('catalog:change'), () => import('../pages/catalog-import/page.tsx')),
)

const offers = createRoute({
  ...page('/offers', needs('catalog:read'), () => import('../pages/offers/list.tsx'), OFFERS.readers),
  loader: ({ context: { client }, deps }) =>
    Promise.all([OFFERS.load(client, deps), client.ensureQueryData(catalogCategories)]),
})

const offer = createRoute({
  ...page('/offers/$offer', needs('catalog:read'), () => import('../pages/offers/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(catalogOffer(params.offer)),
})

const categories = createRoute({
  ...page('/categories', needs('catalog:read'), () => import('../pages/categories/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(catalogCategories),
})

const stores = createRoute({
  ...page('/stores', needs('catalog:read'), () => import('../pages/stores/page.tsx'), {
    text,
    state: matching(/^[A-Z]{2}$/),
    place: matching(/^(\d|1[0-2])-\d{1,4}-\d{1,4}$/),
  }),
  loader: ({ context, deps }) => context.client.ensureQueryData(catalogStores(deps)),
})

const preview = createRoute(
  publisherPage('/preview', needsScope('users:read'), () => import('../pages/preview/page.tsx'), LISTED_BRANDS.readers),
)

/** Brands, offers and stores of the entire service. */
export const catalogRoutes = [brands, catalogImport, brand, offers, offer, categories, stores] as const
/** The catalog as one publisher's users see it. */
export const publisherCatalogRoutes = [preview] as const
