import { keepPreviousData } from '@tanstack/react-query'

/** A page that opens after this long fetches its content again. */
export const FRESH_MS = 10_000

/** Options of a query whose former answer stays on the screen until the next one arrives. */
export const REPLACED = { placeholderData: keepPreviousData, staleTime: FRESH_MS }

/** Options of a query that reads a list on from a cursor. */
export const BY_CURSOR = {
  ...REPLACED,
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }: { readonly next_cursor: string | null }) => next_cursor,
}

export const fromCursor = (cursor: string | null) => (cursor === null ? {} : { cursor })
