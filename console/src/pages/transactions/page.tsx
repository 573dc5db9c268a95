import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import CircleX from 'lucide-react/icons/circle-x'
import Coins from 'lucide-react/icons/coins'
import CreditCard from 'lucide-react/icons/credit-card'
import Target from 'lucide-react/icons/target'
import Undo2 from 'lucide-react/icons/undo-2'
import type { Schemas } from '../../api/client.ts'
import { day, money, percent, words } from '../../format.ts'
import { TransactionPill } from '../../statuses.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { FactsCard } from '../../ui/facts.tsx'
import { Crumb, TextLink } from '../../ui/link.tsx'
import { DetailHeader } from '../../ui/page/detail-header.tsx'
import { type Moment, Timeline } from '../../ui/timeline.tsx'
import { Announced } from './announced.tsx'
import { Arithmetic } from './arithmetic.tsx'
import { Booked } from './booked.tsx'
import { Candidates, Evidence } from './judgement.tsx'
import { decision, transaction } from './queries.ts'
import { Rematch } from './rematch.tsx'
import { Reports } from './reports.tsx'
import { computeReward, getName, isRefundAlone } from './table.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/transactions/$transaction')

/** The full story of a purchase: what was reported, how its brand was found, which offer pays, and what was booked. */
export default function TransactionPage() {
  const { publisher, transaction: uid } = route.useParams()
  const { data: shown } = useSuspenseQuery(transaction(publisher, uid))
  const { data: decided } = useSuspenseQuery(decision(publisher, uid))
  return (
    <>
      <Header shown={shown} publisher={publisher} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card>
            <CardTitle>What happened</CardTitle>
            <div className="px-5 pt-4 pb-3">
              <Timeline moments={toMoments(shown, decided)} />
            </div>
          </Card>
          <Reports publisher={publisher} transaction={uid} />
          <Evidence matching={decided.matching} />
          <Candidates decision={decided} brand={getName(shown)} currency={shown.currency} />
          <Booked publisher={publisher} transaction={uid} />
          <Announced publisher={publisher} transaction={uid} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card className="p-5">
            <h2 className="text-ink-2 text-sm">Reward to the user</h2>
            <p className="num mt-1 font-semibold text-[28px] text-brand-ink leading-none tracking-[-0.03em]">
              {money(computeReward(shown), shown.currency)}
            </p>
            <Arithmetic arithmetic={decided.arithmetic} currency={shown.currency} reason={shown.status_reason} />
          </Card>
          <TransactionFacts shown={shown} publisher={publisher} />
        </div>
      </div>
    </>
  )
}

type Shown = { readonly shown: Schemas['Transaction']; readonly publisher: string }

function Header({ shown, publisher }: Shown) {
  const amount = isRefundAlone(shown) ? shown.refunded_amount : shown.amount
  return (
    <DetailHeader
      up={
        <Crumb to="/publishers/$publisher/transactions" params={{ publisher }}>
          Transactions
        </Crumb>
      }
      name={getName(shown)}
      amount={money(amount, shown.currency)}
      actions={
        <div className="ml-auto max-sm:ml-0 max-sm:w-full">
          <Rematch publisher={publisher} transaction={shown} />
        </div>
      }
    >
      <TransactionPill status={shown.status} />
      {shown.status_reason !== null && <span>{words(shown.status_reason)}</span>}
    </DetailHeader>
  )
}

function TransactionFacts({ shown, publisher }: Shown) {
  const user = (
    <TextLink to="/publishers/$publisher/users/$user" params={{ publisher, user: shown.publisher_user_id }}>
      {shown.publisher_user_id}
    </TextLink>
  )
  const brand = shown.brand_uid !== null && (
    <TextLink to="/brands/$brand" params={{ brand: shown.brand_uid }}>
      {shown.merchant_name ?? 'See the brand'}
    </TextLink>
  )
  const corrected = shown.adjusts !== null && (
    <Link
      to="/publishers/$publisher/transactions/$transaction"
      params={{ publisher, transaction: shown.adjusts }}
      className="break-all font-mono text-brand-ink text-xs hover:underline"
    >
      {shown.adjusts}
    </Link>
  )
  return (
    <FactsCard
      facts={[
        ['Transaction', <Copyable key="id" text={shown.transaction_uid} />],
        ['User', user],
        ['Reported by', words(shown.source)],
        ['Their id', <Copyable key="external" text={shown.external_id} />],
        ['As the bank wrote it', shown.merchant_descriptor],
        ['Brand', brand || null],
        ['Offer', shown.offer_type === null ? null : words(shown.offer_type)],
        ['Order', shown.order_id],
        ['Refunded', shown.refunded_amount === 0 ? null : money(shown.refunded_amount, shown.currency)],
        ['Cleared on', shown.cleared_on === null ? null : day(shown.cleared_on)],
        ['Available on', shown.available_on === null ? null : day(shown.available_on)],
        ['Corrects', corrected || null],
        ['Version', String(shown.version)],
      ]}
    />
  )
}

/** Describes a correction made to a purchase after its reward already belonged to the user. */
function describeCorrection(shown: Schemas['Transaction']): Moment[] {
  const [amount, reward] = [shown.amount, computeReward(shown)].map((sum) => money(sum, shown.currency))
  return [
    {
      at: shown.transaction_date_time,
      title: `A purchase is corrected by ${amount}`,
      text: 'Its reward already belonged to the user.',
      icon: Undo2,
    },
    { at: shown.updated_at, title: `The user’s reward changes by ${reward}`, icon: Coins, gold: true },
  ]
}

// The source of a purchase determines who declares it final.
const CLEARED: Readonly<Partial<Record<string, string>>> = {
  CARD: 'Cleared by the bank',
  AFFILIATE: 'Approved by the network',
  GIFT_CARD: 'Delivered',
}

function toMoments(shown: Schemas['Transaction'], { matching, candidates }: Schemas['Decision']): Moment[] {
  if (shown.adjusts !== null) return describeCorrection(shown)
  const amount = money(shown.amount, shown.currency)
  const bought = { title: `Bought for ${amount}`, text: shown.merchant_descriptor, icon: CreditCard }
  const moments: Moment[] = [
    ...(isRefundAlone(shown) ? [] : [{ at: shown.transaction_date_time, ...bought }]),
    {
      at: shown.created_at,
      title:
        matching.brand_uid === null
          ? 'No brand was recognized'
          : shown.merchant_name === null
            ? 'The brand was recognized'
            : `Matched to ${shown.merchant_name}`,
      text: `${words(matching.method)}, ${percent(matching.score ?? 0)} sure; ${candidates.length === 1 ? '1 offer' : `${candidates.length} offers`} judged`,
      icon: Target,
    },
  ]
  if (shown.cleared_on !== null)
    moments.push({ at: shown.cleared_on, title: CLEARED[shown.source] ?? 'Confirmed', icon: BadgeCheck })
  if (shown.refunded_amount > 0)
    moments.push({
      at: shown.updated_at,
      title: `${money(shown.refunded_amount, shown.currency)} was refunded to the buyer`,
      icon: Undo2,
    })
  const reward = money(computeReward(shown), shown.currency)
  if (shown.status === 'EARNED')
    moments.push({
      at: shown.updated_at,
      title: `${reward} now belongs to the user`,
      text: 'It can be redeemed.',
      icon: Coins,
      gold: true,
    })
  if (shown.status === 'PENDING' && shown.available_on !== null)
    moments.push({
      at: shown.available_on,
      title: `${reward} becomes available`,
      text: 'If nothing is refunded before then.',
      icon: Coins,
      gold: true,
    })
  if (shown.status === 'CANCELLED')
    moments.push({
      at: shown.updated_at,
      title: 'Earns nothing',
      text: shown.status_reason === null ? null : words(shown.status_reason),
      icon: CircleX,
    })
  return moments
}
