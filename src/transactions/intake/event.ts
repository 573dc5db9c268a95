import type { UserId } from '../../platform/ids.ts'

/** Who reports a purchase. A source event is one report, kept as it came: never changed, never dropped, never counted twice. */
export const SOURCES = ['CARD', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER', 'OTHER'] as const
export type Source = (typeof SOURCES)[number]
export const EVENT_KINDS = ['AUTHORIZATION', 'CLEARING', 'REFUND', 'REVERSAL', 'DECLINE', 'AMENDMENT'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export type SourceEventInput = {
  readonly userId: UserId
  readonly source: Source
  /** The reporter's id of this event: with the source, its natural key within the publisher. */
  readonly externalId: string
  readonly kind: EventKind
  /** The event that a clearing, refund, reversal, decline or amendment refers to, where known. */
  readonly originalExternalId: string | null
  /** Minor units, never negative; the kind gives the direction. An AMENDMENT states the new total. */
  readonly amount: bigint
  readonly currency: string
  /** When it happened; null: when it was received. */
  readonly occurredAt: Date | null
  /** The day is known, the time of day is not. */
  readonly dateOnly: boolean
  readonly facts: PurchaseFacts
}

/** What is known of merchant, offer and card. Absent means unknown. */
export type PurchaseFacts = {
  readonly brandUid?: string
  readonly offerUid?: string
  readonly merchantId?: string
  /** The linking provider's own id of the merchant. */
  readonly providerMerchantId?: string
  readonly merchantDescriptor?: string
  readonly merchantName?: string
  readonly website?: string
  readonly mcc?: string
  readonly storeNumber?: string
  readonly street?: string
  readonly city?: string
  readonly state?: string
  readonly zipCode?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly voucherCode?: string
  /** Replaces a code of a pool, which is worth money and is not kept in the clear. */
  readonly voucherCodeId?: string
  readonly accountId?: string
  readonly orderId?: string
  readonly channel?: 'IN_STORE' | 'ONLINE'
  readonly country?: string
  /** What was bought, where the reporter knows; amounts in minor units as decimal text. */
  readonly items?: readonly LineItem[]
  /** Reported by a network for a click on a tracking link, which works only while the publisher carries the offer. */
  readonly isFromClick?: true
  /** Reported by a network: the event states what an item of a sale is, in place of all that was stated of it before. */
  readonly stated?: SaleStatement
  /** Bought before the card was linked: says who is a new customer, is never rewarded and announces no event. */
  readonly isHistory?: true
}

export type SaleStatement = {
  /** The network's number of the item; empty for the whole order. */
  readonly item: string
  /** When it was bought, if reported: yyyy-MM-dd in the publisher's time zone, or an instant in ISO 8601, UTC. */
  readonly soldAt?: string
  /** The network said when it made the report; otherwise the event has the time of receipt. */
  readonly isTimed?: true
  /** Days after the sale within which the network approves or rejects, as they were when it was reported. */
  readonly lockDays: number
}

export type LineItem = {
  readonly sku?: string
  readonly productGroup?: string
  /** Minor units as decimal text: what was paid for the whole line, whatever its quantity. */
  readonly amount: string
  readonly quantity?: number
}

/** An event as it is kept. */
export type SourceEvent = Omit<SourceEventInput, 'occurredAt'> & {
  readonly eventId: string
  readonly occurredAt: Date
  readonly receivedAt: Date
  readonly inputHash: Buffer
}
