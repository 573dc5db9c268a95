import type { Day } from '../platform/calendar.ts'
import type { Id, PublisherId, TransactionId, UserId } from '../platform/ids.ts'
import type { ClaimKind, ClaimStatus, DeclineReason, Opener } from './rules.ts'

export type ClaimId = Id<'claim'>

export type Claim = {
  readonly userId: UserId
  readonly claimId: ClaimId
  readonly publisherId: PublisherId
  /** The publisher's reference for it, unique for the user. */
  readonly externalRef: string
  /** Of everything that it was opened with, so that a repeat is recognized. */
  readonly inputHash: Buffer
  readonly kind: ClaimKind
  readonly openedBy: Opener
  /** The purchase that it is about; null: none is there. */
  readonly transactionId: TransactionId | null
  readonly brandUid: string | null
  readonly offerUid: string | null
  readonly purchaseDate: Day | null
  /** What the user says they paid, in minor units. */
  readonly amount: bigint | null
  readonly currency: string | null
  readonly orderId: string | null
  readonly merchant: string | null
  readonly status: ClaimStatus
  /** Why it was declined; null: it was not. */
  readonly reason: DeclineReason | null
  readonly reasonText: string | null
  /** What grants it: an adjustment, for which an open claim waits, or the transaction of a source event. */
  readonly adjustmentId: Id<'adjustment'> | null
  readonly grantedTransactionId: TransactionId | null
  /** Whether whoever granted it reported the event, too. What was reported before has earned by itself. */
  readonly grantedEventIsNew: boolean
  /** An operator, `publisher` who withdrew it, or `laurel` at the deadline. */
  readonly decidedBy: string | null
  readonly deadline: Date
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly decidedAt: Date | null
}

/** Evidence or a remark. Notes are only added. */
export type ClaimNote = Pick<Claim, 'userId' | 'claimId'> & {
  readonly noteId: Id<'claim-note'>
  /** `publisher`, `user`, `laurel` or an operator. */
  readonly author: string
  readonly text: string
  readonly at: Date
}
