import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as queries from '../api/money-queries.ts'
import { needs } from '../api/permissions.ts'
import { publishers } from '../api/queries.ts'
import { publisherOf } from '../publisher.ts'
import { dayIn, monthIn, oneOf, optional, pageIn, type Search, text } from '../search.ts'
import { guarded } from './root.tsx'

const ledger = createRoute({
  getParentRoute: () => guarded,
  path: '/ledger',
  beforeLoad: needs('ledger:read'),
  validateSearch: (search: Search) =>
    optional({
      publisher: text(search['publisher']),
      day: dayIn(search['day']),
      view: oneOf(['owner'] as const, search['view']),
    }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { client }, deps: { publisher, day, view } }) => {
    const wanted = publisher ?? publisherOf(await client.ensureQueryData(publishers), undefined)?.publisher_id
    if (wanted === undefined) return
    await client.ensureQueryData(queries.ledger({ publisher: wanted, day, byOwner: view === 'owner' }))
  },
  component: lazyRouteComponent(() => import('../pages/ledger/page.tsx')),
})

const PARTIES = ['advertiser', 'publisher', 'payouts', 'service'] as const
const payments = createRoute({
  getParentRoute: () => guarded,
  path: '/payments',
  beforeLoad: needs('payments:read'),
  validateSearch: (search: Search) =>
    optional({
      publisher: text(search['publisher']),
      party: oneOf(PARTIES, search['party']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.payments(deps)),
  component: lazyRouteComponent(() => import('../pages/payments/page.tsx')),
})

const receivables = createRoute({
  getParentRoute: () => guarded,
  path: '/receivables',
  beforeLoad: needs('ledger:read'),
  validateSearch: (search: Search) => optional({ publisher: text(search['publisher']), page: pageIn(search) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.receivables(deps)),
  component: lazyRouteComponent(() => import('../pages/receivables/page.tsx')),
})

const KINDS = ['advertiser', 'publisher', 'service'] as const
const statements = createRoute({
  getParentRoute: () => guarded,
  path: '/statements',
  beforeLoad: needs('statements:read'),
  validateSearch: (search: Search) =>
    optional({
      publisher: text(search['publisher']),
      kind: oneOf(KINDS, search['kind']),
      month: monthIn(search['month']),
      page: pageIn(search),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.statements(deps)),
  component: lazyRouteComponent(() => import('../pages/statements/list.tsx')),
})

const closing = createRoute({
  getParentRoute: () => guarded,
  path: '/statements/close',
  beforeLoad: needs('statements:close'),
  component: lazyRouteComponent(() => import('../pages/statements/close.tsx')),
})

const statement = createRoute({
  getParentRoute: () => guarded,
  path: '/statements/$statement',
  beforeLoad: needs('statements:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.monthlyStatement(params.statement)),
  component: lazyRouteComponent(() => import('../pages/statements/page.tsx')),
})

const ADJUSTMENT_STATUSES = ['proposed', 'booked', 'declined'] as const
const adjustments = createRoute({
  getParentRoute: () => guarded,
  path: '/adjustments',
  beforeLoad: needs('adjustments:read'),
  validateSearch: (search: Search) =>
    optional({ publisher: text(search['publisher']), status: oneOf(ADJUSTMENT_STATUSES, search['status']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.adjustments(deps)),
  component: lazyRouteComponent(() => import('../pages/adjustments/page.tsx')),
})

const onePublisher = (search: Search): { publisher?: string } => optional({ publisher: text(search['publisher']) })

const refunds = createRoute({
  getParentRoute: () => guarded,
  path: '/refunds',
  beforeLoad: needs('refunds:read'),
  validateSearch: onePublisher,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.unmatchedRefunds(deps.publisher)),
  component: lazyRouteComponent(() => import('../pages/exceptions/refunds.tsx')),
})

const sales = createRoute({
  getParentRoute: () => guarded,
  path: '/sales',
  beforeLoad: needs('postbacks:read'),
  loader: ({ context }) => context.client.ensureQueryData(queries.unknownSales),
  component: lazyRouteComponent(() => import('../pages/exceptions/sales.tsx')),
})

const contradictions = createRoute({
  getParentRoute: () => guarded,
  path: '/contradictions',
  beforeLoad: needs('contradictions:read'),
  loader: ({ context }) => context.client.ensureQueryData(queries.contradictions),
  component: lazyRouteComponent(() => import('../pages/exceptions/contradictions.tsx')),
})

const giftCardOrders = createRoute({
  getParentRoute: () => guarded,
  path: '/gift-card-orders',
  beforeLoad: needs('gift-cards:read'),
  validateSearch: onePublisher,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.undecidedOrders(deps.publisher)),
  component: lazyRouteComponent(() => import('../pages/exceptions/gift-card-orders.tsx')),
})

/** The books, and everything that does not fit them until a person decides. */
export const moneyRoutes = [
  ...[ledger, receivables, payments, statements, closing, statement, adjustments],
  ...[refunds, sales, contradictions, giftCardOrders],
] as const
