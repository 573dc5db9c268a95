import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { publishers } from '../../api/queries.ts'
import { dateTime, day, money, plural, words } from '../../format.ts'
import { AdjustmentPill, ClaimPill, TransactionPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardList, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, FactsCard } from '../../ui/facts.tsx'
import { Crumb } from '../../ui/link.tsx'
import { DetailHeader } from '../../ui/page/detail-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { transaction as transactionQuery } from '../transactions/queries.ts'
import { computeReward } from '../transactions/table.tsx'
import { DeclineDialog, GrantDialog } from './decide.tsx'
import { describeSubject } from './list.tsx'
import { Notes } from './notes.tsx'
import { claim } from './queries.ts'

type Detail = Schemas['OperatorClaimDetail']
const route = getRouteApi('/guarded/claims/$claim')

export default function ClaimPage() {
  const { data } = useSuspenseQuery(claim(route.useParams().claim))
  const { granted_transaction_uid: granted, transaction_uid: about } = data
  return (
    <>
      <Header detail={data} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-5">
          {data.adjustment !== null && <Grant adjustment={data.adjustment} />}
          {granted !== null && <GrantedPurchase publisher={data.publisher_id} uid={granted} />}
          <Notes claimId={data.claim_id} notes={data.notes} />
          {(granted === null || (about !== null && about !== granted)) && <Purchases detail={data} />}
        </div>
        <ClaimFacts detail={data} />
      </div>
    </>
  )
}

function Header({ detail }: { readonly detail: Detail }) {
  const [open, setOpen] = useState<'grant' | 'decline' | null>(null)
  const mayDecide = useRefusal()('claims:decide')
  const isWaiting = detail.status === 'open' && detail.adjustment !== null
  const refusal =
    detail.status !== 'open'
      ? `The claim is ${detail.status}.`
      : isWaiting
        ? 'Its grant is proposed. Another person in finance must book or decline it first.'
        : mayDecide
  return (
    <DetailHeader
      up={<Crumb to="/claims">Claims</Crumb>}
      name={describeSubject(detail)}
      actions={
        <div className="ml-auto flex gap-2 max-sm:w-full">
          <Button tone="primary" refusal={refusal} onClick={() => setOpen('grant')}>
            Grant
          </Button>
          <Button tone="danger" refusal={refusal} onClick={() => setOpen('decline')}>
            Decline
          </Button>
        </div>
      }
    >
      {isWaiting ? <Pill tone="waiting">Grant proposed</Pill> : <ClaimPill status={detail.status} />}
      <span>{words(detail.kind)}</span>
      {detail.status === 'open' && <span>decide by {dateTime(detail.deadline)}</span>}
      {open === 'grant' && <GrantDialog detail={detail} onClose={() => setOpen(null)} />}
      {open === 'decline' && <DeclineDialog detail={detail} onClose={() => setOpen(null)} />}
    </DetailHeader>
  )
}

function ClaimFacts({ detail }: { readonly detail: Detail }) {
  const { data: known } = useSuspenseQuery(publishers)
  const publisher = known.find(({ publisher_id }) => publisher_id === detail.publisher_id)
  const { amount, currency, would_earn: wouldEarn } = detail
  return (
    <FactsCard
      facts={[
        ['Claim', <Copyable key="id" text={detail.claim_id} />],
        ['Publisher', publisher?.name],
        ['User', detail.publisher_user_id],
        ['Reference', detail.external_ref],
        ['Opened by', words(detail.opened_by)],
        ['Merchant', detail.merchant],
        ['Brand', detail.brand_name],
        ['Purchase amount', amount === null || currency === null ? null : money(amount, currency)],
        ['Would have earned', wouldEarn === null ? null : estimateText(wouldEarn)],
        ['Purchase date', detail.purchase_date === null ? null : day(detail.purchase_date)],
        ['Order', detail.order_id],
        ['Opened', dateTime(detail.created_at)],
        ['Decided', detail.decided_at === null ? null : dateTime(detail.decided_at)],
        ['Decided by', detail.decided_by_name],
        ['Reason', detail.reason === null ? null : words(detail.reason)],
        ['Message to the user', detail.reason_text],
      ]}
    />
  )
}

function estimateText({ amount, currency, status_reason }: NonNullable<Detail['would_earn']>): string {
  return status_reason === null ? money(amount, currency) : `Nothing: ${words(status_reason).toLowerCase()}`
}

/** The adjustment that grants the claim, or that will grant it once a second person books it. */
function Grant({ adjustment }: { readonly adjustment: Schemas['OperatorAdjustment'] }) {
  const { amount, currency, paid_by, reason, status, proposed_by_name, decided_by_name, created_at } = adjustment
  return (
    <Card>
      <CardTitle aside={<AdjustmentPill status={status} />}>
        {status === 'booked' ? `${money(amount, currency)} granted` : `A grant of ${money(amount, currency)}`}
      </CardTitle>
      <div className="p-5">
        <Facts
          facts={[
            ['Paid by', PAYERS[paid_by]],
            ['Reason', reason],
            ['Proposed by', `${proposed_by_name}, ${dateTime(created_at)}`],
            ['Booked by', status === 'booked' ? decided_by_name : null],
          ]}
        />
        {status === 'proposed' && (
          <Link
            to="/adjustments"
            search={{ status: 'proposed' }}
            className="mt-4 inline-block text-brand-ink underline"
          >
            Book or decline it under Adjustments
          </Link>
        )}
      </div>
    </Card>
  )
}

const PAYERS: Readonly<Record<Schemas['AdjustmentPayer'], string>> = {
  service: 'The operating company',
  publisher: 'The publisher',
}

/** The purchase that was reported to grant the claim. */
function GrantedPurchase({ publisher, uid }: { readonly publisher: string; readonly uid: string }) {
  const { data } = useSuspenseQuery(transactionQuery(publisher, uid))
  return <PurchaseList title="The purchase" publisher={publisher} purchases={[data]} />
}

/** The claimed purchase or, if it is unknown, the user's purchases that might be the claimed one. */
function Purchases({ detail }: { readonly detail: Detail }) {
  const { transaction, candidates, publisher_id } = detail
  const purchases = transaction === null ? candidates.purchases : [transaction]
  const others = [
    candidates.clicks.length > 0 &&
      plural(candidates.clicks.length, 'click on a tracking link', 'clicks on tracking links'),
    candidates.refunds.length > 0 &&
      plural(candidates.refunds.length, 'refund without a purchase', 'refunds without a purchase'),
  ].filter((text) => text !== false)
  return (
    <PurchaseList
      title={transaction === null ? 'Possible purchases' : 'The purchase'}
      publisher={publisher_id}
      purchases={purchases}
      foot={
        others.length > 0 && (
          <p className="border-line border-t px-5 py-3 text-ink-2 text-sm">Also {others.join(' and ')}.</p>
        )
      }
    />
  )
}

type PurchaseListProps = {
  readonly title: string
  readonly publisher: string
  readonly purchases: readonly Schemas['Transaction'][]
  readonly foot?: ReactNode
}

function PurchaseList({ title, publisher, purchases, foot }: PurchaseListProps) {
  return (
    <CardList title={title} rows={purchases} empty="No purchase of this user matches the claim." foot={foot}>
      {(purchase) => (
        <li key={purchase.transaction_uid} className="relative flex items-center gap-3 px-5 py-3 hover:bg-sunken/60">
          <div className="min-w-0 flex-1">
            <Link
              to="/publishers/$publisher/transactions/$transaction"
              params={{ publisher, transaction: purchase.transaction_uid }}
              className="row-link block truncate font-medium text-sm"
            >
              {purchase.merchant_name ?? purchase.merchant_descriptor ?? purchase.transaction_uid}
            </Link>
            <span className="num text-ink-3 text-xs">{dateTime(purchase.transaction_date_time)}</span>
          </div>
          <div className="num text-right text-sm">
            <div>{money(purchase.amount, purchase.currency)}</div>
            <div className="text-ink-3 text-xs">reward {money(computeReward(purchase), purchase.currency)}</div>
          </div>
          <TransactionPill status={purchase.status} />
        </li>
      )}
    </CardList>
  )
}
