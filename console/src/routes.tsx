import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { Refused } from './api/client.ts'
import { NotForYou } from './api/permissions.ts'
import { catalogRoutes, publisherCatalogRoutes } from './routes/catalog.tsx'
import { deskRoutes } from './routes/desk.tsx'
import { moneyRoutes } from './routes/money.tsx'
import { operationsRoutes, sandboxRoutes } from './routes/operations.tsx'
import { peopleOfPublisherRoutes, peopleRoutes } from './routes/people.tsx'
import { publisherRoutes } from './routes/publisher.tsx'
import { guarded, publisher, root } from './routes/root.tsx'
import { signInRoutes } from './routes/sign-in.tsx'
import { optional } from './search.ts'
import { Failure, NotFound } from './ui/page/failure.tsx'
import { PageSkeleton } from './ui/page/skeleton.tsx'

const tree = root.addChildren([
  ...signInRoutes,
  guarded.addChildren([
    ...deskRoutes,
    ...catalogRoutes,
    ...moneyRoutes,
    ...operationsRoutes,
    ...peopleRoutes,
    publisher.addChildren([
      ...publisherRoutes,
      ...publisherCatalogRoutes,
      ...peopleOfPublisherRoutes,
      ...sandboxRoutes,
    ]),
  ]),
])

export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: '/console',
    // Drops search parameters that a page does not accept instead of passing them on.
    search: { strict: true },
    // Addresses contain the values as they are, and not as JSON.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(optional(search)).toString()
      return text === '' ? '' : `?${text}`
    },
    context: { client },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: ({ error }) => <Failure error={error} title={pickTitle(error)} />,
    defaultNotFoundComponent: NotFound,
  })
}

function pickTitle(error: unknown): string {
  if (error instanceof NotForYou) return 'You do not have access to this page'
  return error instanceof Refused && error.status === 404 ? 'Not found' : 'This page could not be loaded'
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
