import type { UserId } from '../../platform/ids.ts'

/** The sources of purchase reports. Each report is a source event, stored unchanged and counted once. */
export const SOURCES = ['CARD', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER', 'OTHER'] as const
export type Source = (typeof SOURCES)[number]
export const EVENT_KINDS = ['AUTHORIZATION', 'CLEARING', 'REFUND', 'REVERSAL', 'DECLINE', 'AMENDMENT'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export type SourceEventInput = {
  readonly userId: UserId
  readonly source: Source
  /** The reporter's id for the event. Together with the source, it is the event's natural key within the publisher. */
  readonly externalId: string
  readonly kind: EventKind
  /** The event that a clearing, refund, reversal, decline or amendment refers to, if known. */
  readonly originalExternalId: string | null
  /** Other ids of the same purchase. Not stored. */
  readonly aliases?: readonly string[]
  /** In minor units, never negative, because the kind determines the sign. An AMENDMENT contains the new total. */
  readonly amount: bigint
  readonly currency: string
  /** When it happened; null to use the time of receipt. */
  readonly occurredAt: Date | null
  /** True if only the date is known. */
  readonly dateOnly: boolean
  /** True if it came from the feed of a linked card and not from the publisher. Derived from feed rows, not stored. */
  readonly isFeed?: boolean
  readonly facts: PurchaseFacts
}

/** Facts about the merchant, offer and card. Missing properties are unknown. */
export type PurchaseFacts = {
  readonly brandUid?: string
  readonly offerUid?: string
  readonly merchantId?: string
  /** The merchant id assigned by the linking provider. */
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
  /**
   * The id of a pool's code. Stored instead of the code itself, which is worth money and must not be stored in
   * plaintext.
   */
  readonly voucherCodeId?: string
  readonly accountId?: string
  readonly orderId?: string
  readonly channel?: 'IN_STORE' | 'ONLINE'
  readonly country?: string
  readonly items?: readonly LineItem[]
  /**
   * Set on a network's report for a click on a tracking link. Such a link works only while the publisher carries the
   * offer.
   */
  readonly isFromClick?: true
  /** A network's statement about an item of a sale. Replaces earlier statements about the item. */
  readonly stated?: SaleStatement
  /** Set if dated by the bank's posting date, because the feed provides no other date. */
  readonly isPosted?: true
  /**
   * Set if bought before the card was linked. Considered when deciding who is a new customer, but earns no reward and
   * emits no event.
   */
  readonly isHistory?: true
  /** Set once the data identifying an erased user has been removed. The purchase keeps its terms. */
  readonly isErased?: true
}

export type SaleStatement = {
  /** The network's item number; empty for the entire order. */
  readonly item: string
  /** When it was bought, if reported: yyyy-MM-dd in the publisher's time zone, or an ISO 8601 instant in UTC. */
  readonly soldAt?: string
  /** Set if the event has the network's timestamp, not the time of receipt. */
  readonly isTimed?: true
  /** The network's lock period in days, as of the report. */
  readonly lockDays: number
}

export type LineItem = {
  readonly sku?: string
  readonly productGroup?: string
  /** The price of the entire line regardless of quantity, as a decimal string in minor units. */
  readonly amount: string
  readonly quantity?: number
}

/** A source event as stored. */
export type SourceEvent = Omit<SourceEventInput, 'occurredAt'> & {
  readonly eventId: string
  readonly occurredAt: Date
  readonly receivedAt: Date
  readonly inputHash: Buffer
  /**
   * True for a refund that the publisher and the feed attach to different purchases. It counts once, where the
   * publisher attached it.
   */
  readonly isPairedRefund?: boolean
}

/** True unless the event came from the feed of a linked card or is a network's report for a click. */
export function isByPublisher({ isFeed, facts }: Pick<SourceEventInput, 'isFeed' | 'facts'>): boolean {
  return isFeed !== true && facts.isFromClick !== true
}
