import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { Refused } from './client.ts'

/** Reads again what somebody else has changed in the meantime, so that the next save replaces it knowingly. */
export function refreshIfStale(client: QueryClient, queryKey: QueryKey, error: Error): void {
  if (error instanceof Refused && error.code === 'changed_meanwhile') void client.invalidateQueries({ queryKey })
}
