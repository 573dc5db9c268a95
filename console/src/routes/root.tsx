import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, type ParsedLocation, redirect } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Refused } from '../api/client.ts'
import * as queries from '../api/queries.ts'
import { Layout } from '../layout.tsx'
import { LeaveGuard } from '../leave-guard.tsx'
import { keepPublisher } from '../publisher.ts'
import { useSessionEnded } from '../session.ts'
import { Failure, NotFound } from '../ui/page/failure.tsx'

const SignInAgain = lazy(() => import('../sign-in-again.tsx'))

function Root() {
  const hasEnded = useSessionEnded()
  return (
    <>
      <Outlet />
      <LeaveGuard />
      {hasEnded && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </>
  )
}

export const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Failure error={error} />,
})

/** The parent route of all pages that require signing in. */
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

/** The parent route of all pages that belong to one publisher, which the path identifies. */
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

/** Redirects people who are not signed in to the sign-in page, which then returns them to the page they wanted. */
export async function signedIn<Who>(asked: Promise<Who>, { pathname, href }: ParsedLocation): Promise<Who> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: pathname === '/' ? {} : { next: href } })
  }
}
