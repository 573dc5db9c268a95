import { FRESH_MS, query } from '../../api/query.ts'

/** Queries the current state of the loops, queues, ledger, provider and database. */
export const serviceWork = { ...query('/operator/work'), refetchInterval: FRESH_MS }
