import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ACCOUNTS } from '../../accounts.ts'
import type { Schemas } from '../../api/client.ts'
import { dateTime, day as dayText, money, words } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { PublisherFilter } from '../../publisher-filter.tsx'
import { optional } from '../../search.ts'
import { Card } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ButtonLink } from '../../ui/link.tsx'
import { Choice, DateFilter, FilterBar } from '../../ui/list/filters.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Time } from '../../ui/time.tsx'
import { advertiserNames, ledger } from './queries.ts'

type Line = Schemas['TrialBalanceLine']
const route = getRouteApi('/guarded/ledger')
const VIEWS = [
  [undefined, 'Accounts'],
  ['owner', 'By owner'],
] as const

/** The balances of all of a publisher's ledger accounts at the end of a day. */
export default function Ledger() {
  const publisher = usePublisher()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wanted = search.publisher ?? publisher?.publisher_id
  if (wanted === undefined)
    return (
      <Card>
        <Empty title="No publishers yet">The books of a publisher begin with it.</Empty>
      </Card>
    )
  const { day, view } = search
  return (
    <>
      <PageHeader
        title="Ledger"
        lead="Trial balance: debits and credits of every account, computed from the postings."
        actions={<ButtonLink to="/statements">Statements</ButtonLink>}
      />
      <Card>
        <FilterBar>
          <PublisherFilter
            all={null}
            value={wanted}
            onChange={(id) => navigate({ search: (old) => optional({ ...old, publisher: id }), replace: true })}
          />
          <DateFilter
            label="As of"
            value={day}
            max={new Date().toISOString().slice(0, 10)}
            onChange={(value) => navigate({ search: (old) => optional({ ...old, day: value }), replace: true })}
          />
          <Choice
            label="Accounts"
            value={view}
            options={VIEWS}
            onChange={(value) => navigate({ search: (old) => optional({ ...old, view: value }), replace: true })}
          />
        </FilterBar>
        <TrialBalance publisher={wanted} day={day} byOwner={view === 'owner'} />
      </Card>
    </>
  )
}

type Shown = { readonly publisher: string; readonly day: string | undefined; readonly byOwner: boolean }

function TrialBalance({ publisher, day, byOwner }: Shown) {
  const { data } = useSuspenseQuery(ledger({ publisher, day, byOwner }))
  const { data: names } = useQuery({ ...advertiserNames, enabled: byOwner })
  const renderOwner = ({ account, owner }: Line) => {
    if (owner === null) return <span className="text-ink-3">–</span>
    if (account !== 'advertiser_receivable') return words(owner)
    const name = names?.get(owner)
    return name === undefined ? <Copyable text={owner} short /> : <span className="font-medium text-sm">{name}</span>
  }
  const columns: Column<Line>[] = [
    {
      header: 'Account',
      phone: 'title',
      cell: ({ account }) => ACCOUNTS[account][0],
      below: ({ account }) => ACCOUNTS[account][1],
    },
    ...(byOwner ? [{ header: 'Owner', cell: renderOwner } as const] : []),
    { header: 'Debits', align: 'right', cell: ({ debits, currency }) => money(debits, currency) },
    { header: 'Credits', align: 'right', cell: ({ credits, currency }) => money(credits, currency) },
    {
      header: 'Balance',
      align: 'right',
      phone: 'amount',
      cell: (line) => <span className="whitespace-nowrap font-medium">{balanceText(line)}</span>,
    },
  ]
  return (
    <>
      <DataTable
        caption={`Accounts at ${dateTime(data.at)}`}
        columns={columns}
        rows={data.content}
        toKey={({ account, owner, currency }) => `${account} ${owner} ${currency}`}
        empty={
          <Empty title={day === undefined ? 'Nothing booked yet' : `Nothing had been booked by ${dayText(day)}`}>
            The first purchase that earns a reward creates the first postings.
          </Empty>
        }
        note={(line) => (
          <>
            {ACCOUNTS[line.account][1]}
            {byOwner && <div>{renderOwner(line)}</div>}
          </>
        )}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-line border-t px-5 py-3 text-ink-2 text-sm">
        {data.totals.map(({ currency, debits, credits }) => (
          <span key={currency} className="num">
            {currency}: {money(debits, currency)} debited, {money(credits, currency)} credited
          </span>
        ))}
        <span className="ml-auto flex items-center gap-3">
          <Time at={data.at} className="num text-ink-3" />
          {data.balanced ? <Pill tone="good">Balanced</Pill> : <Pill tone="bad">Not balanced</Pill>}
        </span>
      </div>
    </>
  )
}

/** Formats a balance with its side, Dr or Cr, as accountants do. */
function balanceText({ balance, currency }: Line): string {
  if (balance === 0) return money(0, currency)
  return `${money(Math.abs(balance), currency)} ${balance > 0 ? 'Dr' : 'Cr'}`
}
