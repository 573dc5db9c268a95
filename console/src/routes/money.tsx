import { createRoute } from '@tanstack/react-router'
import { needs } from '../api/permissions.ts'
import { publishers } from '../api/queries.ts'
import { ADJUSTMENTS } from '../pages/adjustments/queries.ts'
import * as exceptions from '../pages/exceptions/queries.ts'
import { ledger as ledgerQuery } from '../pages/ledger/queries.ts'
import { PAYMENTS } from '../pages/payments/queries.ts'
import { RECEIVABLES } from '../pages/receivables/queries.ts'
import { monthlyStatement, STATEMENTS } from '../pages/statements/queries.ts'
import { pickPublisher } from '../publisher.ts'
import { day, parseChoice, text } from '../search.ts'
import { listPage, page } from './page.ts'

const ledger = createRoute({
  ...page('/ledger', needs('ledger:read'), () => import('../pages/ledger/page.tsx'), {
    publisher: text,
    day,
    view: parseChoice(['owner']),
  }),
  loader: async ({ context: { client }, deps: { publisher, day, view } }) => {
    const wanted = publisher ?? pickPublisher(await client.ensureQueryData(publishers), undefined)?.publisher_id
    if (wanted === undefined) return
    await client.ensureQueryData(ledgerQuery({ publisher: wanted, day, byOwner: view === 'owner' }))
  },
})

const payments = createRoute(
  listPage('/payments', needs('payments:read'), () => import('../pages/payments/page.tsx'), PAYMENTS),
)

const receivables = createRoute(
  listPage('/receivables', needs('ledger:read'), () => import('../pages/receivables/page.tsx'), RECEIVABLES),
)

const statements = createRoute(
  listPage('/statements', needs('statements:read'), () => import('../pages/statements/list.tsx'), STATEMENTS),
)

const closing = createRoute(
  page('/statements/close', needs('statements:close'), () => import('../pages/statements/close.tsx')),
)

const statement = createRoute({
  ...page('/statements/$statement', needs('statements:read'), () => import('../pages/statements/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(monthlyStatement(params.statement)),
})

const adjustments = createRoute(
  listPage('/adjustments', needs('adjustments:read'), () => import('../pages/adjustments/page.tsx'), ADJUSTMENTS),
)

const refunds = createRoute(
  listPage(
    '/refunds',
    needs('refunds:read'),
    () => import('../pages/exceptions/refunds.tsx'),
    exceptions.UNMATCHED_REFUNDS,
  ),
)

const sales = createRoute(
  listPage('/sales', needs('postbacks:read'), () => import('../pages/exceptions/sales.tsx'), exceptions.UNKNOWN_SALES),
)

const contradictions = createRoute({
  ...page('/contradictions', needs('contradictions:read'), () => import('../pages/exceptions/contradictions.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(exceptions.contradictions),
})

const giftCardOrders = createRoute(
  listPage(
    '/gift-card-orders',
    needs('gift-cards:read'),
    () => import('../pages/exceptions/gift-card-orders.tsx'),
    exceptions.UNDECIDED_ORDERS,
  ),
)

/** The books and the exceptions waiting for a person's decision. */
export const moneyRoutes = [
  ...[ledger, receivables, payments, statements, closing, statement, adjustments],
  ...[refunds, sales, contradictions, giftCardOrders],
] as const
