import type { UserId } from '../../platform/ids.ts'

/** Who reports a purchase. A source event is one report: stored unchanged and counted once. */
export const SOURCES = ['CARD', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER', 'OTHER'] as const
export type Source = (typeof SOURCES)[number]
export const EVENT_KINDS = ['AUTHORIZATION', 'CLEARING', 'REFUND', 'REVERSAL', 'DECLINE', 'AMENDMENT'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export type SourceEventInput = {
  readonly userId: UserId
  readonly source: Source
  /** The reporter's id of the event; with the source its natural key within the publisher. */
  readonly externalId: string
  readonly kind: EventKind
  /** The event that a clearing, refund, reversal, decline or amendment refers to, if known. */
  readonly originalExternalId: string | null
  /** Further ids that lead to the same purchase. Not stored. */
  readonly aliases?: readonly string[]
  /** Minor units, never negative; the kind gives the direction. An AMENDMENT states the new total. */
  readonly amount: bigint
  readonly currency: string
  /** When it happened; null: when it was received. */
  readonly occurredAt: Date | null
  /** Only the day is known. */
  readonly dateOnly: boolean
  /** Brought by the feed of a linked card, not reported by the publisher. Known from the feed's rows, and not stored. */
  readonly isFeed?: boolean
  readonly facts: PurchaseFacts
}

/** What is known of merchant, offer and card. Absent: unknown. */
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
  /** Replaces a code of a pool, which is worth money and not stored in the clear. */
  readonly voucherCodeId?: string
  readonly accountId?: string
  readonly orderId?: string
  readonly channel?: 'IN_STORE' | 'ONLINE'
  readonly country?: string
  /** The line items, if known. */
  readonly items?: readonly LineItem[]
  /** A network's report for a click on a tracking link, which works only while the publisher carries the offer. */
  readonly isFromClick?: true
  /** A network's statement of what an item of a sale is; replaces earlier statements. */
  readonly stated?: SaleStatement
  /** Dated by the bank's posting, because the feed gives no other day. */
  readonly isPosted?: true
  /** Bought before the card was linked: shows who is a new customer; not rewarded and not announced. */
  readonly isHistory?: true
  /** What identified an erased user was taken out. Its purchase keeps the terms that it had. */
  readonly isErased?: true
}

export type SaleStatement = {
  /** The network's number of the item; empty for the whole order. */
  readonly item: string
  /** When it was bought, if reported: yyyy-MM-dd in the publisher's time zone, or an instant in ISO 8601, UTC. */
  readonly soldAt?: string
  /** The event has the network's time of the report, not the time of receipt. */
  readonly isTimed?: true
  /** The network's lock period in days at the time of the report. */
  readonly lockDays: number
}

export type LineItem = {
  readonly sku?: string
  readonly productGroup?: string
  /** Paid for the whole line, regardless of its quantity: decimal text in minor units. */
  readonly amount: string
  readonly quantity?: number
}

/** A stored event. */
export type SourceEvent = Omit<SourceEventInput, 'occurredAt'> & {
  readonly eventId: string
  readonly occurredAt: Date
  readonly receivedAt: Date
  readonly inputHash: Buffer
  /** A refund that publisher and feed attach to different purchases: it counts once, where the publisher has it. */
  readonly isPairedRefund?: boolean
}

/** Neither brought by the feed of a linked card nor reported by a network for a click. */
export function isByPublisher({ isFeed, facts }: Pick<SourceEventInput, 'isFeed' | 'facts'>): boolean {
  return isFeed !== true && facts.isFromClick !== true
}
