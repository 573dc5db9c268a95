import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { statements } from '../../api/money-queries.ts'
import { useRefusal } from '../../api/permissions.ts'
import { dateTime, month, words } from '../../format.ts'
import { PublisherFilter, PublisherName } from '../../publisher-filter.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { DateFilter } from '../../ui/list/select-filter.tsx'
import { NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'

type Heading = Schemas['StatementHeading']
const route = getRouteApi('/guarded/statements')
const KINDS = [
  [undefined, 'All'],
  ['advertiser', 'Advertisers'],
  ['publisher', 'Publishers'],
  ['service', 'Service'],
] as const

function StatementLink({ heading: { statement_id, party_name } }: { readonly heading: Heading }) {
  return (
    <Link
      to="/statements/$statement"
      params={{ statement: statement_id }}
      className="row-link block truncate font-medium"
    >
      {party_name}
    </Link>
  )
}

function Books({ books }: { readonly books: string }) {
  return books.startsWith('pub_') ? <PublisherName id={books} /> : words(books)
}

const STATEMENTS: Table<Heading> = {
  caption: 'Statements, newest month first',
  toKey: ({ statement_id }) => statement_id,
  columns: [
    {
      header: 'Party',
      cell: (heading) => (
        <NamedCell name={heading.party_name} className="max-w-72">
          <StatementLink heading={heading} />
        </NamedCell>
      ),
    },
    { header: 'Kind', quiet: true, cell: ({ kind }) => words(kind) },
    { header: 'Month', cell: (heading) => <span className="num">{month(heading.month)}</span> },
    { header: 'Currency', quiet: true, cell: ({ currency }) => currency },
    { header: 'Books', quiet: true, cell: ({ books }) => <Books books={books} /> },
    {
      header: 'Closed',
      wideOnly: true,
      cell: ({ created_at }) => <span className="num text-ink-2">{dateTime(created_at)}</span>,
    },
  ],
  card: (heading) => (
    <RowCard
      name={heading.party_name}
      title={<StatementLink heading={heading} />}
      note={
        <>
          {words(heading.kind)} · <Books books={heading.books} />
        </>
      }
    >
      <div className="text-right text-sm">
        <div className="num">{month(heading.month)}</div>
        <div className="text-ink-3 text-xs">{heading.currency}</div>
      </div>
    </RowCard>
  ),
}

export default function Statements() {
  const { search, change } = useFilters(route)
  return (
    <ListPage
      title="Statements"
      lead="Balances and movements of each party, month by month. Statements never change."
      actions={<CloseLink />}
      filters={
        <>
          <PublisherFilter value={search.publisher} onChange={(publisher) => change({ publisher })} />
          <DateFilter label="Month" kind="month" value={search.month} onChange={(month) => change({ month })} />
          <Choice label="Kind" value={search.kind} options={KINDS} onChange={(kind) => change({ kind })} />
        </>
      }
      {...STATEMENTS}
      {...useParts(statements(search))}
      empty={
        <Empty
          title={Object.keys(search).length === 0 ? 'No month has been closed yet' : 'No statements match'}
          action={<CloseLink />}
        >
          Statements are drawn up when a month is closed.
        </Empty>
      }
    />
  )
}

function CloseLink() {
  const refusal = useRefusal()('statements:close')
  if (refusal !== null) return <Button refusal={refusal}>Close a month</Button>
  return (
    <Link to="/statements/close" className={buttonClass('primary')}>
      Close a month
    </Link>
  )
}
