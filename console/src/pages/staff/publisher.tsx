import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { patch, post } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { me } from '../../api/queries.ts'
import { People } from './people.tsx'
import { publisherStaff } from './queries.ts'

const route = getRouteApi('/guarded/publishers/$publisher/staff')
const ROLES = [
  ['admin', 'Everything at this publisher, including inviting people.'],
  ['support', 'Helps users: registers them, links cards, opens claims, redeems; reads everything else.'],
  ['read-only', 'Reads everything at this publisher.'],
] as const

/** A publisher's staff, who see only their own publisher. */
export default function PublisherStaff() {
  const { publisher } = route.useParams()
  const { data: person } = useSuspenseQuery(me)
  const { data } = useSuspenseQuery(publisherStaff(publisher))
  return (
    <People
      lead="Staff of this publisher. They see only its data."
      people={data}
      own={person.account_id}
      refusal={useScopeRefusal(publisher)('staff:write')}
      roles={ROLES}
      acts={{
        invite: (email, role) => post('/staff', { publisher, body: { email, role } }),
        inviteAgain: (account_id) => post('/staff/{account_id}/invite', { publisher, path: { account_id } }),
        change: (account_id, body) => patch('/staff/{account_id}', { publisher, path: { account_id }, body }),
      }}
    />
  )
}
