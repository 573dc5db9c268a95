import { DIFFERENCES_MAX, type Difference, selectBookedAdjustments } from '../../ledger/index.ts'
import type { Reader, SqlPart } from '../../platform/db/database.ts'

/**
 * Selects what each adjustment should have booked, in the columns of `selectBookedAdjustments`. The amount is null
 * unless the adjustment is booked.
 */
export const selectAdjustmentsToBook = (reader: Reader): SqlPart => reader`
  -- all publishers: all users: the operator's proof over all adjustments
  select publisher_id, user_id, adjustment_id, status, created_at, decided_at, currency,
    case when status = 'booked' then case kind when 'write_off' then kind else 'adjustment' end end as kind,
    case when status = 'booked' then case when kind = 'write_off' then 'clawback_loss'
      when paid_by = 'service' then 'goodwill' else 'publisher_payable' end end as account,
    case when status = 'booked' then amount end as amount
  from adjustments`

/** Compares each adjustment with its journal. Proposed and declined adjustments must have no journal. */
export async function verifyAdjustments(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: all users: the operator's proof over all adjustments
    select 'adjustment_posted' as check, 'adjustment ' || coalesce(a.adjustment_id, b.cause_id) as where,
      case when a.amount is null then 'nothing' else concat_ws(' ', a.kind, a.account, a.amount, a.currency) end as expected,
      case when b.amount is null then 'nothing' else concat_ws(' ', b.kind, b.account, b.amount, b.currency) end as found
    from (${selectAdjustmentsToBook(reader)}) as a
    full join (${selectBookedAdjustments(reader)}) as b on b.user_id = a.user_id and b.cause_id = a.adjustment_id
    where (a.kind, a.account, a.amount) is distinct from (b.kind, b.account, b.amount)
      or (b.currency is not null and a.currency is distinct from b.currency)
    limit ${DIFFERENCES_MAX}`
}
