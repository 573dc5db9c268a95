import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { receivables } from '../../api/money-queries.ts'
import { money, month } from '../../format.ts'
import { PublisherFilter } from '../../publisher-filter.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { type Column, NamedCell, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { Monogram } from '../../ui/monogram.tsx'
import { AGES } from '../statements/ageing.tsx'

type Receivable = Schemas['Receivable']
const route = getRouteApi('/guarded/receivables')

/** The amounts that advertisers currently owe, by age. */
export default function Receivables() {
  const { search, change } = useFilters(route)
  return (
    <ListPage
      title="Receivables"
      lead="What advertisers owe, by age. Payments settle the oldest month first."
      actions={
        <Link to="/payments" className={buttonClass()}>
          Payments
        </Link>
      }
      filters={
        <PublisherFilter
          value={search.publisher}
          all="All of production"
          onChange={(publisher) => change({ publisher })}
        />
      }
      {...RECEIVABLES}
      {...useParts(receivables(search))}
      empty={
        <Empty title="No advertiser owes anything">
          A sandbox has its own receivables; select it above. They begin with the first purchase that earns a reward.
        </Empty>
      }
    />
  )
}

const getName = ({ brand_name, brand_uid }: Receivable) => brand_name ?? brand_uid

const RECEIVABLES: Table<Receivable> = {
  caption: 'Receivables, largest first',
  toKey: ({ brand_uid, currency }) => `${brand_uid} ${currency}`,
  columns: [
    {
      header: 'Advertiser',
      cell: (row) => (
        <NamedCell name={getName(row)} className="max-w-60 py-1.5">
          <div className="min-w-0">
            <div className="truncate font-medium">{getName(row)}</div>
            <div className="text-ink-3 text-xs">{statementText(row)}</div>
          </div>
        </NamedCell>
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
  ],
  card: (row) => (
    <>
      <Monogram name={getName(row)} size="large" />
      <div className="min-w-0 flex-1">
        <div className="truncate font-medium">{getName(row)}</div>
        <div className="mt-0.5 text-ink-3 text-xs">
          {AGES.filter(([name]) => (row.ageing?.[name] ?? 0) > 0)
            .map(([name, label]) => `${label} ${money(row.ageing?.[name] ?? 0, row.currency)}`)
            .join(', ') || statementText(row)}
        </div>
      </div>
      <div className="num font-medium">{money(row.balance, row.currency)}</div>
    </>
  ),
}

function amount({ currency }: Receivable, value: number | undefined) {
  return value === undefined || value === 0 ? <span className="text-ink-3">–</span> : money(value, currency)
}

function statementText({ ageing }: Receivable): string {
  if (ageing === null) return 'Its age is known only across all publishers'
  return ageing.statement_month === null ? 'No statement yet' : `Last statement ${month(ageing.statement_month)}`
}
