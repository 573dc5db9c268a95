import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type OwnUserSearch, users } from '../../api/people-queries.ts'
import { useScopeRefusalOf } from '../../api/permissions.ts'
import { PAGE_SIZE } from '../../api/queries.ts'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar } from '../../ui/list/filters.tsx'
import { Pager } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { instantOf } from './instants.ts'
import { RegisterDialog } from './register.tsx'
import { UserSearchBox } from './search.tsx'
import { UserTable } from './table.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/users')

/** The users of one publisher. */
export default function Users() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isPlaceholderData } = useQuery(users(publisherId, search))
  const page = search.page ?? 0
  const total = data?.total_elements ?? 0
  const rows = data?.content ?? []
  const change = (changed: OwnUserSearch) =>
    navigate({
      search: Object.fromEntries(Object.entries({ ...search, ...changed }).filter(([, value]) => value)),
    })
  const isFiltered = Boolean(search.user ?? search.email)
  const refusal = useScopeRefusalOf(publisherId)('users:write')
  const [isRegistering, setRegistering] = useState(false)
  const register = (
    <Button refusal={refusal} onClick={() => setRegistering(true)}>
      Register a user
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Users"
        lead={`Users registered by ${publisher?.name ?? 'the publisher'}.`}
        actions={(total > 0 || isFiltered) && register}
      />
      <Card>
        <FilterBar>
          <UserSearchBox
            user={search.user}
            email={search.email}
            onChange={(found) => change({ ...found, page: undefined })}
          />
        </FilterBar>
        <UserTable
          rows={rows.map((user) => ({
            publisherId,
            userId: user.svc_user_id,
            name: user.publisher_user_id,
            email: user.email,
            zipCode: user.primary_zip_code,
            status: user.account_status,
            createdAt: instantOf(user.created_at),
          }))}
          stale={isPlaceholderData}
          empty={
            isFiltered ? (
              <Empty title="No such user">
                The whole e-mail address or identifier is needed, as the publisher registered it.
              </Empty>
            ) : (
              <Empty title="No users yet" action={register}>
                The publisher’s back end registers users with <code className="font-mono text-xs">POST /users</code>, by
                a{' '}
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
        />
        <Pager
          page={page}
          size={PAGE_SIZE}
          shown={rows.length}
          total={total}
          none="No users"
          onPage={(next) => change({ page: next === 0 ? undefined : next })}
        />
      </Card>
      {isRegistering && <RegisterDialog publisherId={publisherId} onClose={() => setRegistering(false)} />}
    </>
  )
}
