import Type from 'typebox'

const CLOSED = { additionalProperties: false }
const Account = Type.String({ minLength: 1, maxLength: 64 })
const HolderName = Type.String({ pattern: '\\S', maxLength: 140 })
const At = Type.String({ format: 'date-time' })

const UsBankAccount = Type.Object(
  {
    type: Type.Literal('us_bank_account'),
    holder_name: HolderName,
    routing_number: Type.String({ pattern: '^\\d{9}$' }),
    account_number: Type.String({ pattern: '^\\d{4,17}$' }),
    account_type: Type.Enum(['checking', 'savings']),
  },
  CLOSED,
)

const Iban = Type.Object(
  {
    type: Type.Literal('iban'),
    holder_name: HolderName,
    iban: Type.String({ pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$' }),
    bic: Type.Union([Type.String({ pattern: '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$' }), Type.Null()]),
  },
  CLOSED,
)

export const PayoutBody = Type.Object(
  {
    account: Account,
    reference: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    /** Above zero, with up to two decimals, and below a billion, which is more than any payout. */
    amount: Type.String({ pattern: '^(?=.*[1-9])(0|[1-9]\\d{0,8})(\\.\\d{1,2})?$' }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    destination: Type.Union([UsBankAccount, Iban]),
    at: At,
  },
  CLOSED,
)

export const EventsQuery = Type.Object(
  {
    account: Account,
    after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
    /** From 1 to 500. */
    limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|[1-4]\\d\\d|500)$' })),
    at: At,
  },
  CLOSED,
)
