import Type from 'typebox'
import { createPartnerClient } from '../../../platform/partner-client.ts'
import { toWire } from '../files/bank-account.ts'
import type { PayoutBank } from './payout-bank.ts'

// The simulated bank accepts any key.
const KEY = 'laurel-sandbox'

const WRONG_DESTINATION = ['account_closed', 'destination_invalid']

const Accepted = Type.Object({ payout_id: Type.String() })
const Refused = Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) })
const text = () => Type.Union([Type.String(), Type.Null()])
const Events = Type.Object({
  events: Type.Array(
    Type.Object({
      reference: Type.String(),
      payout_id: Type.String(),
      type: Type.Union([Type.Literal('paid'), Type.Literal('failed'), Type.Literal('returned')]),
      code: text(),
      message: text(),
    }),
  ),
  next_after: Type.Integer({ minimum: 0 }),
})

/** Creates the client of the simulated bank (simulator/README.md). */
export function createSimulatedBank(baseUrl: string): PayoutBank {
  const { call, read } = createPartnerClient('the payout bank', `${baseUrl}/payouts/v1`, KEY)
  return {
    pay: async ({ destination, ...order }, at) => {
      const request = { ...order, destination: toWire(destination), at: at.toISOString() }
      const { isRefused, body } = await call('POST', 'payouts', request)
      if (!isRefused) return { isAccepted: true, payoutReference: read(Accepted, body).payout_id }
      const { error } = read(Refused, body)
      return { isAccepted: false, ...error, isDestinationWrong: WRONG_DESTINATION.includes(error.code) }
    },
    listEvents: async (account, after, at) => {
      const query = new URLSearchParams({ account, after: String(after), at: at.toISOString() })
      const { events, next_after } = read(Events, (await call('GET', `events?${query}`)).body)
      return {
        events: events.map(({ reference, payout_id: payoutReference, type: outcome, code, message }) => ({
          reference,
          payoutReference,
          outcome,
          code,
          message,
        })),
        nextAfter: BigInt(next_after),
      }
    },
  }
}
