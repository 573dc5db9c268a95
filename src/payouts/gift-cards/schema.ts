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
import { toJsonNumber } from '../../platform/money.ts'
import { GIFT_CARD } from './order.ts'
import type { Quote } from './quote.ts'
import { ORDER_STATUSES } from './rules.ts'

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

export const itemsExample = {
  publisher_user_id: 'user-1',
  offer_uid: 'off_3k1n',
  items: [{ denomination: 25, quantity: 2 }],
}

export const OrderQuery = strictObject({
  publisher_user_id: Type.Optional(idField("The publisher's ID for the user.")),
  status: Type.Optional(enumField(ORDER_STATUSES, 'Only orders with this status.')),
  external_ref: Type.Optional(idField('Your reference for the order.')),
  start_date: Type.Optional(dayField('First day of the order, inclusive.')),
  end_date: Type.Optional(dayField('Last day of the order, inclusive.')),
  ...pageQuery,
})

export const QuoteSchema = namedObject('GiftCardQuote', {
  publisher_user_id: Type.String(),
  offer_uid: Type.String(),
  total: Type.Number({ description: 'Face value of all cards, in major units. This is what the user pays you.' }),
  currency: Type.String(),
  user_cashback: Type.Number({ description: 'Cashback the user would get for all cards.' }),
  cards: Type.Array(
    Type.Object({
      denomination: GIFT_CARD.schema.properties.denomination,
      user_cashback: Type.Number(),
      status_reason: nullable(Type.String()),
    }),
    { description: 'Each card, evaluated as a purchase.' },
  ),
  valid_until: Type.String({ description: 'Time until which the supplier holds the price; RFC 3339.' }),
})

export const quoteExample: Static<typeof QuoteSchema> = {
  publisher_user_id: 'user-1',
  offer_uid: 'off_3k1n',
  total: 50,
  currency: 'USD',
  user_cashback: 2,
  cards: [
    { denomination: 25, user_cashback: 1, status_reason: null },
    { denomination: 25, user_cashback: 1, status_reason: null },
  ],
  valid_until: '2026-11-21T10:30:30.000Z',
}

export const RevealedSchema = namedObject('RevealedGiftCard', {
  card_id: Type.String(),
  number: secretField('The card number.'),
  code: secretField('The code or PIN for the card number.'),
  expires_on: nullable(Type.String()),
})

export const CardBalanceSchema = namedObject('GiftCardBalance', {
  card_id: Type.String(),
  balance: Type.Number({ description: 'Remaining balance of the card, in major units.' }),
  currency: Type.String(),
})

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
