import type { PendingQuery, Row } from 'postgres'
import { given, type Reader, type Tx } from '../../../platform/db/database.ts'
import { countWaiting, together, type WaitingCount } from '../../../platform/queue/waiting.ts'
import { isOfSale, type Postback, type Unmatched } from './postback-queries.ts'

/** A report for operators to decide on. */
export type UnknownReport = Omit<Postback, 'click' | 'unmatched' | 'added'> & {
  /** The network that the click of this sub-id was sent to; null if there is no such click. */
  readonly sentTo: string | null
  readonly reason: Unmatched | 'unknown_order'
}
type UnknownFilter = { readonly network: string | null; readonly before: Date | null; readonly limit: number }

// SQL condition that is true if a credited report `p` rejects a sale that was never reported in any other state.
// all publishers: the owners of the sales are not known
const rejectsUnknown = (reader: Reader) => reader`
    p.status = 'rejected' and not exists (
      select 1 from postbacks o
      where o.network = p.network and o.sub_id = p.sub_id and o.status <> 'rejected'
        and ${isOfSale(reader, reader`o`, { orderId: reader`p.order_id`, transactionId: reader`p.transaction_id` })}
    )`

// SQL condition that is true if nobody has decided on the sale of a report `p`.
// all publishers: the owners of the sales are not known
const isOpen = (reader: Reader) => reader`
    not exists (
      select 1 from postback_answers a
      where a.network = p.network and a.sub_id = p.sub_id
        and ${isOfSale(reader, reader`a`, { orderId: reader`p.order_id`, transactionId: reader`p.transaction_id` })}
    )`

/**
 * Lists reports not credited to any click, and rejections of sales never reported in any other state, newest first. A
 * decision on one applies to all reports of its sale.
 */
export async function listUnknownReports(
  reader: Reader,
  { network, before, limit }: UnknownFilter,
): Promise<UnknownReport[]> {
  // all publishers: the owners of the sales are not known
  return reader<UnknownReport[]>`
    select p.postback_id, p.network, p.content, p.sub_id, p.status, p.order_id, p.transaction_id, p.report_id,
      p.reported_at, p.amount, p.currency, p.commission, p.sold_at, p.date_only, p.received_at, s.network as sent_to,
      case when p.user_id is not null then 'unknown_order'
        else coalesce(p.unmatched, case when s.network is null then 'unknown_sub_id' else 'other_network' end)
      end as reason
    from postbacks p
    left join sub_ids s on s.sub_id = lower(p.sub_id)
    where (p.user_id is null or (${rejectsUnknown(reader)})) and ${isOpen(reader)}
      and (${network}::text is null or p.network = ${network})
      and (${before}::timestamptz is null or p.received_at < ${before})
    order by p.received_at desc, p.postback_id desc
    limit ${limit}`
}

/**
 * Counts these reports and returns how long the oldest has waited. Nearly all rejections are of known sales, so only
 * the newest are examined. An older rejection of an unknown sale moves no money.
 */
export async function waitingPostbacks(reader: Reader): Promise<WaitingCount> {
  const [uncredited, rejections] = await Promise.all([
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: whose sales they are is not known
        select p.received_at as since from postbacks p
        where p.user_id is null and ${isOpen(reader)}
        order by p.received_at limit ${limit}`,
    ),
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: whose sales they are is not known
        select p.received_at as since
        from (select * from postbacks where status = 'rejected' order by received_at desc limit ${limit}) p
        where p.user_id is not null and ${rejectsUnknown(reader)} and ${isOpen(reader)}`,
    ),
  ])
  return together([uncredited, rejections])
}

type Named = Pick<Postback, 'subId' | 'orderId' | 'transactionId'>

/**
 * Finds the sub-id of the click that an operator assigned this sale's earlier reports to. Also matches replaced
 * identifiers, in case the user has been erased.
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
      and (${isOfSale(reader, reader`a`, { orderId, transactionId })} or ${isOfSale(reader, reader`a`, {
        orderId: reader`erased_reference(e.salt, ${orderId})`,
        transactionId: reader`erased_reference(e.salt, ${transactionId})`,
      })})
    order by a.answered_at desc
    limit 1`
  return row?.clickSubId ?? null
}

/** Keeps other transactions from storing uncredited reports of this sub-id until this one ends. */
export async function lockUncredited(tx: Tx, network: string, subId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${uncredited(tx, tx`${network}::text`, tx`${subId}::text`)})`
}

/** Does the same for the sub-id of a stored report. */
export async function lockUncreditedLike(tx: Tx, postbackId: string): Promise<void> {
  await tx`
    -- all publishers: whose sales they are is not known
    select pg_advisory_xact_lock(${uncredited(tx, tx`network`, tx`sub_id`)}) from postbacks where postback_id = ${postbackId}`
}

const uncredited = (tx: Tx, network: PendingQuery<Row[]>, subId: PendingQuery<Row[]>) =>
  tx`hashtextextended(concat_ws(':', 'uncredited', ${network}, ${subId}), 0)`

/** A stored report, with the operator who decided on it, if any. */
export type StoredReport = Postback & { readonly answeredBy: string | null }
type StoredRow = Omit<StoredReport, 'click' | 'added'> & {
  readonly userId: string | null
  readonly added: bigint | null
  readonly addedStatus: Postback['status'] | null
}

/** Lists this report and the uncredited reports of its sale, in order of receipt. */
export async function listReportsLike(tx: Tx, postbackId: string): Promise<(StoredReport & { isCredited: boolean })[]> {
  // all publishers: the owners of the sales are not known
  const rows = await tx<StoredRow[]>`
    select p.postback_id, p.network, p.content, p.sub_id, p.user_id, p.status, p.order_id, p.transaction_id, p.report_id,
      p.reported_at, p.amount, p.currency, p.commission, p.sold_at, p.date_only, p.received_at, p.added, p.added_status,
      p.unmatched, a.answered_by
    from postbacks one
    join postbacks p on p.network = one.network and p.sub_id = one.sub_id
      and (p.postback_id = one.postback_id
        or (p.user_id is null
          and ${isOfSale(tx, tx`p`, { orderId: tx`one.order_id`, transactionId: tx`one.transaction_id` })}))
    left join postback_answers a on a.postback_id = p.postback_id
    where one.postback_id = ${postbackId}
    order by p.received_at, p.postback_id`
  return rows.map(({ userId, added, addedStatus, ...row }) => ({
    ...row,
    click: null,
    added: added === null || addedStatus === null ? null : { amount: added, status: addedStatus },
    isCredited: userId !== null,
  }))
}

type Answer = {
  readonly postbackId: string
  readonly network: string
  readonly subId: string
  readonly orderId: string | null
  readonly transactionId: string | null
  readonly clickSubId: string | null
  readonly answeredBy: string
  readonly reason: string | null
  readonly answeredAt: Date
}

/** Returns the number stored, which is lower if another operator decided concurrently. */
export async function insertAnswers(tx: Tx, answers: readonly Answer[]): Promise<number> {
  const rows = await tx`
    insert into postback_answers (postback_id, network, sub_id, order_id, transaction_id, click_sub_id, answered_by,
      reason, answered_at)
    select postback_id, network, sub_id, order_id, transaction_id, click_sub_id, answered_by, reason, answered_at
    from ${given(tx, answers, {
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
