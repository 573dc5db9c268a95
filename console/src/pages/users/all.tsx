import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { allUsers, type UserSearch } from '../../api/people-queries.ts'
import { publishers } from '../../api/queries.ts'
import { plural } from '../../format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, DateFilter, FilterBar, SelectFilter } from '../../ui/list/filters.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { UserSearchBox } from './search.tsx'
import { UserTable } from './table.tsx'

const route = getRouteApi('/guarded/users')
const STATUSES = [
  [undefined, 'All'],
  ['ACTIVE', 'Active'],
  ['PENDING', 'Terms not accepted'],
  ['INACTIVE', 'Deactivated'],
] as const

/** The users of all publishers. */
export default function AllUsers() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isPlaceholderData } = useQuery(allUsers(search))
  const { data: known } = useSuspenseQuery(publishers)
  const change = (changed: UserSearch) =>
    navigate({
      search: Object.fromEntries(
        Object.entries({ ...search, cursor: undefined, ...changed }).filter(([, value]) => value),
      ),
    })
  const { cursor: _, ...newest } = search
  const rows = data?.content ?? []
  const next = data?.next_cursor ?? null
  return (
    <>
      <PageHeader title="All users" lead="Users of every publisher, newest first." />
      <Card>
        <FilterBar>
          <UserSearchBox user={search.user} email={search.email} onChange={change} />
          <SelectFilter
            label="Publisher"
            value={search.publisher ?? ''}
            options={[['', 'Every publisher'], ...known.map((one) => [one.publisher_id, one.name] as const)]}
            onChange={(publisher) => change({ publisher: publisher || undefined })}
          />
          <DateFilter label="Registered from" value={search.from ?? ''} onChange={(from) => change({ from })} />
          <DateFilter label="until" value={search.until ?? ''} onChange={(until) => change({ until })} />
          <Choice label="Status" value={search.status} options={STATUSES} onChange={(status) => change({ status })} />
        </FilterBar>
        <UserTable
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
          stale={isPlaceholderData}
          empty={
            <Empty
              title="No users match these filters"
              action={
                <Link to="/users" className={buttonClass()}>
                  Show all users
                </Link>
              }
            >
              E-mail addresses and identifiers are compared as a whole.
            </Empty>
          }
        />
        <div className="flex items-center gap-2 border-line border-t px-5 py-2.5 text-ink-2 text-sm">
          <p aria-live="polite" className="num">
            {rows.length === 0 ? 'No users' : plural(rows.length, 'user on this page', 'users on this page')}
          </p>
          <div className="ml-auto flex gap-2">
            {search.cursor !== undefined && (
              <Link to="/users" search={newest} className={buttonClass()}>
                Newest
              </Link>
            )}
            {next !== null && (
              <Link to="/users" search={{ ...search, cursor: next }} className={buttonClass()}>
                Older
              </Link>
            )}
          </div>
        </div>
      </Card>
    </>
  )
}
