import Type from 'typebox'
import type { PublisherId } from '../../platform/ids.ts'
import { field, money, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'

const AGEING = resource('ReceivableAgeing', {
  statement_month: text({
    nullable: true,
    example: '2026-10',
    description: 'Month of the last statement, or null if there is none.',
  }),
  since_statement: money({ example: 250, description: 'Amount not yet on a statement: charges less payments.' }),
  current: money({ example: 250, description: 'Owed for the current month, plus anything not yet on a statement.' }),
  days_1_30: money({
    property: 'upTo30',
    example: 800,
    description: 'Owed for the previous month; each month counts as 30 days.',
  }),
  days_31_60: money({ property: 'upTo60', example: 200, description: 'Owed for the month before that.' }),
  days_61_90: money({ property: 'upTo90', example: 0, description: 'Owed for the month before that.' }),
  days_over_90: money({ property: 'over90', example: 0, description: 'Owed for earlier months.' }),
  credit: money({ example: 0, description: 'Amount paid in advance.' }),
})

export type ReceivableAges = ResourceRow<typeof AGEING> & { readonly currency: string }

export const RECEIVABLE = resource('Receivable', {
  brand_uid: text({ example: 'brand-market' }),
  brand_name: text({
    nullable: true,
    example: 'Corner Market',
    description: 'Null if the brand is not in the catalog.',
  }),
  currency: text({ example: 'USD' }),
  balance: money({
    example: 1250,
    description: 'Amount the advertiser owes now; negative if it paid in advance.',
  }),
  ageing: field(
    Type.Object(AGEING.schema.properties, {
      description: 'Amount owed by age, or null if it is not broken down by age.',
    }),
    { title: 'ReceivableAgeing', nullable: true, example: AGEING.example },
    (ages: ReceivableAges) => AGEING.present(ages),
  ),
})

export type Receivable = ResourceRow<typeof RECEIVABLE>
export type ReceivableRow = Omit<Receivable, 'ageing'> & {
  readonly receivableId: string
  /** The publisher that the list is limited to; null for all of production. */
  readonly publisherId: PublisherId | null
}
