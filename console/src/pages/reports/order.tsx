import { post, type Schemas } from '../../api/client.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { optional } from '../../search.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'

const KINDS: readonly (readonly [Schemas['ReportKind'], string])[] = [
  ['transactions', 'Transactions'],
  ['users', 'Users'],
  ['rewards', 'Rewards'],
  ['redemptions', 'Redemptions'],
  ['deliveries', 'Webhook deliveries'],
]
const FORMATS: readonly (readonly [Schemas['ReportFormat'], string])[] = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON: one JSON object per line'],
  ['parquet', 'Parquet'],
]

/** Orders a report for a range of days. */
export function OrderDialog({ publisher, onClose }: { readonly publisher: string; readonly onClose: () => void }) {
  const { values, field } = useFields({
    kind: 'transactions' as Schemas['ReportKind'],
    from: '',
    to: '',
    format: 'csv' as Schemas['ReportFormat'],
  })
  return (
    <ChangeDialog
      onClose={onClose}
      title="Order a report"
      lead="The report is prepared in the background and kept for a few days."
      confirm="Order it"
      act={() => {
        const { kind, format, ...days } = values
        return post('/reports', { body: { kind, format, ...optional(days) }, publisher })
      }}
      done={['Report ordered', 'It appears in the list when it is ready.']}
      reload={['/reports']}
    >
      <SelectField {...field('kind')} label="Report" options={KINDS} />
      <TextField {...field('from')} label="First day" type="date" help="Leave empty to start at the beginning." />
      <TextField {...field('to')} label="Last day" type="date" help="Leave empty for today." />
      <SelectField {...field('format')} label="Format" options={FORMATS} />
    </ChangeDialog>
  )
}
