import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { ago, count, dateTime, plural, words } from '../../format.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { FactsCard } from '../../ui/facts.tsx'
import { TextLink } from '../../ui/link.tsx'
import { type Column, DataTable, TableCard } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { serviceWork } from './queries.ts'

type Work = Schemas['ServiceWork']
const CIRCUITS: Readonly<Record<Schemas['ProviderAccountHealth']['state'], readonly [label: string, tone: Tone]>> = {
  closed: ['Healthy', 'good'],
  'half-open': ['Testing the connection', 'waiting'],
  open: ['Calls suspended', 'bad'],
}

/** The state of the service: whether its loops run, what work is due, and the health of its provider and books. */
export default function Service() {
  const { data } = useSuspenseQuery(serviceWork)
  return (
    <>
      <PageHeader title="Operations" lead="Whether background work is keeping up. Refreshes automatically." />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0 space-y-5">
          <Queues work={data} />
          <Loops work={data} />
        </div>
        <div className="space-y-5">
          <Provider work={data} />
          <FactsCard
            title="Books and database"
            facts={[
              ['Overview totals up to', dateTime(data.ledger.added_up_until)],
              ['Ledger verified', verifiedText(data.ledger.verified_seconds_ago)],
              [
                'Differences',
                data.ledger.differences === 0 ? (
                  <Pill key="none" tone="good">
                    None
                  </Pill>
                ) : (
                  <Pill key="some" tone="bad">
                    {count(data.ledger.differences)}
                  </Pill>
                ),
              ],
              ['PostgreSQL', data.database.version],
              ['Newest migration', `${data.database.newest_migration}, ${dateTime(data.database.migrated_at)}`],
            ]}
          />
        </div>
      </div>
    </>
  )
}

function verifiedText(seconds: number | null): string {
  return seconds === null ? 'Not yet' : ago(new Date(Date.now() - seconds * 1000).toISOString())
}

// A queue is late if its oldest item has been due for longer than this.
const LATE_MS = 60_000

function Queues({ work: { queues, failed_facts } }: { readonly work: Work }) {
  const isLate = (since: string | null) => since !== null && Date.now() - new Date(since).getTime() > LATE_MS
  const columns: Column<Work['queues'][number]>[] = [
    { header: 'Queue', phone: 'title', cell: ({ what }) => words(what) },
    { header: 'Due', align: 'right', cell: ({ due }) => count(due) },
    {
      header: 'Oldest',
      quiet: true,
      cell: ({ oldest_due_at: since }) => (since === null ? '–' : ago(since)),
    },
    {
      header: 'State',
      phone: 'aside',
      cell: ({ oldest_due_at: since }) =>
        isLate(since) ? <Pill tone="waiting">Late</Pill> : <Pill tone="good">Up to date</Pill>,
    },
  ]
  const rest: ReactNode =
    failed_facts === 0 ? undefined : <TextLink to="/failed-facts">{plural(failed_facts, 'failed job')}</TextLink>
  return (
    <TableCard
      title="Queues"
      aside={rest}
      caption="Queues"
      columns={columns}
      rows={queues}
      toKey={({ what }) => what}
      empty={null}
      note={({ due, oldest_due_at: since }) =>
        `${count(due)} due${since === null ? '' : `, the oldest from ${ago(since)}`}`
      }
    />
  )
}

type Loop = Work['loops'][number]

function LoopPill({ loop: { failures, last_success_at } }: { readonly loop: Loop }) {
  if (failures > 0) return <Pill tone="bad">{plural(failures, 'failure')}</Pill>
  return last_success_at === null ? <Pill tone="neutral">Not yet</Pill> : <Pill tone="good">Running</Pill>
}

function Loops({ work: { loops } }: { readonly work: Work }) {
  const lastText = ({ last_success_at: at }: Loop) => (at === null ? 'Never' : ago(at))
  const columns: Column<Loop>[] = [
    { header: 'Job', phone: 'title', cell: ({ name }) => words(name) },
    { header: 'State', phone: 'aside', cell: (loop) => <LoopPill loop={loop} /> },
    { header: 'Last success', quiet: true, cell: lastText },
    { header: 'Interval', align: 'right', cell: ({ every_ms }) => pauseText(every_ms) },
  ]
  const table = (caption: string, rows: readonly Loop[]) => (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      toKey={({ name }) => name}
      empty={null}
      note={lastText}
    />
  )
  const failing = loops.filter(({ failures }) => failures > 0)
  return (
    <Card>
      <CardTitle aside={loops.length > 0 && `${count(failing.length)} of ${plural(loops.length, 'job')} failing`}>
        Background jobs in this process
      </CardTitle>
      {loops.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">
          Background jobs run in other processes. The queues show whether they keep up.
        </p>
      ) : (
        <>
          <div className="pt-2 empty:hidden">{failing.length > 0 && table('Failing jobs', failing)}</div>
          <details className="text-sm">
            <summary className="flex min-h-10 cursor-default items-center px-5 text-ink-2 hover:text-ink">
              All jobs, with their last success
            </summary>
            {table('All jobs', loops)}
          </details>
        </>
      )}
    </Card>
  )
}

function pauseText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : ms < 60_000 ? `${ms / 1000} s` : `${Math.round(ms / 60_000)} min`
}

function Provider({ work: { provider } }: { readonly work: Work }) {
  return (
    <Card className="p-5">
      <h2 className="mb-3 font-medium text-base">Linking provider</h2>
      <ul className="space-y-2 text-sm">
        {provider.accounts.map(({ environment, account, state }) => (
          <li key={`${environment} ${account}`} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              {words(environment)}
              {account === 'publishers' && <span className="text-ink-3"> publishers’ own</span>}
            </span>
            <Pill tone={CIRCUITS[state][1]}>{CIRCUITS[state][0]}</Pill>
          </li>
        ))}
        <li className="flex items-center justify-between gap-2">
          <TextLink to="/broken-logins">Broken logins</TextLink>
          <span className="num">{count(provider.broken_logins)}</span>
        </li>
        {provider.faults.map((fault) => (
          <li key={fault.code} className="flex items-center justify-between gap-2">
            <code className="font-mono text-xs">{fault.code}</code>
            <span className="num">{count(fault.count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
