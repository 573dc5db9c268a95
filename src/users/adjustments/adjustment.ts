import type { Id, PublisherId } from '../../platform/ids.ts'
import { from, id, instant, joined, money, oneOf, orNull, text, titled } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { ADJUSTMENT_KINDS, ADJUSTMENT_STATUSES, PAYERS } from './rules.ts'

export type AdjustmentId = Id<'adjustment'>

/** The publisher's view. It omits which operators proposed and decided the adjustment. */
export const ADJUSTMENT = resource('Adjustment', {
  adjustment_id: id<'adjustment'>('adj', 'adj_01kbjyt5v3f4nvj5yq5yfypr9v'),
  publisher_user_id: joined(text('user-1')),
  svc_user_id: from('userId', id<'user'>('usr', 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha')),
  external_ref: orNull(text('case-81')),
  kind: titled(
    'AdjustmentKind',
    oneOf(
      ADJUSTMENT_KINDS,
      'goodwill',
      'goodwill credits the user; a correction credits or debits; a write-off forgives a debt.',
    ),
  ),
  paid_by: titled('AdjustmentPayer', oneOf(PAYERS, 'service', 'Who funds the adjustment.')),
  amount: money(5, 'Amount in major units. A negative amount is deducted from the available balance.'),
  currency: text('USD'),
  reason: text('The shop had closed early', 'Human-readable explanation.'),
  status: oneOf(ADJUSTMENT_STATUSES, 'booked'),
  created_at: instant('2026-11-21T10:15:30.000Z'),
  decided_at: orNull(instant('2026-11-21T10:15:30.000Z', 'When it was booked or declined; null until then.')),
})

export type Adjustment = ResourceRow<typeof ADJUSTMENT> & {
  readonly publisherId: PublisherId
  /** An operator, and also the decider if the adjustment needs no approval. */
  readonly proposedBy: string
  readonly decidedBy: string | null
}
