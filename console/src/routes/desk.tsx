import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { needs } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { day, parseChoice, text } from '../search.ts'
import { page, parseSearch } from './page.ts'
import { guarded } from './root.tsx'

const overview = createRoute({
  getParentRoute: () => guarded,
  path: '/',
  // Publishers' staff start on their own publisher's page.
  beforeLoad: ({ context: { person } }) => {
    if (person.publisher_id !== null)
      throw redirect({ to: '/publishers/$publisher/transactions', params: { publisher: person.publisher_id } })
  },
  ...parseSearch({ publisher: text }),
  component: lazyRouteComponent(() => import('../pages/overview/page.tsx')),
})

const reviews = createRoute({
  ...page('/reviews', needs('reviews:read'), () => import('../pages/reviews/page.tsx'), {
    view: parseChoice(['decided']),
  }),
  loader: ({ context }) => context.client.ensureInfiniteQueryData(queries.reviews('OPEN')),
})

const CLAIM_STATUSES = ['open', 'granted', 'declined', 'withdrawn'] as const
const claims = createRoute({
  ...page('/claims', needs('claims:read'), () => import('../pages/claims/list.tsx'), {
    status: parseChoice(CLAIM_STATUSES),
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.claims(deps.status ?? 'open')),
})

const claim = createRoute({
  ...page('/claims/$claim', needs('claims:read'), () => import('../pages/claims/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.claim(params.claim)),
})

const REDEMPTION_STATUSES = ['requested', 'approved', 'sent'] as const
const redemptions = createRoute({
  ...page('/redemptions', needs('redemptions:read'), () => import('../pages/redemptions/page.tsx'), {
    status: parseChoice(REDEMPTION_STATUSES),
  }),
  loader: ({ context, deps }) =>
    Promise.all([
      context.client.ensureInfiniteQueryData(queries.redemptions(deps.status ?? 'requested')),
      context.client.ensureInfiniteQueryData(queries.payoutFiles),
    ]),
})

const facts = createRoute({
  ...page('/failed-facts', needs('facts:read'), () => import('../pages/facts/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(queries.failedFacts),
})

const audit = createRoute({
  ...page('/audit', needs('audit:read'), () => import('../pages/audit/page.tsx'), {
    subject: text,
    actor: text,
    action: text,
    from: day,
    to: day,
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.audit(deps)),
})

/** The work waiting for people, across all publishers. */
export const deskRoutes = [overview, reviews, claims, claim, redemptions, facts, audit] as const
