import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { desk, me, type NamedPublisher } from '../../api/queries.ts'
import { ago, plural } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextLink } from '../../ui/link.tsx'
import { DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { TRANSACTIONS } from '../transactions/queries.ts'
import { buildTransactionTable, NoPurchases } from '../transactions/table.tsx'
import { Decisions } from './decisions.tsx'

const LATEST = 6
// The charts and their figures load after the rest of the page is shown.
const Money = lazy(() => import('./money.tsx'))

export default function Overview() {
  const { data: person } = useSuspenseQuery(me)
  const { data } = useSuspenseQuery(desk)
  const publisher = usePublisher()
  const waiting = data.content.reduce((sum, { count }) => sum + count, 0)
  const oldest = data.content.flatMap(({ oldest_at }) => oldest_at ?? []).sort()[0]
  const lead =
    oldest === undefined
      ? 'Nothing is waiting for a decision.'
      : `${plural(waiting, 'decision')} waiting, the oldest from ${ago(oldest)}.`
  return (
    <>
      <PageHeader title={`${greeting(new Date().getHours())}, ${person.name.split(' ')[0]}`} lead={lead} />
      {publisher === null ? (
        <Card>
          <Empty title="No publishers yet">
            Create one with <code className="font-mono text-xs">laurel publishers create</code>; its users, purchases
            and money appear here.
          </Empty>
        </Card>
      ) : (
        <>
          <Suspense fallback={<div className="skeleton mb-5 h-96" />}>
            <Money publisher={publisher} />
          </Suspense>
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

function Latest({ publisher: { publisher_id, name } }: { readonly publisher: Publisher }) {
  const { data } = useQuery(TRANSACTIONS.read(publisher_id, {}))
  const all = (
    <TextLink to="/publishers/$publisher/transactions" params={{ publisher: publisher_id }}>
      All transactions
    </TextLink>
  )
  return (
    <Card className="min-w-0">
      <CardTitle aside={all}>Latest purchases at {name}</CardTitle>
      <div className="pt-2">
        {data === undefined ? (
          <div className="skeleton m-5 h-52" />
        ) : (
          <DataTable
            {...buildTransactionTable(publisher_id, true)}
            rows={data.content.slice(0, LATEST)}
            empty={<NoPurchases />}
          />
        )}
      </div>
    </Card>
  )
}
