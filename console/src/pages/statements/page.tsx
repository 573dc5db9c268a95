import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import { ACCOUNTS, MOVEMENTS } from '../../accounts.ts'
import { getAs, type Schemas } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { saveFile } from '../../files.ts'
import { count, dateTime, day, money, month, words } from '../../format.ts'
import { usePublisherName } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { FactsCard } from '../../ui/facts.tsx'
import { Crumb } from '../../ui/link.tsx'
import { type Column, TableCard } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { advertiserNames } from '../ledger/queries.ts'
import { Ageing } from './ageing.tsx'
import { monthlyStatement } from './queries.ts'

type Statement = Schemas['Statement']
type Format = Schemas['GetStatementFormat']
const route = getRouteApi('/guarded/statements/$statement')
const FORMATS: readonly Format[] = ['pdf', 'csv', 'json']

export default function StatementPage() {
  const { statement: id } = route.useParams()
  const { data } = useSuspenseQuery(monthlyStatement(id))
  const getName = usePublisherName()
  const save = useMutation({ mutationFn: (format: Format) => download(id, format) })
  const { data: names } = useQuery(advertiserNames)
  const parties = {
    publisher: getName(data.party),
    service: 'The service',
    advertiser: names?.get(data.party) ?? 'Advertiser',
  }
  return (
    <>
      <PageHeader
        title={`${parties[data.kind]}, ${month(data.month)}`}
        lead={`${words(data.kind)} statement in ${data.currency}, ${data.environment}.`}
        crumbs={<Crumb to="/statements">Statements</Crumb>}
        actions={FORMATS.map((format) => (
          <Button key={format} busy={save.isPending} onClick={() => save.mutate(format)}>
            <Download aria-hidden="true" className="size-4" /> {format.toUpperCase()}
          </Button>
        ))}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0 space-y-5">
          <Balances statement={data} />
          {data.ageing !== null && (
            <Card>
              <CardTitle aside="By the month it was earned">Outstanding</CardTitle>
              <div className="px-5 pt-3 pb-5">
                <Ageing ageing={data.ageing} currency={data.currency} />
              </div>
            </Card>
          )}
          <Movements statement={data} />
          {data.payments.length > 0 && <Payments statement={data} />}
        </div>
        <FactsCard
          facts={[
            ['Statement', <Copyable key="id" text={id} />],
            ['Party', data.party === '' ? null : <Copyable key="party" text={data.party} />],
            ['Month ends', dateTime(data.ends_at)],
            ['Bookings up to', dateTime(data.cut_at)],
            ['Control total', data.control.total],
            ['Journals', count(data.control.journals)],
            ['Postings', count(data.control.postings)],
            [
              'SHA-256 of the previous statement',
              data.previous_sha256 === null ? (
                'None: this is the first statement.'
              ) : (
                <Copyable key="hash" text={data.previous_sha256} short />
              ),
            ],
          ]}
        />
      </div>
    </>
  )
}

type Balance = Schemas['StatementBalance']

function Balances({ statement: { balances, currency } }: { readonly statement: Statement }) {
  const getName = useDetailName()
  const columns: Column<Balance>[] = [
    {
      header: 'Account',
      phone: 'title',
      cell: ({ account, detail }) => (
        <span className="font-medium">
          {ACCOUNTS[account][0]}
          {detail !== null && <span className="font-normal text-ink-3"> {getName(detail)}</span>}
        </span>
      ),
    },
    { header: 'Opening', align: 'right', cell: ({ opening }) => amount(opening, currency) },
    { header: 'Increase', align: 'right', cell: ({ increase }) => amount(increase, currency) },
    { header: 'Decrease', align: 'right', cell: ({ decrease }) => amount(decrease, currency) },
    {
      header: 'Closing',
      align: 'right',
      phone: 'amount',
      cell: ({ closing }) => <span className="font-medium">{amount(closing, currency)}</span>,
    },
  ]
  return (
    <TableCard
      title="Balances"
      caption="Balances"
      columns={columns}
      rows={balances}
      toKey={({ account, detail }) => `${account} ${detail}`}
      empty={<p className="px-5 pt-1 pb-5 text-ink-2 text-sm">Every account was zero.</p>}
      note={({ opening }) => <span className="num">from {amount(opening, currency)}</span>}
    />
  )
}

type Movement = Schemas['StatementMovement']
const movementText = (movement: string): string => MOVEMENTS[movement] ?? words(movement)

function Movements({ statement: { movements, currency } }: { readonly statement: Statement }) {
  const getName = useDetailName()
  const columns: Column<Movement>[] = [
    {
      header: 'Item',
      phone: 'title',
      cell: ({ movement, detail }) => (
        <span>
          {movementText(movement)} {detail !== null && <span className="text-ink-3">{getName(detail)}</span>}
        </span>
      ),
    },
    { header: 'Count', align: 'right', cell: (movement) => count(movement.count) },
    { header: 'Amount', align: 'right', phone: 'amount', cell: (movement) => amount(movement.amount, currency) },
  ]
  return (
    <TableCard
      title="Movements"
      caption="Movements"
      columns={columns}
      rows={movements}
      toKey={({ movement, detail }) => `${movement} ${detail}`}
      empty={<p className="px-5 pt-1 pb-5 text-ink-2 text-sm">Nothing was booked this month.</p>}
      note={(movement) => `× ${count(movement.count)}`}
    />
  )
}

function Payments({ statement: { payments, currency } }: { readonly statement: Statement }) {
  return (
    <Card>
      <CardTitle>Payments</CardTitle>
      <ul className="mt-2 divide-y divide-line">
        {payments.map((payment) => (
          <li key={payment.payment_id} className="flex flex-wrap justify-between gap-x-4 px-5 py-3 text-sm">
            <div className="min-w-0">
              <span className="font-medium">{payment.external_ref}</span>
              <p className="text-ink-2">
                {words(payment.direction)} on {day(payment.value_date)}
                {payment.matched.length > 0 && `, for ${payment.matched.map((one) => month(one.month)).join(', ')}`}
                {Number(payment.unmatched) !== 0 && `; ${amount(payment.unmatched, currency)} is a credit`}
              </p>
            </div>
            <span className="num font-medium">{amount(payment.amount, currency)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Returns a function that formats a detail, which is either a publisher or a word such as a method. */
function useDetailName(): (detail: string) => string {
  const getName = usePublisherName()
  return (detail) => (detail.startsWith('pub_') ? getName(detail) : words(detail).toLowerCase())
}

/**
 * Formats an amount from a statement. Statements contain exact decimals as text, which is converted to numbers only for
 * display.
 */
function amount(text: string, currency: string): string {
  return money(Number(text), currency)
}

async function download(statementId: string, format: Format): Promise<void> {
  const params = { path: { statement_id: statementId }, query: { format } }
  const content = await getAs('blob', '/operator/statements/{statement_id}', params)
  saveFile(`${statementId}.${format}`, content as unknown as Blob)
}
