import { createConcurrencyLimit } from '../platform/http/concurrency-limit.ts'
import { type OperatorDeps, type OperatorOperation, parsePublisherId } from '../tenants/access/index.ts'
import { getPublisher } from '../tenants/publishers/index.ts'
import { readTrialBalance } from './trial-balance.ts'
import {
  presentTrialBalance,
  TrialBalanceQuery,
  TrialBalanceSchema,
  trialBalanceExample,
} from './trial-balance-schema.ts'

/** Registers the route for a publisher's trial balance. */
export function trialBalanceRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  // A trial balance reads all the publisher's journals and occupies one of the few connections for reports.
  const limit = createConcurrencyLimit('An operator can draw up only one trial balance at a time.')
  operation('GET /operator/trial-balance', {
    config: { permission: 'ledger:read' },
    id: 'getTrialBalance',
    summary: "Get the trial balance of a publisher's accounts at any instant",
    description:
      'Based on the journals booked by then, regardless of when they take effect. Later bookings never change it, except bookings in progress at that instant, which are included seconds later.',
    query: TrialBalanceQuery,
    answer: TrialBalanceSchema,
    example: trialBalanceExample,
    refusals: ['publisher_not_found'],
    handler: async ({ query, actor }) => {
      const { publisher_id, at = null, by_owner } = query
      const publisher = await getPublisher(deps.db.reader, parsePublisherId(publisher_id))
      const end = limit.start(actor.id)
      try {
        const asked = { at, byOwner: by_owner === 'true' }
        const balance = await deps.exports.snapshot((tx) => readTrialBalance(tx, publisher, asked))
        return presentTrialBalance(publisher.id, balance)
      } finally {
        end()
      }
    },
  })
}
