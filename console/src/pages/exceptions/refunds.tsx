import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { unmatchedRefunds } from '../../api/money-queries.ts'
import { useRefusalOf } from '../../api/permissions.ts'
import { day, money } from '../../format.ts'
import { PublisherFilter, usePublisherName } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar } from '../../ui/list/filters.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { AssignDialog } from './assign-refund.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

type Refund = Schemas['UnmatchedRefund']
type Asked = { readonly refund: Refund; readonly verdict: 'assign' | 'dismiss' }
const route = getRouteApi('/guarded/refunds')

/** Refunds that name no purchase and match none. They claw nothing back until they are assigned to one. */
export default function UnmatchedRefunds() {
  const { publisher } = route.useSearch()
  const navigate = route.useNavigate()
  const nameOf = usePublisherName()
  const { data = [], isPlaceholderData } = useQuery(unmatchedRefunds(publisher))
  const refusal = useRefusalOf()('refunds:decide')
  const [asked, setAsked] = useState<Asked | null>(null)
  const acts = (refund: Refund) => (
    <span className="inline-flex gap-2">
      <Button refusal={refusal} onClick={() => setAsked({ refund, verdict: 'assign' })}>
        Assign
      </Button>
      <Button tone="danger" refusal={refusal} onClick={() => setAsked({ refund, verdict: 'dismiss' })}>
        Dismiss
      </Button>
    </span>
  )
  const columns: Column<Refund>[] = [
    {
      header: 'Merchant',
      cell: ({ merchant }) => (
        <div className="flex items-center gap-2.5">
          <Monogram name={merchant} />
          <span className="font-medium">{merchant || 'Not named'}</span>
        </div>
      ),
    },
    { header: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
    { header: 'Day', cell: ({ date }) => <span className="num text-ink-2">{day(date)}</span> },
    { header: 'Refund', cell: ({ refund_id }) => <Copyable text={refund_id} short /> },
    {
      header: 'User',
      wideOnly: true,
      cell: ({ publisher_user_id: user }) => <span className="text-ink-2">{user}</span>,
    },
    { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => nameOf(publisher_id) },
    { header: 'Decide', align: 'right', cell: acts },
  ]
  return (
    <>
      <PageHeader
        title="Unmatched refunds"
        lead="Refunds that name no purchase and match none. They reverse no reward until they are assigned."
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
              <div className="mt-2">{acts(refund)}</div>
            </div>
          )}
        />
      </Card>
      {asked?.verdict === 'assign' && <AssignDialog refund={asked.refund} onClose={() => setAsked(null)} />}
      {asked?.verdict === 'dismiss' && (
        <ReasonDialog
          title="Dismiss the refund"
          lead="It will never reverse a reward. This cannot be undone."
          confirm="Dismiss"
          done="The refund is dismissed"
          danger
          list={['unmatched-refunds']}
          act={(reason) =>
            bodyOf(
              api.POST('/operator/refunds/{refund_id}/dismiss', {
                params: { path: { refund_id: asked.refund.refund_id } },
                body: { reason },
              }),
            )
          }
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
