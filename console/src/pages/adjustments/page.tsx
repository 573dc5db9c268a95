import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { desk, me } from '../../api/queries.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { ago, money, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PUBLISHER_COLUMN } from '../../publisher-filter.tsx'
import { AdjustmentPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { ProposeDialog } from './propose.tsx'
import { ADJUSTMENTS } from './queries.ts'

type Adjustment = Schemas['OperatorAdjustment']
type Asked = { readonly adjustment: Adjustment; readonly verdict: 'book' | 'decline' }

/** Manual balance corrections. Amounts above a limit require a second person. */
export default function Adjustments() {
  const { filtered, list } = useList(ADJUSTMENTS)
  const findRefusal = useRefusal()
  const [isProposing, setProposing] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <ListPage
      title="Adjustments"
      lead="Manual balance corrections. Above the publisher’s limit, one person proposes and another books."
      actions={
        <Button tone="primary" refusal={findRefusal('adjustments:request')} onClick={() => setProposing(true)}>
          Propose an adjustment
        </Button>
      }
      {...buildTable((adjustment) => <Decision adjustment={adjustment} onAsk={setAsked} />)}
      {...list}
      empty={
        <Empty title={filtered.status === 'proposed' ? 'No adjustment is waiting to be booked' : 'No adjustments'}>
          Goodwill, corrections and write-offs appear here, with the names of those who proposed and booked them.
        </Empty>
      }
    >
      {isProposing && <ProposeDialog onClose={() => setProposing(false)} />}
      {asked !== null && <DecisionDialog {...asked} onClose={() => setAsked(null)} />}
    </ListPage>
  )
}

function buildTable(actions: (adjustment: Adjustment) => ReactNode): Table<Adjustment> {
  return {
    caption: 'Adjustments, newest first',
    toKey: ({ adjustment_id }) => adjustment_id,
    columns: [
      {
        header: 'User',
        phone: 'title',
        name: ({ publisher_user_id }) => publisher_user_id,
        width: 'max-w-52',
        cell: ({ publisher_user_id }) => publisher_user_id,
      },
      { header: 'Status', phone: 'aside', cell: ({ status }) => <AdjustmentPill status={status} /> },
      {
        header: 'Amount',
        align: 'right',
        phone: 'amount',
        cell: ({ amount, currency }) => money(amount, currency),
      },
      { header: 'Reason', width: 'max-w-72', cell: ({ reason }) => reason, below: ({ kind }) => words(kind) },
      { header: 'Paid by', wideOnly: true, quiet: true, cell: ({ paid_by }) => words(paid_by) },
      PUBLISHER_COLUMN,
      {
        header: 'Proposed',
        quiet: true,
        cell: ({ proposed_by_name }) => proposed_by_name,
        below: ({ created_at }) => ago(created_at),
      },
      { header: 'Decision', align: 'right', phone: 'actions', cell: actions },
    ],
    note: ({ reason }) => reason,
  }
}

function Decision({ adjustment, onAsk }: { readonly adjustment: Adjustment; readonly onAsk: (asked: Asked) => void }) {
  const { data: person } = useSuspenseQuery(me)
  const refusal = useRefusal()('adjustments:decide')
  if (adjustment.status !== 'proposed') return <span className="text-ink-2 text-sm">{decidedText(adjustment)}</span>
  const isOwn = adjustment.proposed_by === person.account_id
  return (
    <div className="flex justify-end gap-2">
      <Button
        refusal={refusal ?? (isOwn ? 'You proposed it, so another person must book it.' : null)}
        onClick={() => onAsk({ adjustment, verdict: 'book' })}
      >
        Book
      </Button>
      <Button tone="danger" refusal={refusal} onClick={() => onAsk({ adjustment, verdict: 'decline' })}>
        Decline
      </Button>
    </div>
  )
}

/** Describes who decided an adjustment. Up to the publisher's limit, it is the proposer who decides. */
function decidedText({ status, decided_by_name }: Adjustment): string {
  return decided_by_name === null ? '' : `${status === 'booked' ? 'Booked' : 'Declined'} by ${decided_by_name}`
}

function DecisionDialog({ adjustment, verdict, onClose }: Asked & { readonly onClose: () => void }) {
  const { amount, currency, publisher_user_id, reason } = adjustment
  const params = { path: { adjustment_id: adjustment.adjustment_id } }
  const isBooking = verdict === 'book'
  return (
    <ChangeDialog
      onClose={onClose}
      title={`${isBooking ? 'Book' : 'Decline'} ${money(amount, currency)} for ${publisher_user_id}`}
      lead={
        isBooking
          ? `It then counts toward the balances of ${publisher_user_id}. The reason given: ${reason}`
          : 'Nothing is booked, and the proposal is closed.'
      }
      confirm={isBooking ? 'Book it' : 'Decline it'}
      danger={!isBooking}
      act={() =>
        isBooking
          ? post('/operator/adjustments/{adjustment_id}/book', params)
          : post('/operator/adjustments/{adjustment_id}/decline', params)
      }
      done={isBooking ? 'Adjustment booked' : 'Adjustment declined'}
      reload={['/operator/adjustments', '/operator/trial-balance', desk]}
    />
  )
}
