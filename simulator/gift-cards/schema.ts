import Type from 'typebox'
import { AMOUNT } from './money.ts'

const CLOSED = { additionalProperties: false }
const Name = Type.String({ minLength: 1, maxLength: 255 })
const Currency = Type.String({ pattern: '^[A-Z]{3}$' })
const At = Type.String({ format: 'date-time' })

const content = {
  product: Name,
  currency: Currency,
  lines: Type.Array(
    Type.Object(
      { denomination: Type.String({ pattern: AMOUNT }), quantity: Type.Integer({ minimum: 1, maximum: 100 }) },
      CLOSED,
    ),
    { minItems: 1, maxItems: 50 },
  ),
}

export const QuoteBody = Type.Object({ ...content, at: At }, CLOSED)

export const OrderBody = Type.Object(
  {
    account: Type.String({ minLength: 1, maxLength: 64 }),
    reference: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    ...content,
    at: At,
  },
  CLOSED,
)

export const OrderPath = Type.Object({ order_id: Name })
export const CardPath = Type.Object({ card_id: Name })
export const AtQuery = Type.Object({ at: At }, CLOSED)
