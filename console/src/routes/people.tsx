import { createRoute, redirect } from '@tanstack/react-router'
import * as people from '../api/people-queries.ts'
import { findRefusal, needs, needsScope } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { pageNumber, parseChoice, text } from '../search.ts'
import { page, publisherPage } from './page.ts'
import { guarded } from './root.tsx'

const USER_STATUSES = ['ACTIVE', 'PENDING', 'INACTIVE'] as const
const allUsers = createRoute({
  ...page('/users', needs('users:read'), () => import('../pages/users/all.tsx'), {
    publisher: text,
    user: text,
    email: text,
    status: parseChoice(USER_STATUSES),
    from: text,
    until: text,
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(people.allUsers(deps)),
})

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

const users = createRoute({
  ...publisherPage('/users', needsScope('users:read'), () => import('../pages/users/list.tsx'), {
    user: text,
    email: text,
    page: pageNumber,
  }),
  loader: ({ context, deps, params }) => context.client.ensureQueryData(people.users(params.publisher, deps)),
})

const user = createRoute({
  ...publisherPage('/users/$user', needsScope('users:read'), () => import('../pages/users/page.tsx')),
  loader: async ({ context: { client, person }, params: { publisher, user } }) => {
    await client.ensureQueryData(people.user(publisher, user))
    await Promise.all([
      client.ensureQueryData(people.status(publisher, user)),
      client.ensureQueryData(people.linkedCards(publisher, user)),
      client.ensureQueryData(people.acceptances(publisher, user)),
      client.ensureQueryData(people.marketingChoices(publisher, user)),
      client.ensureQueryData(people.latestTransactions(publisher, user)),
      client.ensureQueryData(people.latestRedemptions(publisher, user)),
      client.ensureQueryData(people.latestClaims(publisher, user)),
      client.ensureQueryData(queries.statement(publisher, user)),
      ...(findRefusal(person, 'adjustments:read') === null
        ? [client.ensureQueryData(people.adjustments(publisher, user))]
        : []),
    ])
  },
})

const publishers = createRoute({
  ...page('/publishers', needs('publishers:read'), () => import('../pages/publishers/list.tsx'), {
    text,
  }),
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(people.listedPublishers(deps)),
})

const settings = createRoute({
  ...publisherPage('/settings', needs('publishers:read'), () => import('../pages/publishers/settings.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(people.publisherDetail(params.publisher)),
})

const keys = createRoute({
  ...publisherPage('/keys', needs('keys:read'), () => import('../pages/publishers/keys.tsx')),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(people.publisherDetail(params.publisher)),
      client.ensureQueryData(people.keys(params.publisher)),
    ]),
})

const assortment = createRoute({
  ...publisherPage('/assortment', needs('assortments:read'), () => import('../pages/publishers/assortment.tsx')),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(people.publisherDetail(params.publisher)),
      client.ensureQueryData(people.assortment(params.publisher)),
    ]),
})

const portal = createRoute({
  ...publisherPage('/portal', needsScope('users:read'), () => import('../pages/publishers/portal.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(people.portalSettings(params.publisher)),
})

const reports = createRoute({
  ...publisherPage('/reports', needsScope('reports:read'), () => import('../pages/reports/page.tsx'), {
    page: pageNumber,
  }),
  loader: ({ context, deps, params }) =>
    context.client.ensureQueryData(people.reports(params.publisher, deps.page ?? 0)),
})

const terms = createRoute({
  ...page('/terms', needs('terms:read'), () => import('../pages/terms/page.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(people.terms),
})

const staff = createRoute({
  ...page('/staff', needs('staff:read'), () => import('../pages/staff/operators.tsx')),
  loader: ({ context }) => context.client.ensureQueryData(people.staff),
})

const publisherStaff = createRoute({
  ...publisherPage('/staff', needsScope('staff:read'), () => import('../pages/staff/publisher.tsx')),
  loader: ({ context, params }) => context.client.ensureQueryData(people.publisherStaff(params.publisher)),
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
