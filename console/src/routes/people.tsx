import { createRoute, redirect } from '@tanstack/react-router'
import { findRefusal, needs, needsScope } from '../api/permissions.ts'
import { linkedCards } from '../api/queries.ts'
import * as publisherQueries from '../pages/publishers/queries.ts'
import { REPORTS } from '../pages/reports/queries.ts'
import * as staffQueries from '../pages/staff/queries.ts'
import { terms as termsQuery } from '../pages/terms/queries.ts'
import * as people from '../pages/users/queries.ts'
import { listPage, page, publisherListPage, publisherPage } from './page.ts'
import { guarded } from './root.tsx'

const allUsers = createRoute(
  listPage('/users', needs('users:read'), () => import('../pages/users/all.tsx'), people.ALL_USERS),
)

/** The route for a user whose publisher is unknown. Redirects to the user's page. */
const userById = createRoute({
  getParentRoute: () => guarded,
  path: '/users/$user',
  beforeLoad: async ({ context, params }) => {
    needs('users:read')({ context })
    const found = await context.client.ensureQueryData(people.userById(params.user))
    const { publisher_id, publisher_user_id } = found
    throw redirect({
      to: '/publishers/$publisher/users/$user',
      params: { publisher: publisher_id, user: publisher_user_id },
    })
  },
})

const users = createRoute(
  publisherListPage('/users', needsScope('users:read'), () => import('../pages/users/list.tsx'), people.USERS),
)

const user = createRoute({
  ...publisherPage('/users/$user', needsScope('users:read'), () => import('../pages/users/page.tsx')),
  loader: async ({ context: { client, person }, params: { publisher, user } }) => {
    await client.ensureQueryData(people.user(publisher, user))
    await Promise.all([
      client.ensureQueryData(people.status(publisher, user)),
      client.ensureQueryData(linkedCards(publisher, user)),
      client.ensureQueryData(people.acceptances(publisher, user)),
      client.ensureQueryData(people.marketingChoices(publisher, user)),
      client.ensureQueryData(people.latestTransactions(publisher, user)),
      client.ensureQueryData(people.latestRedemptions(publisher, user)),
      client.ensureQueryData(people.latestClaims(publisher, user)),
      client.ensureQueryData(people.statement(publisher, user)),
      ...(findRefusal(person, 'adjustments:read') === null
        ? [client.ensureQueryData(people.adjustments(publisher, user))]
        : []),
    ])
  },
})

const publishers = createRoute(
  listPage(
    '/publishers',
    needs('publishers:read'),
    () => import('../pages/publishers/list.tsx'),
    publisherQueries.PUBLISHERS,
  ),
)

const settings = createRoute({
  ...publisherPage('/settings', needs('publishers:read'), () => import('../pages/publishers/settings.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(publisherQueries.publisherDetail(params.publisher)),
})

const keys = createRoute({
  ...publisherPage('/keys', needs('keys:read'), () => import('../pages/publishers/keys.tsx')),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(publisherQueries.publisherDetail(params.publisher)),
      client.ensureQueryData(publisherQueries.keys(params.publisher)),
    ]),
})

const assortment = createRoute({
  ...publisherPage('/assortment', needs('assortments:read'), () => import('../pages/publishers/assortment.tsx')),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(publisherQueries.publisherDetail(params.publisher)),
      client.ensureQueryData(publisherQueries.assortment(params.publisher)),
    ]),
})

const portal = createRoute({
  ...publisherPage('/portal', needsScope('users:read'), () => import('../pages/publishers/portal.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(publisherQueries.portalSettings(params.publisher)),
})

const reports = createRoute(
  publisherListPage('/reports', needsScope('reports:read'), () => import('../pages/reports/page.tsx'), REPORTS),
)

const terms = createRoute({
  ...page('/terms', needs('terms:read'), () => import('../pages/terms/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(termsQuery),
})

const staff = createRoute({
  ...page('/staff', needs('staff:read'), () => import('../pages/staff/operators.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(staffQueries.staff),
})

const publisherStaff = createRoute({
  ...publisherPage('/staff', needsScope('staff:read'), () => import('../pages/staff/publisher.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(staffQueries.publisherStaff(params.publisher)),
})

/** Users of all publishers, the publishers, the terms that users accept, and the staff. */
export const peopleRoutes = [allUsers, userById, publishers, terms, staff] as const

/** One publisher's users and its setup. */
export const peopleOfPublisherRoutes = [
  users,
  user,
  reports,
  settings,
  keys,
  assortment,
  portal,
  publisherStaff,
] as const
