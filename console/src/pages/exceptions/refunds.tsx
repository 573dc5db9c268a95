import { type ReactNode, useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { day, money } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PublisherName } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { AssignDialog } from './assign-refund.tsx'
import { UNMATCHED_REFUNDS } from './queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'

type Refund = Schemas['UnmatchedRefund']
type Asked = { readonly refund: Refund; readonly verdict: 'assign' | 'dismiss' }

/** Refunds that reference no purchase and match none. They claw nothing back until assigned to a purchase. */
export default function UnmatchedRefunds() {
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
      {...buildTable(acts)}
      {...useList(UNMATCHED_REFUNDS).list}
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
        phone: 'title',
        name: ({ merchant }) => merchant,
        cell: ({ merchant }) => merchant || 'Not named',
      },
      {
        header: 'Amount',
        align: 'right',
        phone: 'amount',
        cell: ({ amount, currency }) => money(amount, currency),
      },
      { header: 'Day', isTime: true, cell: ({ date }) => day(date) },
      { header: 'Refund', cell: ({ refund_id }) => <Copyable text={refund_id} short /> },
      { header: 'User', wideOnly: true, quiet: true, cell: ({ publisher_user_id }) => publisher_user_id },
      { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => <PublisherName id={publisher_id} /> },
      { header: 'Decide', align: 'right', phone: 'actions', cell: acts },
    ],
    note: ({ publisher_id, date }) => (
      <>
        <PublisherName id={publisher_id} /> · {day(date)}
      </>
    ),
  }
}
