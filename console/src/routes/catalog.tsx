import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as queries from '../api/catalog-queries.ts'
import { needs, needsScope } from '../api/permissions.ts'
import { matching, oneOf, optional, pageIn, type Search, text } from '../search.ts'
import { guarded, publisher } from './root.tsx'

const brands = createRoute({
  getParentRoute: () => guarded,
  path: '/brands',
  beforeLoad: needs('catalog:read'),
  validateSearch: (search: Search) => optional({ text: text(search['text']), page: pageIn(search) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.catalogBrands(deps)),
  component: lazyRouteComponent(() => import('../pages/brands/list.tsx')),
})

const brand = createRoute({
  getParentRoute: () => guarded,
  path: '/brands/$brand',
  beforeLoad: needs('catalog:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.catalogBrand(params.brand)),
  component: lazyRouteComponent(() => import('../pages/brands/page.tsx')),
})

const catalogImport = createRoute({
  getParentRoute: () => guarded,
  path: '/brands/import',
  beforeLoad: needs('catalog:change'),
  component: lazyRouteComponent(() => import('../pages/catalog-import/page.tsx')),
})

const STATES = ['live', 'scheduled', 'ended', 'retired'] as const
const TYPES = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE'] as const
const offers = createRoute({
  getParentRoute: () => guarded,
  path: '/offers',
  beforeLoad: needs('catalog:read'),
  validateSearch: (search: Search) =>
    optional({
      text: text(search['text']),
      state: oneOf(STATES, search['state']),
      type: oneOf(TYPES, search['type']),
      category: matching(/^\d{1,9}$/, search['category']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, deps }) =>
    Promise.all([
      client.ensureInfiniteQueryData(queries.catalogOffers(deps)),
      client.ensureQueryData(queries.catalogCategories),
    ]),
  component: lazyRouteComponent(() => import('../pages/offers/list.tsx')),
})

const offer = createRoute({
  getParentRoute: () => guarded,
  path: '/offers/$offer',
  beforeLoad: needs('catalog:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.catalogOffer(params.offer)),
  component: lazyRouteComponent(() => import('../pages/offers/page.tsx')),
})

const categories = createRoute({
  getParentRoute: () => guarded,
  path: '/categories',
  beforeLoad: needs('catalog:read'),
  loader: ({ context }) => context.client.ensureQueryData(queries.catalogCategories),
  component: lazyRouteComponent(() => import('../pages/categories/page.tsx')),
})

const stores = createRoute({
  getParentRoute: () => guarded,
  path: '/stores',
  beforeLoad: needs('catalog:read'),
  validateSearch: (search: Search) =>
    optional({
      text: text(search['text']),
      state: matching(/^[A-Z]{2}$/, search['state']),
      place: matching(/^(\d|1[0-2])-\d{1,4}-\d{1,4}$/, search['place']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.catalogStores(deps)),
  component: lazyRouteComponent(() => import('../pages/stores/page.tsx')),
})

const preview = createRoute({
  getParentRoute: () => publisher,
  path: '/preview',
  beforeLoad: needsScope('users:read'),
  validateSearch: (search: Search) =>
    optional({ user: text(search['user']), text: text(search['text']), page: pageIn(search) }),
  component: lazyRouteComponent(() => import('../pages/preview/page.tsx')),
})

/** Brands, offers and stores of the whole service. */
export const catalogRoutes = [brands, catalogImport, brand, offers, offer, categories, stores] as const
/** The catalog as one publisher's users see it. */
export const publisherCatalogRoutes = [preview] as const
