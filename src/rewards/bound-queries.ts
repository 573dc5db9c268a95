import type { Bound } from '../offers/index.ts'
import { plainArray, type Reader, type Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { Holder } from './budgets.ts'

export type BoundOf = Holder & Bound

export async function listBounds(
  reader: Reader,
  publisherId: PublisherId,
  holders: readonly Holder[],
): Promise<BoundOf[]> {
  return reader<BoundOf[]>`
    select user_id, transaction_id, gross, reason
    from reward_bounds
    where publisher_id = ${publisherId} and (user_id, transaction_id) in (
      select * from unnest(
        ${plainArray(holders.map((one) => one.userId))}::text::uuid[], ${plainArray(holders.map((one) => one.transactionId))}::text::uuid[]))`
}

/** What keeps purchases of these users below their terms. */
export async function listBoundsOfUsers(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<BoundOf[]> {
  return reader<BoundOf[]>`
    select user_id, transaction_id, gross, reason
    from reward_bounds
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])`
}

export async function writeBounds(
  tx: Tx,
  publisherId: PublisherId,
  { lifted, set }: { readonly lifted: readonly Holder[]; readonly set: readonly BoundOf[] },
): Promise<void> {
  if (lifted.length > 0) {
    await tx`
      delete from reward_bounds b
      using unnest(
        ${plainArray(lifted.map((one) => one.userId))}::text::uuid[], ${plainArray(lifted.map((one) => one.transactionId))}::text::uuid[]
      ) as given (user_id, transaction_id)
      where b.publisher_id = ${publisherId} and b.user_id = given.user_id and b.transaction_id = given.transaction_id`
  }
  if (set.length > 0) {
    await tx`
      insert into reward_bounds (user_id, transaction_id, publisher_id, gross, reason)
      select user_id, transaction_id, ${publisherId}, gross, reason
      from unnest(
        ${plainArray(set.map((one) => one.userId))}::text::uuid[], ${plainArray(set.map((one) => one.transactionId))}::text::uuid[],
        ${plainArray(set.map((one) => one.gross))}::text::int8[], ${plainArray(set.map((one) => one.reason))}::text::text[]
      ) as given (user_id, transaction_id, gross, reason)
      on conflict (user_id, transaction_id) do update set gross = excluded.gross, reason = excluded.reason`
  }
}

/** What one purchase earns its user of one offer, with all that adjusts it. */
export type Earning = Holder & { readonly offerUid: string; readonly at: Date; readonly reward: bigint }

/**
 * What purchases of these users with these brands have earned since a moment. Each pair is looked up on its own, as for
 * new customers.
 */
export async function listEarnings(
  reader: Reader,
  publisherId: PublisherId,
  pairs: readonly { readonly userId: UserId; readonly brandUid: string }[],
  since: Date,
): Promise<Earning[]> {
  return reader<Earning[]>`
    select given.user_id, t.transaction_id, t.offer_uid, t.authorized_at as at,
      t.user_amount + t.user_discount + coalesce((
        select sum(a.user_amount + a.user_discount) from transactions a
        where a.user_id = given.user_id and a.adjusts = t.transaction_id), 0)::int8 as reward
    from unnest(
      ${plainArray(pairs.map((one) => one.userId))}::text::uuid[], ${pairs.map((one) => one.brandUid)}::text[]
    ) as given (user_id, brand_uid)
    cross join lateral (
      select transaction_id, offer_uid, authorized_at, user_amount, user_discount from transactions
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and adjusts is null and offer_uid is not null and authorized_at >= ${since}
      offset 0
    ) as t`
}

/** All that a user's purchases have earned, by offer and moment. */
export async function listEarningsOfUser(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<Earning[]> {
  return reader<Earning[]>`
    select t.user_id, t.transaction_id, t.offer_uid, t.authorized_at as at,
      t.user_amount + t.user_discount + coalesce((
        select sum(a.user_amount + a.user_discount) from transactions a
        where a.user_id = t.user_id and a.adjusts = t.transaction_id), 0)::int8 as reward
    from transactions t
    where t.user_id = ${userId} and t.publisher_id = ${publisherId} and t.adjusts is null and t.offer_uid is not null`
}
