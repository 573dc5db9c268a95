import type { Channel } from '../catalog/index.ts'
import type { Day } from '../platform/calendar.ts'
import type { BoughtItem } from './goods.ts'
import type { LimitFacts } from './limits.ts'
import type { PlaceFacts } from './stores.ts'

/** A purchase as it is judged. Amounts are minor units of its currency. */
export type Purchase = {
  readonly source: 'CARD' | 'AFFILIATE' | 'GIFT_CARD' | 'VOUCHER' | 'OTHER'
  readonly amount: bigint
  readonly currency: string
  /** The publisher keeps books in this currency; no reward is owed in another. */
  readonly hasBooks: boolean
  /** When it was authorized, and that day in the publisher's time zone. */
  readonly at: Date
  readonly day: Day
  readonly timeZone: string
  /** Only the day is known. */
  readonly dateOnly: boolean
  readonly offerUid: string | null
  readonly voucherCode: string | null
  readonly place: PlaceFacts
  /** Null: not reported. */
  readonly channel: Channel | null
  /** The line items that the source knows; in sum at most the amount. */
  readonly items: readonly BoughtItem[]
}

/** The user's situation at the time of a purchase. */
export type Circumstances = {
  readonly standing: 'ACTIVE' | 'INACTIVE' | 'PENDING'
  readonly card: 'linked' | 'not_linked' | 'linked_later'
  /** Another purchase holds the one use of this offer. */
  readonly used: boolean
  /** The user's last purchase at the brand before this one. */
  readonly previousPurchaseAt: Date | null
  /** `noLimitFacts` for an offer without allowances. */
  readonly limits: LimitFacts
}
