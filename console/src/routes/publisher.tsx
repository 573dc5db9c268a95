import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { needsScope } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { oneOf, optional, pageIn, type Search, text } from '../search.ts'
import { publisher } from './root.tsx'

const TRANSACTION_STATUSES = ['PENDING', 'EARNED', 'CANCELLED'] as const
const transactions = createRoute({
  getParentRoute: () => publisher,
  path: '/transactions',
  beforeLoad: needsScope('transactions:read'),
  validateSearch: (search: Search) =>
    optional({
      status: oneOf(TRANSACTION_STATUSES, search['status']),
      text: text(search['text']),
      user: text(search['user']),
      page: pageIn(search),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, params }) => context.client.ensureQueryData(queries.transactions(params.publisher, deps)),
  component: lazyRouteComponent(() => import('../pages/transactions/list.tsx')),
})

const transaction = createRoute({
  getParentRoute: () => publisher,
  path: '/transactions/$transaction',
  beforeLoad: needsScope('transactions:read'),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(queries.transaction(params.publisher, params.transaction)),
      client.ensureQueryData(queries.decision(params.publisher, params.transaction)),
      client.ensureQueryData(queries.reportedEvents(params.publisher, params.transaction)),
    ]),
  component: lazyRouteComponent(() => import('../pages/transactions/page.tsx')),
})

const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const
const webhooks = createRoute({
  getParentRoute: () => publisher,
  path: '/webhooks',
  beforeLoad: needsScope('webhooks:read'),
  validateSearch: (search: Search) =>
    optional({
      status: oneOf(DELIVERY_STATUSES, search['status']),
      page: pageIn(search),
      delivery: text(search['delivery']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, deps, params }) =>
    Promise.all([
      client.ensureQueryData(queries.deliveries(params.publisher, deps.status, deps.page ?? 0)),
      client.ensureQueryData(queries.endpoints(params.publisher)),
    ]),
  component: lazyRouteComponent(() => import('../pages/webhooks/page.tsx')),
})

const clock = createRoute({
  getParentRoute: () => publisher,
  path: '/clock',
  beforeLoad: needsScope('transactions:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.clock(params.publisher)),
  component: lazyRouteComponent(() => import('../pages/clock/page.tsx')),
})

/** The pages of one publisher. */
export const publisherRoutes = [transactions, transaction, webhooks, clock] as const
