import type { Day } from '../../platform/calendar.ts'
import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Holder } from './budgets.ts'
import type { Hold } from './hold-index.ts'

const columns = (reader: Reader) => reader`
  h.user_id, h.transaction_id, h.offer_uid, h.kind, h.period, h.starts_on, h.amount, h.most_gross, h.code_id`

/** Lists the holds of these purchases, plus the holds of the same users' other purchases on these offers. */
export async function listHolds(
  reader: Reader,
  publisherId: PublisherId,
  holders: readonly Holder[],
  offers: readonly { readonly userId: UserId; readonly offerUid: string }[],
): Promise<Hold[]> {
  if (holders.length === 0 && offers.length === 0) return []
  return reader<Hold[]>`
    select ${columns(reader)}
    from ${asTable(reader, holders, { userId: 'uuid', transactionId: 'uuid' })}
    join allowance_holds h on h.user_id = given.user_id and h.transaction_id = given.transaction_id
    where h.publisher_id = ${publisherId}
    union
    select ${columns(reader)}
    from ${asTable(reader, offers, { userId: 'uuid', offerUid: 'text' })}
    join allowance_holds h on h.user_id = given.user_id and h.offer_uid = given.offer_uid
    where h.publisher_id = ${publisherId}`
}

/** Lists all holds of a user's purchases. */
export async function listHoldsOfUser(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<Hold[]> {
  return reader<Hold[]>`
    select ${columns(reader)} from allowance_holds h where h.publisher_id = ${publisherId} and h.user_id = ${userId}`
}

/** Deletes freed holds and inserts new ones. Unique keys ensure that one-time offers and codes are used only once. */
export async function writeHolds(
  tx: Tx,
  publisherId: PublisherId,
  { freed, taken }: { readonly freed: readonly Hold[]; readonly taken: readonly Hold[] },
): Promise<void> {
  if (freed.length > 0)
    await tx`
      delete from allowance_holds h
      using ${asTable(tx, freed, { userId: 'uuid', transactionId: 'uuid', kind: 'plain', period: 'plain' })}
      where h.publisher_id = ${publisherId} and h.user_id = given.user_id and h.transaction_id = given.transaction_id
        and h.kind = given.kind and h.period = given.period`
  if (taken.length > 0)
    await tx`
      insert into allowance_holds
        (user_id, transaction_id, publisher_id, offer_uid, kind, period, starts_on, amount, most_gross, code_id)
      select user_id, transaction_id, ${publisherId}, offer_uid, kind, period, starts_on, amount, most_gross, code_id
      from ${asTable(tx, taken, {
        userId: 'uuid',
        transactionId: 'uuid',
        offerUid: 'text',
        kind: 'plain',
        period: 'plain',
        startsOn: 'date',
        amount: 'int8',
        mostGross: 'int8',
        codeId: 'uuid',
      })}`
}

/** Lists the offers for which the user has an unused code that is valid today. */
export async function listOffersOfFreeCodes(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  today: Day,
): Promise<string[]> {
  const rows = await reader<{ offerUid: string }[]>`
    select distinct c.offer_uid from voucher_codes c
    where c.publisher_id = ${publisherId} and c.user_id = ${userId} and c.expires_on >= ${today}
      and not exists (select from allowance_holds h where h.user_id = c.user_id and h.code_id = c.code_id)`
  return rows.map((row) => row.offerUid)
}
