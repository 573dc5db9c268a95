import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { Refused } from './client.ts'

/**
 * Reloads what somebody else has changed in the meantime, so that the next save replaces it knowingly. Returns
 * undefined for any other error, or if reloading fails. The next save is then refused again.
 */
export async function readIfStale<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
  error: Error,
): Promise<Data | undefined> {
  if (!(error instanceof Refused) || error.code !== 'changed_meanwhile') return undefined
  return client.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined)
}
