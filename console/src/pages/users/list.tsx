import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { users } from '../../api/people-queries.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { useFilters, usePages } from '../../ui/list/use-list.ts'
import { toInstant } from './instants.ts'
import { RegisterDialog } from './register.tsx'
import { UserSearchBox } from './search.tsx'
import { buildUserTable } from './table.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/users')

/** The users of one publisher. */
export default function Users() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const { search, change, turn } = useFilters(route)
  const { rows, ...list } = usePages(users(publisherId, search))
  const isFiltered = Boolean(search.user ?? search.email)
  const refusal = useScopeRefusal(publisherId)('users:write')
  const [isRegistering, setRegistering] = useState(false)
  const register = (
    <Button refusal={refusal} onClick={() => setRegistering(true)}>
      Register a user
    </Button>
  )
  return (
    <ListPage
      title="Users"
      lead={`Users registered by ${publisher?.name ?? 'the publisher'}.`}
      actions={(rows.length > 0 || isFiltered) && register}
      filters={<UserSearchBox user={search.user} email={search.email} onChange={change} />}
      {...buildUserTable()}
      {...list}
      rows={rows.map((user) => ({
        publisherId,
        userId: user.svc_user_id,
        name: user.publisher_user_id,
        email: user.email,
        zipCode: user.primary_zip_code,
        status: user.account_status,
        createdAt: toInstant(user.created_at),
      }))}
      empty={
        isFiltered ? (
          <Empty title="No such user">
            Enter the complete e-mail address or identifier, as the publisher registered it.
          </Empty>
        ) : (
          <Empty title="No users yet" action={register}>
            The publisher’s back end registers users with <code className="font-mono text-xs">POST /users</code>, by a{' '}
            <Link
              to="/publishers/$publisher/keys"
              params={{ publisher: publisherId }}
              className="text-brand-ink underline"
            >
              key
            </Link>
            . You can register one here.
          </Empty>
        )
      }
      none="No users"
      onPage={turn}
    >
      {isRegistering && <RegisterDialog publisherId={publisherId} onClose={() => setRegistering(false)} />}
    </ListPage>
  )
}
