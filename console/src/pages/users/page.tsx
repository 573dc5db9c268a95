import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { findRefusal } from '../../api/permissions.ts'
import { me } from '../../api/queries.ts'
import { dateTime, plural } from '../../format.ts'
import { UserPill } from '../../statuses.tsx'
import { CardList } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { FactsCard } from '../../ui/facts.tsx'
import { Crumb, TextLink } from '../../ui/link.tsx'
import { TableCard } from '../../ui/list/table.tsx'
import { DetailHeader } from '../../ui/page/detail-header.tsx'
import { Time } from '../../ui/time.tsx'
import { buildTransactionTable, NoPurchases } from '../transactions/table.tsx'
import { Acts } from './acts.tsx'
import { Adjustments } from './adjustments.tsx'
import { Balances } from './balances.tsx'
import { Cards } from './cards.tsx'
import { History } from './history.tsx'
import { toInstant } from './instants.ts'
import { Marketing } from './marketing.tsx'
import { acceptances, latestTransactions, user } from './queries.ts'
import { Claims, Redemptions } from './requests.tsx'
import { Statement } from './statement.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/users/$user')

/**
 * Everything about one user: their balances, how they earned them, what they requested, and what can be done for them.
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
          {findRefusal(person, 'adjustments:read') === null && <Adjustments {...who} />}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Cards {...who} />
          <UserFacts {...who} />
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
    <DetailHeader
      up={
        <Crumb to="/publishers/$publisher/users" params={{ publisher }}>
          Users
        </Crumb>
      }
      name={name}
      actions={<Acts publisher={publisher} user={data} />}
    >
      <UserPill status={data.account_status} />
      {data.email !== null && <span className="break-all">{data.email}</span>}
    </DetailHeader>
  )
}

function Purchases({ publisher, user: name }: Who) {
  const { data } = useSuspenseQuery(latestTransactions(publisher, name))
  const all = (
    <TextLink to="/publishers/$publisher/transactions" params={{ publisher }} search={{ publisher_user_id: name }}>
      {data.total_elements === 0 ? 'Transactions' : `All ${plural(data.total_elements, 'transaction')}`}
    </TextLink>
  )
  return (
    <TableCard
      title="Latest purchases"
      aside={all}
      {...buildTransactionTable(publisher, true)}
      rows={data.content}
      empty={<NoPurchases />}
    />
  )
}

function UserFacts({ publisher, user: name }: Who) {
  const { data } = useSuspenseQuery(user(publisher, name))
  return (
    <FactsCard
      facts={[
        ['User', <Copyable key="id" text={data.svc_user_id} />],
        ['The publisher’s id for the user', <Copyable key="name" text={name} />],
        ['Email', data.email],
        ['Zip code', data.primary_zip_code],
        ['Registered', dateTime(toInstant(data.created_at))],
        ['Changed', dateTime(toInstant(data.updated_at))],
        [
          'Attributes from the publisher',
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
    <CardList title="Terms accepted" rows={data} empty="None. Until the current terms are accepted, nothing is earned.">
      {({ tnc_id, url, revision, accepted_at }) => (
        <li key={`${tnc_id} ${accepted_at}`} className="flex flex-wrap justify-between gap-x-3 px-5 py-2.5">
          <a href={url} target="_blank" rel="noreferrer" className="min-w-0 break-words text-brand-ink hover:underline">
            {revision}
          </a>
          <Time at={accepted_at} />
        </li>
      )}
    </CardList>
  )
}
