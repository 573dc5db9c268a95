import Type from 'typebox'
import { PARTNER_FAULTS } from '../partner-faults.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { listPayouts, setOutcome } from './outcome.ts'
import { getNumber } from './plan.ts'
import { OUTCOMES, type Payout } from './state.ts'

const CLOSED = { additionalProperties: false }
const Words = Type.String({ minLength: 1, maxLength: 64 })
/** Enough to see recent activity. Older payouts can be found by account or reference. */
const LIST_MAX = 1000

const ListQuery = Type.Object({ account: Type.Optional(Words), reference: Type.Optional(Words) }, CLOSED)
const PayoutPath = Type.Object({ payout_id: Words })
const OutcomeBody = Type.Object(
  {
    outcome: Type.Union(OUTCOMES.map((outcome) => Type.Literal(outcome))),
    code: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,31}$' })),
  },
  CLOSED,
)
const FaultBody = Type.Object(
  {
    calls: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    fault: Type.Union(PARTNER_FAULTS.map((fault) => Type.Literal(fault))),
  },
  CLOSED,
)

export function payoutControls(app: App, world: World): void {
  const { state, payoutFaults } = world
  app.get('/_sim/payouts', { schema: { querystring: ListQuery } }, async ({ query }) => ({
    payouts: listPayouts(state, query).slice(0, LIST_MAX).map(present),
  }))
  app.post('/_sim/payouts/:payout_id', { schema: { params: PayoutPath, body: OutcomeBody } }, async (request) =>
    present(setOutcome(world, request.params.payout_id, request.body)),
  )
  app.get('/_sim/payouts/faults', async () => payoutFaults.status())
  app.post('/_sim/payouts/faults', { schema: { body: FaultBody } }, async ({ body }) => {
    payoutFaults.set(body)
    return payoutFaults.status()
  })
  app.delete('/_sim/payouts/faults', async () => {
    payoutFaults.clear()
    return payoutFaults.status()
  })
}

function present({ payoutId, account, reference, content, acceptedAt, status, planned }: Payout) {
  const { amount, currency, destination } = content
  const { type, holder_name } = destination
  return {
    payout_id: payoutId,
    account,
    reference,
    amount,
    currency,
    destination: { type, holder_name, last4: getNumber(destination).slice(-4) },
    status,
    accepted_at: acceptedAt,
    planned: planned.map((step) => ({ type: step.type, code: step.code, due_at: step.dueAt })),
  }
}
