import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { RegisteredRouter, RouteApi, RouteById, RouteIds } from '@tanstack/react-router'
import { optional } from '../../search.ts'
import type { Paging } from './pager.tsx'

type RouteId = RouteIds<RegisteredRouter['routeTree']>
type SearchAt<Id extends RouteId> = RouteById<RegisteredRouter['routeTree'], Id>['types']['fullSearchSchema']
type Changes<Search> = { readonly [Name in keyof Search]?: Search[Name] | undefined }
type To<Search> = { readonly search: (old: Search) => object; readonly replace: boolean }

/** The filters of a list, which are stored in the URL so that a filtered list can be shared. */
export function useFilters<Id extends RouteId>(route: RouteApi<Id>) {
  type Search = SearchAt<Id>
  const search = route.useSearch() as Search
  const navigate = route.useNavigate() as (to: To<Search>) => unknown
  const go = (changes: object, replace: boolean) =>
    void navigate({ search: (old) => optional({ ...old, ...changes }), replace })
  return {
    search,
    /** Changes filters and returns to the first page. */
    change: (changes: Changes<Search>) => go({ page: undefined, ...changes }, true),
    turn: (page: number) => go({ page: page === 0 ? undefined : page }, false),
  }
}

type Part = { readonly content: readonly unknown[] }

/** Reads the page of a list that the URL specifies. */
export function usePages<Page extends Part & Paging, Key extends QueryKey>(
  query: UseQueryOptions<Page, Error, Page, Key>,
) {
  const { data, isPlaceholderData } = useQuery(query)
  const rows: Page['content'] = data?.content ?? []
  return { rows, paging: data, stale: isPlaceholderData }
}

/** Reads a list that grows as further rows are loaded. */
export function useParts<Read extends Part, Key extends QueryKey, Cursor>({
  csv,
  ...query
}: UseInfiniteQueryOptions<Read, Error, InfiniteData<Read>, Key, Cursor> & { readonly csv: string }) {
  const more = useInfiniteQuery(query)
  const rows: readonly Read['content'][number][] = more.data?.pages.flatMap(({ content }) => content) ?? []
  return { rows, more, csv, stale: more.isPlaceholderData }
}
