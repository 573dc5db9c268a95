import type { PendingQuery, Row } from 'postgres'
import Type from 'typebox'
import { asTable, type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import { combineCounts, countWaiting, type WaitingCount } from '../../../platform/queue/waiting.ts'
import { equals, type OperatorList } from '../../../tenants/access/index.ts'
import { UNKNOWN_POSTBACK, type UnknownPostback } from '../schema.ts'
import { matchesSale, POSTBACK_COLUMNS, type Postback } from './postback-queries.ts'

const saleOfPostback = (reader: Reader) => ({
  orderId: reader`postbacks.order_id`,
  transactionId: reader`postbacks.transaction_id`,
})

// SQL condition that is true if a credited report rejects a sale that was never reported in any other state.
// all publishers: the owners of the sales are not known
const rejectsUnknown = (reader: Reader) => reader`
    postbacks.status = 'rejected' and not exists (
      select 1 from postbacks o
      where o.network = postbacks.network and o.sub_id = postbacks.sub_id and o.status <> 'rejected'
        and ${matchesSale(reader, reader`o`, saleOfPostback(reader))}
    )`

// SQL condition that is true if nobody has decided on the sale of a report.
// all publishers: the owners of the sales are not known
const isOpen = (reader: Reader) => reader`
    not exists (
      select 1 from postback_answers a
      where a.network = postbacks.network and a.sub_id = postbacks.sub_id
        and ${matchesSale(reader, reader`a`, saleOfPostback(reader))}
    )`

/**
 * The reports not credited to any click, and the rejections of sales never reported in any other state, newest first. A
 * decision on any of these reports applies to all reports of its sale.
 */
export const UNKNOWN_POSTBACKS: OperatorList<UnknownPostback> = {
  table: 'postbacks',
  id: 'postbackId',
  // all publishers: the owners of the sales are not known
  columns: (reader) => reader`
    ${selectColumns(reader, 'postbacks', UNKNOWN_POSTBACK.columns)},
    (select network from sub_ids where sub_id = lower(postbacks.sub_id)) as sent_to,
    case when postbacks.user_id is not null then 'unknown_order'
      when postbacks.unmatched is not null then postbacks.unmatched
      when exists (select 1 from sub_ids where sub_id = lower(postbacks.sub_id)) then 'other_network'
      else 'unknown_sub_id' end as reason`,
  only: (reader) => reader`(postbacks.user_id is null or postbacks.status = 'rejected')`,
  unindexed: (reader) => reader`(postbacks.user_id is null or ${rejectsUnknown(reader)}) and ${isOpen(reader)}`,
  sorts: { '-received_at': 'instant', received_at: 'instant' },
  filters: {
    network: {
      ...equals(
        'network',
        Type.String({ minLength: 1, maxLength: 64, description: 'Only reports from this network.' }),
      ),
      unindexed: true,
    },
  },
}

/**
 * Counts the reports in `UNKNOWN_POSTBACKS` and returns when the oldest was received. Nearly all rejections are of
 * known sales, so only the newest rejections are examined. An older rejection of an unknown sale moves no money.
 */
export async function countWaitingPostbacks(reader: Reader): Promise<WaitingCount> {
  const [uncredited, rejections] = await Promise.all([
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: whose sales they are is not known
        select received_at as since from postbacks
        where user_id is null and ${isOpen(reader)}
        order by received_at limit ${limit}`,
    ),
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: whose sales they are is not known
        select received_at as since
        from (select * from postbacks where status = 'rejected' order by received_at desc limit ${limit}) as postbacks
        where user_id is not null and ${rejectsUnknown(reader)} and ${isOpen(reader)}`,
    ),
  ])
  return combineCounts([uncredited, rejections])
}

type Named = Pick<Postback, 'subId' | 'orderId' | 'transactionId'>

/**
 * Finds the sub-id of the click to which an operator assigned this sale's earlier reports. Also matches the replacement
 * identifiers of an erased user's sale.
 */
export async function findAssignedClick(
  reader: Reader,
  network: string,
  { subId, orderId, transactionId }: Named,
): Promise<string | null> {
  // all publishers: networks know a click only by its sub-id
  const [row] = await reader<{ clickSubId: string }[]>`
    -- all users: networks know only a click's sub-id
    select a.click_sub_id
    from postback_answers a
    left join sub_ids s on s.sub_id = a.click_sub_id
    left join erasures e on e.user_id = s.user_id
    where a.network = ${network} and a.sub_id = ${subId} and a.click_sub_id is not null
      and (${matchesSale(reader, reader`a`, { orderId, transactionId })} or ${matchesSale(reader, reader`a`, {
        orderId: reader`erased_reference(e.salt, ${orderId})`,
        transactionId: reader`erased_reference(e.salt, ${transactionId})`,
      })})
    order by a.answered_at desc
    limit 1`
  return row?.clickSubId ?? null
}

/** Locks this sub-id until the transaction ends, so that no other transaction can store uncredited reports of it. */
export async function lockUncredited(tx: Tx, network: string, subId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${uncredited(tx, tx`${network}::text`, tx`${subId}::text`)})`
}

/** Like `lockUncredited`, for the sub-id of a stored report. */
export async function lockUncreditedLike(tx: Tx, postbackId: string): Promise<void> {
  await tx`
    -- all publishers: whose sales they are is not known
    select pg_advisory_xact_lock(${uncredited(tx, tx`network`, tx`sub_id`)}) from postbacks where postback_id = ${postbackId}`
}

const uncredited = (tx: Tx, network: PendingQuery<Row[]>, subId: PendingQuery<Row[]>) =>
  tx`hashtextextended(concat_ws(':', 'uncredited', ${network}, ${subId}), 0)`

/** A stored report, with the operator who decided on it, if any. */
export type StoredReport = Postback & { readonly answeredBy: string | null }
type StoredRow = Omit<StoredReport, 'click'> & { readonly userId: string | null }

/** Lists this report and the uncredited reports of its sale, in order of receipt. */
export async function listReportsLike(tx: Tx, postbackId: string): Promise<(StoredReport & { isCredited: boolean })[]> {
  // all publishers: the owners of the sales are not known
  const rows = await tx<StoredRow[]>`
    select ${selectColumns(tx, 'p', POSTBACK_COLUMNS)}, p.user_id, a.answered_by
    from postbacks one
    join postbacks p on p.network = one.network and p.sub_id = one.sub_id
      and (p.postback_id = one.postback_id
        or (p.user_id is null
          and ${matchesSale(tx, tx`p`, { orderId: tx`one.order_id`, transactionId: tx`one.transaction_id` })}))
    left join postback_answers a on a.postback_id = p.postback_id
    where one.postback_id = ${postbackId}
    order by p.received_at, p.postback_id`
  return rows.map(({ userId, ...row }) => ({ ...row, click: null, isCredited: userId !== null }))
}

type Answer = Pick<Postback, 'postbackId' | 'network' | 'subId' | 'orderId' | 'transactionId'> & {
  readonly clickSubId: string | null
  readonly answeredBy: string
  readonly reason: string | null
  readonly answeredAt: Date
}

/** Stores answers and returns how many it stored: fewer than given if another operator decided concurrently. */
export async function insertAnswers(tx: Tx, answers: readonly Answer[]): Promise<number> {
  const rows = await tx`
    insert into postback_answers (postback_id, network, sub_id, order_id, transaction_id, click_sub_id, answered_by,
      reason, answered_at)
    select postback_id, network, sub_id, order_id, transaction_id, click_sub_id, answered_by, reason, answered_at
    from ${asTable(tx, answers, {
      postbackId: 'uuid',
      network: 'text',
      subId: 'text',
      orderId: 'text',
      transactionId: 'text',
      clickSubId: 'text',
      answeredBy: 'text',
      reason: 'text',
      answeredAt: 'timestamptz',
    })}
    on conflict (postback_id) do nothing
    returning 1`
  return rows.length
}
