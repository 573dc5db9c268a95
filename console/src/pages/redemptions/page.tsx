import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useRefusalOf } from '../../api/permissions.ts'
import { desk, publishers, redemptions } from '../../api/queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ago, money, words } from '../../format.ts'
import { RedemptionPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { Choice, FilterBar } from '../../ui/list/filters.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { tell } from '../../ui/toast.tsx'
import { PayoutFiles } from './files.tsx'

type Redemption = Schemas['OperatorRedemption']
type Asked = { readonly redemption: Redemption; readonly verdict: 'approve' | 'decline' }

const route = getRouteApi('/guarded/redemptions')
const STATUSES = [
  ['requested', 'To approve'],
  ['approved', 'Approved'],
  ['sent', 'Sent'],
] as const
const EMPTY = {
  requested: 'No redemption is waiting for approval',
  approved: 'No redemption is waiting to be paid',
  sent: 'No payout is under way',
} as const

export default function Redemptions() {
  const { status = 'requested' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(redemptions(status))
  const { data: known } = useSuspenseQuery(publishers)
  const refusal = useRefusalOf()('redemptions:decide')
  const [asked, setAsked] = useState<Asked | null>(null)
  const publisherOf = ({ publisher_id: id }: Redemption) => known.find(({ publisher_id }) => publisher_id === id)?.name
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
  const columns: Column<Redemption>[] = [
    {
      header: 'User',
      cell: ({ publisher_user_id: user }) => (
        <div className="flex max-w-60 items-center gap-2.5">
          <Monogram name={user} />
          <span className="truncate font-medium">{user}</span>
        </div>
      ),
    },
    { header: 'Status', cell: (redemption) => <RedemptionPill status={redemption.status} /> },
    { header: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
    { header: 'Method', cell: ({ method }) => <span className="text-ink-2">{words(method)}</span> },
    {
      header: 'Publisher',
      wideOnly: true,
      cell: (redemption) => <span className="text-ink-2">{publisherOf(redemption)}</span>,
    },
    {
      header: 'Requested',
      cell: ({ created_at }) => <span className="whitespace-nowrap text-ink-2">{ago(created_at)}</span>,
    },
    ...(status === 'requested' ? [{ header: 'Decision', align: 'right', cell: actions } as const] : []),
  ]
  return (
    <>
      <PageHeader title="Redemptions" lead="Users who have asked for a payout." />
      <Card className="mb-5">
        <FilterBar>
          <Choice
            label="Status"
            value={status}
            options={STATUSES}
            onChange={(value) =>
              navigate({ search: value === undefined || value === 'requested' ? {} : { status: value } })
            }
          />
        </FilterBar>
        <DataTable
          caption="Redemptions, the oldest first"
          columns={columns}
          rows={data}
          keyOf={({ redemption_id }) => redemption_id}
          empty={
            <Empty title={EMPTY[status]}>
              Amounts above a publisher’s limit wait here. The limits are settings of the publisher.
            </Empty>
          }
          card={(redemption) => (
            <div className="min-w-0 flex-1">
              <div className="flex items-center gap-3">
                <Monogram name={redemption.publisher_user_id} size="large" />
                <div className="min-w-0 flex-1">
                  <div className="truncate font-medium">{redemption.publisher_user_id}</div>
                  <div className="text-ink-3 text-xs">
                    {words(redemption.method)} · {ago(redemption.created_at)}
                  </div>
                </div>
                <div className="text-right">
                  <div className="num font-medium">{money(redemption.amount, redemption.currency)}</div>
                  <RedemptionPill status={redemption.status} />
                </div>
              </div>
              {status === 'requested' && <div className="mt-3">{actions(redemption)}</div>}
            </div>
          )}
        />
      </Card>
      <PayoutFiles />
      {asked !== null && <DecisionDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function DecisionDialog({ redemption, verdict, onClose }: Asked & { readonly onClose: () => void }) {
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const amount = money(redemption.amount, redemption.currency)
  const params = { path: { redemption_id: redemption.redemption_id } }
  const decide = useMutation({
    mutationFn: () =>
      verdict === 'approve'
        ? bodyOf(api.POST('/operator/redemptions/{redemption_id}/approve', { params }))
        : bodyOf(api.POST('/operator/redemptions/{redemption_id}/decline', { params, body: { reason } })),
    meta: { shown: true },
    onSuccess: async ({ status }) => {
      onClose()
      tell(status === 'requested' ? 'Your approval counts; another one is needed' : `The redemption is ${status}`)
      await Promise.all([
        client.invalidateQueries({ queryKey: ['redemptions'] }),
        client.invalidateQueries({ queryKey: desk.queryKey }),
      ])
    },
  })
  const isApproval = verdict === 'approve'
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${isApproval ? 'Approve' : 'Decline'} ${amount} for ${redemption.publisher_user_id}`}
      lead={isApproval ? approvalOf(redemption) : `The redemption is cancelled, and ${amount} can be redeemed again.`}
      confirm={isApproval ? 'Approve' : 'Decline'}
      danger={!isApproval}
      busy={decide.isPending}
      error={decide.error?.message}
      onConfirm={() => decide.mutate()}
    >
      {!isApproval && (
        <TextArea
          name="reason"
          label="Reason"
          value={reason}
          onChange={setReason}
          help="The publisher may read this."
        />
      )}
    </ConfirmDialog>
  )
}

const PAID: Readonly<Record<string, string>> = {
  publisher: 'the publisher is asked to pay it',
  file: 'it is in the next file for the bank',
  simulated: 'the simulated bank pays it',
  gift_card: 'its gift card is ordered',
}

/** Describes what happens on approval. */
function approvalOf({ approvals_needed: needed, method }: Redemption): string {
  const paid = PAID[method] ?? 'it is paid'
  return needed > 1
    ? `${needed} people must approve it. After the last of them, ${paid}.`
    : `Nobody else must approve it: ${paid}. This cannot be undone.`
}
