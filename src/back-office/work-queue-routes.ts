import Type from 'typebox'
import { nearlySpentBudgets } from '../catalog/allowances/index.ts'
import { waitingReviews } from '../catalog/reviews/index.ts'
import { failingEndpoints } from '../events/index.ts'
import { waitingContradictions } from '../payouts/contradictions/index.ts'
import { waitingOrders } from '../payouts/gift-cards/index.ts'
import { waitingRedemptions } from '../payouts/redemptions/index.ts'
import type { Reader } from '../platform/db/database.ts'
import { enumOf, namedObject, nullable } from '../platform/http/index.ts'
import { waitingFacts } from '../platform/queue/outbox.ts'
import { WAITING_MAX, type WaitingCount } from '../platform/queue/waiting.ts'
import { waitingClaims } from '../purchases/claims/index.ts'
import { waitingRefunds } from '../purchases/linker/index.ts'
import { waitingPostbacks } from '../sources/affiliate/index.ts'
import { brokenLogins } from '../sources/cards/index.ts'
import type { OperatorDeps, OperatorOperation } from '../tenants/access/index.ts'
import { waitingAdjustments } from '../users/adjustments/index.ts'

/** Everything that waits for a person: how to count it, and where it is listed. */
const QUEUES = {
  claims: [waitingClaims, '/operator/claims'],
  reviews: [waitingReviews, '/operator/reviews'],
  unmatched_refunds: [waitingRefunds, '/operator/refunds/unmatched'],
  unknown_postbacks: [waitingPostbacks, '/operator/postbacks/unknown'],
  redemptions: [waitingRedemptions, '/operator/redemptions'],
  gift_card_orders: [waitingOrders, '/operator/gift-cards/undecided'],
  contradictions: [waitingContradictions, '/operator/contradictions'],
  adjustments: [waitingAdjustments, '/operator/adjustments?status=proposed'],
  failed_facts: [waitingFacts, '/operator/facts/failed'],
  broken_logins: [brokenLogins, '/operator/logins/broken'],
  failing_endpoints: [failingEndpoints, '/operator/endpoints?failing=true'],
  budgets: [nearlySpentBudgets, '/operator/budgets?nearly_spent=true'],
} as const satisfies Record<string, readonly [(reader: Reader, now: Date) => Promise<WaitingCount>, string]>

const NAMES = Object.keys(QUEUES) as (keyof typeof QUEUES)[]

const DeskSchema = namedObject('Desk', {
  content: Type.Array(
    namedObject('DeskQueue', {
      what: enumOf(
        NAMES,
        'reviews: merchants of purchases that probably match a brand. unknown_postbacks: sales that match no click. gift_card_orders: orders that the supplier has left undecided for an hour. contradictions: reports from payers and suppliers that contradict what is recorded. broken_logins: logins that only their users can repair. failing_endpoints: webhook endpoints whose last attempt failed. budgets: offers that have spent 90 % of a budget.',
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

export function deskRoutes(operation: OperatorOperation, { db: { reader }, clock }: OperatorDeps): void {
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
    handler: async () => ({ content: await Promise.all(NAMES.map((what) => queueOf(reader, what, clock.now()))) }),
  })
}

async function queueOf(reader: Reader, what: keyof typeof QUEUES, now: Date) {
  const [waiting, address] = QUEUES[what]
  const { count, oldestAt } = await waiting(reader, now)
  return { what, count, oldest_at: oldestAt?.toISOString() ?? null, address }
}
