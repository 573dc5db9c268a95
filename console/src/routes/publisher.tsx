import { createRoute } from '@tanstack/react-router'
import { needsScope } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { pageNumber, parseChoice, text } from '../search.ts'
import { publisherPage } from './page.ts'

const TRANSACTION_STATUSES = ['PENDING', 'EARNED', 'CANCELLED'] as const
const transactions = createRoute({
  ...publisherPage('/transactions', needsScope('transactions:read'), () => import('../pages/transactions/list.tsx'), {
    status: parseChoice(TRANSACTION_STATUSES),
    text,
    user: text,
    page: pageNumber,
  }),
  loader: ({ context, deps, params }) => context.client.ensureQueryData(queries.transactions(params.publisher, deps)),
})

const transaction = createRoute({
  ...publisherPage(
    '/transactions/$transaction',
    needsScope('transactions:read'),
    () => import('../pages/transactions/page.tsx'),
  ),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(queries.transaction(params.publisher, params.transaction)),
      client.ensureQueryData(queries.decision(params.publisher, params.transaction)),
      client.ensureQueryData(queries.reportedEvents(params.publisher, params.transaction)),
    ]),
})

const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const
const webhooks = createRoute({
  ...publisherPage('/webhooks', needsScope('webhooks:read'), () => import('../pages/webhooks/page.tsx'), {
    status: parseChoice(DELIVERY_STATUSES),
    page: pageNumber,
    delivery: text,
  }),
  loader: ({ context: { client }, deps, params }) =>
    Promise.all([
      client.ensureQueryData(queries.deliveries(params.publisher, deps.status, deps.page ?? 0)),
      client.ensureQueryData(queries.endpoints(params.publisher)),
    ]),
})

const clock = createRoute({
  ...publisherPage('/clock', needsScope('transactions:read'), () => import('../pages/clock/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.clock(params.publisher)),
})

/** The pages of one publisher. */
export const publisherRoutes = [transactions, transaction, webhooks, clock] as const
