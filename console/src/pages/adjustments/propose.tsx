import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { desk, ownPublisher } from '../../api/queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { money } from '../../format.ts'
import { type Owner, OwnerFields } from '../../owner-fields.tsx'
import { usePublisher } from '../../publisher.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/form/field.tsx'
import { tell } from '../../ui/toast.tsx'

const KINDS: readonly (readonly [Schemas['AdjustmentKind'], string])[] = [
  ['goodwill', 'Goodwill: given without being owed'],
  ['correction', 'Correction: what was booked was wrong'],
  ['write_off', 'Write-off: a debt of the user is forgiven'],
]
const PAYERS: readonly (readonly [Schemas['AdjustmentPayer'], string])[] = [
  ['service', 'The operating company'],
  ['publisher', 'The publisher'],
]

type Props = {
  /** The user whose balance is corrected. Without one, the dialog asks. */
  readonly owner?: Owner
  readonly onClose: () => void
}

/** Proposes a manual balance correction. */
export function ProposeDialog({ owner, onClose }: Props) {
  const chosen = usePublisher()?.publisher_id ?? ''
  const [{ publisher, user }, setOwner] = useState<Owner>(owner ?? { publisher: chosen, user: '' })
  const currencies = useCurrencies(publisher)
  const [kind, setKind] = useState<Schemas['AdjustmentKind']>('goodwill')
  const [payer, setPayer] = useState<Schemas['AdjustmentPayer']>('service')
  const [wanted, setCurrency] = useState('')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const currency = currencies.find((known) => known === wanted) ?? currencies[0] ?? 'USD'
  const value = Number(amount)
  const propose = usePropose(onClose)
  const fields = propose.error instanceof Refused ? propose.error.fields : {}
  const isGiven = user !== '' && amount !== '' && Number.isFinite(value) && value !== 0
  const missing = reason.trim() === '' ? 'Give a reason first.' : null
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Propose an adjustment"
      lead={`${isGiven ? `${money(Math.abs(value), currency)} is ${value < 0 ? 'taken from' : 'given to'} ${user}. ` : ''}Up to the publisher’s limit it is booked at once. Above it, and for a write-off, another person in finance books it.`}
      confirm="Propose it"
      busy={propose.isPending}
      error={Object.keys(fields).length > 0 ? undefined : propose.error?.message}
      refusal={isGiven ? missing : 'Enter the user and the amount first.'}
      onConfirm={() =>
        propose.mutate({
          publisher_id: publisher,
          publisher_user_id: user,
          kind,
          amount: value,
          currency,
          reason,
          ...(kind === 'write_off' ? {} : { paid_by: payer }),
        })
      }
    >
      {owner === undefined && (
        <OwnerFields owner={{ publisher, user }} onChange={setOwner} error={fields['publisher_user_id']} />
      )}
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
          help="A negative amount takes away."
          required
        />
        {currencies.length > 1 && (
          <SelectField
            name="currency"
            label="Currency"
            value={currency}
            options={currencies.map((one) => [one, one])}
            onChange={setCurrency}
          />
        )}
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
      <TextArea
        name="reason"
        label="Reason"
        value={reason}
        onChange={setReason}
        error={fields['reason']}
        help="The publisher reads this."
      />
    </ConfirmDialog>
  )
}

/** Returns the currencies of the publisher's user balances, starting with the publisher's own. */
function useCurrencies(publisher: string): readonly string[] {
  const { data } = useQuery({ ...ownPublisher(publisher), enabled: publisher !== '' })
  return data === undefined ? [] : [data.currency, ...data.currencies.filter((one) => one !== data.currency)]
}

function usePropose(onClose: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Schemas['NewAdjustment']) => bodyOf(api.POST('/operator/adjustments', { body })),
    meta: { shown: true },
    onSuccess: async ({ status }, { publisher_id, publisher_user_id }) => {
      onClose()
      tell(status === 'booked' ? 'The adjustment is booked' : 'Another person in finance must book it')
      const changed = [
        ['adjustments'],
        ['ledger'],
        desk.queryKey,
        ['user', publisher_id, publisher_user_id],
        ['statement', publisher_id, publisher_user_id],
      ]
      await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
