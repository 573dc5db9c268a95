import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { allUsers } from '../../api/people-queries.ts'
import { publishers } from '../../api/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, DateFilter, SelectFilter } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { UserSearchBox } from './search.tsx'
import { buildUserTable } from './table.tsx'

const route = getRouteApi('/guarded/users')
const STATUSES = [
  [undefined, 'All'],
  ['ACTIVE', 'Active'],
  ['PENDING', 'Terms not accepted'],
  ['INACTIVE', 'Deactivated'],
] as const

/** The users of all publishers. */
export default function AllUsers() {
  const { search, change } = useFilters(route)
  const { rows, ...list } = useParts(allUsers(search))
  const { data: known } = useSuspenseQuery(publishers)
  return (
    <ListPage
      title="All users"
      lead="Users of every publisher, newest first."
      filters={
        <>
          <UserSearchBox user={search.user} email={search.email} onChange={change} />
          <SelectFilter
            label="Publisher"
            value={search.publisher ?? ''}
            options={[['', 'Every publisher'], ...known.map((one) => [one.publisher_id, one.name] as const)]}
            onChange={(publisher) => change({ publisher })}
          />
          <DateFilter label="Registered from" value={search.from ?? ''} onChange={(from) => change({ from })} />
          <DateFilter label="until" value={search.until ?? ''} onChange={(until) => change({ until })} />
          <Choice label="Status" value={search.status} options={STATUSES} onChange={(status) => change({ status })} />
        </>
      }
      {...buildUserTable(true)}
      {...list}
      rows={rows.map((user) => ({
        publisherId: user.publisher_id,
        publisherName: known.find(({ publisher_id }) => publisher_id === user.publisher_id)?.name ?? '–',
        userId: user.svc_user_id,
        name: user.publisher_user_id,
        email: user.email,
        zipCode: user.primary_zip_code,
        status: user.account_status,
        createdAt: user.created_at,
      }))}
      empty={<NobodyFits />}
    />
  )
}

function NobodyFits() {
  const all = (
    <Link to="/users" className={buttonClass()}>
      Show all users
    </Link>
  )
  return (
    <Empty title="No users match these filters" action={all}>
      E-mail addresses and identifiers must match in full.
    </Empty>
  )
}
