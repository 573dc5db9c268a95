import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { catalogRoutes, publisherCatalogRoutes } from './routes/catalog.tsx'
import { deskRoutes } from './routes/desk.tsx'
import { moneyRoutes } from './routes/money.tsx'
import { publisherRoutes } from './routes/publisher.tsx'
import { guarded, publisher, root } from './routes/root.tsx'
import { signInRoutes } from './routes/sign-in.tsx'
import { Failure, NotFound } from './ui/failure.tsx'
import { PageSkeleton } from './ui/skeleton.tsx'

const tree = root.addChildren([
  ...signInRoutes,
  guarded.addChildren([
    ...deskRoutes,
    ...catalogRoutes,
    ...moneyRoutes,
    publisher.addChildren([...publisherRoutes, ...publisherCatalogRoutes]),
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
