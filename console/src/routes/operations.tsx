import { createRoute } from '@tanstack/react-router'
import { needs, needsScope } from '../api/permissions.ts'
import { clock } from '../api/queries.ts'
import { BUDGETS } from '../pages/budgets/queries.ts'
import { serviceWork } from '../pages/service/queries.ts'
import { BROKEN_LOGINS, ENDPOINTS } from '../pages/waiting/queries.ts'
import { listPage, page, publisherPage } from './page.ts'

const service = createRoute({
  ...page('/service', needs('facts:read'), () => import('../pages/service/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(serviceWork),
})

const budgets = createRoute(
  listPage('/budgets', needs('catalog:read'), () => import('../pages/budgets/page.tsx'), BUDGETS),
)

const brokenLogins = createRoute(
  listPage('/broken-logins', needs('users:read'), () => import('../pages/waiting/logins.tsx'), BROKEN_LOGINS),
)

const endpoints = createRoute(
  listPage('/endpoints', needs('webhooks:read'), () => import('../pages/waiting/endpoints.tsx'), ENDPOINTS),
)

const sandbox = createRoute({
  ...publisherPage('/sandbox', needsScope('transactions:read'), () => import('../pages/sandbox/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(clock(params.publisher)),
})

/** The health of everything that runs unattended. */
export const operationsRoutes = [service, budgets, brokenLogins, endpoints] as const
/** The simulations in a publisher's sandbox. */
export const sandboxRoutes = [sandbox] as const
