import { useSuspenseQuery } from '@tanstack/react-query'
import { publishers } from '../../api/queries.ts'
import { useList } from '../../lists/use-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ButtonLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { ALL_USERS } from './queries.ts'
import { UserSearchBox } from './search.tsx'
import { buildUserTable } from './table.tsx'

/** The users of all publishers. */
export default function AllUsers() {
  const { filtered, change, list } = useList(ALL_USERS)
  const { data: known } = useSuspenseQuery(publishers)
  return (
    <ListPage
      title="All users"
      lead="Users of every publisher, newest first."
      {...buildUserTable(true)}
      {...list}
      filters={
        <>
          <UserSearchBox user={filtered.publisher_user_id} email={filtered.email} onChange={change} />
          {list.filters}
        </>
      }
      rows={list.rows.map((user) => ({
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
  const all = <ButtonLink to="/users">Show all users</ButtonLink>
  return (
    <Empty title="No users match these filters" action={all}>
      Email addresses and identifiers must match in full.
    </Empty>
  )
}
