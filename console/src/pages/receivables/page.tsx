import type { Schemas } from '../../api/client.ts'
import { money, month } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ButtonLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Column, Table } from '../../ui/list/table.tsx'
import { AGES } from '../statements/ageing.tsx'
import { RECEIVABLES } from './queries.ts'

type Receivable = Schemas['Receivable']

/** The amounts that advertisers currently owe, by age. */
export default function Receivables() {
  return (
    <ListPage
      title="Receivables"
      lead="What advertisers owe, by age. Payments settle the oldest month first."
      actions={<ButtonLink to="/payments">Payments</ButtonLink>}
      {...TABLE}
      {...useList(RECEIVABLES).list}
      empty={
        <Empty title="No advertiser owes anything">
          A sandbox has its own receivables; select it above. They begin with the first purchase that earns a reward.
        </Empty>
      }
    />
  )
}

const getName = ({ brand_name, brand_uid }: Receivable) => brand_name ?? brand_uid

const TABLE: Table<Receivable> = {
  caption: 'Receivables, largest first',
  toKey: ({ brand_uid, currency }) => `${brand_uid} ${currency}`,
  columns: [
    {
      header: 'Advertiser',
      phone: 'title',
      name: getName,
      width: 'max-w-60',
      cell: getName,
      below: statementText,
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
      phone: 'amount',
      cell: ({ balance, currency }) => <span className="font-medium">{money(balance, currency)}</span>,
    },
  ],
  note: (row) =>
    AGES.filter(([name]) => (row.ageing?.[name] ?? 0) > 0)
      .map(([name, label]) => `${label} ${money(row.ageing?.[name] ?? 0, row.currency)}`)
      .join(', ') || statementText(row),
}

function amount({ currency }: Receivable, value: number | undefined) {
  return value === undefined || value === 0 ? <span className="text-ink-3">–</span> : money(value, currency)
}

function statementText({ ageing }: Receivable): string {
  if (ageing === null) return 'Its age is known only across all publishers'
  return ageing.statement_month === null ? 'No statement yet' : `Last statement ${month(ageing.statement_month)}`
}
