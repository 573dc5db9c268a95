import { infiniteQueryOptions, keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { optional } from '../search.ts'
import { type Answer, type Arguments, get, type Input, type PathWith } from './client.ts'

/** Content older than this is stale and is fetched again when a page opens. */
export const FRESH_MS = 10_000
export const PAGE_SIZE = 30

export type Get = PathWith<'get'>

/** The key prefix shared by all queries of this path and of the paths below it. */
export const keyOfPath = (path: string): QueryKey => path.split('/').filter((part) => part !== '')

const toKey = (path: string, input: object | undefined) => [...keyOfPath(path), input ?? {}]

/** Queries an operation's response. */
export function query<Path extends Get>(path: Path, ...input: Arguments<'get', Path>) {
  return queryOptions({
    queryKey: toKey(path, input[0]),
    queryFn: () => get(path, ...input),
    staleTime: FRESH_MS,
  })
}

/** Queries a list page by page. The previous page stays on screen until the next one arrives. */
export function page<Path extends Get>(path: Path, ...input: Arguments<'get', Path>) {
  return queryOptions({
    queryKey: toKey(path, input[0]),
    queryFn: () => get(path, ...input),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  })
}

type Listing<Path extends Get> = Answer<'get', Path> extends { content: infer Rows } ? Rows : never

/** Queries the rows of a list that the service returns in full. */
export function rows<Path extends Get>(path: Path, ...input: Arguments<'get', Path>) {
  return queryOptions({
    queryKey: [...toKey(path, input[0]), 'rows'],
    queryFn: async () => ((await get(path, ...input)) as { content: Listing<Path> }).content,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  })
}

type Part = { readonly next_cursor: string | null }
export type PartPath = { [Path in Get]: Answer<'get', Path> extends Part ? Path : never }[Get]

/** Queries a list by cursor, and returns the address of the full list as CSV. */
export function parts<Path extends PartPath>(path: Path, input: Input<'get', Path> = {} as Input<'get', Path>) {
  const { query: filters } = input as { query?: object }
  const read = (cursor: string | null) =>
    get(path, ...([{ ...input, query: { ...filters, cursor: cursor ?? undefined } }] as never)) as Promise<Page>
  const options = infiniteQueryOptions({
    queryKey: [...toKey(path, input), 'parts'],
    queryFn: ({ pageParam }) => readScreenful(read, pageParam) as Promise<Answer<'get', Path> & Part>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  })
  return { ...options, csv: `${path}?${new URLSearchParams({ ...optional({ ...filters }), format: 'csv' })}` }
}

// For each page of a filtered list, the service searches only a few thousand rows, so a page may be empty before the
// list ends. Keeps reading until the screen is full, but does not make anyone wait while the entire list is searched.
const SCREENFUL = 20
const PAGES_MAX = 10

type Page = Part & { readonly content: readonly unknown[] }

async function readScreenful(read: (cursor: string | null) => Promise<Page>, from: string | null): Promise<Page> {
  let page = await read(from)
  const content = [...page.content]
  for (let pages = 1; page.next_cursor !== null && pages < PAGES_MAX && content.length < SCREENFUL; pages++) {
    page = await read(page.next_cursor)
    content.push(...page.content)
  }
  return { ...page, content }
}
