import type { Day } from '../../platform/calendar.ts'
import type { Id, PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import type { ClaimKind, ClaimStatus, DeclineReason, Opener } from './rules.ts'

export type ClaimId = Id<'claim'>

export type Claim = {
  readonly userId: UserId
  readonly claimId: ClaimId
  readonly publisherId: PublisherId
  /** The publisher's reference, unique per user. */
  readonly externalRef: string
  /** Hash of everything the claim was opened with, used to recognize a repeat. */
  readonly inputHash: Buffer
  readonly kind: ClaimKind
  readonly openedBy: Opener
  /** The disputed purchase; null if it was never recorded. */
  readonly transactionId: TransactionId | null
  readonly brandUid: string | null
  readonly offerUid: string | null
  readonly purchaseDate: Day | null
  /** The amount the user claims to have paid, in minor units. */
  readonly amount: bigint | null
  readonly currency: string | null
  readonly orderId: string | null
  readonly merchant: string | null
  readonly status: ClaimStatus
  /** The reason for declining; null unless declined. */
  readonly reason: DeclineReason | null
  readonly reasonText: string | null
  /** The grant: an adjustment, which an open claim is still waiting for, or the transaction of a source event. */
  readonly adjustmentId: Id<'adjustment'> | null
  readonly grantedTransactionId: TransactionId | null
  /** True if the person granting the claim also reported the event. Events reported earlier earn on their own. */
  readonly grantedEventIsNew: boolean
  /** An operator, `publisher` for a withdrawal, or `laurel` at the deadline. */
  readonly decidedBy: string | null
  readonly deadline: Date
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly decidedAt: Date | null
}

/** Evidence or a remark. Notes are append-only. */
export type ClaimNote = Pick<Claim, 'userId' | 'claimId'> & {
  readonly noteId: Id<'claim-note'>
  /** `publisher`, `user`, `laurel` or an operator. */
  readonly author: string
  readonly text: string
  readonly at: Date
}
