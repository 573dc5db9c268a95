import type { Day } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { Paging } from '../../../platform/http/index.ts'
import { buildPageClauses } from '../../../platform/http/lists/page-clauses.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { CodeOfUser } from './code-of-user.ts'
import type { CodeStatus } from './rules.ts'

export const CODE_SORTS = ['assigned_at', 'expires_on'] as const

export async function listCodesOfUser(
  reader: Reader,
  publisherId: PublisherId,
  { userId, today }: { readonly userId: UserId; readonly today: Day },
  paging: Paging<(typeof CODE_SORTS)[number]>,
): Promise<CodeOfUser[]> {
  const columns = { assigned_at: reader`c.handed_out_at`, expires_on: reader`c.expires_on` }
  const byDefault = { field: 'assigned_at', descending: true } as const
  return reader<CodeOfUser[]>`
    select c.code_id, c.offer_uid, ${deriveStatus(reader, today)} as status, c.handed_out_at as assigned_at, c.expires_on,
      coalesce(h.transaction_id, named.transaction_id) as transaction_id
    from voucher_codes c
    ${withPurchases(reader)}
    where c.publisher_id = ${publisherId} and c.user_id = ${userId}
    ${buildPageClauses(reader, columns, paging, byDefault, reader`c.code_id`)}`
}

export async function countCodesOfUser(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<number> {
  const [row] = await reader<{ total: bigint }[]>`
    select count(*) as total from voucher_codes where publisher_id = ${publisherId} and user_id = ${userId}`
  return Number(row?.total ?? 0)
}

/** Counts a pool's codes by status. Omits statuses without codes. */
export async function countCodesByStatus(
  reader: Reader,
  { offerUid, environment }: { readonly offerUid: string; readonly environment: Publisher['environment'] },
  today: Day,
): Promise<{ readonly status: CodeStatus; readonly codes: number }[]> {
  return reader<{ status: CodeStatus; codes: number }[]>`
    -- all publishers: all users: a pool is its offer's
    select ${deriveStatus(reader, today)} as status, count(*)::int as codes
    from voucher_codes c
    ${withPurchases(reader)}
    where c.offer_uid = ${offerUid} and c.environment = ${environment}
    group by 1`
}

/** Joins each code with the purchase that holds it, or with the last purchase of its user that referenced it. */
const withPurchases = (reader: Reader) => reader`
  -- all publishers: a code's own publisher, whose statement this is a part of
  left join allowance_holds h on h.user_id = c.user_id and h.code_id = c.code_id
  left join transactions t on t.user_id = h.user_id and t.transaction_id = h.transaction_id
  left join lateral (
    select e.transaction_id from source_events e
    where e.user_id = c.user_id and e.facts ->> 'voucherCodeId' = c.code_id::text and h.code_id is null
    order by e.received_at desc, e.event_id desc
    limit 1
  ) as named on true`

const deriveStatus = (reader: Reader, today: Day) => reader`
  case
    when h.code_id is not null and (t.cleared_on is not null or t.status = 'EARNED') then 'redeemed'
    when h.code_id is not null then 'reported'
    when c.expires_on < ${today} then 'expired'
    when c.user_id is null then 'free'
    when named.transaction_id is not null then 'returned'
    else 'assigned'
  end`
