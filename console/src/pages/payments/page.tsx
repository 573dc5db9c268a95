import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { payments } from '../../api/money-queries.ts'
import { useRefusal } from '../../api/permissions.ts'
import { day, money, words } from '../../format.ts'
import { PUBLISHER_COLUMN, PublisherFilter } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { Pill } from '../../ui/pill.tsx'
import { RecordDialog } from './record.tsx'
import { ReverseDialog } from './reverse.tsx'

type Payment = Schemas['Payment']
const route = getRouteApi('/guarded/payments')
const PARTIES = [
  [undefined, 'All'],
  ['advertiser', 'Advertisers'],
  ['publisher', 'Publishers'],
  ['payouts', 'Payouts'],
  ['service', 'Service'],
] as const

export default function Payments() {
  const { search, change } = useFilters(route)
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
      filters={
        <>
          <PublisherFilter value={search.publisher} onChange={(publisher) => change({ publisher })} />
          <Choice label="Party" value={search.party} options={PARTIES} onChange={(party) => change({ party })} />
        </>
      }
      {...buildTable(action)}
      {...useParts(payments(search))}
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
        cell: ({ external_ref, note }) => (
          <div className="max-w-64 py-1.5">
            <div className="truncate font-medium">{external_ref}</div>
            {note !== null && <div className="truncate text-ink-3 text-xs">{note}</div>}
          </div>
        ),
      },
      { header: 'Party', quiet: true, cell: partyText },
      { header: 'Amount', align: 'right', cell: amountText },
      { header: 'Status', cell: (payment) => <PaymentState payment={payment} /> },
      { header: 'Value date', cell: ({ value_date }) => <span className="num text-ink-2">{day(value_date)}</span> },
      PUBLISHER_COLUMN,
      { header: 'Recorded by', wideOnly: true, quiet: true, cell: ({ created_by_name }) => created_by_name },
      { header: 'Action', align: 'right', cell: action },
    ],
    card: (payment) => (
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <div className="truncate font-medium text-sm">{payment.external_ref}</div>
            <div className="truncate text-ink-3 text-xs">
              {partyText(payment)} · {day(payment.value_date)}
            </div>
          </div>
          <div className="text-right">
            <div className="num font-medium">{amountText(payment)}</div>
            <PaymentState payment={payment} />
          </div>
        </div>
        <div className="mt-2 empty:hidden">{action(payment)}</div>
      </div>
    ),
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
