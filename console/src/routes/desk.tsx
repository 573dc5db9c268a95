import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { needs } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { dayIn, oneOf, optional, type Search, text } from '../search.ts'
import { guarded } from './root.tsx'

const overview = createRoute({
  getParentRoute: () => guarded,
  path: '/',
  // Publishers' staff start at their own publisher.
  beforeLoad: ({ context: { person } }) => {
    if (person.publisher_id !== null)
      throw redirect({ to: '/publishers/$publisher/transactions', params: { publisher: person.publisher_id } })
  },
  validateSearch: (search: Search): { publisher?: string } => optional({ publisher: text(search['publisher']) }),
  component: lazyRouteComponent(() => import('../pages/overview/page.tsx')),
})

const reviews = createRoute({
  getParentRoute: () => guarded,
  path: '/reviews',
  beforeLoad: needs('reviews:read'),
  validateSearch: (search: Search) => optional({ view: oneOf(['decided'] as const, search['view']) }),
  loader: ({ context }) => context.client.ensureQueryData(queries.reviews),
  component: lazyRouteComponent(() => import('../pages/reviews/page.tsx')),
})

const CLAIM_STATUSES = ['open', 'granted', 'declined', 'withdrawn'] as const
const claims = createRoute({
  getParentRoute: () => guarded,
  path: '/claims',
  beforeLoad: needs('claims:read'),
  validateSearch: (search: Search) => optional({ status: oneOf(CLAIM_STATUSES, search['status']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.claims(deps.status ?? 'open')),
  component: lazyRouteComponent(() => import('../pages/claims/list.tsx')),
})

const claim = createRoute({
  getParentRoute: () => guarded,
  path: '/claims/$claim',
  beforeLoad: needs('claims:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(queries.claim(params.claim)),
  component: lazyRouteComponent(() => import('../pages/claims/page.tsx')),
})

const REDEMPTION_STATUSES = ['requested', 'approved', 'sent'] as const
const redemptions = createRoute({
  getParentRoute: () => guarded,
  path: '/redemptions',
  beforeLoad: needs('redemptions:read'),
  validateSearch: (search: Search) => optional({ status: oneOf(REDEMPTION_STATUSES, search['status']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all([
      context.client.ensureInfiniteQueryData(queries.redemptions(deps.status ?? 'requested')),
      context.client.ensureInfiniteQueryData(queries.payoutFiles),
    ]),
  component: lazyRouteComponent(() => import('../pages/redemptions/page.tsx')),
})

const facts = createRoute({
  getParentRoute: () => guarded,
  path: '/failed-facts',
  beforeLoad: needs('facts:read'),
  loader: ({ context }) => context.client.ensureQueryData(queries.failedFacts),
  component: lazyRouteComponent(() => import('../pages/facts/page.tsx')),
})

const audit = createRoute({
  getParentRoute: () => guarded,
  path: '/audit',
  beforeLoad: needs('audit:read'),
  validateSearch: (search: Search) =>
    optional({
      subject: text(search['subject']),
      actor: text(search['actor']),
      action: text(search['action']),
      from: dayIn(search['from']),
      to: dayIn(search['to']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(queries.audit(deps)),
  component: lazyRouteComponent(() => import('../pages/audit/page.tsx')),
})

/** The work that waits for people, across all publishers. */
export const deskRoutes = [overview, reviews, claims, claim, redemptions, facts, audit] as const
