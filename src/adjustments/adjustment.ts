import type { Id, PublisherId, UserId } from '../platform/ids.ts'
import type { AdjustmentKind, AdjustmentStatus, PaidBy } from './rules.ts'

export type AdjustmentId = Id<'adjustment'>

export type Adjustment = {
  readonly userId: UserId
  readonly adjustmentId: AdjustmentId
  readonly publisherId: PublisherId
  /** The proposer's reference for it. */
  readonly externalRef: string | null
  readonly kind: AdjustmentKind
  readonly paidBy: PaidBy
  readonly currency: string
  /** Minor units; negative takes from what is available. */
  readonly amount: bigint
  readonly reason: string
  readonly status: AdjustmentStatus
  /** The operators. Who proposes an adjustment that needs nobody else also decides it. */
  readonly proposedBy: string
  readonly decidedBy: string | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
}
