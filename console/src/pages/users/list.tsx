import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useScopeRefusal } from '../../api/permissions.ts'
import { usePagedList } from '../../lists/use-list.tsx'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { toInstant } from './instants.ts'
import { USERS } from './queries.ts'
import { RegisterDialog } from './register.tsx'
import { UserSearchBox } from './search.tsx'
import { buildUserTable } from './table.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/users')

/** The users of one publisher. */
export default function Users() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const { filtered, isFiltered, change, list } = usePagedList(USERS, publisherId)
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
      actions={(list.rows.length > 0 || isFiltered) && register}
      {...buildUserTable()}
      {...list}
      filters={<UserSearchBox user={filtered.publisher_user_id} email={filtered.email} onChange={change} />}
      rows={list.rows.map((user) => ({
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
            Enter the complete email address or identifier, as the publisher registered it.
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
    >
      {isRegistering && <RegisterDialog publisherId={publisherId} onClose={() => setRegistering(false)} />}
    </ListPage>
  )
}
