import type { Day } from '../../platform/calendar.ts'
import type { Channel } from '../catalog/index.ts'
import type { BoughtItem } from './goods.ts'
import type { LimitFacts } from './limits.ts'
import type { PlaceFacts } from './stores.ts'

/** A purchase as the rules see it. Amounts are in minor units of its currency. */
export type Purchase = {
  readonly source: 'CARD' | 'AFFILIATE' | 'GIFT_CARD' | 'VOUCHER' | 'OTHER'
  readonly amount: bigint
  readonly currency: string
  /** True if the publisher keeps books in this currency. No reward is owed in any other. */
  readonly hasBooks: boolean
  /** The time of authorization, and its date in the publisher's time zone. */
  readonly at: Date
  readonly day: Day
  readonly timeZone: string
  /** True if only the day is known. */
  readonly dateOnly: boolean
  readonly offerUid: string | null
  readonly voucherCode: string | null
  readonly place: PlaceFacts
  /** Null if not reported. */
  readonly channel: Channel | null
  /** The line items reported by the source, totaling at most the amount. */
  readonly items: readonly BoughtItem[]
}

/** The user's situation at the time of the purchase. */
export type Circumstances = {
  readonly standing: 'ACTIVE' | 'INACTIVE' | 'PENDING'
  readonly card: 'linked' | 'not_linked' | 'linked_later'
  /** True if another purchase has taken the offer's single use. */
  readonly used: boolean
  /** The user's most recent earlier purchase at the brand. */
  readonly previousPurchaseAt: Date | null
  /** `noLimitFacts` if the offer neither has allowances nor requires activation. */
  readonly limits: LimitFacts
}
