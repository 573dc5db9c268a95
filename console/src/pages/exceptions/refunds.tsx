import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { unmatchedRefunds } from '../../api/money-queries.ts'
import { day, money } from '../../format.ts'
import { PublisherFilter, usePublisherName } from '../../publisher-filter.tsx'
import { Card } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar } from '../../ui/filters.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'

type Refund = Schemas['UnmatchedRefund']
const route = getRouteApi('/guarded/refunds')

/** Refunds that name no purchase and have found none; they take nothing back until then. */
export default function UnmatchedRefunds() {
  const { publisher } = route.useSearch()
  const navigate = route.useNavigate()
  const nameOf = usePublisherName()
  const { data = [], isPlaceholderData } = useQuery(unmatchedRefunds(publisher))
  const purchases = ({ publisher_id, merchant }: Refund) => (
    <Link
      to="/publishers/$publisher/transactions"
      params={{ publisher: publisher_id }}
      search={merchant === '' ? {} : { text: merchant }}
      className="text-brand-ink hover:underline"
    >
      Look for the purchase
    </Link>
  )
  const columns: Column<Refund>[] = [
    { header: 'Merchant', cell: ({ merchant }) => <span className="font-medium">{merchant || 'Not named'}</span> },
    { header: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
    { header: 'Day', cell: ({ date }) => <span className="num text-ink-2">{day(date)}</span> },
    { header: 'Refund', cell: ({ refund_id }) => <Copyable text={refund_id} short /> },
    { header: 'User', wideOnly: true, cell: ({ svc_user_id }) => <Copyable text={svc_user_id} short /> },
    { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => nameOf(publisher_id) },
    { header: 'Purchase', align: 'right', cell: purchases },
  ]
  return (
    <>
      <PageHeader
        title="Unmatched refunds"
        lead="Refunds that name no purchase and were matched to none. They take nothing back until they are."
      />
      <Card>
        <FilterBar>
          <PublisherFilter
            value={publisher}
            onChange={(value) => navigate({ search: value === undefined ? {} : { publisher: value }, replace: true })}
          />
        </FilterBar>
        <DataTable
          caption="Refunds, the oldest first"
          columns={columns}
          rows={data}
          keyOf={({ refund_id }) => refund_id}
          stale={isPlaceholderData}
          empty={
            <Empty title="Every refund is matched to its purchase">
              A purchase is looked for again with each later event of the user.
            </Empty>
          }
          card={(refund) => (
            <div className="min-w-0 flex-1">
              <div className="flex justify-between gap-3">
                <span className="truncate font-medium">{refund.merchant || 'Not named'}</span>
                <span className="num font-medium">{money(refund.amount, refund.currency)}</span>
              </div>
              <p className="text-ink-3 text-xs">
                {nameOf(refund.publisher_id)} · {day(refund.date)}
              </p>
              <p className="mt-1.5 text-sm">{purchases(refund)}</p>
            </div>
          )}
        />
        {data.length > 0 && (
          <p className="border-line border-t px-5 py-3 text-ink-2 text-sm">
            Decide them with <code className="font-mono text-xs">laurel refunds assign</code> or{' '}
            <code className="font-mono text-xs">dismiss</code>, by the id of the refund.
          </p>
        )}
      </Card>
    </>
  )
}
