import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router'
import { Refused } from './api/client.ts'
import * as queries from './api/queries.ts'
import { Layout } from './layout.tsx'
import { keepPublisher } from './publisher.ts'
import { Failure, NotFound } from './ui/failure.tsx'
import { PageSkeleton } from './ui/skeleton.tsx'

type Search = Readonly<Record<string, unknown>>

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Failure error={error} />,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Search): { next?: string } => optional({ next: localAddress(search['next']) }),
  component: lazyRouteComponent(() => import('./pages/sign-in/page.tsx')),
})

const forgotten = createRoute({
  getParentRoute: () => root,
  path: '/forgotten',
  component: lazyRouteComponent(() => import('./pages/sign-in/forgotten.tsx')),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./pages/sign-in/reset.tsx')),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/sign-in/invitation.tsx')),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: ({ context, location }) => signedIn(context.client.fetchQuery(queries.account), location),
  loader: ({ context }) => context.client.ensureQueryData(queries.sessions),
  component: lazyRouteComponent(() => import('./pages/account/page.tsx')),
})

/** Everything that only operators see. */
const guarded = createRoute({
  getParentRoute: () => root,
  id: 'guarded',
  beforeLoad: ({ context, location }) => signedIn(context.client.fetchQuery(queries.me), location),
  loader: ({ context }) =>
    Promise.all([context.client.ensureQueryData(queries.desk), context.client.ensureQueryData(queries.publishers)]),
  component: Layout,
})

const overview = createRoute({
  getParentRoute: () => guarded,
  path: '/',
  validateSearch: (search: Search): { publisher?: string } => optional({ publisher: text(search['publisher']) }),
  component: lazyRouteComponent(() => import('./pages/overview/page.tsx')),
})

const reviews = createRoute({
  getParentRoute: () => guarded,
  path: '/reviews',
  loader: ({ context }) => context.client.ensureQueryData(queries.reviews),
  component: lazyRouteComponent(() => import('./pages/reviews/page.tsx')),
})

const CLAIM_STATUSES = ['open', 'granted', 'declined', 'withdrawn'] as const
const claims = createRoute({
  getParentRoute: () => guarded,
  path: '/claims',
  validateSearch: (search: Search) => optional({ status: oneOf(CLAIM_STATUSES, search['status']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.claims(deps.status ?? 'open')),
  component: lazyRouteComponent(() => import('./pages/claims/list.tsx')),
})
const claim = createRoute({
  getParentRoute: () => guarded,
  path: '/claims/$claim',
  loader: ({ context, params }) => context.client.ensureQueryData(queries.claim(params.claim)),
  component: lazyRouteComponent(() => import('./pages/claims/page.tsx')),
})

const REDEMPTION_STATUSES = ['requested', 'approved', 'sent'] as const
const redemptions = createRoute({
  getParentRoute: () => guarded,
  path: '/redemptions',
  validateSearch: (search: Search) => optional({ status: oneOf(REDEMPTION_STATUSES, search['status']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all([
      context.client.ensureQueryData(queries.redemptions(deps.status ?? 'requested')),
      context.client.ensureQueryData(queries.payoutFiles),
    ]),
  component: lazyRouteComponent(() => import('./pages/redemptions/page.tsx')),
})

const facts = createRoute({
  getParentRoute: () => guarded,
  path: '/failed-facts',
  loader: ({ context }) => context.client.ensureQueryData(queries.failedFacts),
  component: lazyRouteComponent(() => import('./pages/facts/page.tsx')),
})

const audit = createRoute({
  getParentRoute: () => guarded,
  path: '/audit',
  validateSearch: (search: Search) => optional({ subject: text(search['subject']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.client.ensureQueryData(queries.audit(deps.subject)),
  component: lazyRouteComponent(() => import('./pages/audit/page.tsx')),
})

const brands = createRoute({
  getParentRoute: () => guarded,
  path: '/brands',
  validateSearch: (search: Search) => optional({ text: text(search['text']), page: pageIn(search) }),
  loader: ({ context }) => context.client.ensureQueryData(queries.catalog),
  component: lazyRouteComponent(() => import('./pages/brands/list.tsx')),
})
const brand = createRoute({
  getParentRoute: () => guarded,
  path: '/brands/$brand',
  loader: ({ context }) => context.client.ensureQueryData(queries.catalog),
  component: lazyRouteComponent(() => import('./pages/brands/page.tsx')),
})

/** What belongs to one publisher; the address names it. */
const publisher = createRoute({
  getParentRoute: () => guarded,
  path: '/publishers/$publisher',
  beforeLoad: ({ params }) => keepPublisher(params.publisher),
  component: Outlet,
})

const TRANSACTION_STATUSES = ['PENDING', 'EARNED', 'CANCELLED'] as const
const transactions = createRoute({
  getParentRoute: () => publisher,
  path: '/transactions',
  validateSearch: (search: Search) =>
    optional({
      status: oneOf(TRANSACTION_STATUSES, search['status']),
      text: text(search['text']),
      user: text(search['user']),
      page: pageIn(search),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, params }) => context.client.ensureQueryData(queries.transactions(params.publisher, deps)),
  component: lazyRouteComponent(() => import('./pages/transactions/list.tsx')),
})
const transaction = createRoute({
  getParentRoute: () => publisher,
  path: '/transactions/$transaction',
  loader: async ({ context: { client }, params }) => {
    const [shown] = await Promise.all([
      client.ensureQueryData(queries.transaction(params.publisher, params.transaction)),
      client.ensureQueryData(queries.decision(params.publisher, params.transaction)),
    ])
    await client.ensureQueryData(queries.statement(params.publisher, shown.publisher_user_id))
  },
  component: lazyRouteComponent(() => import('./pages/transactions/page.tsx')),
})

const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const
const webhooks = createRoute({
  getParentRoute: () => publisher,
  path: '/webhooks',
  validateSearch: (search: Search) =>
    optional({ status: oneOf(DELIVERY_STATUSES, search['status']), page: pageIn(search) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, deps, params }) =>
    Promise.all([
      client.ensureQueryData(queries.deliveries(params.publisher, deps.status, deps.page ?? 0)),
      client.ensureQueryData(queries.endpoints(params.publisher)),
    ]),
  component: lazyRouteComponent(() => import('./pages/webhooks/page.tsx')),
})

const clock = createRoute({
  getParentRoute: () => publisher,
  path: '/clock',
  loader: ({ context, params }) => context.client.ensureQueryData(queries.clock(params.publisher)),
  component: lazyRouteComponent(() => import('./pages/clock/page.tsx')),
})

const tree = root.addChildren([
  ...[signIn, forgotten, reset, invitation, account],
  guarded.addChildren([
    ...[overview, reviews, claims, claim, redemptions, facts, audit, brands, brand],
    publisher.addChildren([transactions, transaction, webhooks, clock]),
  ]),
])

export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: '/console',
    context: { client },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: ({ error }) => <Failure error={error} />,
    defaultNotFoundComponent: NotFound,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

/** Leads those who are refused as strangers to the sign-in page, and from there back. */
async function signedIn(asked: Promise<unknown>, { pathname, href }: ParsedLocation): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: pathname === '/' ? {} : { next: href } })
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An address of the console; anything else would lead a person who signs in somewhere else. */
function localAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined
}

function oneOf<const Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((known) => known === value)
}

function pageIn(search: Search): number | undefined {
  const page = Number(search['page'])
  return Number.isSafeInteger(page) && page > 0 ? page : undefined
}

type Optional<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

/** Without the members that are undefined, which would be written into the address. */
function optional<Given extends object>(given: Given): Optional<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Optional<Given>
}
