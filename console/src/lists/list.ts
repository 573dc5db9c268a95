import type { QueryClient } from '@tanstack/react-query'
import type { Input } from '../api/client.ts'
import { type Get, type PartPath, page, parts } from '../api/query.ts'
import { pageNumber } from '../search.ts'
import { type Filter, type Filtered, type Filters, getReaders } from './filters.ts'

type Query<Path extends Get> = Input<'get', Path> extends { query?: infer Of } ? NonNullable<Of> : never
/** An operation's parameters other than those that every list has. */
type FilterName<Path extends Get> = Exclude<keyof Query<Path>, 'cursor' | 'limit' | 'sort' | 'format' | 'page' | 'size'>
type FiltersOf<Path extends Get> = { readonly [Name in FilterName<Path>]?: Filter<NonNullable<Query<Path>[Name]>> }
/** Rejects filters that the operation does not have. */
type OnlyOf<Path extends Get, Of> = Of & { readonly [Name in Exclude<keyof Of, FilterName<Path>>]: never }

/**
 * An operators' list, written once: the route accepts its filters in the address and loads it, and the page shows
 * their controls. `fixed` are parameters that nobody changes.
 */
export function operatorList<Path extends PartPath, const Of extends FiltersOf<Path> & Filters>(
  path: Path,
  filters: OnlyOf<Path, Of>,
  fixed?: Query<Path>,
) {
  const read = (search: Filtered<Of> = {}) =>
    parts(path, { query: { ...fixed, ...toQuery<Of>(filters, search) } } as Input<'get', Path>)
  return {
    filters: filters as Of,
    readers: getReaders<Of>(filters),
    read,
    load: (client: QueryClient, search?: Filtered<Of>) => client.ensureInfiniteQueryData(read(search)),
  }
}

/** Like `operatorList`, for a publisher's list, whose pages are numbered. */
export function publisherList<Path extends Get, const Of extends FiltersOf<Path> & Filters>(
  path: Path,
  filters: OnlyOf<Path, Of>,
  size: number,
) {
  const build = (search: Filtered<Of>) => toQuery<Of>(filters, search) as Query<Path>
  const read = (
    publisher: string,
    { page: number = 0, ...search }: Filtered<Of> & { readonly page?: number | undefined },
  ) => {
    const query = { ...build(search as Filtered<Of>), page: number, size }
    return page<Path>(path, ...([{ publisher, query }] as never))
  }
  return {
    filters: filters as Of,
    readers: { ...getReaders<Of>(filters), page: pageNumber },
    /** Builds the query parameters of the filters. */
    toQuery: build,
    read,
    load: (client: QueryClient, ...asked: Parameters<typeof read>) => client.ensureQueryData(read(...asked)),
  }
}

function toQuery<Of extends Filters>(filters: Of, search: Filtered<Of>): object {
  const entries = Object.entries(filters).map(([name, { initial, send }]) => {
    const value = search[name] ?? initial
    return [name, send === undefined || typeof value !== 'string' ? value : send(value)]
  })
  return Object.fromEntries(entries)
}
