import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { post } from '../api/client.ts'
import * as queries from '../api/queries.ts'
import { LinkRefused } from '../pages/sign-in/link-refused.tsx'
import { localAddress } from '../search.ts'
import { parseSearch } from './page.ts'
import { root, signedIn } from './root.tsx'

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  ...parseSearch({ next: localAddress }),
  component: lazyRouteComponent(() => import('../pages/sign-in/page.tsx')),
})

const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  // The token comes after the # in the URL, so only a browser that runs this page can use up the link.
  beforeLoad: async ({ location }) => {
    await post('/accounts/enter', { body: { token: location.hash } })
    throw redirect({ to: '/', replace: true })
  },
  errorComponent: ({ error }) => <LinkRefused error={error} />,
})

const forgotten = createRoute({
  getParentRoute: () => root,
  path: '/forgotten',
  component: lazyRouteComponent(() => import('../pages/sign-in/forgotten.tsx')),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('../pages/sign-in/reset.tsx')),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../pages/sign-in/invitation.tsx')),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: ({ context, location }) => signedIn(context.client.fetchQuery(queries.account), location),
  loader: ({ context: { client } }) =>
    Promise.all([client.ensureQueryData(queries.sessions), client.ensureQueryData(queries.passkeys)]),
  component: lazyRouteComponent(() => import('../pages/account/page.tsx')),
})

/** The pages for people who are not signed in, and everyone's own account. */
export const signInRoutes = [signIn, enter, forgotten, reset, invitation, account] as const
