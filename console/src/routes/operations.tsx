import { createRoute } from '@tanstack/react-router'
import * as operations from '../api/operations-queries.ts'
import { needs, needsScope } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { parseChoice, text } from '../search.ts'
import { page, publisherPage } from './page.ts'

const service = createRoute({
  ...page('/service', needs('facts:read'), () => import('../pages/service/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(operations.serviceWork),
})

const budgets = createRoute({
  ...page('/budgets', needs('catalog:read'), () => import('../pages/budgets/page.tsx'), {
    view: parseChoice(['nearly']),
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(operations.budgets(deps.view === 'nearly')),
})

const brokenLogins = createRoute({
  ...page('/broken-logins', needs('users:read'), () => import('../pages/waiting/logins.tsx'), { publisher: text }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(operations.brokenLogins(deps.publisher)),
})

const endpoints = createRoute({
  ...page('/endpoints', needs('webhooks:read'), () => import('../pages/waiting/endpoints.tsx'), {
    publisher: text,
    view: parseChoice(['all']),
  }),
  loader: ({ context, deps }) =>
    context.client.ensureInfiniteQueryData(operations.allEndpoints(deps.publisher, deps.view !== 'all')),
})

const sandbox = createRoute({
  ...publisherPage('/sandbox', needsScope('transactions:read'), () => import('../pages/sandbox/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.clock(params.publisher)),
})

/** The health of everything that runs unattended. */
export const operationsRoutes = [service, budgets, brokenLogins, endpoints] as const
/** The simulations in a publisher's sandbox. */
export const sandboxRoutes = [sandbox] as const
