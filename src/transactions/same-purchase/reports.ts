import type { Day } from '../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../platform/ids.ts'

/** A card purchase or an affiliate sale as one reporter knows it, with all that shows whether two reports are of one purchase. */
export type Report = {
  readonly userId: UserId
  readonly transactionId: TransactionId
  readonly source: ReportSource
  /** Neither a card purchase from the feed of a linked card nor a sale that a network reported for a click. */
  readonly isByPublisher: boolean
  readonly rootId: string
  readonly brandUid: string
  readonly currency: string
  readonly at: Date
  /** The publisher's day of `at`. */
  readonly day: Day
  /** Only the day is known. */
  readonly dateOnly: boolean
  /** Dated by the bank's posting, days after the purchase. */
  readonly isPosted: boolean
  /** The latest time by which a row of the feed may be dated: for a partial clearing, that of the clearing. */
  readonly until: Date
  /** The id of the card, or of the account if no card of the user ever had it; null: unknown. */
  readonly card: string | null
  readonly orderId: string | null
  /** Minor units as bought, before refunds. */
  readonly amount: bigint
  /** Every total ever reported, in minor units: a hold, its clearing, a corrected amount, the rest after refunds. */
  readonly totals: readonly bigint[]
  /** If it cleared in several parts, each as a report of its own, because the feed may show them as rows of their own. */
  readonly partialClearings: readonly Report[]
  /** Something is left to reward. */
  readonly isAlive: boolean
  /** Its reward has matured and was not taken back. */
  readonly hasMatured: boolean
}
export type ReportSource = 'CARD' | 'AFFILIATE'
export type Policy = ReportSource | 'BOTH'
