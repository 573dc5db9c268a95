import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as queries from '../api/queries.ts'
import { guarded } from './root.tsx'
import { optional, pageIn, type Search, text } from './search.ts'

const brands = createRoute({
  getParentRoute: () => guarded,
  path: '/brands',
  validateSearch: (search: Search) => optional({ text: text(search['text']), page: pageIn(search) }),
  loader: ({ context }) => context.client.ensureQueryData(queries.catalog),
  component: lazyRouteComponent(() => import('../pages/brands/list.tsx')),
})

const brand = createRoute({
  getParentRoute: () => guarded,
  path: '/brands/$brand',
  loader: ({ context }) => context.client.ensureQueryData(queries.catalog),
  component: lazyRouteComponent(() => import('../pages/brands/page.tsx')),
})

/** Brands and offers. */
export const catalogRoutes = [brands, brand] as const
