import Type from 'typebox'
import type { Id, PublisherId, UserId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { day, field, id, instant, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { USER_FIELDS } from '../../users/users/index.ts'
import { CARD_STATUSES, type CardStatus, countByDenomination, ORDER_STATUSES } from './rules.ts'

export type GiftCardOrderId = Id<'gift-card-order'>
export type GiftCardId = Id<'gift-card'>

const FACE_VALUE = 'Face value of the card, in major units.'

/** A card without its code. Its amount is in the currency of its order. */
export const GIFT_CARD = resource(
  'GiftCard',
  {
    card_id: id('gcd', { example: 'gcd_01kbjyt5v4e0q9s2k6t8y0a3bd' }),
    denomination: money({ example: 25, description: FACE_VALUE }),
    status: oneOf(CARD_STATUSES, {
      example: 'delivered',
      description: "undelivered: the money is returned. refunding: waiting for the supplier's response.",
    }),
    masked: text({ property: 'mask', nullable: true, example: '••••6417', description: 'Masked card number.' }),
    expires_on: day({ nullable: true, example: '2031-12-31' }),
    revealed_at: instant({
      nullable: true,
      example: null,
      description: 'When its code was first revealed, or null if it never was.',
    }),
    transaction_uid: id('txn', {
      property: 'transactionId',
      nullable: true,
      example: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
      description: 'The transaction with the reward for the card, or null if the card was bought with cashback.',
    }),
  },
  {
    userId: column<UserId>(),
    publisherId: column<PublisherId>(),
    orderId: column<GiftCardOrderId>(),
    /** The card's position in the order, from 1. */
    ordinal: column<number>(),
    supplierCardId: column<string | null>(),
    sealedDetails: column<Buffer | null>(),
    mayReveal: column<boolean>(),
  },
)

export type GiftCard = ResourceRow<typeof GIFT_CARD>

type InCurrency = { readonly currency: string }

const sumOf = (status: CardStatus, description: string) =>
  field(
    Type.Number({ description }),
    { property: 'cards', joined: true, example: 0 },
    (cards: readonly GiftCard[], { currency }: InCurrency) =>
      toJsonNumber(
        cards.reduce((sum, card) => (card.status === status ? sum + card.denomination : sum), 0n),
        currency,
      ),
  )

const { card_id, transaction_uid, ...cardExample } = GIFT_CARD.example

export const GIFT_CARD_ORDER = resource(
  'GiftCardOrder',
  {
    order_id: id('gco', { example: 'gco_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of the order.' }),
    ...USER_FIELDS,
    external_ref: text({ nullable: true, example: 'basket-4711' }),
    redemption_id: id('rdm', {
      nullable: true,
      example: null,
      description: 'The redemption that pays for the order, or null if the user has paid you.',
    }),
    offer_uid: text({ example: 'off_3k1n' }),
    status: oneOf(ORDER_STATUSES, {
      example: 'delivered',
      description:
        'partially_delivered: some cards were not delivered, and the money for them is returned. refunded: all delivered cards were refunded.',
    }),
    items: field(
      Type.Array(Type.Object({ denomination: Type.Number({ description: FACE_VALUE }), quantity: Type.Integer() }), {
        description: 'Ordered items.',
      }),
      { property: 'cards', joined: true, example: [{ denomination: 25, quantity: 2 }] },
      (cards: readonly GiftCard[], { currency }: InCurrency) =>
        countByDenomination(cards).map(({ denomination, quantity }) => ({
          denomination: toJsonNumber(denomination, currency),
          quantity,
        })),
    ),
    total: money({ example: 50, description: 'Face value of all cards, in major units.' }),
    undelivered_total: sumOf('undelivered', 'Face value of the undelivered cards.'),
    refunded_total: sumOf('refunded', 'Face value of the refunded cards.'),
    currency: text({ example: 'USD' }),
    // The supplier's code, `not_delivered` or `ended_by_operator`. `reason_text` is in the words of the supplier or the
    // operator.
    reason_code: text({ nullable: true, example: null }),
    reason_text: text({ nullable: true, example: null }),
    cards: field(
      Type.Array(GIFT_CARD.schema, { description: 'The cards, without their codes.' }),
      {
        joined: true,
        example: [
          { ...cardExample, card_id, transaction_uid },
          {
            ...cardExample,
            card_id: 'gcd_01kbjyt5v5h7d1q8w3e6r9t2yc',
            transaction_uid: 'txn_01kbjyt5v6m2x4c7v0b3n6q9ws',
          },
        ],
      },
      (cards: readonly GiftCard[], { currency }: InCurrency) =>
        cards.map((card) => ({ ...card, currency })).map(GIFT_CARD.present),
    ),
    version: integer({ example: 2 }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    updated_at: instant({ example: '2026-11-21T10:15:31.000Z' }),
  },
  { publisherId: column<PublisherId>(), supplierOrderId: column<string | null>() },
)

export type GiftCardOrder = Omit<ResourceRow<typeof GIFT_CARD_ORDER>, 'cards'>
export type OrderWithCards = { readonly order: GiftCardOrder; readonly cards: readonly GiftCard[] }

/** Presents an order with its cards. Card numbers are masked. */
export const presentOrder = ({ order, cards }: OrderWithCards) => GIFT_CARD_ORDER.present({ ...order, cards })

/** The example of an order that waits for the supplier. */
export const orderedExample = {
  ...GIFT_CARD_ORDER.example,
  status: 'ordered',
  cards: GIFT_CARD_ORDER.example.cards.map((card) => ({
    ...card,
    status: 'ordered' as const,
    masked: null,
    expires_on: null,
  })),
  version: 1,
} as const
