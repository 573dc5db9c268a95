import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'
import { BY_CURSOR, FRESH_MS, fromCursor } from './lists.ts'

/** Queries the current state of the loops, queues, ledger, provider and database. */
export const serviceWork = queryOptions({
  queryKey: ['service-work'],
  queryFn: () => bodyOf(api.GET('/operator/work')),
  staleTime: FRESH_MS,
  refetchInterval: FRESH_MS,
})

const ofPublisher = (publisher: string | undefined) => (publisher === undefined ? {} : { publisher_id: publisher })

export function budgets(nearlySpent: boolean) {
  const query = nearlySpent ? { nearly_spent: 'true' as const } : {}
  return infiniteQueryOptions({
    queryKey: ['budgets', query],
    queryFn: ({ pageParam }) =>
      bodyOf(api.GET('/operator/budgets', { params: { query: { ...query, ...fromCursor(pageParam) } } })),
    ...BY_CURSOR,
  })
}

export function brokenLogins(publisher: string | undefined) {
  const query = ofPublisher(publisher)
  return infiniteQueryOptions({
    queryKey: ['broken-logins', query],
    queryFn: ({ pageParam }) =>
      bodyOf(api.GET('/operator/logins/broken', { params: { query: { ...query, ...fromCursor(pageParam) } } })),
    ...BY_CURSOR,
  })
}

export function allEndpoints(publisher: string | undefined, failing: boolean) {
  const query = { ...ofPublisher(publisher), ...(failing ? { failing: 'true' as const } : {}) }
  return infiniteQueryOptions({
    queryKey: ['all-endpoints', query],
    queryFn: ({ pageParam }) =>
      bodyOf(api.GET('/operator/endpoints', { params: { query: { ...query, ...fromCursor(pageParam) } } })),
    ...BY_CURSOR,
  })
}

/** Queries all versions of an offer, newest first. */
export function offerVersions(offerUid: string) {
  const params = { path: { offer_uid: offerUid } }
  return queryOptions({
    queryKey: ['offer-versions', offerUid],
    queryFn: async () => (await bodyOf(api.GET('/operator/offers/{offer_uid}/versions', { params }))).versions,
    staleTime: FRESH_MS,
  })
}
