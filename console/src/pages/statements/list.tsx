import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { type StatementSearch, statements } from '../../api/money-queries.ts'
import { useRefusalOf } from '../../api/permissions.ts'
import { PAGE_SIZE } from '../../api/queries.ts'
import { dateTime, month, words } from '../../format.ts'
import { PublisherFilter, usePublisherName } from '../../publisher-filter.tsx'
import { optional } from '../../routes/search.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar } from '../../ui/list/filters.tsx'
import { DateFilter } from '../../ui/list/select-filter.tsx'
import { type Column, DataTable, Pager } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'

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

export default function Statements() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const nameOf = usePublisherName()
  const { data, isPlaceholderData } = useQuery(statements(search))
  const change = (changed: Omit<StatementSearch, 'environment'>) =>
    navigate({ search: (old) => optional({ ...old, page: undefined, ...changed }), replace: true })
  const { page = 0 } = search
  const rows = data?.content ?? []
  const total = data?.total_elements ?? 0
  const booksOf = ({ books }: Heading) => (books.startsWith('pub_') ? nameOf(books) : words(books))
  const columns: Column<Heading>[] = [
    {
      header: 'Party',
      cell: (heading) => (
        <div className="flex max-w-72 items-center gap-2.5">
          <Monogram name={heading.party_name} />
          <StatementLink heading={heading} />
        </div>
      ),
    },
    { header: 'Kind', cell: ({ kind }) => <span className="text-ink-2">{words(kind)}</span> },
    { header: 'Month', cell: (heading) => <span className="num">{month(heading.month)}</span> },
    { header: 'Currency', cell: ({ currency }) => <span className="text-ink-2">{currency}</span> },
    { header: 'Books', cell: (heading) => <span className="text-ink-2">{booksOf(heading)}</span> },
    {
      header: 'Closed',
      wideOnly: true,
      cell: ({ created_at }) => <span className="num text-ink-2">{dateTime(created_at)}</span>,
    },
  ]
  return (
    <>
      <PageHeader
        title="Statements"
        lead="Balances and movements of each party, month by month. Statements never change."
        actions={<CloseLink />}
      />
      <Card>
        <FilterBar>
          <PublisherFilter value={search.publisher} onChange={(publisher) => change({ publisher })} />
          <DateFilter label="Month" kind="month" value={search.month} onChange={(value) => change({ month: value })} />
          <Choice label="Kind" value={search.kind} options={KINDS} onChange={(kind) => change({ kind })} />
        </FilterBar>
        <DataTable
          caption="Statements, the newest month first"
          columns={columns}
          rows={rows}
          keyOf={({ statement_id }) => statement_id}
          stale={isPlaceholderData}
          empty={
            <Empty
              title={Object.keys(search).length === 0 ? 'No month is closed yet' : 'No statements match'}
              action={<CloseLink />}
            >
              Statements are drawn up when a month is closed.
            </Empty>
          }
          card={(heading) => (
            <>
              <Monogram name={heading.party_name} size="large" />
              <div className="min-w-0 flex-1">
                <StatementLink heading={heading} />
                <div className="mt-0.5 text-ink-3 text-xs">
                  {words(heading.kind)} · {booksOf(heading)}
                </div>
              </div>
              <div className="text-right text-sm">
                <div className="num">{month(heading.month)}</div>
                <div className="text-ink-3 text-xs">{heading.currency}</div>
              </div>
            </>
          )}
        />
        <Pager
          page={page}
          size={PAGE_SIZE}
          shown={rows.length}
          total={total}
          none="No statements"
          onPage={(next) => change({ page: next === 0 ? undefined : next })}
        />
      </Card>
    </>
  )
}

function CloseLink() {
  const refusal = useRefusalOf()('statements:close')
  if (refusal !== null) return <Button refusal={refusal}>Close a month</Button>
  return (
    <Link to="/statements/close" className={buttonClass('primary')}>
      Close a month
    </Link>
  )
}
