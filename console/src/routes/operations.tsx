import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as operations from '../api/operations-queries.ts'
import { needs, needsScope } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { oneOf, optional, type Search, text } from '../search.ts'
import { guarded, publisher } from './root.tsx'

const service = createRoute({
  getParentRoute: () => guarded,
  path: '/service',
  beforeLoad: needs('facts:read'),
  loader: ({ context }) => context.client.ensureQueryData(operations.serviceWork),
  component: lazyRouteComponent(() => import('../pages/service/page.tsx')),
})

const budgets = createRoute({
  getParentRoute: () => guarded,
  path: '/budgets',
  beforeLoad: needs('catalog:read'),
  validateSearch: (search: Search) => optional({ view: oneOf(['nearly'] as const, search['view']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(operations.budgets(deps.view === 'nearly')),
  component: lazyRouteComponent(() => import('../pages/budgets/page.tsx')),
})

const brokenLogins = createRoute({
  getParentRoute: () => guarded,
  path: '/broken-logins',
  beforeLoad: needs('users:read'),
  validateSearch: (search: Search): { publisher?: string } => optional({ publisher: text(search['publisher']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(operations.brokenLogins(deps.publisher)),
  component: lazyRouteComponent(() => import('../pages/waiting/logins.tsx')),
})

const endpoints = createRoute({
  getParentRoute: () => guarded,
  path: '/endpoints',
  beforeLoad: needs('webhooks:read'),
  validateSearch: (search: Search) =>
    optional({ publisher: text(search['publisher']), view: oneOf(['all'] as const, search['view']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    context.client.ensureInfiniteQueryData(operations.allEndpoints(deps.publisher, deps.view !== 'all')),
  component: lazyRouteComponent(() => import('../pages/waiting/endpoints.tsx')),
})

const sandbox = createRoute({
  getParentRoute: () => publisher,
  path: '/sandbox',
  beforeLoad: needsScope('transactions:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.clock(params.publisher)),
  component: lazyRouteComponent(() => import('../pages/sandbox/page.tsx')),
})

/** The health of everything that runs unattended. */
export const operationsRoutes = [service, budgets, brokenLogins, endpoints] as const
/** The simulations in a publisher's sandbox. */
export const sandboxRoutes = [sandbox] as const
