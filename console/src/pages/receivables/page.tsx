import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { type ReceivableSearch, receivables } from '../../api/money-queries.ts'
import { PAGE_SIZE } from '../../api/queries.ts'
import { money, month } from '../../format.ts'
import { PublisherFilter } from '../../publisher-filter.tsx'
import { optional } from '../../routes/search.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar } from '../../ui/list/filters.tsx'
import { type Column, DataTable, Pager } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { AGES } from '../statements/ageing.tsx'

type Receivable = Schemas['Receivable']
const route = getRouteApi('/guarded/receivables')

/** The amounts that advertisers currently owe, by age. */
export default function Receivables() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isPlaceholderData } = useQuery(receivables(search))
  const change = (changed: ReceivableSearch) =>
    navigate({ search: (old) => optional({ ...old, page: undefined, ...changed }), replace: true })
  const { page = 0 } = search
  const rows = data?.content ?? []
  const total = data?.total_elements ?? 0
  const nameOf = ({ brand_name, brand_uid }: Receivable) => brand_name ?? brand_uid
  const columns: Column<Receivable>[] = [
    {
      header: 'Advertiser',
      cell: (row) => (
        <div className="flex max-w-60 items-center gap-2.5 py-1.5">
          <Monogram name={nameOf(row)} />
          <div className="min-w-0">
            <div className="truncate font-medium">{nameOf(row)}</div>
            <div className="text-ink-3 text-xs">{statementText(row)}</div>
          </div>
        </div>
      ),
    },
    ...AGES.map(
      ([name, label]): Column<Receivable> => ({
        header: label,
        align: 'right',
        cell: (row) => amount(row, row.ageing?.[name]),
      }),
    ),
    { header: 'Paid ahead', align: 'right', wideOnly: true, cell: (row) => amount(row, row.ageing?.credit) },
    {
      header: 'Owed now',
      align: 'right',
      cell: ({ balance, currency }) => <span className="font-medium">{money(balance, currency)}</span>,
    },
  ]
  return (
    <>
      <PageHeader
        title="Receivables"
        lead="What advertisers owe, by age. Payments settle the oldest month first."
        actions={
          <Link to="/payments" className={buttonClass()}>
            Payments
          </Link>
        }
      />
      <Card>
        <FilterBar>
          <PublisherFilter
            value={search.publisher}
            all="All of production"
            onChange={(publisher) => change({ publisher })}
          />
        </FilterBar>
        <DataTable
          caption="Receivables, the most first"
          columns={columns}
          rows={rows}
          keyOf={({ brand_uid, currency }) => `${brand_uid} ${currency}`}
          stale={isPlaceholderData}
          empty={
            <Empty title="No advertiser owes anything">
              A sandbox has receivables of its own: choose it above. They begin with the first purchase that earns.
            </Empty>
          }
          card={(row) => (
            <>
              <Monogram name={nameOf(row)} size="large" />
              <div className="min-w-0 flex-1">
                <div className="truncate font-medium">{nameOf(row)}</div>
                <div className="mt-0.5 text-ink-3 text-xs">
                  {AGES.filter(([name]) => (row.ageing?.[name] ?? 0) > 0)
                    .map(([name, label]) => `${label} ${money(row.ageing?.[name] ?? 0, row.currency)}`)
                    .join(', ') || statementText(row)}
                </div>
              </div>
              <div className="num font-medium">{money(row.balance, row.currency)}</div>
            </>
          )}
        />
        <Pager
          page={page}
          size={PAGE_SIZE}
          shown={rows.length}
          total={total}
          none="No receivables"
          onPage={(next) => change({ page: next === 0 ? undefined : next })}
        />
      </Card>
    </>
  )
}

function amount({ currency }: Receivable, value: number | undefined) {
  return value === undefined || value === 0 ? <span className="text-ink-3">–</span> : money(value, currency)
}

function statementText({ ageing }: Receivable): string {
  if (ageing === null) return 'Its age is known for all publishers together'
  return ageing.statement_month === null ? 'No statement yet' : `Last statement ${month(ageing.statement_month)}`
}
