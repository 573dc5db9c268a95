import { type ReactNode, useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { desk } from '../../api/queries.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { ago, money, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PUBLISHER_COLUMN } from '../../publisher-filter.tsx'
import { RedemptionPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { PayoutFiles } from './files.tsx'
import { REDEMPTIONS } from './queries.ts'

type Redemption = Schemas['OperatorRedemption']
type Asked = { readonly redemption: Redemption; readonly verdict: 'approve' | 'decline' }

const EMPTY = {
  requested: 'No redemption is waiting for approval',
  approved: 'No redemption is waiting to be paid',
  sent: 'No payout is in progress',
} as const

export default function Redemptions() {
  const { filtered, list } = useList(REDEMPTIONS)
  const { status } = filtered
  const refusal = useRefusal()('redemptions:decide')
  const [asked, setAsked] = useState<Asked | null>(null)
  const actions = (redemption: Redemption) => (
    <div className="relative z-1 flex justify-end gap-2">
      <Button refusal={refusal} onClick={() => setAsked({ redemption, verdict: 'approve' })}>
        Approve
      </Button>
      <Button tone="danger" refusal={refusal} onClick={() => setAsked({ redemption, verdict: 'decline' })}>
        Decline
      </Button>
    </div>
  )
  return (
    <ListPage
      title="Redemptions"
      lead="Users who have asked for a payout."
      className="mb-5"
      {...buildTable(status === 'requested' ? actions : null)}
      {...list}
      empty={
        <Empty title={EMPTY[status]}>
          Amounts above a publisher’s limit wait here. The limits are settings of the publisher.
        </Empty>
      }
    >
      <PayoutFiles />
      {asked !== null && <DecisionDialog {...asked} onClose={() => setAsked(null)} />}
    </ListPage>
  )
}

function buildTable(actions: ((redemption: Redemption) => ReactNode) | null): Table<Redemption> {
  return {
    caption: 'Redemptions, oldest first',
    toKey: ({ redemption_id }) => redemption_id,
    columns: [
      {
        header: 'User',
        phone: 'title',
        name: ({ publisher_user_id }) => publisher_user_id,
        width: 'max-w-60',
        cell: ({ publisher_user_id }) => publisher_user_id,
      },
      { header: 'Status', phone: 'aside', cell: ({ status }) => <RedemptionPill status={status} /> },
      { header: 'Amount', align: 'right', phone: 'amount', cell: ({ amount, currency }) => money(amount, currency) },
      { header: 'Method', quiet: true, cell: ({ method }) => words(method) },
      PUBLISHER_COLUMN,
      { header: 'Requested', isTime: true, cell: ({ created_at }) => ago(created_at) },
      ...(actions === null ? [] : [{ header: 'Decision', align: 'right', phone: 'actions', cell: actions } as const]),
    ],
    note: ({ method, created_at }) => `${words(method)} · ${ago(created_at)}`,
  }
}

function DecisionDialog({ redemption, verdict, onClose }: Asked & { readonly onClose: () => void }) {
  const { values, field } = useFields({ reason: '' })
  const { reason } = values
  const amount = money(redemption.amount, redemption.currency)
  const params = { path: { redemption_id: redemption.redemption_id } }
  const isApproval = verdict === 'approve'
  return (
    <ChangeDialog
      onClose={onClose}
      title={`${isApproval ? 'Approve' : 'Decline'} ${amount} for ${redemption.publisher_user_id}`}
      lead={
        isApproval ? describeApproval(redemption) : `The redemption is canceled, and ${amount} can be redeemed again.`
      }
      confirm={isApproval ? 'Approve' : 'Decline'}
      danger={!isApproval}
      act={() =>
        verdict === 'approve'
          ? post('/operator/redemptions/{redemption_id}/approve', params)
          : post('/operator/redemptions/{redemption_id}/decline', { ...params, body: { reason } })
      }
      done={({ status }) =>
        status === 'requested' ? 'Your approval is recorded; another one is needed' : `Redemption ${status}`
      }
      reload={['/operator/redemptions', desk]}
    >
      {!isApproval && <TextArea {...field('reason')} label="Reason" help="The publisher may see this." />}
    </ChangeDialog>
  )
}

const PAID: Readonly<Record<string, string>> = {
  publisher: 'the publisher is asked to pay it',
  file: 'it goes into the next file for the bank',
  simulated: 'the simulated bank pays it',
  gift_card: 'its gift card is ordered',
}

/** Describes the effect of approval. */
function describeApproval({ approvals_needed: needed, method }: Redemption): string {
  const paid = PAID[method] ?? 'it is paid'
  return needed > 1
    ? `${needed} people must approve it. After the last approval, ${paid}.`
    : `No other approval is needed: ${paid}. This cannot be undone.`
}
