import type { Day } from '../../platform/calendar.ts'
import type { Id, PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import type { CardStatus, OrderStatus } from './rules.ts'

export type GiftCardOrderId = Id<'gift-card-order'>
export type GiftCardId = Id<'gift-card'>

export type GiftCardOrder = {
  readonly userId: UserId
  readonly orderId: GiftCardOrderId
  readonly publisherId: PublisherId
  /** The publisher's reference for the order. */
  readonly externalRef: string | null
  readonly offerUid: string
  readonly currency: string
  /** The combined face value of the cards, in minor units. */
  readonly total: bigint
  readonly status: OrderStatus
  /** The redemption that pays for the order; null if the user paid the publisher. */
  readonly redemptionId: string | null
  readonly supplierOrderId: string | null
  /** The reason why nothing was delivered: the supplier's code, `not_delivered` or `ended_by_operator`. */
  readonly reasonCode: string | null
  readonly reasonText: string | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type GiftCard = {
  readonly userId: UserId
  readonly cardId: GiftCardId
  readonly publisherId: PublisherId
  readonly orderId: GiftCardOrderId
  /** The card's position in the order, from 1. */
  readonly ordinal: number
  /** Minor units. */
  readonly denomination: bigint
  readonly status: CardStatus
  /** The card's purchase; null if the card was bought with cashback, because such a card earns nothing. */
  readonly transactionId: TransactionId | null
  readonly supplierCardId: string | null
  /** The part of the card number that may be displayed. */
  readonly mask: string | null
  readonly sealedDetails: Buffer | null
  readonly expiresOn: Day | null
  /** The time the code was first revealed. */
  readonly revealedAt: Date | null
  readonly mayReveal: boolean
}

export type OrderWithCards = { readonly order: GiftCardOrder; readonly cards: readonly GiftCard[] }
