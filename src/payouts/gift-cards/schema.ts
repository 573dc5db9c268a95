import Type, { type Static } from 'typebox'
import {
  amountField,
  dayField,
  enumField,
  idField,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  secretField,
  strictObject,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import type { CardDetails } from './details.ts'
import type { GiftCard, GiftCardOrder, OrderWithCards } from './order.ts'
import type { Quote } from './quote.ts'
import { CARD_STATUSES, ORDER_STATUSES } from './rules.ts'

/** More cards than anyone buys in one order, yet few enough for one supplier response. */
export const CARDS_MAX = 50

export const OrderParams = Type.Object({ order_id: idField('The order.') })
export const CardParams = Type.Object({ card_id: idField('The card.') })

const asked = {
  publisher_user_id: idField("The publisher's ID for the user."),
  offer_uid: idField('The offer, which must have type GIFT_CARD and denominations.'),
  items: Type.Array(
    strictObject({
      denomination: amountField("One of the offer's denominations."),
      quantity: Type.Integer({ minimum: 1, maximum: CARDS_MAX, description: 'Number of cards of this denomination.' }),
    }),
    { minItems: 1, maxItems: CARDS_MAX, description: `The cards; up to ${CARDS_MAX} in all.` },
  ),
}

export const QuoteRequestSchema = namedStrictObject('NewGiftCardQuote', asked)
export const NewOrderSchema = namedStrictObject('NewGiftCardOrder', {
  ...asked,
  external_ref: idField(
    'Your reference for the order, unique per user. A repeat returns the outcome of the first order.',
  ),
})

export const OrderQuery = strictObject({
  publisher_user_id: Type.Optional(idField("The publisher's ID for the user.")),
  status: Type.Optional(enumField(ORDER_STATUSES, 'Only orders with this status.')),
  external_ref: Type.Optional(idField('Your reference for the order.')),
  start_date: Type.Optional(dayField('First day of the order, inclusive.')),
  end_date: Type.Optional(dayField('Last day of the order, inclusive.')),
  ...pageQuery,
})

const text = () => nullable(Type.String())
const denomination = Type.Number({ description: 'Face value of the card, in major units.' })
const ORDER_STATUS =
  'partially_delivered: some cards were not delivered, and the money for them is returned. refunded: all delivered cards were refunded.'

export const QuoteSchema = namedObject('GiftCardQuote', {
  publisher_user_id: Type.String(),
  offer_uid: Type.String(),
  total: Type.Number({ description: 'Face value of all cards, in major units. This is what the user pays you.' }),
  currency: Type.String(),
  user_cashback: Type.Number({ description: 'Cashback the user would get for all cards.' }),
  cards: Type.Array(Type.Object({ denomination, user_cashback: Type.Number(), status_reason: text() }), {
    description: 'Each card, evaluated as a purchase.',
  }),
  valid_until: Type.String({ description: 'Time until which the supplier holds the price; RFC 3339.' }),
})

const GiftCardSchema = namedObject('GiftCard', {
  card_id: Type.String(),
  denomination,
  status: enumField(
    CARD_STATUSES,
    "undelivered: the money is returned. refunding: waiting for the supplier's response.",
  ),
  masked: nullable(Type.String({ description: 'Masked card number.' })),
  expires_on: text(),
  revealed_at: nullable(Type.String({ description: 'When its code was first revealed, or null if it never was.' })),
  transaction_uid: nullable(
    Type.String({
      description: 'The transaction with the reward for the card, or null if the card was bought with cashback.',
    }),
  ),
})

export const OrderSchema = namedObject('GiftCardOrder', {
  order_id: Type.String({ description: 'ID of the order.' }),
  publisher_user_id: Type.String(),
  svc_user_id: Type.String(),
  external_ref: text(),
  redemption_id: nullable(
    Type.String({ description: 'The redemption that pays for the order, or null if the user has paid you.' }),
  ),
  offer_uid: Type.String(),
  status: enumField(ORDER_STATUSES, ORDER_STATUS),
  items: Type.Array(Type.Object({ denomination, quantity: Type.Integer() }), { description: 'Ordered items.' }),
  total: Type.Number({ description: 'Face value of all cards, in major units.' }),
  undelivered_total: Type.Number({ description: 'Face value of the undelivered cards.' }),
  refunded_total: Type.Number({ description: 'Face value of the refunded cards.' }),
  currency: Type.String(),
  reason_code: text(),
  reason_text: text(),
  cards: Type.Array(GiftCardSchema, { description: 'The cards, without their codes.' }),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type PresentedOrder = Static<typeof OrderSchema>

export const RevealedSchema = namedObject('RevealedGiftCard', {
  card_id: Type.String(),
  number: secretField('The card number.'),
  code: secretField('The code or PIN for the card number.'),
  expires_on: text(),
})

export const CardBalanceSchema = namedObject('GiftCardBalance', {
  card_id: Type.String(),
  balance: Type.Number({ description: 'Remaining balance of the card, in major units.' }),
  currency: Type.String(),
})

export function presentOrder({ order, cards }: OrderWithCards, publisherUserId: string): PresentedOrder {
  const { currency } = order
  const sum = (some: readonly GiftCard[]): number =>
    toJsonNumber(
      some.reduce((total, one) => total + one.denomination, 0n),
      currency,
    )
  const values = [...new Set(cards.map((card) => card.denomination))]
  return {
    order_id: encodeId('gco', order.orderId),
    publisher_user_id: publisherUserId,
    svc_user_id: encodeId('usr', order.userId),
    external_ref: order.externalRef,
    redemption_id: order.redemptionId === null ? null : encodeId('rdm', order.redemptionId),
    offer_uid: order.offerUid,
    status: order.status,
    items: values.map((value) => ({
      denomination: toJsonNumber(value, currency),
      quantity: cards.filter((card) => card.denomination === value).length,
    })),
    total: toJsonNumber(order.total, currency),
    undelivered_total: sum(cards.filter(({ status }) => status === 'undelivered')),
    refunded_total: sum(cards.filter(({ status }) => status === 'refunded')),
    currency,
    reason_code: order.reasonCode,
    reason_text: order.reasonText,
    cards: cards.map((card) => presentCard(card, currency)),
    version: order.version,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  }
}

function presentCard(card: GiftCard, currency: string): Static<typeof GiftCardSchema> {
  return {
    card_id: encodeId('gcd', card.cardId),
    denomination: toJsonNumber(card.denomination, currency),
    status: card.status,
    masked: card.mask,
    expires_on: card.expiresOn,
    revealed_at: card.revealedAt?.toISOString() ?? null,
    transaction_uid: card.transactionId === null ? null : encodeId('txn', card.transactionId),
  }
}

export function presentRevealed(card: GiftCard, { number, code }: CardDetails): Static<typeof RevealedSchema> {
  return { card_id: encodeId('gcd', card.cardId), number, code, expires_on: card.expiresOn }
}

export function presentBalance({
  order,
  card,
  balance,
}: {
  readonly order: GiftCardOrder
  readonly card: GiftCard
  readonly balance: bigint
}): Static<typeof CardBalanceSchema> {
  const { currency } = order
  return { card_id: encodeId('gcd', card.cardId), balance: toJsonNumber(balance, currency), currency }
}

export function presentQuote(
  { currency, cards, validUntil }: Quote,
  { publisherUserId, offerUid }: { readonly publisherUserId: string; readonly offerUid: string },
): Static<typeof QuoteSchema> {
  const shown = (minor: bigint): number => toJsonNumber(minor, currency)
  return {
    publisher_user_id: publisherUserId,
    offer_uid: offerUid,
    total: shown(cards.reduce((sum, card) => sum + card.denomination, 0n)),
    currency,
    user_cashback: shown(cards.reduce((sum, card) => sum + card.userCashback, 0n)),
    cards: cards.map((card) => ({
      denomination: shown(card.denomination),
      user_cashback: shown(card.userCashback),
      status_reason: card.statusReason,
    })),
    valid_until: validUntil.toISOString(),
  }
}
