import type { Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { splitNames, type UserTable } from '../tables/index.ts'
import type { Erasure } from './erasure.ts'

/** The user being erased. */
export type Leaver = { readonly publisherId: PublisherId; readonly userId: UserId; readonly salt: Buffer }

/**
 * Erases a user's rows in one table as the registry specifies: deletes all of them, or changes up to `limit`. Skips
 * rows that are already erased, so that repeated calls eventually finish. Returns the number of rows changed or
 * deleted.
 */
export async function eraseRows(
  tx: Tx,
  leaver: Leaver,
  { name, key, deleted, nulled, replaced, set = {} }: UserTable,
  limit: number,
): Promise<number> {
  const { publisherId, userId, salt } = leaver
  const [table, keys] = [tx(name), tx(key)]
  if (deleted !== undefined) {
    const { count } = await tx`delete from ${table} where user_id = ${userId} and publisher_id = ${publisherId}`
    return count
  }
  const columns = [
    ...splitNames(nulled).map((column) => ({
      isLeft: tx`${tx(column)} is not null`,
      erased: tx`${tx(column)} = null`,
    })),
    ...splitNames(replaced).map((column) => ({
      isLeft: tx`${tx(column)} not like '%erased-%'`,
      erased: tx`${tx(column)} = erased_reference(${salt}, ${tx(column)})`,
    })),
    ...Object.entries(set).map(([column, sql]) => ({
      isLeft: tx`${tx(column)}::text is distinct from (${tx.unsafe(sql)})::text`,
      erased: tx`${tx(column)} = ${tx.unsafe(sql)}`,
    })),
  ]
  const left = columns.map(({ isLeft }) => isLeft).reduce((all, one) => tx`${all} or ${one}`)
  const sets = columns.map(({ erased }) => erased).reduce((all, one) => tx`${all}, ${one}`)
  const { count } = await tx`
    update ${table} set ${sets}
    where user_id = ${userId} and publisher_id = ${publisherId} and (${keys}) in (
      select ${keys} from ${table}
      where user_id = ${userId} and publisher_id = ${publisherId} and (${left})
      limit ${limit}
    )`
  return count
}

/** Replaces the publisher's identifier for the user with the pseudonym and clears the user's details. */
export async function renameUser(
  tx: Tx,
  { publisherId, userId, pseudonym }: Pick<Erasure, 'publisherId' | 'userId' | 'pseudonym'>,
  now: Date,
): Promise<number> {
  const { count } = await tx`
    update users set publisher_user_id = ${pseudonym}, email = null, primary_zip_code = null, attributes = null,
      version = version + 1, updated_at = greatest(${now}, updated_at + interval '1 millisecond')
    where user_id = ${userId} and publisher_id = ${publisherId} and publisher_user_id <> ${pseudonym}`
  return count
}

/** Locks the user's clicks, which blocks network reports about the resulting sales until the transaction ends. */
export async function lockSubIds(tx: Tx, { publisherId, userId }: Leaver): Promise<void> {
  await tx`
    select from sub_ids where user_id = ${userId} and publisher_id = ${publisherId} order by sub_id for no key update`
}

/** Erases the data of the user's events. Each event keeps its place in the feed but no data except the user's ID. */
export async function eraseAnnouncements(
  tx: Tx,
  { publisherId, userId }: Leaver,
  data: string,
  limit: number,
): Promise<number> {
  const { count } = await tx`
    update events set stored_data = ${data}::text::json, previous = null
    where user_id = ${userId} and publisher_id = ${publisherId} and event_id in (
      select event_id from events
      where user_id = ${userId} and publisher_id = ${publisherId} and type <> 'user.erased'
        and (stored_data::text <> ${data} or previous is not null)
      limit ${limit}
    )`
  return count
}

/**
 * Erases operators' decisions about the user's sales, and reports that arrived without a click but were assigned to one
 * of the user's clicks.
 */
export async function eraseAnswers(tx: Tx, { publisherId, userId, salt }: Leaver): Promise<number> {
  const { count: reports } = await tx`
    update postbacks p
    set content = '{}', order_id = erased_reference(${salt}, p.order_id), report_id = erased_reference(${salt}, p.report_id),
      transaction_id = erased_reference(${salt}, p.transaction_id)
    from postback_answers a
    join sub_ids s on s.sub_id = a.click_sub_id
    where s.user_id = ${userId} and s.publisher_id = ${publisherId} and a.postback_id = p.postback_id
      and p.user_id is null and p.content <> '{}'`
  const { count: answers } = await tx`
    -- all publishers: an answer names its publisher by the click
    update postback_answers a
    set reason = null, order_id = erased_reference(${salt}, a.order_id),
      transaction_id = erased_reference(${salt}, a.transaction_id)
    where (a.reason is not null or a.order_id not like 'erased-%' or a.transaction_id not like 'erased-%')
      and (a.click_sub_id in (select sub_id from sub_ids where user_id = ${userId})
        or a.postback_id in (select postback_id from postbacks where user_id = ${userId}))`
  return reports + answers
}

export async function deleteSightings(tx: Tx, { publisherId, userId }: Leaver): Promise<number> {
  const { count } = await tx`
    delete from merchant_sightings
    where publisher_id = ${publisherId} and transaction_id in (
      select transaction_id from transactions where user_id = ${userId} and publisher_id = ${publisherId}
    )`
  return count
}

/**
 * Removes the user's purchases from the samples of review items. Also clears the text of items that have no other
 * samples.
 */
export async function eraseReviews(tx: Tx, { publisherId, userId }: Leaver): Promise<number> {
  const { count } = await tx`
    with own as materialized (
      select coalesce(array_agg(transaction_id), '{}') as ids from transactions
      where user_id = ${userId} and publisher_id = ${publisherId}
    )
    update review_items r
    set samples = array(select id from unnest(r.samples) as id where id <> all(own.ids)),
      template = case when r.samples <@ own.ids then 'erased-' || r.review_id else r.template end,
      evidence = case when r.samples <@ own.ids then '[]' else r.evidence end,
      runner_up = case when r.samples <@ own.ids then null else r.runner_up end
    from own
    where r.publisher_id = ${publisherId} and r.samples && own.ids`
  return count
}

/** Deletes facts that mention the user and have failed at least once, whether they await a retry or were set aside. */
export async function deleteFacts(tx: Tx, { publisherId }: Leaver, names: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from facts
    where publisher_id = ${publisherId} and attempts > 0
      and exists (select from unnest(${names as string[]}::text[]) as name where position(name in payload::text) > 0)`
  return count
}

/** Lists the user's records that audit log entries can refer to. */
export async function listAudited(
  reader: Reader,
  { publisherId, userId }: Leaver,
): Promise<{ prefix: string; id: string }[]> {
  return reader<{ prefix: string; id: string }[]>`
    select 'adj' as prefix, adjustment_id as id from adjustments
    where user_id = ${userId} and publisher_id = ${publisherId}
    union all
    select 'clm', claim_id from claims where user_id = ${userId} and publisher_id = ${publisherId}
    union all
    select 'gcd', card_id from gift_cards where user_id = ${userId} and publisher_id = ${publisherId}
    union all
    select 'gco', order_id from gift_card_orders where user_id = ${userId} and publisher_id = ${publisherId}
    union all
    select 'txn', transaction_id from transactions where user_id = ${userId} and publisher_id = ${publisherId}
    union all
    select 'rdm', redemption_id from redemptions where user_id = ${userId} and publisher_id = ${publisherId}
    union all
    select 'pbk', postback_id from postbacks where user_id = ${userId} and publisher_id = ${publisherId}
    union all
    select 'pbk', a.postback_id from postback_answers a join sub_ids s on s.sub_id = a.click_sub_id
    where s.user_id = ${userId} and s.publisher_id = ${publisherId}`
}

export async function eraseAudit(tx: Tx, subjects: readonly string[]): Promise<number> {
  const { count } = await tx`
    update audit_log
    set before = null,
      after = (coalesce(after, '{}') - array['reason', 'publisher_user_id', 'text', 'external_id', 'note']) || '{"erased": true}'
    where subject = any(${subjects as string[]}::text[]) and not coalesce(after ? 'erased', false)
      and not coalesce(after ? 'svc_user_id', false)`
  return count
}

/**
 * Erases audit log entries about changes to the user that operators made on the publisher's behalf. Any value might
 * describe the user, so only the IDs of the publisher and the user remain.
 */
export async function eraseAuditedChanges(tx: Tx, svcUserId: string): Promise<number> {
  const { count } = await tx`
    update audit_log
    set before = null,
      after = jsonb_build_object('publisher_id', after -> 'publisher_id', 'svc_user_id', ${svcUserId}::text, 'erased', true)
    where after ->> 'svc_user_id' = ${svcUserId} and not after ? 'erased'`
  return count
}

/** Returns true if the provider has not yet ended all of the user's logins. */
export async function isWaitingForProvider(reader: Reader, { publisherId, userId }: Leaver): Promise<boolean> {
  const rows = await reader`
    select from item_removals where user_id = ${userId} and publisher_id = ${publisherId} limit 1`
  return rows.length > 0
}
