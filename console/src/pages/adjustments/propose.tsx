import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { desk, ownPublisher } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { money } from '../../format.ts'
import { type Owner, OwnerFields } from '../../owner-fields.tsx'
import { usePublisher } from '../../publisher.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'

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
  /** The user whose balance to correct. If absent, the dialog asks for one. */
  readonly owner?: Owner
  readonly onClose: () => void
}

/** Proposes a manual balance correction. */
export function ProposeDialog({ owner, onClose }: Props) {
  const chosen = usePublisher()?.publisher_id ?? ''
  const [{ publisher, user }, setOwner] = useState<Owner>(owner ?? { publisher: chosen, user: '' })
  const currencies = useCurrencies(publisher)
  const { values, field } = useFields({
    kind: 'goodwill' as Schemas['AdjustmentKind'],
    paid_by: 'service' as Schemas['AdjustmentPayer'],
    currency: '',
    amount: '',
    reason: '',
  })
  const { kind, amount, reason } = values
  const currency = currencies.find((known) => known === values.currency) ?? currencies[0] ?? 'USD'
  const value = Number(amount)
  const propose = usePropose(onClose, {
    publisher_id: publisher,
    publisher_user_id: user,
    kind,
    amount: value,
    currency,
    reason,
    ...(kind === 'write_off' ? {} : { paid_by: values.paid_by }),
  })
  const isGiven = user !== '' && amount !== '' && Number.isFinite(value) && value !== 0
  const missing = reason.trim() === '' ? 'Give a reason first.' : null
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Propose an adjustment"
      lead={`${isGiven ? `${money(Math.abs(value), currency)} is ${value < 0 ? 'taken from' : 'given to'} ${user}. ` : ''}Up to the publisher’s limit, it is booked immediately. Above it, and for a write-off, another person in finance books it.`}
      confirm="Propose it"
      change={propose}
      refusal={isGiven ? missing : 'Enter the user and the amount first.'}
    >
      {owner === undefined && <OwnerFields owner={{ publisher, user }} onChange={setOwner} />}
      <SelectField {...field('kind')} label="Kind" options={KINDS} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field('amount')}
          label={`Amount in ${currency}`}
          inputMode="decimal"
          help="A negative amount reduces the balance."
          required
        />
        {currencies.length > 1 && (
          <SelectField
            {...field('currency')}
            label="Currency"
            value={currency}
            options={currencies.map((one) => [one, one])}
          />
        )}
        {kind !== 'write_off' && <SelectField {...field('paid_by')} label="Paid by" options={PAYERS} />}
      </div>
      <TextArea {...field('reason')} label="Reason" help="The publisher can read this." />
    </ConfirmDialog>
  )
}

/** Returns the currencies of the publisher's user balances, starting with its first currency. */
function useCurrencies(publisher: string): readonly string[] {
  const { data } = useQuery({ ...ownPublisher(publisher), enabled: publisher !== '' })
  return data === undefined ? [] : [data.currency, ...data.currencies.filter((one) => one !== data.currency)]
}

function usePropose(onClose: () => void, body: Schemas['NewAdjustment']) {
  return useChange({
    act: () => post('/operator/adjustments', { body }),
    onDone: onClose,
    done: ({ status }) => (status === 'booked' ? 'Adjustment booked' : 'Another person in finance must book it'),
    reload: ['/operator/adjustments', '/operator/trial-balance', desk, '/users'],
  })
}
