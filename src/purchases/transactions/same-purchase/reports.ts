import type { Day } from '../../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'

/**
 * A card purchase or an affiliate sale according to one reporter, with all the evidence needed to tell whether two
 * reports are of the same purchase.
 */
export type Report = {
  readonly userId: UserId
  readonly transactionId: TransactionId
  readonly source: ReportSource
  /** False for a card purchase from the feed of a linked card, and for a sale that a network reported for a click. */
  readonly isByPublisher: boolean
  readonly rootId: string
  readonly brandUid: string
  readonly currency: string
  readonly at: Date
  /** The date of `at` in the publisher's time zone. */
  readonly day: Day
  /** True if only the date is known. */
  readonly dateOnly: boolean
  /** True if dated by the bank's posting date, days after the purchase. */
  readonly isPosted: boolean
  /** The latest possible date of a feed row. For a partial clearing, the time of that clearing. */
  readonly until: Date
  /** The card's id, or the account id if none of the user's cards ever had that account; null if unknown. */
  readonly card: string | null
  readonly orderId: string | null
  /** The amount bought, before refunds, in minor units. */
  readonly amount: bigint
  /**
   * Every total ever reported, in minor units: a hold, its clearing, a corrected amount, the remainder after refunds.
   */
  readonly totals: readonly bigint[]
  /** One report per clearing if there are several, because the feed may show them as separate rows. */
  readonly partialClearings: readonly Report[]
  /** True if there is anything left to reward. */
  readonly isAlive: boolean
  /** True if its reward has matured and was not clawed back. */
  readonly hasMatured: boolean
}
export type ReportSource = 'CARD' | 'AFFILIATE'
export type Policy = ReportSource | 'BOTH'
