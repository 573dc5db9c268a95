import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { unmatchedRefunds } from '../../api/money-queries.ts'
import { useRefusal } from '../../api/permissions.ts'
import { day, money } from '../../format.ts'
import { PublisherFilter, PublisherName } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { NamedCell, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { AssignDialog } from './assign-refund.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

type Refund = Schemas['UnmatchedRefund']
type Asked = { readonly refund: Refund; readonly verdict: 'assign' | 'dismiss' }
const route = getRouteApi('/guarded/refunds')

/** Refunds that reference no purchase and match none. They claw nothing back until assigned to a purchase. */
export default function UnmatchedRefunds() {
  const { search, change } = useFilters(route)
  const refusal = useRefusal()('refunds:decide')
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
  return (
    <ListPage
      title="Unmatched refunds"
      lead="Refunds that do not reference a purchase and match none. They reverse no reward until they are assigned."
      filters={<PublisherFilter value={search.publisher} onChange={(publisher) => change({ publisher })} />}
      {...buildTable(acts)}
      {...useParts(unmatchedRefunds(search.publisher))}
      empty={
        <Empty title="Every refund is matched to its purchase">
          Each later event of the user triggers another search for the purchase.
        </Empty>
      }
    >
      {asked?.verdict === 'assign' && <AssignDialog refund={asked.refund} onClose={() => setAsked(null)} />}
      {asked?.verdict === 'dismiss' && (
        <ReasonDialog
          title="Dismiss the refund"
          lead="It will never reverse a reward. This cannot be undone."
          confirm="Dismiss"
          done="Refund dismissed"
          danger
          list="/operator/refunds"
          act={(reason) =>
            post('/operator/refunds/{refund_id}/dismiss', {
              path: { refund_id: asked.refund.refund_id },
              body: { reason },
            })
          }
          onClose={() => setAsked(null)}
        />
      )}
    </ListPage>
  )
}

function buildTable(acts: (refund: Refund) => ReactNode): Table<Refund> {
  return {
    caption: 'Refunds, longest waiting first',
    toKey: ({ refund_id }) => refund_id,
    columns: [
      {
        header: 'Merchant',
        cell: ({ merchant }) => (
          <NamedCell name={merchant}>
            <span className="font-medium">{merchant || 'Not named'}</span>
          </NamedCell>
        ),
      },
      { header: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
      { header: 'Day', cell: ({ date }) => <span className="num text-ink-2">{day(date)}</span> },
      { header: 'Refund', cell: ({ refund_id }) => <Copyable text={refund_id} short /> },
      { header: 'User', wideOnly: true, quiet: true, cell: ({ publisher_user_id }) => publisher_user_id },
      { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => <PublisherName id={publisher_id} /> },
      { header: 'Decide', align: 'right', cell: acts },
    ],
    card: (refund) => (
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3">
          <span className="truncate font-medium">{refund.merchant || 'Not named'}</span>
          <span className="num font-medium">{money(refund.amount, refund.currency)}</span>
        </div>
        <p className="text-ink-3 text-xs">
          <PublisherName id={refund.publisher_id} /> · {day(refund.date)}
        </p>
        <div className="mt-2">{acts(refund)}</div>
      </div>
    ),
  }
}
