import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, type ParsedLocation, redirect } from '@tanstack/react-router'
import { Refused } from '../api/client.ts'
import * as queries from '../api/queries.ts'
import { Layout } from '../layout.tsx'
import { keepPublisher } from '../publisher.ts'
import { Failure, NotFound } from '../ui/failure.tsx'

export const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Failure error={error} />,
})

/** Everything that only those see who have signed in. */
export const guarded = createRoute({
  getParentRoute: () => root,
  id: 'guarded',
  beforeLoad: async ({ context, location }) => ({
    person: await signedIn(context.client.fetchQuery(queries.me), location),
  }),
  loader: ({ context: { client, person } }) =>
    Promise.all([
      client.ensureQueryData(queries.publishers),
      ...(person.kind === 'operator' ? [client.ensureQueryData(queries.desk)] : []),
    ]),
  component: Layout,
})

/** What belongs to one publisher; the address names it. */
export const publisher = createRoute({
  getParentRoute: () => guarded,
  path: '/publishers/$publisher',
  beforeLoad: async ({ context, params }) => {
    const { scopes } = await context.client.ensureQueryData(queries.ownPublisher(params.publisher))
    keepPublisher(params.publisher)
    return { scopes }
  },
  component: Outlet,
})

/** Leads those who are refused as strangers to the sign-in page, and from there back. */
export async function signedIn<Who>(asked: Promise<Who>, { pathname, href }: ParsedLocation): Promise<Who> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: pathname === '/' ? {} : { next: href } })
  }
}
