import { useSuspenseQuery } from '@tanstack/react-query'
import { patch, post } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { me } from '../../api/queries.ts'
import { People } from './people.tsx'
import { staff } from './queries.ts'

const ROLES = [
  ['admin', 'Everything, including inviting people.'],
  ['catalog', 'Imports the catalog, changes assortments, decides reviews, runs re-matches.'],
  ['finance', 'Approves redemptions, makes payout files, closes months, records payments, decides claims.'],
  ['support', 'Decides claims, requests adjustments, assigns sales, helps users; reads everything else.'],
  ['read-only', 'Reads everything but the content of payout files.'],
] as const

/** The operating company's staff. */
export default function OperatorStaff() {
  const { data: person } = useSuspenseQuery(me)
  const { data } = useSuspenseQuery(staff)
  return (
    <People
      lead="Staff of the operating company who sign in here."
      people={data}
      own={person.account_id}
      refusal={useRefusal()('staff:change')}
      roles={ROLES}
      acts={{
        invite: (email, role) => post('/operator/staff', { body: { email, role } }),
        inviteAgain: (account_id) => post('/operator/staff/{account_id}/invite', { path: { account_id } }),
        change: (account_id, body) => patch('/operator/staff/{account_id}', { path: { account_id }, body }),
      }}
    />
  )
}
