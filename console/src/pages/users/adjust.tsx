import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { ownPublisher } from '../../api/queries.ts'
import { money } from '../../format.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { tell } from '../../ui/toast.tsx'

const KINDS: readonly (readonly [Schemas['AdjustmentKind'], string])[] = [
  ['goodwill', 'Goodwill: a gift'],
  ['correction', 'Correction: gives, or takes with a minus'],
  ['write_off', 'Write-off: forgives a debt'],
]

type Props = { readonly publisher: string; readonly user: string; readonly onClose: () => void }

/** Corrects a balance by hand; above the limit of the publisher a second person must agree. */
export function AdjustDialog({ publisher, user, onClose }: Props) {
  const client = useQueryClient()
  const { data: own } = useSuspenseQuery(ownPublisher(publisher))
  const [kind, setKind] = useState<Schemas['AdjustmentKind']>('goodwill')
  const [currency, setCurrency] = useState(own.currency)
  const [amount, setAmount] = useState('')
  const [paidBy, setPaidBy] = useState<Schemas['AdjustmentPayer']>('service')
  const [reason, setReason] = useState('')
  const value = Number(amount)
  const propose = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/operator/adjustments', {
          body: {
            ...{ publisher_id: publisher, publisher_user_id: user, kind, amount: value },
            ...{ currency, paid_by: paidBy, reason },
          },
        }),
      ),
    meta: { shown: true },
    onSuccess: async ({ status }) => {
      onClose()
      if (status === 'booked') tell('The adjustment is booked')
      else tell('The adjustment is proposed', 'A second person of the role finance must book it.')
      await Promise.all([
        client.invalidateQueries({ queryKey: ['user', publisher, user] }),
        client.invalidateQueries({ queryKey: ['statement', publisher, user] }),
      ])
    },
  })
  const fields = propose.error instanceof Refused ? propose.error.fields : {}
  const isGiven = amount !== '' && Number.isFinite(value) && value !== 0
  const said = isGiven ? money(Math.abs(value), currency) : 'The amount'
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Adjust the balance"
      lead={`${said} is ${value < 0 ? 'taken from' : 'given to'} ${user} at once, or once a second person agrees: above the limit of the publisher, and for each write-off.`}
      confirm="Adjust"
      busy={propose.isPending}
      error={propose.error?.message}
      refusal={isGiven ? (reason.trim() === '' ? 'Give a reason first.' : null) : 'Give an amount first.'}
      onConfirm={() => propose.mutate()}
    >
      <SelectField
        name="kind"
        label="Kind"
        value={kind}
        options={KINDS}
        onChange={(chosen) => setKind(KINDS.find(([known]) => known === chosen)?.[0] ?? kind)}
      />
      <TextField
        name="amount"
        label={`Amount in ${currency}`}
        inputMode="decimal"
        value={amount}
        onChange={setAmount}
        error={fields['amount']}
        required
      />
      {own.currencies.length > 1 && (
        <SelectField
          name="currency"
          label="Currency"
          value={currency}
          options={own.currencies.map((one) => [one, one] as const)}
          onChange={setCurrency}
        />
      )}
      <SelectField
        name="paid_by"
        label="Paid by"
        value={paidBy}
        options={[
          ['service', 'The operating company'],
          ['publisher', 'The publisher'],
        ]}
        onChange={(chosen) => setPaidBy(chosen === 'publisher' ? 'publisher' : 'service')}
      />
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
