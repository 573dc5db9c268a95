import Type, { type Static, type TSchema } from 'typebox'
import { matches } from '../../../platform/http/index.ts'
import type { DeliveryAnswer, GiftCardSupplier, Refused } from './supplier.ts'

// Calls that take longer are retried.
const DEADLINE_MS = 10_000
// Large enough for the response to the largest order.
const ANSWER_LENGTH_MAX = 200_000
// The simulated supplier accepts any key.
const KEY = 'laurel-sandbox'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Decimal = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,2})?$' })
const Error422 = Type.Object({ error: Type.Object({ code: text(64), message: text(500) }) })
const Quote = Type.Object({ valid_until: text(64) })
const Order = Type.Object({
  order_id: text(255),
  status: Type.Enum(['processing', 'delivered', 'partially_delivered', 'failed']),
  cards: Type.Array(
    Type.Object({
      card_id: text(255),
      denomination: Decimal,
      number: text(255),
      code: text(255),
      expires_on: Type.Union([Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), Type.Null()]),
    }),
    { maxItems: 500 },
  ),
})
const Balance = Type.Object({ balance: Decimal })

/** Creates the client of the simulated supplier (simulator/README.md). */
export function createSimulatedSupplier(baseUrl: string): GiftCardSupplier {
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    callSupplier(`${baseUrl}/gift-cards/v1/${path}`, method, body)
  return {
    quote: async (request, at) => {
      const answer = await call('POST', 'quotes', { ...request, at: at.toISOString() })
      if (answer.refused !== null) return { refused: answer.refused }
      return { validUntil: new Date(read(Quote, answer.body).valid_until) }
    },
    order: async (order, at) => orderAnswer(await call('POST', 'orders', { ...order, at: at.toISOString() })),
    findOrder: async (id, at) =>
      orderAnswer(
        await call('GET', `orders/${encodeURIComponent(id)}?${new URLSearchParams({ at: at.toISOString() })}`),
      ),
    fetchBalance: async (id) => {
      const { refused, body } = await call('GET', `cards/${encodeURIComponent(id)}/balance`)
      if (refused !== null) throw new Error('the gift card supplier does not recognize the card')
      return read(Balance, body).balance
    },
    refund: async (id) => (await call('POST', `cards/${encodeURIComponent(id)}/refund`, {})).refused,
  }
}

type Answered = { readonly refused: Refused | null; readonly body: unknown }

/**
 * @throws unless the supplier returns a result or a final refusal. The message never quotes the response, which might
 * contain codes.
 */
async function callSupplier(url: string, method: 'GET' | 'POST', body?: object): Promise<Answered> {
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  if (answer.status !== 200 && answer.status !== 422)
    throw new Error(`the gift card supplier responded with status ${answer.status}`)
  const content = parsed(await shortText(answer))
  return answer.status === 200
    ? { refused: null, body: content }
    : { refused: read(Error422, content).error, body: content }
}

async function shortText(answer: Response): Promise<string> {
  let found = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    found += decoder.decode(chunk, { stream: true })
    if (found.length > ANSWER_LENGTH_MAX) throw new Error("the gift card supplier's response is too large")
  }
  return found
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    // The parser's error message would quote the content.
    throw new Error('the gift card supplier returned an invalid response')
  }
}

function orderAnswer({ refused, body }: Answered): DeliveryAnswer {
  if (refused !== null) return { status: 'refused', reason: refused }
  const { order_id: supplierOrderId, status, cards } = read(Order, body)
  if (status === 'processing') return { status, supplierOrderId }
  return {
    status: 'ended',
    supplierOrderId,
    cards: cards.map(({ card_id, denomination, number, code, expires_on }) => ({
      supplierCardId: card_id,
      denomination,
      number,
      code,
      expiresOn: expires_on,
    })),
  }
}

function read<S extends TSchema>(schema: S, answer: unknown): Static<S> {
  if (!matches(schema, answer)) throw new Error('the gift card supplier returned an invalid response')
  return answer
}
