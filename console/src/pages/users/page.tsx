import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { acceptances, latestTransactions, user } from '../../api/people-queries.ts'
import { refusalOf } from '../../api/permissions.ts'
import { me } from '../../api/queries.ts'
import { dateTime, plural } from '../../format.ts'
import { UserPill } from '../../statuses.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts } from '../../ui/facts.tsx'
import { DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { buildTransactionTable, NoPurchases } from '../transactions/table.tsx'
import { Acts } from './acts.tsx'
import { Adjustments } from './adjustments.tsx'
import { Balances } from './balances.tsx'
import { Cards } from './cards.tsx'
import { History } from './history.tsx'
import { instantOf } from './instants.ts'
import { Marketing } from './marketing.tsx'
import { Claims, Redemptions } from './requests.tsx'
import { Statement } from './statement.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/users/$user')

/**
 * Everything about one user: what they have, how they earned it, what they requested, and what can be done for them.
 */
export default function UserPage() {
  const who = route.useParams()
  const { data: person } = useSuspenseQuery(me)
  return (
    <>
      <Header {...who} />
      <Balances {...who} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-5">
          <Purchases {...who} />
          <Statement {...who} />
          <Redemptions {...who} />
          <Claims {...who} />
          {refusalOf(person, 'adjustments:read') === null && <Adjustments {...who} />}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Cards {...who} />
          <Card className="p-5">
            <h2 className="mb-3 font-medium text-base">Details</h2>
            <UserFacts {...who} />
          </Card>
          <Terms {...who} />
          <Marketing {...who} />
          <History {...who} />
        </div>
      </div>
    </>
  )
}

type Who = { readonly publisher: string; readonly user: string }

function Header({ publisher, user: name }: Who) {
  const { data } = useSuspenseQuery(user(publisher, name))
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-4 text-ink-3 text-sm">
        <Link to="/publishers/$publisher/users" params={{ publisher }} className="hover:text-ink hover:underline">
          Users
        </Link>{' '}
        <span aria-hidden="true">/</span> {name}
      </nav>
      <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <Monogram name={name} size="large" />
        <div className="min-w-0">
          <PageTitle>{name}</PageTitle>
          <div className="mt-1 flex flex-wrap items-center gap-2 text-ink-2 text-sm">
            <UserPill status={data.account_status} />
            {data.email !== null && <span className="break-all">{data.email}</span>}
          </div>
        </div>
        <Acts publisher={publisher} user={data} />
      </header>
    </>
  )
}

function Purchases({ publisher, user: name }: Who) {
  const { data } = useSuspenseQuery(latestTransactions(publisher, name))
  const all = (
    <Link
      to="/publishers/$publisher/transactions"
      params={{ publisher }}
      search={{ user: name }}
      className="text-brand-ink hover:underline"
    >
      {data.total_elements === 0 ? 'Transactions' : `All ${plural(data.total_elements, 'transaction')}`}
    </Link>
  )
  return (
    <Card>
      <CardTitle aside={all}>Latest purchases</CardTitle>
      <div className="pt-2">
        <DataTable {...buildTransactionTable(publisher, true)} rows={data.content} empty={<NoPurchases />} />
      </div>
    </Card>
  )
}

function UserFacts({ publisher, user: name }: Who) {
  const { data } = useSuspenseQuery(user(publisher, name))
  return (
    <Facts
      facts={[
        ['User', <Copyable key="id" text={data.svc_user_id} />],
        ['What the publisher calls them', <Copyable key="name" text={name} />],
        ['E-mail', data.email],
        ['Zip code', data.primary_zip_code],
        ['Registered', dateTime(instantOf(data.created_at))],
        ['Changed', dateTime(instantOf(data.updated_at))],
        [
          'What the publisher noted',
          data.attributes === null ? null : (
            <code key="attributes" className="break-all font-mono text-xs">
              {data.attributes}
            </code>
          ),
        ],
      ]}
    />
  )
}

function Terms({ publisher, user: name }: Who) {
  const { data } = useSuspenseQuery(acceptances(publisher, name))
  return (
    <Card>
      <CardTitle>Terms accepted</CardTitle>
      {data.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">
          None. Until the current terms are accepted, nothing is earned.
        </p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-line border-t text-sm">
          {data.map(({ tnc_id, url, revision, accepted_at }) => (
            <li key={`${tnc_id} ${accepted_at}`} className="flex flex-wrap justify-between gap-x-3 px-5 py-2.5">
              <a
                href={url}
                target="_blank"
                rel="noreferrer"
                className="min-w-0 break-words text-brand-ink hover:underline"
              >
                {revision}
              </a>
              <time dateTime={accepted_at} className="num text-ink-3 text-xs">
                {dateTime(accepted_at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
