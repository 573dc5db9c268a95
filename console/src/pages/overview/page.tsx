import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { desk, me, type NamedPublisher, transactions, trialBalance } from '../../api/queries.ts'
import { Segments } from '../../charts/segments.tsx'
import { ago, money, plural } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TransactionTable } from '../transactions/table.tsx'
import { Decisions } from './decisions.tsx'

const LATEST = 6

export default function Overview() {
  const { data: person } = useSuspenseQuery(me)
  const { data } = useSuspenseQuery(desk)
  const publisher = usePublisher()
  const waiting = data.content.reduce((sum, { count }) => sum + count, 0)
  const oldest = data.content.flatMap(({ oldest_at }) => oldest_at ?? []).sort()[0]
  const lead =
    oldest === undefined
      ? 'Nothing waits for a decision.'
      : `${plural(waiting, 'decision')} to make, the oldest from ${ago(oldest)}.`
  return (
    <>
      <PageHeader title={`${greeting(new Date().getHours())}, ${person.name.split(' ')[0]}`} lead={lead} />
      {publisher === null ? (
        <Card>
          <Empty title="There is no publisher yet">
            Create one with <code className="font-mono text-xs">laurel publishers create</code>; its users, purchases
            and money appear here.
          </Empty>
        </Card>
      ) : (
        <>
          <Money publisher={publisher} />
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
            <Latest publisher={publisher} />
            <Decisions queues={data.content} />
          </div>
        </>
      )}
    </>
  )
}

function greeting(hour: number): string {
  if (hour < 12) return 'Good morning'
  return hour < 18 ? 'Good afternoon' : 'Good evening'
}

type Publisher = NamedPublisher

/** Where the rewards of a publisher's users are, from the ledger. */
function Money({ publisher: { publisher_id, name, currency } }: { readonly publisher: Publisher }) {
  const { data } = useQuery(trialBalance(publisher_id))
  if (data === undefined) return <div className="skeleton mb-5 h-44" />
  const balance = (account: string) =>
    data.content
      .filter((line) => line.account === account && line.currency === currency)
      .reduce((sum, line) => sum + line.balance, 0)
  // What users are owed is a credit.
  const owed = (account: string) => 0 - balance(account)
  const [pending, available, held] = [owed('user_pending'), owed('user_available'), owed('user_held')]
  const tiles = [
    ['Pending rewards', pending, 'The refund period has not passed.'],
    ['Ready to redeem', available, 'Users can have this paid out.'],
    ['Being paid out', held, 'Held for redemptions under way.'],
    ['Owed by advertisers', balance('advertiser_receivable'), 'Commission that has not been received.'],
  ] as const
  return (
    <section aria-label={`Money of ${name}`} className="mb-5 overflow-hidden rounded-lg bg-line shadow-card">
      <div className="grid gap-px sm:grid-cols-2 xl:grid-cols-4">
        {tiles.map(([label, amount, note]) => (
          <div key={label} className="bg-surface p-5">
            <h2 className="text-ink-2 text-sm">{label}</h2>
            <p className="num mt-1.5 font-semibold text-[26px] leading-none tracking-[-0.03em]">
              {money(amount, currency)}
            </p>
            <p className="mt-2 text-ink-3 text-xs">{note}</p>
          </div>
        ))}
      </div>
      <div className="mt-px bg-surface px-5 py-4">
        <Segments
          label={`Rewards of ${name} by state`}
          parts={[
            { label: 'Pending', value: pending, tone: 'gold', text: money(pending, currency) },
            { label: 'Ready to redeem', value: available, tone: 'brand', text: money(available, currency) },
            { label: 'Being paid out', value: held, tone: 'info', text: money(held, currency) },
          ]}
        />
      </div>
    </section>
  )
}

function Latest({ publisher: { publisher_id, name } }: { readonly publisher: Publisher }) {
  const { data } = useQuery(transactions(publisher_id, {}))
  const all = (
    <Link
      to="/publishers/$publisher/transactions"
      params={{ publisher: publisher_id }}
      className="text-brand-ink hover:underline"
    >
      All transactions
    </Link>
  )
  return (
    <Card className="min-w-0">
      <CardTitle aside={all}>Latest purchases at {name}</CardTitle>
      <div className="pt-2">
        {data === undefined ? (
          <div className="skeleton m-5 h-52" />
        ) : (
          <TransactionTable publisherId={publisher_id} rows={data.content.slice(0, LATEST)} />
        )}
      </div>
    </Card>
  )
}
