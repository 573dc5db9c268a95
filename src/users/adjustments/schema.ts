import Type, { type Static } from 'typebox'
import { enumOf, named, namedObject, nullable } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import type { Adjustment } from './adjustment.ts'
import { ADJUSTMENT_KINDS, ADJUSTMENT_STATUSES, PAYERS } from './rules.ts'

/** The publisher's view. It omits which operators proposed and decided the adjustment. */
export const AdjustmentSchema = namedObject('Adjustment', {
  adjustment_id: Type.String(),
  publisher_user_id: Type.String(),
  svc_user_id: Type.String(),
  external_ref: nullable(Type.String()),
  kind: named(
    'AdjustmentKind',
    enumOf(ADJUSTMENT_KINDS, 'goodwill credits the user; a correction credits or debits; a write-off forgives a debt.'),
  ),
  paid_by: named('AdjustmentPayer', enumOf(PAYERS, 'Who funds the adjustment.')),
  amount: Type.Number({
    description: 'Amount in major units. A negative amount is deducted from the available balance.',
  }),
  currency: Type.String(),
  reason: Type.String({ description: 'Human-readable explanation.' }),
  status: enumOf(ADJUSTMENT_STATUSES),
  created_at: Type.String(),
  decided_at: nullable(Type.String({ description: 'When it was booked or declined; null until then.' })),
})
type ShownAdjustment = Static<typeof AdjustmentSchema>

export function presentAdjustment(row: Adjustment, publisherUserId: string): ShownAdjustment {
  return {
    adjustment_id: encodeId('adj', row.adjustmentId),
    publisher_user_id: publisherUserId,
    svc_user_id: encodeId('usr', row.userId),
    external_ref: row.externalRef,
    kind: row.kind,
    paid_by: row.paidBy,
    amount: toJsonNumber(row.amount, row.currency),
    currency: row.currency,
    reason: row.reason,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
  }
}

export const adjustmentExample: ShownAdjustment = {
  adjustment_id: 'adj_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_user_id: 'user-1',
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  external_ref: 'case-81',
  kind: 'goodwill',
  paid_by: 'service',
  amount: 5,
  currency: 'USD',
  reason: 'The shop had closed early',
  status: 'booked',
  created_at: '2026-11-21T10:15:30.000Z',
  decided_at: '2026-11-21T10:15:30.000Z',
}
