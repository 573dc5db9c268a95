import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { optional } from '../search.ts'
import { api, bodyOf, type Schemas } from './client.ts'
import { BY_CURSOR, FRESH_MS, fromCursor, REPLACED } from './lists.ts'
import { PAGE_SIZE } from './queries.ts'

type LedgerSearch = { readonly publisher: string; readonly day?: string | undefined; readonly byOwner: boolean }

/** Queries a publisher's accounts at the end of a day in the reader's time zone, or now if no day is given. */
export function ledger({ publisher, day, byOwner }: LedgerSearch) {
  const query = {
    publisher_id: publisher,
    ...(day === undefined ? {} : { at: new Date(`${day}T23:59:59.999`).toISOString() }),
    ...(byOwner ? { by_owner: 'true' as const } : {}),
  }
  return queryOptions({
    queryKey: ['ledger', publisher, day, byOwner],
    queryFn: () => bodyOf(api.GET('/operator/trial-balance', { params: { query } })),
    ...REPLACED,
  })
}

type PaymentSearch = {
  readonly publisher?: string | undefined
  readonly party?: Schemas['PaymentParty'] | undefined
}

export function payments({ publisher, party }: PaymentSearch) {
  const query = optional({ publisher_id: publisher, party })
  return infiniteQueryOptions({
    queryKey: ['payments', query],
    queryFn: ({ pageParam }) =>
      bodyOf(api.GET('/operator/payments', { params: { query: { ...query, ...fromCursor(pageParam) } } })),
    ...BY_CURSOR,
  })
}

type StatementSearch = {
  readonly publisher?: string | undefined
  readonly kind?: Schemas['StatementKind'] | undefined
  readonly environment?: Schemas['PublisherEnvironment'] | undefined
  readonly month?: string | undefined
  readonly page?: number | undefined
}

export function statements({ publisher, kind, environment, month, page = 0 }: StatementSearch) {
  const query = {
    ...optional({ publisher_id: publisher, kind, environment, month }),
    page,
    size: PAGE_SIZE,
  }
  return queryOptions({
    queryKey: ['statements', query],
    queryFn: () => bodyOf(api.GET('/operator/statements', { params: { query } })),
    ...REPLACED,
  })
}

type ReceivableSearch = { readonly publisher?: string | undefined; readonly page?: number | undefined }

/** Queries what advertisers owe, by age, either to one publisher or in all of production. */
export function receivables({ publisher, page = 0 }: ReceivableSearch) {
  const query = { ...optional({ publisher_id: publisher }), page, size: PAGE_SIZE }
  return queryOptions({
    queryKey: ['receivables', query],
    queryFn: () => bodyOf(api.GET('/operator/receivables', { params: { query } })),
    ...REPLACED,
  })
}

/**
 * Maps brands to their advertisers' names from the latest statements, because not everyone who may read the books may
 * read the catalog.
 */
export const advertiserNames = queryOptions({
  queryKey: ['advertiser-names'],
  queryFn: async () => {
    const query = { kind: 'advertiser', size: 100 } as const
    const { content } = await bodyOf(api.GET('/operator/statements', { params: { query } }))
    return new Map(content.map(({ party, party_name }) => [party, party_name]))
  },
  staleTime: FRESH_MS,
})

/** Queries a statement, which never changes. */
export function monthlyStatement(statementId: string) {
  const params = { path: { statement_id: statementId } }
  return queryOptions({
    queryKey: ['monthly-statement', statementId],
    queryFn: async () =>
      (await bodyOf(api.GET('/operator/statements/{statement_id}', { params }))) as Schemas['Statement'],
    staleTime: Number.POSITIVE_INFINITY,
  })
}

type AdjustmentSearch = {
  readonly publisher?: string | undefined
  readonly status?: Schemas['AdjustmentStatus'] | undefined
}

export function adjustments({ publisher, status }: AdjustmentSearch) {
  const query = optional({ publisher_id: publisher, status })
  return queryOptions({
    queryKey: ['adjustments', query],
    queryFn: async () => (await bodyOf(api.GET('/operator/adjustments', { params: { query } }))).content,
    ...REPLACED,
  })
}

const ofPublisher = (publisher: string | undefined) => ({
  params: { query: publisher === undefined ? {} : { publisher_id: publisher } },
})

export function unmatchedRefunds(publisher: string | undefined) {
  return queryOptions({
    queryKey: ['unmatched-refunds', publisher],
    queryFn: async () => (await bodyOf(api.GET('/operator/refunds/unmatched', ofPublisher(publisher)))).content,
    ...REPLACED,
  })
}

/** Queries the purchases that a refund may be assigned to. */
export function refundCandidates(refundId: string) {
  const params = { path: { refund_id: refundId } }
  return queryOptions({
    queryKey: ['refund-candidates', refundId],
    queryFn: async () => (await bodyOf(api.GET('/operator/refunds/{refund_id}/candidates', { params }))).content,
    staleTime: FRESH_MS,
  })
}

export function undecidedOrders(publisher: string | undefined) {
  return queryOptions({
    queryKey: ['undecided-orders', publisher],
    queryFn: async () => (await bodyOf(api.GET('/operator/gift-cards/undecided', ofPublisher(publisher)))).content,
    ...REPLACED,
  })
}

export const unknownSales = queryOptions({
  queryKey: ['unknown-sales'],
  queryFn: async () => (await bodyOf(api.GET('/operator/postbacks/unknown'))).content,
  staleTime: FRESH_MS,
})

export const contradictions = queryOptions({
  queryKey: ['contradictions'],
  queryFn: async () => (await bodyOf(api.GET('/operator/contradictions'))).content,
  staleTime: FRESH_MS,
})
