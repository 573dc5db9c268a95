import Type from 'typebox'
import { createPartnerClient } from '../../../platform/partner-client.ts'
import type { DeliveryAnswer, GiftCardSupplier, Refused } from './supplier.ts'

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

type Answered = { readonly refused: Refused | null; readonly body: unknown }

/** Creates the client of the simulated supplier (simulator/README.md). */
export function createSimulatedSupplier(baseUrl: string): GiftCardSupplier {
  const client = createPartnerClient('the gift card supplier', `${baseUrl}/gift-cards/v1`, KEY)

  async function call(method: 'GET' | 'POST', path: string, request?: object): Promise<Answered> {
    const { isRefused, body } = await client.call(method, path, request)
    return { refused: isRefused ? client.read(Error422, body).error : null, body }
  }

  function readOrder({ refused, body }: Answered): DeliveryAnswer {
    if (refused !== null) return { status: 'refused', reason: refused }
    const { order_id: supplierOrderId, status, cards } = client.read(Order, body)
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

  return {
    quote: async (request, at) => {
      const { refused, body } = await call('POST', 'quotes', { ...request, at: at.toISOString() })
      return refused !== null ? { refused } : { validUntil: new Date(client.read(Quote, body).valid_until) }
    },
    order: async (order, at) => readOrder(await call('POST', 'orders', { ...order, at: at.toISOString() })),
    findOrder: async (id, at) => {
      const query = new URLSearchParams({ at: at.toISOString() })
      return readOrder(await call('GET', `orders/${encodeURIComponent(id)}?${query}`))
    },
    fetchBalance: async (id) => {
      const { refused, body } = await call('GET', `cards/${encodeURIComponent(id)}/balance`)
      if (refused !== null) throw new Error('the gift card supplier does not recognize the card')
      return client.read(Balance, body).balance
    },
    refund: async (id) => (await call('POST', `cards/${encodeURIComponent(id)}/refund`, {})).refused,
  }
}
