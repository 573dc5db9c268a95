import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { needs } from '../api/permissions.ts'
import { AUDIT } from '../pages/audit/queries.ts'
import { CLAIMS, claim as claimQuery } from '../pages/claims/queries.ts'
import { failedFacts } from '../pages/facts/queries.ts'
import { PAYOUT_FILES, REDEMPTIONS } from '../pages/redemptions/queries.ts'
import { REVIEWS } from '../pages/reviews/queries.ts'
import { text } from '../search.ts'
import { listPage, page, parseSearch } from './page.ts'
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
  ...page('/reviews', needs('reviews:read'), () => import('../pages/reviews/page.tsx'), REVIEWS.readers),
  // Both views show how many reviews are open.
  loader: ({ context: { client }, deps }) => Promise.all([REVIEWS.load(client), REVIEWS.load(client, deps)]),
})

const claims = createRoute(listPage('/claims', needs('claims:read'), () => import('../pages/claims/list.tsx'), CLAIMS))

const claim = createRoute({
  ...page('/claims/$claim', needs('claims:read'), () => import('../pages/claims/page.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(claimQuery(params.claim)),
})

const redemptions = createRoute({
  ...page(
    '/redemptions',
    needs('redemptions:read'),
    () => import('../pages/redemptions/page.tsx'),
    REDEMPTIONS.readers,
  ),
  loader: ({ context: { client }, deps }) => Promise.all([REDEMPTIONS.load(client, deps), PAYOUT_FILES.load(client)]),
})

const facts = createRoute({
  ...page('/failed-facts', needs('facts:read'), () => import('../pages/facts/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(failedFacts),
})

const audit = createRoute(listPage('/audit', needs('audit:read'), () => import('../pages/audit/page.tsx'), AUDIT))

/** The work waiting for people, across all publishers. */
export const deskRoutes = [overview, reviews, claims, claim, redemptions, facts, audit] as const
