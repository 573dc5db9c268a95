import type { QueryClient } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { accept, type Readers, type SearchOf } from '../search.ts'
import { guarded, publisher } from './root.tsx'

type Component = Parameters<typeof lazyRouteComponent>[0]

/** The options of a page's route: its path, who may open it, its component, and its search parameters. */
export function page<const Path extends string, Guard, Of extends Readers = Record<never, never>>(
  path: Path,
  beforeLoad: Guard,
  component: Component,
  readers?: Of,
) {
  return {
    getParentRoute: () => guarded,
    path,
    beforeLoad,
    component: lazyRouteComponent(component),
    ...parseSearch(readers ?? ({} as Of)),
  }
}

/** Like `page`, for a page of one publisher. */
export function publisherPage<const Path extends string, Guard, Of extends Readers = Record<never, never>>(
  path: Path,
  beforeLoad: Guard,
  component: Component,
  readers?: Of,
) {
  return { ...page(path, beforeLoad, component, readers), getParentRoute: () => publisher }
}

type Loaded<Of extends Readers> = {
  readonly context: { readonly client: QueryClient }
  readonly deps: SearchOf<Of>
}

/** The options of a page that shows an operators' list: the address accepts its filters, and the page loads it. */
export function listPage<const Path extends string, Guard, Of extends Readers>(
  path: Path,
  beforeLoad: Guard,
  component: Component,
  list: {
    readonly readers: Of
    readonly load: (client: QueryClient, search: SearchOf<Of>) => Promise<unknown>
  },
) {
  return {
    ...page(path, beforeLoad, component, list.readers),
    loader: ({ context, deps }: Loaded<Of>) => list.load(context.client, deps),
  }
}

/** Like `listPage`, for a publisher's list. */
export function publisherListPage<const Path extends string, Guard, Of extends Readers>(
  path: Path,
  beforeLoad: Guard,
  component: Component,
  list: {
    readonly readers: Of
    readonly load: (client: QueryClient, publisher: string, search: SearchOf<Of>) => Promise<unknown>
  },
) {
  return {
    ...publisherPage(path, beforeLoad, component, list.readers),
    loader: ({ context, deps, params }: Loaded<Of> & { readonly params: { readonly publisher: string } }) =>
      list.load(context.client, params.publisher, deps),
  }
}

/** Validates search parameters and passes them to the loader. */
export function parseSearch<Of extends Readers>(readers: Of) {
  return { validateSearch: accept(readers), loaderDeps: ({ search }: { search: SearchOf<Of> }) => search }
}
