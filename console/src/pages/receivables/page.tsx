import { useQuery, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { lastClosedMonth, monthlyStatement, statements } from '../../api/money-queries.ts'
import { PAGE_SIZE } from '../../api/queries.ts'
import { count, money, month as monthText } from '../../format.ts'
import { PublisherFilter } from '../../publisher-filter.tsx'
import { optional } from '../../routes/search.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar } from '../../ui/filters.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DateFilter } from '../../ui/select-filter.tsx'
import { type Column, DataTable, Pager } from '../../ui/table.tsx'
import { AGES, openTotal } from '../statements/ageing.tsx'

type Row = { readonly heading: Schemas['StatementHeading']; readonly ageing: Schemas['StatementAgeing'] | null }
const route = getRouteApi('/guarded/receivables')

/** What advertisers owe by its age, from the statements of a month: those of the last one that was closed, or of another. */
export default function Receivables() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: latest } = useSuspenseQuery(lastClosedMonth(search.publisher))
  const month = search.month ?? latest
  return (
    <>
      <PageHeader
        title="Receivables"
        lead={
          month === null
            ? 'What advertisers owe, by its age.'
            : `What advertisers owed at the end of ${monthText(month)}, by its age. Payments settle the oldest month first.`
        }
      />
      <Card>
        <FilterBar>
          <PublisherFilter
            value={search.publisher}
            onChange={(publisher) => navigate({ search: (old) => optional({ ...old, publisher, page: undefined }) })}
          />
          <DateFilter
            label="Month"
            kind="month"
            value={month ?? undefined}
            onChange={(value) => navigate({ search: (old) => optional({ ...old, month: value, page: undefined }) })}
          />
        </FilterBar>
        {month === null ? (
          <Empty title="No month is closed yet">
            What is owed by now is in the ledger, by owner. Its age is known as soon as a month is closed.
          </Empty>
        ) : (
          <Aged month={month} />
        )}
      </Card>
    </>
  )
}

function Aged({ month }: { readonly month: string }) {
  const { publisher, page = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useQuery(statements({ kind: 'advertiser', month, publisher, page }))
  const headings = data?.content ?? []
  const rows: Row[] = useSuspenseQueries({
    queries: headings.map(({ statement_id }) => monthlyStatement(statement_id)),
    combine: (shown) =>
      shown.flatMap(({ data: { ageing } }, index) => {
        const heading = headings[index]
        return heading === undefined ? [] : [{ heading, ageing }]
      }),
  })
  const total = data?.total_elements ?? 0
  const amount = ({ heading, ageing }: Row, text: string | undefined) =>
    ageing === null || text === undefined || Number(text) === 0 ? (
      <span className="text-ink-3">–</span>
    ) : (
      money(Number(text), heading.currency)
    )
  const columns: Column<Row>[] = [
    {
      header: 'Advertiser',
      cell: ({ heading }) => (
        <div className="flex max-w-60 items-center gap-2.5">
          <Monogram name={heading.party_name} />
          <StatementLink heading={heading} />
        </div>
      ),
    },
    ...AGES.map(
      ([name, label]): Column<Row> => ({
        header: label,
        align: 'right',
        cell: (row) => amount(row, row.ageing?.[name]),
      }),
    ),
    { header: 'Paid ahead', align: 'right', wideOnly: true, cell: (row) => amount(row, row.ageing?.credit) },
    {
      header: 'Open',
      align: 'right',
      cell: ({ heading, ageing }) => <span className="font-medium">{money(openTotal(ageing), heading.currency)}</span>,
    },
  ]
  return (
    <>
      <DataTable
        caption={`Receivables at the end of ${monthText(month)}`}
        columns={columns}
        rows={rows}
        keyOf={({ heading }) => heading.statement_id}
        empty={<Empty title={`No advertiser has a statement of ${monthText(month)}`}>Try another month.</Empty>}
        card={({ heading, ageing }) => (
          <>
            <Monogram name={heading.party_name} size="large" />
            <div className="min-w-0 flex-1">
              <StatementLink heading={heading} />
              <div className="mt-0.5 text-ink-3 text-xs">
                {AGES.filter(([name]) => Number(ageing?.[name] ?? 0) > 0)
                  .map(([name, label]) => `${label} ${money(Number(ageing?.[name]), heading.currency)}`)
                  .join(', ') || 'Nothing is open'}
              </div>
            </div>
            <div className="num font-medium">{money(openTotal(ageing), heading.currency)}</div>
          </>
        )}
      />
      <Pager
        page={page}
        pages={data?.total_pages ?? 0}
        summary={
          total === 0
            ? 'No statements'
            : `${count(page * PAGE_SIZE + 1)}–${count(page * PAGE_SIZE + rows.length)} of ${count(total)}`
        }
        onPage={(next) => navigate({ search: (old) => optional({ ...old, page: next === 0 ? undefined : next }) })}
      />
    </>
  )
}

function StatementLink({ heading: { statement_id, party_name } }: { readonly heading: Row['heading'] }) {
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
