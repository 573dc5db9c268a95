import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { advertiserNames, ledger } from '../../api/money-queries.ts'
import { publishers } from '../../api/queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { CatalogField } from '../../catalog-field.tsx'
import { money } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { tell } from '../../ui/toast.tsx'
import { refreshMoney } from './refresh.ts'

type Kind = Pick<Schemas['NewPayment'], 'direction' | 'party'>

/** The usual kinds of payment, in the words of someone reading a bank statement. */
const KINDS: readonly (readonly [value: string, label: string, kind: Kind])[] = [
  ['from-advertiser', 'Received from an advertiser', { direction: 'received', party: 'advertiser' }],
  ['to-advertiser', 'Paid back to an advertiser', { direction: 'paid', party: 'advertiser' }],
  ['to-publisher', 'Paid to the publisher', { direction: 'paid', party: 'publisher' }],
  ['from-publisher', 'Received from the publisher', { direction: 'received', party: 'publisher' }],
  ['payouts', 'Payouts to users, settled with the bank', { direction: 'paid', party: 'payouts' }],
  ['payouts-back', 'Payouts that came back', { direction: 'received', party: 'payouts' }],
  ['fees', 'Fees withdrawn from the service', { direction: 'paid', party: 'service' }],
]
const METHODS: readonly (readonly [Schemas['PayoutMethod'], string])[] = [
  ['publisher', 'By the publisher'],
  ['file', 'By files for the bank'],
  ['simulated', 'By the simulated bank'],
  ['gift_card', 'By gift cards'],
]

export function RecordDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: known } = useSuspenseQuery(publishers)
  const chosen = usePublisher()
  const client = useQueryClient()
  const [publisherId, setPublisherId] = useState(chosen?.publisher_id ?? '')
  const [kind, setKind] = useState('from-advertiser')
  const [brand, setBrand] = useState('')
  const [method, setMethod] = useState<string>('file')
  const [amount, setAmount] = useState('')
  const [reference, setReference] = useState('')
  const [valueDate, setValueDate] = useState(new Date().toISOString().slice(0, 10))
  const [note, setNote] = useState('')
  const publisher = known.find(({ publisher_id }) => publisher_id === publisherId)
  const currency = publisher?.currency ?? 'USD'
  const terms = KINDS.find(([value]) => value === kind)?.[2] ?? {}
  const record = useMutation({
    mutationFn: () => {
      const owner =
        terms.party === 'advertiser'
          ? { brand_uid: brand.trim() }
          : terms.party === 'payouts'
            ? { method: METHODS.find(([value]) => value === method)?.[0] ?? 'file' }
            : {}
      const body = {
        publisher_id: publisherId,
        ...terms,
        ...owner,
        amount: Number(amount),
        currency,
        external_ref: reference,
        value_date: valueDate,
        ...(note === '' ? {} : { note }),
      }
      return bodyOf(api.POST('/operator/payments', { body }))
    },
    meta: { shown: true },
    onSuccess: async (payment) => {
      onClose()
      tell(`${money(payment.amount, payment.currency)} recorded`, payment.external_ref)
      await refreshMoney(client)
    },
  })
  const fields = record.error instanceof Refused ? record.error.fields : {}
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Record a payment"
      lead="It is booked immediately. It cannot be changed, only reversed."
      confirm="Record it"
      busy={record.isPending}
      error={Object.keys(fields).length > 0 ? undefined : record.error?.message}
      onConfirm={() => record.mutate()}
    >
      <SelectField
        name="publisher_id"
        label="In the books of"
        value={publisherId}
        options={known.map(({ publisher_id, name }) => [publisher_id, name])}
        onChange={setPublisherId}
        error={fields['publisher_id']}
      />
      <SelectField
        name="kind"
        label="What happened"
        value={kind}
        options={KINDS.map(([value, label]) => [value, label])}
        onChange={setKind}
      />
      {terms.party === 'advertiser' && (
        <BrandField publisherId={publisherId} value={brand} onChange={setBrand} error={fields['brand_uid']} />
      )}
      {terms.party === 'payouts' && (
        <SelectField name="method" label="Method" value={method} options={METHODS} onChange={setMethod} />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="amount"
          label={`Amount in ${currency}`}
          inputMode="decimal"
          value={amount}
          onChange={setAmount}
          error={fields['amount']}
          required
        />
        <TextField
          name="value_date"
          label="Value date"
          type="date"
          value={valueDate}
          onChange={setValueDate}
          error={fields['value_date']}
          required
        />
      </div>
      <TextField
        name="external_ref"
        label="Reference"
        value={reference}
        onChange={setReference}
        error={fields['external_ref']}
        help="The bank’s or your own reference. Each can be recorded once."
        required
      />
      <TextField name="note" label="Note" value={note} onChange={setNote} error={fields['note']} />
    </ConfirmDialog>
  )
}

type BrandProps = {
  readonly publisherId: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (brand: string) => void
}

/** Suggests the advertisers with open balances, until another name is typed. */
function BrandField({ publisherId, value, error, onChange }: BrandProps) {
  const { data } = useQuery(ledger({ publisher: publisherId, byOwner: true }))
  const { data: names } = useQuery(advertiserNames)
  const owing = (data?.content ?? []).filter(
    ({ account, owner, balance }) => account === 'advertiser_receivable' && owner !== null && balance > 0,
  )
  return (
    <CatalogField
      kind="brand"
      label="Advertiser"
      value={value}
      onChange={onChange}
      error={error}
      help="The name or id of its brand."
      initial={{
        title: 'Who owes something',
        suggestions: owing.map(({ owner, balance, currency }) => ({
          id: owner ?? '',
          name: names?.get(owner ?? '') ?? `…${owner?.slice(-6)}`,
          note: money(balance, currency),
        })),
      }}
    />
  )
}
