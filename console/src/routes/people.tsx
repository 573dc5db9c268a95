import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import * as people from '../api/people-queries.ts'
import { needs, needsScope, refusalOf } from '../api/permissions.ts'
import * as queries from '../api/queries.ts'
import { oneOf, optional, pageIn, type Search, text } from '../search.ts'
import { guarded, publisher } from './root.tsx'

const USER_STATUSES = ['ACTIVE', 'PENDING', 'INACTIVE'] as const
const allUsers = createRoute({
  getParentRoute: () => guarded,
  path: '/users',
  beforeLoad: needs('users:read'),
  validateSearch: (search: Search) =>
    optional({
      publisher: text(search['publisher']),
      user: text(search['user']),
      email: text(search['email']),
      status: oneOf(USER_STATUSES, search['status']),
      from: text(search['from']),
      until: text(search['until']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureInfiniteQueryData(people.allUsers(deps)),
  component: lazyRouteComponent(() => import('../pages/users/all.tsx')),
})

/** The address of a user whose publisher is unknown. It redirects to their page. */
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
  getParentRoute: () => publisher,
  path: '/users',
  beforeLoad: needsScope('users:read'),
  validateSearch: (search: Search) =>
    optional({ user: text(search['user']), email: text(search['email']), page: pageIn(search) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, params }) => context.client.ensureQueryData(people.users(params.publisher, deps)),
  component: lazyRouteComponent(() => import('../pages/users/list.tsx')),
})

const user = createRoute({
  getParentRoute: () => publisher,
  path: '/users/$user',
  beforeLoad: needsScope('users:read'),
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
      ...(refusalOf(person, 'adjustments:read') === null
        ? [client.ensureQueryData(people.adjustments(publisher, user))]
        : []),
    ])
  },
  component: lazyRouteComponent(() => import('../pages/users/page.tsx')),
})

const publishers = createRoute({
  getParentRoute: () => guarded,
  path: '/publishers',
  beforeLoad: needs('publishers:read'),
  validateSearch: (search: Search) => optional({ text: text(search['text']), page: pageIn(search) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(people.listedPublishers(deps)),
  component: lazyRouteComponent(() => import('../pages/publishers/list.tsx')),
})

const settings = createRoute({
  getParentRoute: () => publisher,
  path: '/settings',
  beforeLoad: needs('publishers:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(people.publisherDetail(params.publisher)),
  component: lazyRouteComponent(() => import('../pages/publishers/settings.tsx')),
})

const keys = createRoute({
  getParentRoute: () => publisher,
  path: '/keys',
  beforeLoad: needs('keys:read'),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(people.publisherDetail(params.publisher)),
      client.ensureQueryData(people.keys(params.publisher)),
    ]),
  component: lazyRouteComponent(() => import('../pages/publishers/keys.tsx')),
})

const assortment = createRoute({
  getParentRoute: () => publisher,
  path: '/assortment',
  beforeLoad: needs('assortments:read'),
  loader: ({ context: { client }, params }) =>
    Promise.all([
      client.ensureQueryData(people.publisherDetail(params.publisher)),
      client.ensureQueryData(people.assortment(params.publisher)),
    ]),
  component: lazyRouteComponent(() => import('../pages/publishers/assortment.tsx')),
})

const portal = createRoute({
  getParentRoute: () => publisher,
  path: '/portal',
  beforeLoad: needsScope('users:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(people.portalSettings(params.publisher)),
  component: lazyRouteComponent(() => import('../pages/publishers/portal.tsx')),
})

const reports = createRoute({
  getParentRoute: () => publisher,
  path: '/reports',
  beforeLoad: needsScope('reports:read'),
  validateSearch: (search: Search) => optional({ page: pageIn(search) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, params }) =>
    context.client.ensureQueryData(people.reports(params.publisher, deps.page ?? 0)),
  component: lazyRouteComponent(() => import('../pages/reports/page.tsx')),
})

const terms = createRoute({
  getParentRoute: () => guarded,
  path: '/terms',
  beforeLoad: needs('terms:read'),
  loader: ({ context }) => context.client.ensureQueryData(people.terms),
  component: lazyRouteComponent(() => import('../pages/terms/page.tsx')),
})

const staff = createRoute({
  getParentRoute: () => guarded,
  path: '/staff',
  beforeLoad: needs('staff:read'),
  loader: ({ context }) => context.client.ensureQueryData(people.staff),
  component: lazyRouteComponent(() => import('../pages/staff/operators.tsx')),
})

const publisherStaff = createRoute({
  getParentRoute: () => publisher,
  path: '/staff',
  beforeLoad: needsScope('staff:read'),
  loader: ({ context, params }) => context.client.ensureQueryData(people.publisherStaff(params.publisher)),
  component: lazyRouteComponent(() => import('../pages/staff/publisher.tsx')),
})

/** Users of all publishers, the publishers, the terms that users accept, and the staff. */
export const peopleRoutes = [allUsers, userById, publishers, terms, staff] as const

/** One publisher's users, and its setup. */
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
