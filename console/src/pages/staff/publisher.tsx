import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { actingFor, api, bodyOf } from '../../api/client.ts'
import { publisherStaff } from '../../api/people-queries.ts'
import { useScopeRefusalOf } from '../../api/permissions.ts'
import { me } from '../../api/queries.ts'
import { People } from './people.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/staff')
const ROLES = [
  ['admin', 'Everything at this publisher, including inviting people.'],
  ['support', 'Helps users: registers them, links cards, opens claims, redeems; reads the rest.'],
  ['read-only', 'Reads everything of this publisher.'],
] as const

/** A publisher's staff, who see only their own publisher. */
export default function PublisherStaff() {
  const { publisher } = route.useParams()
  const { data: person } = useSuspenseQuery(me)
  const { data } = useSuspenseQuery(publisherStaff(publisher))
  const client = useQueryClient()
  const acting = actingFor(publisher)
  return (
    <People
      lead="People of this publisher. They see only its own data."
      people={data}
      own={person.account_id}
      refusal={useScopeRefusalOf(publisher)('staff:write')}
      roles={ROLES}
      acts={{
        invite: (email, role) => bodyOf(api.POST('/staff', { ...acting, body: { email, role } })),
        inviteAgain: (account_id) =>
          bodyOf(api.POST('/staff/{account_id}/invite', { ...acting, params: { path: { account_id } } })),
        change: (account_id, body) =>
          bodyOf(api.PATCH('/staff/{account_id}', { ...acting, params: { path: { account_id } }, body })),
        refresh: () => client.invalidateQueries({ queryKey: publisherStaff(publisher).queryKey }),
      }}
    />
  )
}
