import { createRoute } from '@tanstack/react-router'
import * as queries from '../api/money-queries.ts'
import { needs } from '../api/permissions.ts'
import { publishers } from '../api/queries.ts'
import { pickPublisher } from '../publisher.ts'
import { day, month, parseChoice, text } from '../search.ts'
import { page } from './page.ts'

const ledger = createRoute({
  ...page('/ledger', needs('ledger:read'), () => import('../pages/ledger/page.tsx'), {
    publisher: text,
    day,
    view: parseChoice(['owner']),
  }),
  loader: async ({ context: { client }, deps: { publisher, day, view } }) => {
    const wanted = publisher ?? pickPublisher(await client.ensureQueryData(publishers), undefined)?.publisher_id
    if (wanted === undefined) return
    await client.ensureQueryData(queries.ledger({ publisher: wanted, day, byOwner: view === 'owner' }))
  },
})

const PARTIES = ['advertiser', 'publisher', 'payouts', 'service'] as const
const payments = createRoute({
  ...page('/payments', needs('payments:read'), () => import('../pages/payments/page.tsx'), {
    publisher: text,
    party: parseChoice(PARTIES),
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.payments(deps)),
})

const receivables = createRoute({
  ...page('/receivables', needs('ledger:read'), () => import('../pages/receivables/page.tsx'), {
    publisher: text,
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.receivables(deps)),
})

const KINDS = ['advertiser', 'publisher', 'service'] as const
const statements = createRoute({
  ...page('/statements', needs('statements:read'), () => import('../pages/statements/list.tsx'), {
    publisher: text,
    kind: parseChoice(KINDS),
    month,
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.statements(deps)),
})

const closing = createRoute(
  page('/statements/close', needs('statements:close'), () => import('../pages/statements/close.tsx')),
)

const statement = createRoute({
  ...page('/statements/$statement', needs('statements:read'), () => import('../pages/statements/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.monthlyStatement(params.statement)),
})

const ADJUSTMENT_STATUSES = ['proposed', 'booked', 'declined'] as const
const adjustments = createRoute({
  ...page('/adjustments', needs('adjustments:read'), () => import('../pages/adjustments/page.tsx'), {
    publisher: text,
    status: parseChoice(ADJUSTMENT_STATUSES),
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.adjustments(deps)),
})

const refunds = createRoute({
  ...page('/refunds', needs('refunds:read'), () => import('../pages/exceptions/refunds.tsx'), { publisher: text }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.unmatchedRefunds(deps.publisher)),
})

const sales = createRoute({
  ...page('/sales', needs('postbacks:read'), () => import('../pages/exceptions/sales.tsx')),
  loader: ({ context }) => context.client.ensureInfiniteQueryData(queries.unknownSales),
})

const contradictions = createRoute({
  ...page('/contradictions', needs('contradictions:read'), () => import('../pages/exceptions/contradictions.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(queries.contradictions),
})

const giftCardOrders = createRoute({
  ...page('/gift-card-orders', needs('gift-cards:read'), () => import('../pages/exceptions/gift-card-orders.tsx'), {
    publisher: text,
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.undecidedOrders(deps.publisher)),
})

/** The books and the exceptions waiting for a person's decision. */
export const moneyRoutes = [
  ...[ledger, receivables, payments, statements, closing, statement, adjustments],
  ...[refunds, sales, contradictions, giftCardOrders],
] as const
