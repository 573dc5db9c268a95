import type { Day } from '../platform/calendar.ts'
import type { Id, PublisherId, TransactionId, UserId } from '../platform/ids.ts'
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
  /** Face value of all cards, in minor units. */
  readonly total: bigint
  readonly status: OrderStatus
  /** The redemption that pays for it; null: the user has paid the publisher. */
  readonly redemptionId: string | null
  readonly supplierOrderId: string | null
  /** The supplier's own code and words for why it delivered nothing. */
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
  /** Its place in the order, from 1. */
  readonly ordinal: number
  /** Minor units. */
  readonly denomination: bigint
  readonly status: CardStatus
  /** The purchase that it is; null: it was bought with cashback, which earns nothing. */
  readonly transactionId: TransactionId | null
  readonly supplierCardId: string | null
  /** What may be shown of its number. */
  readonly mask: string | null
  readonly sealedDetails: Buffer | null
  readonly expiresOn: Day | null
  /** When its code was first shown. */
  readonly revealedAt: Date | null
  readonly mayReveal: boolean
}

export type OrderWithCards = { readonly order: GiftCardOrder; readonly cards: readonly GiftCard[] }
