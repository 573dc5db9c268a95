import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { desk, publishers } from '../../api/queries.ts'
import { usePublisher } from '../../publisher.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { tell } from '../../ui/toast.tsx'

const KINDS: readonly (readonly [Schemas['AdjustmentKind'], string])[] = [
  ['goodwill', 'Goodwill: given without being owed'],
  ['correction', 'Correction: what was booked was wrong'],
  ['write_off', 'Write-off: a debt of the user is forgiven'],
]
const PAYERS: readonly (readonly [Schemas['AdjustmentPayer'], string])[] = [
  ['service', 'The service'],
  ['publisher', 'The publisher'],
]

export function ProposeDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: known } = useSuspenseQuery(publishers)
  const chosen = usePublisher()
  const client = useQueryClient()
  const [publisherId, setPublisherId] = useState(chosen?.publisher_id ?? '')
  const [user, setUser] = useState('')
  const [kind, setKind] = useState<Schemas['AdjustmentKind']>('goodwill')
  const [payer, setPayer] = useState<Schemas['AdjustmentPayer']>('service')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const currency = known.find(({ publisher_id }) => publisher_id === publisherId)?.currency ?? 'USD'
  const propose = useMutation({
    mutationFn: () => {
      const body = {
        ...{ publisher_id: publisherId, publisher_user_id: user, kind, amount: Number(amount), currency, reason },
        ...(kind === 'write_off' ? {} : { paid_by: payer }),
      }
      return bodyOf(api.POST('/operator/adjustments', { body }))
    },
    meta: { shown: true },
    onSuccess: async ({ status }) => {
      onClose()
      tell(status === 'booked' ? 'The adjustment is booked' : 'Another person in finance must book it')
      await Promise.all([
        client.invalidateQueries({ queryKey: ['adjustments'] }),
        client.invalidateQueries({ queryKey: ['ledger'] }),
        client.invalidateQueries({ queryKey: desk.queryKey }),
      ])
    },
  })
  const fields = propose.error instanceof Refused ? propose.error.fields : {}
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Propose an adjustment"
      lead="Up to the publisher’s limit it is booked at once. Above it, and for a write-off, another person in finance books it."
      confirm="Propose it"
      busy={propose.isPending}
      error={Object.keys(fields).length > 0 ? undefined : propose.error?.message}
      onConfirm={() => propose.mutate()}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="publisher_id"
          label="Publisher"
          value={publisherId}
          options={known.map(({ publisher_id, name }) => [publisher_id, name])}
          onChange={setPublisherId}
        />
        <TextField
          name="publisher_user_id"
          label="User"
          value={user}
          onChange={setUser}
          error={fields['publisher_user_id']}
          help="As the publisher names them."
          required
        />
      </div>
      <SelectField
        name="kind"
        label="Kind"
        value={kind}
        options={KINDS}
        onChange={(value) => setKind(KINDS.find(([known]) => known === value)?.[0] ?? kind)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="amount"
          label={`Amount in ${currency}`}
          inputMode="decimal"
          value={amount}
          onChange={setAmount}
          error={fields['amount']}
          help="Negative takes away."
          required
        />
        {kind !== 'write_off' && (
          <SelectField
            name="paid_by"
            label="Paid by"
            value={payer}
            options={PAYERS}
            onChange={(value) => setPayer(PAYERS.find(([known]) => known === value)?.[0] ?? payer)}
          />
        )}
      </div>
      <TextArea name="reason" label="Reason" value={reason} onChange={setReason} error={fields['reason']} />
    </ConfirmDialog>
  )
}
