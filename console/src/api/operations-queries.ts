import { FRESH_MS, parts, query } from './query.ts'

/** Queries the current state of the loops, queues, ledger, provider and database. */
export const serviceWork = { ...query('/operator/work'), refetchInterval: FRESH_MS }

export const budgets = (nearlySpent: boolean) =>
  parts('/operator/budgets', { query: { nearly_spent: nearlySpent ? 'true' : undefined } })

export const brokenLogins = (publisher_id: string | undefined) =>
  parts('/operator/logins/broken', { query: { publisher_id } })

export const allEndpoints = (publisher_id: string | undefined, failing: boolean) =>
  parts('/operator/endpoints', { query: { publisher_id, failing: failing ? 'true' : undefined } })

/** Queries all versions of an offer, newest first. */
export const offerVersions = (offer_uid: string) =>
  query('/operator/offers/{offer_uid}/versions', { path: { offer_uid } })
