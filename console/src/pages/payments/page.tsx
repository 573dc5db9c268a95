import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { day, money, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PUBLISHER_COLUMN } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { PAYMENTS } from './queries.ts'
import { RecordDialog } from './record.tsx'
import { ReverseDialog } from './reverse.tsx'

type Payment = Schemas['Payment']

export default function Payments() {
  const refusal = useRefusal()('payments:record')
  const [isRecording, setRecording] = useState(false)
  const [reversing, setReversing] = useState<Payment | null>(null)
  const action = (payment: Payment) =>
    payment.reversed_by === null && payment.reverses === null ? (
      <Button refusal={refusal} onClick={() => setReversing(payment)}>
        Reverse
      </Button>
    ) : null
  return (
    <ListPage
      title="Payments"
      lead="Money received and paid. A payment settles the oldest month first."
      actions={
        <Button tone="primary" refusal={refusal} onClick={() => setRecording(true)}>
          Record a payment
        </Button>
      }
      {...buildTable(action)}
      {...useList(PAYMENTS).list}
      empty={
        <Empty title="No payments recorded">
          Record what advertisers have paid and what publishers were paid, as shown by the bank.
        </Empty>
      }
    >
      {isRecording && <RecordDialog onClose={() => setRecording(false)} />}
      {reversing !== null && <ReverseDialog payment={reversing} onClose={() => setReversing(null)} />}
    </ListPage>
  )
}

function buildTable(action: (payment: Payment) => ReactNode): Table<Payment> {
  return {
    caption: 'Payments, newest first',
    toKey: ({ payment_id }) => payment_id,
    columns: [
      {
        header: 'Reference',
        phone: 'title',
        width: 'max-w-64',
        cell: ({ external_ref }) => external_ref,
        below: ({ note }) => note,
      },
      { header: 'Party', quiet: true, cell: partyText },
      { header: 'Amount', align: 'right', phone: 'amount', cell: amountText },
      { header: 'Status', phone: 'aside', cell: (payment) => <PaymentState payment={payment} /> },
      { header: 'Value date', isTime: true, cell: ({ value_date }) => day(value_date) },
      PUBLISHER_COLUMN,
      { header: 'Recorded by', wideOnly: true, quiet: true, cell: ({ created_by_name }) => created_by_name },
      { header: 'Action', align: 'right', phone: 'actions', cell: action },
    ],
    note: (payment) => `${partyText(payment)} · ${day(payment.value_date)}`,
  }
}

function partyText({ party, brand_uid, brand_name, method }: Payment): string {
  if (brand_uid !== null) return brand_name ?? brand_uid
  return method === null ? words(party) : `${words(party)}, ${words(method).toLowerCase()}`
}

function amountText({ direction, amount, currency }: Payment): string {
  return money(direction === 'received' ? amount : -amount, currency)
}

function PaymentState({ payment: { direction, reverses, reversed_by } }: { readonly payment: Payment }) {
  if (reversed_by !== null) return <Pill tone="neutral">Reversed</Pill>
  if (reverses !== null) return <Pill tone="info">Reverses</Pill>
  return direction === 'received' ? <Pill tone="good">Received</Pill> : <Pill tone="info">Paid</Pill>
}
