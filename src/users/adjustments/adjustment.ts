import type { Id, PublisherId, UserId } from '../../platform/ids.ts'
import type { AdjustmentKind, AdjustmentStatus, PaidBy } from './rules.ts'

export type AdjustmentId = Id<'adjustment'>

export type Adjustment = {
  readonly userId: UserId
  readonly adjustmentId: AdjustmentId
  readonly publisherId: PublisherId
  /** The proposer's own reference. */
  readonly externalRef: string | null
  readonly kind: AdjustmentKind
  readonly paidBy: PaidBy
  readonly currency: string
  /** In minor units. A negative amount is taken from the available balance. */
  readonly amount: bigint
  readonly reason: string
  readonly status: AdjustmentStatus
  /** An operator, and also the decider if the adjustment needs no approval. */
  readonly proposedBy: string
  readonly decidedBy: string | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
}
