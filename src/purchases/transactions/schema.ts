import Type, { type Static } from 'typebox'
import { CHANNELS } from '../../catalog/catalog/index.ts'
import { DAY_MS, toDay } from '../../platform/calendar.ts'
import {
  amountField,
  currencyField,
  enumField,
  factField,
  idField,
  instantField,
  namedStrictObject,
  patternField,
  postalCodeField,
  textField,
  twoLetters,
} from '../../platform/http/index.ts'
import { type PublisherId, toUserId } from '../../platform/ids.ts'
import { toMinor } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import type { TransactionRefusal } from './errors.ts'
import { EVENT_KINDS, type LineItem, type PurchaseFacts, SOURCES, type SourceEventInput } from './event.ts'

// No receipt has this many items.
const ITEMS_MAX = 500

const ItemSchema = namedStrictObject('LineItem', {
  sku: Type.Optional(textField(255, 'Stock-keeping unit.')),
  product_group: Type.Optional(textField(255, 'Product group, as in the commission groups of offers.')),
  amount: amountField('Total paid for this line, across all units.'),
  quantity: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'Number of units; does not affect amounts.' }),
  ),
})

const fields = {
  source: Type.Optional(enumField(SOURCES, 'Source of the report. Defaults to CARD.')),
  external_id: idField("The reporter's identifier for the event."),
  kind: Type.Optional(enumField(EVENT_KINDS, 'What happened. Defaults to CLEARING.')),
  original_external_id: Type.Optional(
    idField('External id of the event that the refund, clearing or reversal refers to.'),
  ),
  publisher_user_id: idField("The publisher's ID for the user."),
  brand_uid: Type.Optional(idField('The brand, if known.')),
  merchant_id: Type.Optional(factField(255, "The processor's identifier for the merchant.")),
  provider_merchant_id: Type.Optional(factField(255, "The linking provider's own identifier for the merchant.")),
  merchant_descriptor: Type.Optional(factField(255, 'Merchant descriptor as it appears on the statement.')),
  merchant_name: Type.Optional(factField(255, 'Merchant name, as cleaned up by the source.')),
  website: Type.Optional(factField(500, "The merchant's website.")),
  mcc: Type.Optional(
    patternField('^\\d{4}$', 'a four-digit merchant category code', {
      examples: ['5812'],
      description: 'Merchant category code.',
    }),
  ),
  store_number: Type.Optional(factField(50, 'Store number.')),
  street: Type.Optional(factField(255, 'Street address of the store.')),
  city: Type.Optional(factField(100, 'City of the store.')),
  state: Type.Optional(twoLetters('NY', 'State where the store is located.')),
  zip_code: Type.Optional(postalCodeField('Postal code of the store.')),
  country: Type.Optional(twoLetters('US', 'Country of the store, ISO 3166.')),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  amount: amountField('Amount purchased or refunded.'),
  currency: Type.Optional(currencyField()),
  transaction_date_time: Type.Optional(instantField('When it happened. Defaults to now.')),
  offer_uid: Type.Optional(idField('Offer that was used, if one was chosen.')),
  voucher_code: Type.Optional(textField(100, 'Voucher code that was used.')),
  account_id: Type.Optional(idField('The linked card.')),
  order_id: Type.Optional(idField("The merchant's order identifier.")),
  channel: Type.Optional(enumField(CHANNELS, 'Where the purchase was made.')),
  items: Type.Optional(
    Type.Array(ItemSchema, {
      maxItems: ITEMS_MAX,
      description:
        'Line items that were bought or returned, for offers that pay by product group. Their sum must not exceed the amount; the remainder belongs to no group.',
    }),
  ),
}

const { publisher_user_id: _named, ...fieldsOfUser } = fields

export const SourceEventSchema = namedStrictObject('SourceEvent', fields)
/** An event without its user, who is implied by the context. */
export const UserEventSchema = namedStrictObject('UserSourceEvent', fieldsOfUser)
export type UserEventBody = Static<typeof UserEventSchema>
/** Only purchases can be evaluated, not refunds or reversals. */
export const EvaluateSchema = namedStrictObject('PurchaseToEvaluate', {
  ...fields,
  external_id: Type.Optional(fields.external_id),
  kind: Type.Optional(enumField(['AUTHORIZATION', 'CLEARING'], 'Kind of report. Defaults to CLEARING.')),
})
export type SourceEventBody = Static<typeof SourceEventSchema>

// A wrong clock or time zone can date an event this far ahead. Anything later is an error.
const AHEAD_MAX_MS = DAY_MS

/**
 * Parses an event.
 * @throws Refusal amount_invalid (not positive, more decimals than the currency has, items above the amount),
 * date_invalid (before 1970 or too far in the future)
 */
export function readSourceEvent(
  publisher: Publisher,
  body: Omit<SourceEventBody, 'external_id'> & { external_id?: string },
  now: Date,
): SourceEventInput {
  const currency = body.currency ?? publisher.currency
  const amount = readAmount(body.amount, currency, 'amount')
  return {
    userId: toUserId(publisher.id as PublisherId, body.publisher_user_id),
    source: body.source ?? 'CARD',
    externalId: body.external_id ?? '',
    kind: body.kind ?? 'CLEARING',
    originalExternalId: body.original_external_id ?? null,
    amount,
    currency,
    occurredAt: body.transaction_date_time === undefined ? null : readInstant(body.transaction_date_time, now),
    dateOnly: false,
    facts: readFacts(body, readItems(body.items ?? [], amount, currency)),
  }
}

function readAmount(amount: number, currency: string, field: string): bigint {
  const minor = toMinor(amount, currency)
  if (minor === null || minor <= 0n)
    throw amountInvalid(field, `${field} must be positive and have no more decimal places than ${currency} allows`)
  return minor
}

function amountInvalid(field: string, message: string): Refusal {
  return new Refusal<TransactionRefusal>('amount_invalid', message, { field })
}

function readItems(items: readonly Static<typeof ItemSchema>[], amount: bigint, currency: string): LineItem[] {
  const amounts = items.map((item, index) => readAmount(item.amount, currency, `items.${index}.amount`))
  if (amounts.reduce((sum, one) => sum + one, 0n) > amount)
    throw amountInvalid('items', 'items must not add up to more than amount')
  return items.map(({ sku, product_group, quantity }, index) => ({
    ...(sku === undefined ? {} : { sku }),
    ...(product_group === undefined ? {} : { productGroup: product_group }),
    amount: String(amounts[index]),
    ...(quantity === undefined ? {} : { quantity }),
  }))
}

function readInstant(text: string, now: Date): Date {
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime()) || instant.getTime() < 0 || instant.getTime() > now.getTime() + AHEAD_MAX_MS) {
    const latest = toDay(new Date(now.getTime() + AHEAD_MAX_MS), 'UTC')
    throw new Refusal<TransactionRefusal>('date_invalid', `transaction_date_time must be between 1970 and ${latest}`, {
      field: 'transaction_date_time',
    })
  }
  return instant
}

// Properties of PurchaseFacts by their names in the API.
const FACTS = [
  ...([
    'brand_uid',
    'offer_uid',
    'merchant_id',
    'provider_merchant_id',
    'merchant_descriptor',
    'merchant_name',
  ] as const),
  ...(['website', 'mcc', 'store_number', 'street', 'city', 'zip_code', 'latitude', 'longitude'] as const),
  ...(['voucher_code', 'account_id', 'order_id', 'channel'] as const),
]

function readFacts(body: Omit<SourceEventBody, 'external_id'>, items: readonly LineItem[]): PurchaseFacts {
  const reported = FACTS.map((name) => [name.replaceAll(/_./g, ([, letter = '']) => letter.toUpperCase()), body[name]])
  const facts = {
    ...Object.fromEntries(reported),
    state: body.state?.toUpperCase(),
    country: body.country?.toLowerCase(),
    items: items.length === 0 ? undefined : items,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
