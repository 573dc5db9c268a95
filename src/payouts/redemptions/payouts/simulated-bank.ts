import Type, { type Static, type TSchema } from 'typebox'
import { matches } from '../../../platform/http/index.ts'
import type { PayoutAccount } from '../files/bank-account.ts'
import type { PayoutBank } from './payout-bank.ts'

// Calls that take longer are retried.
const DEADLINE_MS = 10_000
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
  return {
    pay: async ({ destination, ...order }, at) => {
      const body = JSON.stringify({ ...order, destination: toWire(destination), at: at.toISOString() })
      const { status, answer } = await call(`${baseUrl}/payouts/v1/payouts`, { method: 'POST', body })
      if (status === 200) return { isAccepted: true, payoutReference: read(Accepted, answer).payout_id }
      if (status !== 422) throw new Error(`the payout bank responded with status ${status}`)
      const { error } = read(Refused, answer)
      return { isAccepted: false, ...error, isDestinationWrong: WRONG_DESTINATION.includes(error.code) }
    },
    listEvents: async (account, after, at) => {
      const query = new URLSearchParams({ account, after: String(after), at: at.toISOString() })
      const { status, answer } = await call(`${baseUrl}/payouts/v1/events?${query}`, { method: 'GET' })
      if (status !== 200) throw new Error(`the payout bank responded with status ${status}`)
      const { events, next_after } = read(Events, answer)
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

async function call(url: string, init: { readonly method: 'GET' | 'POST'; readonly body?: string }) {
  const answer = await fetch(url, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  return { status: answer.status, answer: (await answer.json()) as unknown }
}

function read<S extends TSchema>(schema: S, answer: unknown): Static<S> {
  if (!matches(schema, answer)) throw new Error('the payout bank returned an invalid response')
  return answer
}

function toWire(account: PayoutAccount): object {
  return account.type === 'iban'
    ? { type: account.type, holder_name: account.holderName, iban: account.iban, bic: account.bic }
    : {
        type: account.type,
        holder_name: account.holderName,
        routing_number: account.routingNumber,
        account_number: account.accountNumber,
        account_type: account.accountType,
      }
}
