import Type from 'typebox'
import { countNearlySpentBudgets } from '../catalog/allowances/index.ts'
import { countWaitingReviews } from '../catalog/reviews/index.ts'
import { countFailingEndpoints } from '../events/index.ts'
import { countWaitingContradictions } from '../payouts/contradictions/index.ts'
import { countWaitingOrders } from '../payouts/gift-cards/index.ts'
import { countWaitingRedemptions } from '../payouts/redemptions/index.ts'
import type { Reader } from '../platform/db/database.ts'
import { enumField, namedObject, nullable } from '../platform/http/index.ts'
import { countWaitingFacts } from '../platform/queue/outbox.ts'
import { WAITING_MAX, type WaitingCount } from '../platform/queue/waiting.ts'
import { countWaitingClaims } from '../purchases/claims/index.ts'
import { countWaitingRefunds } from '../purchases/linker/index.ts'
import { countWaitingPostbacks } from '../sources/affiliate/index.ts'
import { countBrokenLogins } from '../sources/cards/index.ts'
import type { OperatorDeps, OperatorOperation } from '../tenants/access/index.ts'
import { countWaitingAdjustments } from '../users/adjustments/index.ts'

/** The queues of work awaiting a person, each with its count function and the route that lists it. */
const QUEUES = {
  claims: [countWaitingClaims, '/operator/claims'],
  reviews: [countWaitingReviews, '/operator/reviews'],
  unmatched_refunds: [countWaitingRefunds, '/operator/refunds/unmatched'],
  unknown_postbacks: [countWaitingPostbacks, '/operator/postbacks/unknown'],
  redemptions: [countWaitingRedemptions, '/operator/redemptions'],
  gift_card_orders: [countWaitingOrders, '/operator/gift-cards/undecided'],
  contradictions: [countWaitingContradictions, '/operator/contradictions'],
  adjustments: [countWaitingAdjustments, '/operator/adjustments?status=proposed'],
  failed_facts: [countWaitingFacts, '/operator/facts/failed'],
  broken_logins: [countBrokenLogins, '/operator/logins/broken'],
  failing_endpoints: [countFailingEndpoints, '/operator/endpoints?failing=true'],
  budgets: [countNearlySpentBudgets, '/operator/budgets?nearly_spent=true'],
} as const satisfies Record<string, readonly [(reader: Reader, now: Date) => Promise<WaitingCount>, string]>

const NAMES = Object.keys(QUEUES) as (keyof typeof QUEUES)[]

const DeskSchema = namedObject('Desk', {
  content: Type.Array(
    namedObject('DeskQueue', {
      what: enumField(
        NAMES,
        'reviews: merchants of purchases that probably match a brand. unknown_postbacks: sales that match no click. gift_card_orders: orders that the supplier has left undecided for an hour. contradictions: reports from payers and suppliers that contradict what is recorded. broken_logins: logins that only their users can repair. failing_endpoints: webhook endpoints whose last attempt failed. budgets: offers that have spent 90% of a budget.',
      ),
      count: Type.Integer({ description: `Number of waiting items; ${WAITING_MAX} means ${WAITING_MAX} or more.` }),
      oldest_at: nullable(
        Type.String({ description: 'When the oldest item started waiting, or null if nothing is waiting.' }),
      ),
      address: Type.String({ description: 'Path of the request that lists the waiting items.' }),
    }),
    { description: 'Waiting work, one element per kind.' },
  ),
})

export function workQueueRoutes(operation: OperatorOperation, { db: { reader }, clock }: OperatorDeps): void {
  operation('GET /operator/desk', {
    config: { permission: null },
    id: 'getDesk',
    summary: 'Get counts of work waiting for a person',
    description: 'The number of waiting items of each kind and the time of the oldest, across all publishers.',
    answer: DeskSchema,
    example: {
      content: [
        { what: 'claims', count: 2, oldest_at: '2026-11-21T10:15:30.000Z', address: '/operator/claims' },
        { what: 'reviews', count: 0, oldest_at: null, address: '/operator/reviews' },
      ],
    },
    handler: async () => ({ content: await Promise.all(NAMES.map((what) => readQueue(reader, what, clock.now()))) }),
  })
}

async function readQueue(reader: Reader, what: keyof typeof QUEUES, now: Date) {
  const [waiting, address] = QUEUES[what]
  const { count, oldestAt } = await waiting(reader, now)
  return { what, count, oldest_at: oldestAt?.toISOString() ?? null, address }
}
