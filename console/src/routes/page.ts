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

/** Validates search parameters and passes them to the loader. */
export function parseSearch<Of extends Readers>(readers: Of) {
  return { validateSearch: accept(readers), loaderDeps: ({ search }: { search: SearchOf<Of> }) => search }
}
