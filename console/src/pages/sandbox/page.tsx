import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { clock } from '../../api/queries.ts'
import { dateTime, money, plural, words } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { TransactionPill } from '../../statuses.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { ButtonLink } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Buy } from './buy.tsx'
import { FollowUp } from './follow-up.tsx'
import { Logins } from './logins.tsx'

type Transaction = Schemas['Transaction']
const route = getRouteApi('/guarded/publishers/$publisher/sandbox')
const DAY_SECONDS = 86_400

/** Simulates purchases, so that the other pages have data to show. */
export default function Sandbox() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const [bought, setBought] = useState<readonly Transaction[]>([])
  const keep = (transaction: Transaction) =>
    setBought((old) => [transaction, ...old.filter((one) => one.transaction_uid !== transaction.transaction_uid)])
  return (
    <>
      <PageHeader
        title="Sandbox"
        lead={`Simulate purchases and logins for users of ${publisher?.name ?? 'the publisher'}. No real money moves here.`}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[380px_minmax(0,1fr)]">
        <Buy publisherId={publisherId} onBought={keep} />
        <div className="min-w-0 space-y-5">
          <Purchases publisherId={publisherId} bought={bought} onChanged={keep} />
          <Logins publisherId={publisherId} />
          <Surroundings publisherId={publisherId} />
        </div>
      </div>
    </>
  )
}

type PurchasesProps = {
  readonly publisherId: string
  readonly bought: readonly Transaction[]
  readonly onChanged: (transaction: Transaction) => void
}

function Purchases({ publisherId, bought, onChanged }: PurchasesProps) {
  return (
    <Card>
      <CardTitle>Your purchases</CardTitle>
      {bought.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">
          Make a purchase to see whether it earns, and why. You can clear or refund it from here.
        </p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {bought.map((transaction) => (
            <li key={transaction.transaction_uid} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
              <div className="min-w-0 flex-1 basis-56">
                <Link
                  to="/publishers/$publisher/transactions/$transaction"
                  params={{ publisher: publisherId, transaction: transaction.transaction_uid }}
                  className="font-medium text-sm hover:underline"
                >
                  {transaction.merchant_descriptor ?? transaction.merchant_name ?? 'A purchase'}
                </Link>
                <p className="num text-ink-2 text-sm">{describeOutcome(transaction)}</p>
              </div>
              <TransactionPill status={transaction.status} />
              <FollowUp publisherId={publisherId} transaction={transaction} onChanged={onChanged} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The sandbox's clock and the mail that the sandbox would send. */
function Surroundings({ publisherId }: { readonly publisherId: string }) {
  const { data } = useSuspenseQuery(clock(publisherId))
  const ahead = Math.round(data.offset_seconds / DAY_SECONDS)
  return (
    <Card>
      <CardTitle>Clock and mail</CardTitle>
      <ul className="mt-2 divide-y divide-line">
        <li className="flex flex-wrap items-center gap-3 px-5 py-3 text-sm">
          <p className="min-w-0 flex-1 basis-56">
            It is <time dateTime={data.now}>{dateTime(data.now)}</time> in the sandbox
            {ahead > 0 && `, ${plural(ahead, 'day')} ahead`}.
            <span className="block text-ink-2">Rewards mature when the clock passes their day.</span>
          </p>
          <ButtonLink to="/publishers/$publisher/clock" params={{ publisher: publisherId }}>
            Move the clock
          </ButtonLink>
        </li>
        <li className="flex flex-wrap items-center gap-3 px-5 py-3 text-sm">
          <p className="min-w-0 flex-1 basis-56">
            Emails the service would send.
            <span className="block text-ink-2">Invitations, links to reset a password, notices.</span>
          </p>
          <a href="/sandbox/mail" className={buttonClass()}>
            Open the mailbox
          </a>
        </li>
      </ul>
    </Card>
  )
}

function describeOutcome({
  amount,
  refunded_amount,
  currency,
  user_cashback,
  user_discount,
  status_reason,
}: Transaction): string {
  const earned = user_cashback + user_discount
  const reward =
    earned > 0 ? `earns ${money(earned, currency)}` : status_reason === null ? 'earns nothing' : words(status_reason)
  const refunded = refunded_amount > 0 ? `, ${money(refunded_amount, currency)} refunded` : ''
  return `${money(amount, currency)}${refunded}: ${reward}`
}
