import type { Answer } from '../../api/client.ts'
import { page, query } from '../../api/query.ts'

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

/**
 * Maps brands to their advertisers' names. The names come from the latest statements, because not everyone who may read
 * the books may also read the catalog.
 */
export const advertiserNames = {
  ...query('/operator/statements', { query: { kind: 'advertiser', limit: 500 } }),
  select: ({ content }: Answer<'get', '/operator/statements'>) =>
    new Map(content.map(({ party, party_name }) => [party, party_name])),
}
