/**
 * The simulated bank. It makes payouts and reports their outcomes. It has no clock: each call passes the current time,
 * so one account can go through a month in a minute while another stays in real time.
 */
import { openPartnerDoor } from '../partner-door.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { tellEvents } from './events.ts'
import { requestPayout } from './request.ts'
import { pickPayoutFault } from './request-fault.ts'
import { EventsQuery, PayoutBody } from './schema.ts'

const EVENTS_MAX = 500

export async function payouts(app: App, world: World): Promise<void> {
  openPartnerDoor(app, { faults: world.payoutFaults, cut: '{"payout_id": "pay_', pickFault: pickPayoutFault })
  app.post('/payouts/v1/payouts', { schema: { body: PayoutBody } }, async ({ body }) => {
    const { payoutId, reference } = requestPayout(world, body)
    return { payout_id: payoutId, reference, status: 'accepted' }
  })
  app.get('/payouts/v1/events', { schema: { querystring: EventsQuery } }, async ({ query }) => {
    const after = Number(query.after ?? 0)
    const limit = Number(query.limit ?? EVENTS_MAX)
    const events = tellEvents(world, { account: query.account, after, limit, at: new Date(query.at) })
    return { events, next_after: events.at(-1)?.sequence ?? after }
  })
}
