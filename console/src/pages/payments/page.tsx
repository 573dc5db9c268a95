import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { type PaymentSearch, payments } from '../../api/money-queries.ts'
import { useRefusalOf } from '../../api/permissions.ts'
import { day, money, words } from '../../format.ts'
import { PublisherFilter, usePublisherName } from '../../publisher-filter.tsx'
import { optional } from '../../routes/search.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar } from '../../ui/list/filters.tsx'
import { More } from '../../ui/list/more.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
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
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const refusal = useRefusalOf()('payments:record')
  const nameOf = usePublisherName()
  const [isRecording, setRecording] = useState(false)
  const [reversing, setReversing] = useState<Payment | null>(null)
  const query = useInfiniteQuery(payments(search))
  const partyText = ({ party, brand_uid, brand_name, method }: Payment): string => {
    if (brand_uid !== null) return brand_name ?? brand_uid
    return method === null ? words(party) : `${words(party)}, ${words(method).toLowerCase()}`
  }
  const change = (changed: PaymentSearch) =>
    navigate({ search: (old) => optional({ ...old, ...changed }), replace: true })
  const rows = query.data?.pages.flatMap(({ content }) => content) ?? []
  const action = (payment: Payment) =>
    payment.reversed_by === null && payment.reverses === null ? (
      <Button refusal={refusal} onClick={() => setReversing(payment)}>
        Reverse
      </Button>
    ) : null
  const columns: Column<Payment>[] = [
    {
      header: 'Reference',
      cell: ({ external_ref, note }) => (
        <div className="max-w-64 py-1.5">
          <div className="truncate font-medium">{external_ref}</div>
          {note !== null && <div className="truncate text-ink-3 text-xs">{note}</div>}
        </div>
      ),
    },
    { header: 'Party', cell: (payment) => <span className="text-ink-2">{partyText(payment)}</span> },
    { header: 'Amount', align: 'right', cell: (payment) => amountText(payment) },
    { header: 'Status', cell: (payment) => <PaymentState payment={payment} /> },
    { header: 'Value date', cell: ({ value_date }) => <span className="num text-ink-2">{day(value_date)}</span> },
    {
      header: 'Publisher',
      wideOnly: true,
      cell: ({ publisher_id }) => <span className="text-ink-2">{nameOf(publisher_id)}</span>,
    },
    {
      header: 'Recorded by',
      wideOnly: true,
      cell: ({ created_by_name: by }) => <span className="text-ink-2">{by}</span>,
    },
    { header: 'Action', align: 'right', cell: action },
  ]
  return (
    <>
      <PageHeader
        title="Payments"
        lead="Money received and paid. A payment settles the oldest month first."
        actions={
          <Button tone="primary" refusal={refusal} onClick={() => setRecording(true)}>
            Record a payment
          </Button>
        }
      />
      <Card>
        <FilterBar>
          <PublisherFilter value={search.publisher} onChange={(publisher) => change({ publisher })} />
          <Choice label="Party" value={search.party} options={PARTIES} onChange={(party) => change({ party })} />
        </FilterBar>
        <DataTable
          caption="Payments, the newest first"
          columns={columns}
          rows={rows}
          keyOf={({ payment_id }) => payment_id}
          stale={query.isPlaceholderData}
          empty={
            <Empty title="No payments recorded">
              Record what advertisers have paid and what publishers were paid, as the bank shows it.
            </Empty>
          }
          card={(payment) => (
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
          )}
        />
        <More query={query} />
      </Card>
      {isRecording && <RecordDialog onClose={() => setRecording(false)} />}
      {reversing !== null && <ReverseDialog payment={reversing} onClose={() => setReversing(null)} />}
    </>
  )
}

function amountText({ direction, amount, currency }: Payment): string {
  return money(direction === 'received' ? amount : -amount, currency)
}

function PaymentState({ payment: { direction, reverses, reversed_by } }: { readonly payment: Payment }) {
  if (reversed_by !== null) return <Pill tone="neutral">Reversed</Pill>
  if (reverses !== null) return <Pill tone="info">Reverses</Pill>
  return direction === 'received' ? <Pill tone="good">Received</Pill> : <Pill tone="info">Paid</Pill>
}
