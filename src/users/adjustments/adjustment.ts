import type { Id, PublisherId } from '../../platform/ids.ts'
import { id, instant, money, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { USER_FIELDS } from '../users/index.ts'
import { ADJUSTMENT_KINDS, ADJUSTMENT_STATUSES, PAYERS } from './rules.ts'

export type AdjustmentId = Id<'adjustment'>

/** The publisher's view. It omits which operators proposed and decided the adjustment. */
export const ADJUSTMENT = resource(
  'Adjustment',
  {
    adjustment_id: id('adj', { example: 'adj_01kbjyt5v3f4nvj5yq5yfypr9v' }),
    ...USER_FIELDS,
    external_ref: text({ nullable: true, example: 'case-81' }),
    kind: oneOf(ADJUSTMENT_KINDS, {
      title: 'AdjustmentKind',
      example: 'goodwill',
      description: 'goodwill credits the user; a correction credits or debits; a write-off forgives a debt.',
    }),
    paid_by: oneOf(PAYERS, {
      title: 'AdjustmentPayer',
      example: 'service',
      description: 'Who funds the adjustment.',
    }),
    amount: money({
      example: 5,
      description: 'Amount in major units. A negative amount is deducted from the available balance.',
    }),
    currency: text({ example: 'USD' }),
    reason: text({ example: 'The shop had closed early', description: 'Human-readable explanation.' }),
    status: oneOf(ADJUSTMENT_STATUSES, { example: 'booked' }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    decided_at: instant({
      nullable: true,
      example: '2026-11-21T10:15:30.000Z',
      description: 'When it was booked or declined; null until then.',
    }),
  },
  {
    publisherId: column<PublisherId>(),
    /** The operator who proposed it and, if no approval was needed, also decided it. */
    proposedBy: column<string>(),
    decidedBy: column<string | null>(),
  },
)

export type Adjustment = ResourceRow<typeof ADJUSTMENT>
