import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { publishers } from '../../api/queries.ts'
import { CatalogField } from '../../catalog-field.tsx'
import { ChangeDialog } from '../../change-dialog.tsx'
import { money } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { advertiserNames, ledger } from '../ledger/queries.ts'
import { CHANGED_BY_PAYMENT } from './queries.ts'

type Kind = Pick<Schemas['NewPayment'], 'direction' | 'party'>

/** The usual kinds of payment, worded for someone reading a bank statement. */
const KINDS: readonly (readonly [value: string, label: string, kind: Kind])[] = [
  ['from-advertiser', 'Received from an advertiser', { direction: 'received', party: 'advertiser' }],
  ['to-advertiser', 'Paid back to an advertiser', { direction: 'paid', party: 'advertiser' }],
  ['to-publisher', 'Paid to the publisher', { direction: 'paid', party: 'publisher' }],
  ['from-publisher', 'Received from the publisher', { direction: 'received', party: 'publisher' }],
  ['payouts', 'Payouts to users, settled with the bank', { direction: 'paid', party: 'payouts' }],
  ['payouts-back', 'Returned payouts', { direction: 'received', party: 'payouts' }],
  ['fees', 'Service fees withdrawn', { direction: 'paid', party: 'service' }],
]
const METHODS: readonly (readonly [Schemas['PayoutMethod'], string])[] = [
  ['publisher', 'By the publisher'],
  ['file', 'By files for the bank'],
  ['simulated', 'By the simulated bank'],
  ['gift_card', 'By gift cards'],
]

/** Returns the fields that identify where the money came from or went, for the chosen kind of payment. */
function describeOwner(
  { party }: Partial<Kind>,
  { brand_uid, method }: { brand_uid: string; method: Schemas['PayoutMethod'] },
) {
  if (party === 'advertiser') return { brand_uid: brand_uid.trim() }
  return party === 'payouts' ? { method } : {}
}

export function RecordDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: known } = useSuspenseQuery(publishers)
  const { values, field } = useFields({
    publisher_id: usePublisher()?.publisher_id ?? '',
    kind: 'from-advertiser',
    brand_uid: '',
    method: 'file' as Schemas['PayoutMethod'],
    amount: '',
    external_ref: '',
    value_date: new Date().toISOString().slice(0, 10),
    note: '',
  })
  const { publisher_id, external_ref, value_date, note } = values
  const currency = known.find((one) => one.publisher_id === publisher_id)?.currency ?? 'USD'
  const terms = KINDS.find(([value]) => value === values.kind)?.[2] ?? {}
  return (
    <ChangeDialog
      onClose={onClose}
      title="Record a payment"
      lead="It is booked immediately. It cannot be changed, only reversed."
      confirm="Record it"
      act={() => {
        const owner = { ...terms, ...describeOwner(terms, values), ...(note === '' ? {} : { note }) }
        const body = { publisher_id, ...owner, amount: Number(values.amount), currency, external_ref, value_date }
        return post('/operator/payments', { body })
      }}
      done={(payment) => [`${money(payment.amount, payment.currency)} recorded`, payment.external_ref]}
      reload={CHANGED_BY_PAYMENT}
    >
      <SelectField
        {...field('publisher_id')}
        label="In the books of"
        options={known.map(({ publisher_id, name }) => [publisher_id, name])}
      />
      <SelectField {...field('kind')} label="What happened" options={KINDS.map(([value, label]) => [value, label])} />
      {terms.party === 'advertiser' && <BrandField publisherId={publisher_id} {...field('brand_uid')} />}
      {terms.party === 'payouts' && <SelectField {...field('method')} label="Method" options={METHODS} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...field('amount')} label={`Amount in ${currency}`} inputMode="decimal" required />
        <TextField {...field('value_date')} label="Value date" type="date" required />
      </div>
      <TextField
        {...field('external_ref')}
        label="Reference"
        help="The bank’s or your own reference. Each can be recorded only once."
        required
      />
      <TextField {...field('note')} label="Note" />
    </ChangeDialog>
  )
}

type BrandProps = {
  readonly publisherId: string
  readonly name: string
  readonly value: string
  readonly onChange: (brand: string) => void
}

/** Suggests the advertisers with open balances, until another name is typed. */
function BrandField({ publisherId, name, value, onChange }: BrandProps) {
  const { data } = useQuery(ledger({ publisher: publisherId, byOwner: true }))
  const { data: names } = useQuery(advertiserNames)
  const owing = (data?.content ?? []).filter(
    ({ account, owner, balance }) => account === 'advertiser_receivable' && owner !== null && balance > 0,
  )
  return (
    <CatalogField
      kind="brand"
      name={name}
      label="Advertiser"
      value={value}
      onChange={onChange}
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
