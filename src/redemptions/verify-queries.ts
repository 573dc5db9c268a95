import { DIFFERENCES_MAX, type Difference, redemptionPostings } from '../ledger/index.ts'
import type { Reader } from '../platform/database.ts'

/** Compares each redemption with its postings: what it holds while it is open, and what it has paid out. */
export async function verifyRedemptions(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: all users: the operator's proof over all redemptions
    select 'redemption_posted' as check, 'redemption ' || coalesce(r.redemption_id, b.cause_id) || ' ' || c.name as where,
      c.expected::text, c.found::text
    from redemptions r
    full join (${redemptionPostings(reader)}) as b on b.user_id = r.user_id and b.cause_id = r.redemption_id
    cross join lateral (values
      ('held', coalesce(r.amount, 0) * (coalesce(r.status, '') in ('requested', 'approved', 'sent'))::int, coalesce(b.held, 0)),
      ('paid', coalesce(r.amount, 0) * (coalesce(r.status, '') = 'paid')::int, coalesce(b.paid, 0))
    ) as c (name, expected, found)
    where c.expected <> c.found
    limit ${DIFFERENCES_MAX}`
}
