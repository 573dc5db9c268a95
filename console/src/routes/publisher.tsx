import { createRoute } from '@tanstack/react-router'
import { needsScope } from '../api/permissions.ts'
import { clock as clockQuery } from '../api/queries.ts'
import * as transactionQueries from '../pages/transactions/queries.ts'
import { DELIVERIES, endpoints } from '../pages/webhooks/queries.ts'
import { text } from '../search.ts'
import { publisherListPage, publisherPage } from './page.ts'

const transactions = createRoute(
  publisherListPage(
    '/transactions',
    needsScope('transactions:read'),
    () => import('../pages/transactions/list.tsx'),
    transactionQueries.TRANSACTIONS,
  ),
)

const transaction = createRoute({
  ...publisherPage(
    '/transactions/$transaction',
    needsScope('transactions:read'),
    () => import('../pages/transactions/page.tsx'),
  ),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(transactionQueries.transaction(params.publisher, params.transaction)),
      client.ensureQueryData(transactionQueries.decision(params.publisher, params.transaction)),
      client.ensureQueryData(transactionQueries.reportedEvents(params.publisher, params.transaction)),
    ]),
})

const webhooks = createRoute({
  ...publisherPage('/webhooks', needsScope('webhooks:read'), () => import('../pages/webhooks/page.tsx'), {
    ...DELIVERIES.readers,
    delivery: text,
  }),
  loader: ({ context: { client }, deps, params }) =>
    Promise.all([
      client.ensureQueryData(DELIVERIES.read(params.publisher, deps)),
      client.ensureQueryData(endpoints(params.publisher)),
    ]),
})

const clock = createRoute({
  ...publisherPage('/clock', needsScope('transactions:read'), () => import('../pages/clock/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(clockQuery(params.publisher)),
})

/** The pages of one publisher. */
export const publisherRoutes = [transactions, transaction, webhooks, clock] as const
