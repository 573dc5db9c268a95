import type { Answer, Schemas } from './client.ts'
import { page, parts, query, rows } from './query.ts'

type LedgerSearch = { readonly publisher: string; readonly day?: string | undefined; readonly byOwner: boolean }

/**
 * Queries the balances of a publisher's ledger accounts at the end of a day in the reader's time zone, or now if no day
 * is given.
 */
export function ledger({ publisher, day, byOwner }: LedgerSearch) {
  const at = day && new Date(`${day}T23:59:59.999`).toISOString()
  const by_owner = byOwner ? 'true' : undefined
  return page('/operator/trial-balance', { query: { publisher_id: publisher, at, by_owner } })
}

type PaymentSearch = {
  readonly publisher?: string | undefined
  readonly party?: Schemas['PaymentParty'] | undefined
}

export const payments = ({ publisher, party }: PaymentSearch) =>
  parts('/operator/payments', { query: { publisher_id: publisher, party } })

type StatementSearch = {
  readonly publisher?: string | undefined
  readonly kind?: Schemas['StatementKind'] | undefined
  readonly environment?: Schemas['PublisherEnvironment'] | undefined
  readonly month?: string | undefined
}

export const statements = ({ publisher, ...search }: StatementSearch) =>
  parts('/operator/statements', { query: { publisher_id: publisher, ...search } })

/** Queries the amounts that advertisers owe, by age, either to one publisher or across all production publishers. */
export const receivables = ({ publisher }: { readonly publisher?: string | undefined }) =>
  parts('/operator/receivables', { query: { publisher_id: publisher } })

/**
 * Maps brands to their advertisers' names. The names come from the latest statements, because not everyone who may read
 * the books may also read the catalog.
 */
export const advertiserNames = {
  ...query('/operator/statements', { query: { kind: 'advertiser', limit: 500 } }),
  select: ({ content }: Answer<'get', '/operator/statements'>) =>
    new Map(content.map(({ party, party_name }) => [party, party_name])),
}

/** Queries a statement, which never changes. */
export const monthlyStatement = (statement_id: string) => ({
  ...query('/operator/statements/{statement_id}', { path: { statement_id } }),
  staleTime: Number.POSITIVE_INFINITY,
})

type AdjustmentSearch = {
  readonly publisher?: string | undefined
  readonly status?: Schemas['AdjustmentStatus'] | undefined
}

export const adjustments = ({ publisher, status }: AdjustmentSearch) =>
  parts('/operator/adjustments', { query: { publisher_id: publisher, status } })

export const unmatchedRefunds = (publisher_id: string | undefined) =>
  parts('/operator/refunds/unmatched', { query: { publisher_id } })

/** Queries the purchases to which a refund may be assigned. */
export const refundCandidates = (refund_id: string) =>
  rows('/operator/refunds/{refund_id}/candidates', { path: { refund_id } })

export const undecidedOrders = (publisher_id: string | undefined) =>
  parts('/operator/gift-cards/undecided', { query: { publisher_id } })

export const unknownSales = parts('/operator/postbacks/unknown')
export const contradictions = rows('/operator/contradictions')
