import Type, { type Static } from 'typebox'
import { CHANNELS } from '../catalog/index.ts'
import { dayOf } from '../platform/calendar.ts'
import {
  amountField,
  currencyField,
  enumOf,
  idField,
  instantField,
  strictObject,
  textField,
} from '../platform/http/index.ts'
import { type PublisherId, userIdOf } from '../platform/ids.ts'
import { toMinor } from '../platform/money.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Publisher } from '../publishers/index.ts'
import type { TransactionRefusal } from './errors.ts'
import { EVENT_KINDS, type LineItem, type PurchaseFacts, SOURCES, type SourceEventInput } from './intake/event.ts'

// What a till prints on one receipt; more is another purchase.
const ITEMS_MAX = 500

const ItemSchema = strictObject({
  sku: Type.Optional(textField(255, 'What was bought, by its number in the shop.')),
  product_group: Type.Optional(textField(255, 'The group of goods it belongs to, as commission groups name it.')),
  amount: amountField('What was paid for this line, all pieces together.'),
  quantity: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'How many; changes no amount.' }),
  ),
})

const fields = {
  source: Type.Optional(enumOf(SOURCES, 'Where the purchase was seen; default CARD.')),
  external_id: idField("The reporter's id of this event."),
  kind: Type.Optional(enumOf(EVENT_KINDS, 'What happened; default CLEARING.')),
  original_external_id: Type.Optional(idField('The event that a refund, clearing or reversal refers to.')),
  publisher_user_id: idField("The publisher's identifier of the user."),
  brand_uid: Type.Optional(idField('The brand, where known.')),
  merchant_id: Type.Optional(idField("The processor's identifier of the merchant.")),
  provider_merchant_id: Type.Optional(idField("The linking provider's own identifier of the merchant.")),
  merchant_descriptor: Type.Optional(textField(255, 'The line on the statement.')),
  merchant_name: Type.Optional(textField(255, 'The merchant, as cleaned by the source.')),
  website: Type.Optional(textField(500, "The merchant's website.")),
  mcc: Type.Optional(Type.String({ pattern: '^\\d{4}$', description: 'Merchant category code.' })),
  store_number: Type.Optional(textField(50, 'Number of the store.')),
  street: Type.Optional(textField(255, 'Street of the store.')),
  city: Type.Optional(textField(100, 'City of the store.')),
  state: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'State of the store.' })),
  zip_code: Type.Optional(Type.String({ pattern: '^\\d{5}(-?\\d{4})?$', description: 'Zip code of the store.' })),
  country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Country of the store, ISO 3166.' })),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  amount: amountField('What was bought or given back.'),
  currency: Type.Optional(currencyField()),
  transaction_date_time: Type.Optional(instantField('When it happened; default now.')),
  offer_uid: Type.Optional(idField('The offer that was used, where one was chosen.')),
  voucher_code: Type.Optional(textField(100, 'The voucher code that was used.')),
  account_id: Type.Optional(idField('The linked card.')),
  order_id: Type.Optional(idField("The merchant's order.")),
  channel: Type.Optional(enumOf(CHANNELS, 'Where the user bought.')),
  items: Type.Optional(
    Type.Array(ItemSchema, {
      maxItems: ITEMS_MAX,
      description:
        'What was bought or given back, line by line, for offers that pay by product group. Together at most the amount; the rest belongs to no group.',
    }),
  ),
}

export const SourceEventSchema = strictObject(fields)
/** Only a purchase can be judged before it happens; what takes one back says nothing by itself. */
export const EvaluateSchema = strictObject({
  ...fields,
  external_id: Type.Optional(fields.external_id),
  kind: Type.Optional(
    enumOf(['AUTHORIZATION', 'CLEARING'], 'Which report of the purchase is meant; default CLEARING.'),
  ),
})
export type SourceEventBody = Static<typeof SourceEventSchema>

// A terminal's clock, or a time zone taken for another, may run ahead by this much; what lies further ahead is a mistake.
const AHEAD_MAX_MS = 86_400_000

/**
 * Reads one event of the wire.
 * @throws Refusal amount_invalid (more decimals than the currency has, items above the amount), date_invalid (before 1970 or ahead of now)
 */
export function readSourceEvent(
  publisher: Publisher,
  body: Omit<SourceEventBody, 'external_id'> & { external_id?: string },
  now: Date,
): SourceEventInput {
  const currency = body.currency ?? publisher.currency
  const amount = readAmount(body.amount, currency, 'amount')
  return {
    userId: userIdOf(publisher.id as PublisherId, body.publisher_user_id),
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
    throw amountInvalid(field, `${field} must be positive, with no more decimals than ${currency} has`)
  return minor
}

function amountInvalid(field: string, message: string): Refusal {
  return new Refusal<TransactionRefusal>('amount_invalid', message, { field })
}

function readItems(items: readonly Static<typeof ItemSchema>[], amount: bigint, currency: string): LineItem[] {
  const amounts = items.map((item, index) => readAmount(item.amount, currency, `items.${index}.amount`))
  if (amounts.reduce((sum, one) => sum + one, 0n) > amount)
    throw amountInvalid('items', 'items must not come to more than amount')
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
    const latest = dayOf(new Date(now.getTime() + AHEAD_MAX_MS), 'UTC')
    throw new Refusal<TransactionRefusal>('date_invalid', `transaction_date_time must lie between 1970 and ${latest}`, {
      field: 'transaction_date_time',
    })
  }
  return instant
}

function readFacts(body: Omit<SourceEventBody, 'external_id'>, items: readonly LineItem[]): PurchaseFacts {
  const facts = {
    brandUid: body.brand_uid,
    offerUid: body.offer_uid,
    merchantId: body.merchant_id,
    providerMerchantId: body.provider_merchant_id,
    merchantDescriptor: body.merchant_descriptor,
    merchantName: body.merchant_name,
    website: body.website,
    mcc: body.mcc,
    storeNumber: body.store_number,
    street: body.street,
    city: body.city,
    state: body.state?.toUpperCase(),
    zipCode: body.zip_code,
    country: body.country?.toLowerCase(),
    latitude: body.latitude,
    longitude: body.longitude,
    voucherCode: body.voucher_code,
    accountId: body.account_id,
    orderId: body.order_id,
    channel: body.channel,
    items: items.length === 0 ? undefined : items,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
