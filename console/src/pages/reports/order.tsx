import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { actingFor, api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { tell } from '../../ui/toast.tsx'

const KINDS: readonly (readonly [Schemas['ReportKind'], string])[] = [
  ['transactions', 'Transactions'],
  ['users', 'Users'],
  ['rewards', 'Rewards'],
  ['redemptions', 'Redemptions'],
  ['deliveries', 'Webhook deliveries'],
]
const FORMATS: readonly (readonly [Schemas['ReportFormat'], string])[] = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON: one JSON object a line'],
  ['parquet', 'Parquet'],
]

/** Orders a report on a range of days. */
export function OrderDialog({ publisher, onClose }: { readonly publisher: string; readonly onClose: () => void }) {
  const client = useQueryClient()
  const [kind, setKind] = useState<Schemas['ReportKind']>('transactions')
  const [format, setFormat] = useState<Schemas['ReportFormat']>('csv')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const order = useMutation({
    mutationFn: () => {
      const days = { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }
      return bodyOf(api.POST('/reports', { body: { kind, format, ...days }, ...actingFor(publisher) }))
    },
    meta: { shown: true },
    onSuccess: async () => {
      onClose()
      tell('The report is ordered', 'It appears in the list when it is ready.')
      await client.invalidateQueries({ queryKey: ['reports', publisher] })
    },
  })
  const refused = order.error instanceof Refused ? order.error.fields : {}
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Order a report"
      lead="The report is prepared in the background and kept for a few days."
      confirm="Order it"
      busy={order.isPending}
      error={order.error?.message}
      onConfirm={() => order.mutate()}
    >
      <SelectField
        name="kind"
        label="Report"
        value={kind}
        options={KINDS}
        onChange={(chosen) => setKind(KINDS.find(([known]) => known === chosen)?.[0] ?? kind)}
      />
      <TextField
        name="from"
        label="First day"
        type="date"
        value={from}
        onChange={setFrom}
        error={refused['from']}
        help="Leave empty to start at the beginning."
      />
      <TextField
        name="to"
        label="Last day"
        type="date"
        value={to}
        onChange={setTo}
        error={refused['to']}
        help="Leave empty for today."
      />
      <SelectField
        name="format"
        label="Format"
        value={format}
        options={FORMATS}
        onChange={(chosen) => setFormat(FORMATS.find(([known]) => known === chosen)?.[0] ?? format)}
      />
    </ConfirmDialog>
  )
}
