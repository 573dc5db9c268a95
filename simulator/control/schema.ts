import Type from 'typebox'
import { SUBTYPES } from '../accounts.ts'

const CLOSED = { additionalProperties: false }
const Id = Type.String({ minLength: 1, maxLength: 255 })
const Words = Type.String({ minLength: 1, maxLength: 255 })
const Day = Type.String({ format: 'date' })
const Instant = Type.String({ format: 'date-time' })
/** In major units. A hundred million is more than any card allows, and cents stay exact far beyond that. */
const Amount = Type.Number({ minimum: 0, maximum: 100_000_000, multipleOf: 0.01 })
const AmountBack = Type.Number({ minimum: 0.01, maximum: 100_000_000, multipleOf: 0.01 })

export const ItemPath = Type.Object({ item_id: Id })
export const TransactionPath = Type.Object({ transaction_id: Id })
export const ItemQuery = Type.Object(
  { client_user_id: Type.Optional(Id), item_id: Type.Optional(Id), account_id: Type.Optional(Id) },
  CLOSED,
)

/**
 * The fields that describe the merchant and location. The merchant is required in a purchase but optional in a
 * correction.
 */
const DESCRIPTION = {
  website: Type.Optional(Words),
  merchant_entity_id: Type.Optional(Id),
  location: Type.Optional(
    Type.Object(
      {
        address: Type.Optional(Words),
        city: Type.Optional(Words),
        region: Type.Optional(Words),
        postal_code: Type.Optional(Words),
        country: Type.Optional(Words),
        lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
        lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
        store_number: Type.Optional(Words),
      },
      CLOSED,
    ),
  ),
  mcc: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
  original_description: Type.Optional(Words),
  category: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z_]{1,63}$' })),
  marketplace: Type.Optional(Words),
  with_enrichment: Type.Optional(Type.Boolean()),
}

const DAYS = {
  date: Type.Optional(Day),
  datetime: Type.Optional(Instant),
  authorized_date: Type.Optional(Day),
  authorized_datetime: Type.Optional(Instant),
}

const PAID = {
  client_user_id: Type.Optional(Id),
  item_id: Type.Optional(Id),
  account_id: Type.Optional(Id),
  merchant: Words,
  currency: Type.Optional(Type.Union([Type.String({ pattern: '^[A-Z]{3}$' }), Type.Null()])),
  unofficial_currency: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{2,12}$' })),
  pending: Type.Optional(Type.Boolean()),
  ...DAYS,
  authorized_date: Type.Optional(Type.Union([Day, Type.Null()])),
  ...DESCRIPTION,
}

export const PurchaseBody = Type.Object({ amount: Amount, ...PAID }, CLOSED)
export const OrphanRefundBody = Type.Object({ amount: AmountBack, ...PAID }, CLOSED)
export const CorrectionBody = Type.Object(
  { amount: Type.Optional(Amount), merchant: Type.Optional(Words), ...DAYS, ...DESCRIPTION },
  CLOSED,
)

export const PostingBody = Type.Object(
  {
    amount: Type.Optional(Amount),
    date: Type.Optional(Day),
    linked: Type.Optional(Type.Boolean()),
    late_removal: Type.Optional(Type.Boolean()),
    early_removal: Type.Optional(Type.Boolean()),
  },
  CLOSED,
)

export const RefundBody = Type.Object(
  { amount: Type.Optional(AmountBack), date: Type.Optional(Day), pending: Type.Optional(Type.Boolean()) },
  CLOSED,
)

const Silent = Type.Optional(Type.Boolean())
export const ChangeBody = Type.Object({ silent: Silent }, CLOSED)
/** Accepts any code, because the provider may add new ones at any time. */
export const BreakBody = Type.Object(
  { error_code: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{2,63}$' })), silent: Silent },
  CLOSED,
)
export const ExpiryBody = Type.Object(
  {
    in_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000 })),
    as: Type.Optional(Type.Union([Type.Literal('disconnect'), Type.Literal('expiration')])),
    silent: Silent,
  },
  CLOSED,
)
export const CloseAccountBody = Type.Object(
  { account_id: Id, silent: Silent, still_listed: Type.Optional(Type.Boolean()) },
  CLOSED,
)
export const OpenAccountBody = Type.Object(
  { subtype: Type.Optional(Type.Union(SUBTYPES.map((subtype) => Type.Literal(subtype)))) },
  CLOSED,
)
export const FreezeBody = Type.Object({ frozen: Type.Boolean() }, CLOSED)

/** The maximum clock offset, leap days included, because a client's sandbox may be up to a century ahead. */
const CENTURY_SECONDS = 36_525 * 86_400

export const ItemClockSetting = Type.Object(
  {
    access_token: Type.String({ minLength: 1, maxLength: 255 }),
    offset_seconds: Type.Integer({ minimum: -CENTURY_SECONDS, maximum: CENTURY_SECONDS }),
  },
  CLOSED,
)

/** The simulated time stays within ten years of real time. */
export const ClockSetting = Type.Object(
  { offset_seconds: Type.Integer({ minimum: -315_360_000, maximum: 315_360_000 }) },
  CLOSED,
)
