import { DIFFERENCES_MAX, type Difference, selectRedemptionPostings } from '../../ledger/index.ts'
import type { Reader, SqlPart } from '../../platform/db/database.ts'
import { listWaiting } from '../../platform/queue/outbox.ts'

/** Selects what each redemption should have booked, in the columns of `selectRedemptionPostings`. */
export const selectRedemptionsToBook = (reader: Reader): SqlPart => reader`
  -- all publishers: all users: the operator's proof over all redemptions
  select publisher_id, user_id, redemption_id, status, currency,
    case when status in ('requested', 'approved', 'sent') then amount else 0 end as held,
    case when status = 'paid' then amount else 0 end as paid,
    case when status in ('paid', 'returned') then method end as method
  from redemptions`

/**
 * Compares each redemption with its postings: the amount held while it is open, the amount paid out, and the method.
 * Also compares payout files and gift card orders with their redemptions, and stored counts with the rows.
 */
export async function verifyRedemptions(reader: Reader): Promise<Difference[]> {
  const posted = await reader<Difference[]>`
    -- all publishers: all users: the operator's proof over all redemptions
    select 'redemption_posted' as check, 'redemption ' || coalesce(r.redemption_id, b.cause_id) || ' ' || c.name as where,
      coalesce(c.expected, '') as expected, coalesce(c.found, '') as found
    from (${selectRedemptionsToBook(reader)}) as r
    full join (${selectRedemptionPostings(reader)}) as b on b.user_id = r.user_id and b.cause_id = r.redemption_id
    cross join lateral (values
      ('held', coalesce(r.held, 0)::text, coalesce(b.held, 0)::text),
      ('paid', coalesce(r.paid, 0)::text, coalesce(b.paid, 0)::text),
      ('currency', r.currency, b.currency), ('method', r.method, b.method)
    ) as c (name, expected, found)
    where c.expected is distinct from c.found
    limit ${DIFFERENCES_MAX}`
  const filed = await reader<Difference[]>`
    -- all publishers: all users: the operator's proof over all redemptions
    select 'payout_file' as check, 'file ' || f.file_id as where, f.entries || ' of ' || f.total as expected,
      count(r.redemption_id) || ' of ' || coalesce(sum(r.amount), 0) as found
    from payout_files f left join redemptions r on r.file_id = f.file_id and r.currency = f.currency
    group by f.file_id
    having f.entries <> count(r.redemption_id) or f.total <> coalesce(sum(r.amount), 0)
    limit ${DIFFERENCES_MAX}`
  return [...posted, ...filed, ...(await ordersOff(reader)), ...(await countsOff(reader))]
}

/**
 * Compares gift card redemptions with their orders, except orders whose outcome has not been applied yet
 * (applyCardOutcome).
 */
async function ordersOff(reader: Reader): Promise<Difference[]> {
  const rows = await reader<(Omit<Difference, 'check' | 'where'> & { redemptionId: string })[]>`
    -- all publishers: all users: the operator's proof over all redemptions
    select coalesce(r.redemption_id, o.redemption_id) as redemption_id, c.expected, c.found
    from (select * from redemptions where method = 'gift_card') as r
    full join (select * from gift_card_orders where redemption_id is not null) as o
      on o.user_id = r.user_id and o.redemption_id = r.redemption_id
    cross join lateral (
      select case o.status when 'ordered' then 'sent' when 'failed' then 'failed' when 'refunded' then 'returned'
          else 'paid' end || ' ' || o.total || ' ' || o.currency || ' ' || o.offer_uid as of_order,
        r.status || ' ' || r.amount || ' ' || r.currency || ' ' || r.offer_uid as of_redemption
    ) as state
    cross join lateral (
      select coalesce(state.of_order, 'no order') as expected,
        case when r.status in ('requested', 'approved', 'cancelled') then 'no order'
          else coalesce(state.of_redemption, 'no redemption') end as found
    ) as c
    where c.expected <> c.found
    limit ${DIFFERENCES_MAX}`
  const ids = rows.map(({ redemptionId }) => redemptionId)
  const untold = new Set(ids.length === 0 ? [] : await listWaiting(reader, 'gift_card.settled', 'redemptionId', ids))
  return rows
    .filter(({ redemptionId }) => !untold.has(redemptionId))
    .map(({ redemptionId, ...one }) => ({ check: 'gift_card_redemption', where: `redemption ${redemptionId}`, ...one }))
}

/** Compares the stored list counts with the actual rows. */
async function countsOff(reader: Reader): Promise<Difference[]> {
  const stored = await reader<CountRow[]>`
    -- all publishers: the operator's proof over all lists
    select publisher_id || ' ' || list as where, sum(total)::text as count
    from (
      select publisher_id, list, total from list_counts where list like 'redemptions/%'
      union all
      select publisher_id, list, delta from list_count_deltas where list like 'redemptions/%'
    ) as parts
    group by publisher_id, list`
  const counted = await reader<CountRow[]>`
    -- all publishers: all users: the operator's proof over all lists
    select publisher_id || ' redemptions/' || status as where, count(*)::text as count
    from redemptions group by publisher_id, status`
  const [kept, expected] = [countsBy(stored), countsBy(counted)]
  return [...new Set([...kept.keys(), ...expected.keys()])]
    .map((where) => ({
      check: 'redemption_counts',
      where: `publisher ${where}`,
      expected: expected.get(where) ?? '0',
      found: kept.get(where) ?? '0',
    }))
    .filter((one) => one.expected !== one.found)
    .slice(0, DIFFERENCES_MAX)
}

type CountRow = { readonly where: string; readonly count: string }

function countsBy(rows: readonly CountRow[]): Map<string, string> {
  return new Map(rows.map(({ where, count }) => [where, count]))
}
