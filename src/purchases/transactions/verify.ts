import { findBound, listHolds } from '../../catalog/allowances/index.ts'
import { type Amounts, noAmounts, plus } from '../../catalog/offers/index.ts'
import type { Difference } from '../../ledger/index.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { listPurchaseEvents } from './queries.ts'
import { listGroups, listTransactionColumns, toTransaction } from './rewards/queries.ts'
import { computeOwed } from './rewards/settle.ts'
import type { StatusReason } from './rewards/statuses.ts'
import type { Transaction } from './rewards/transaction.ts'
import { listPairs } from './same-purchase/pair-queries.ts'
import { listRefundPairs } from './same-purchase/refund-pair-queries.ts'
import { markRefundPairs } from './same-purchase/refund-pairs.ts'
import { foldWithOthers, groupReportsBySource } from './same-purchase/shared-refunds.ts'
import { collectStacked } from './same-purchase/stored-pairs.ts'

const BATCH = 1_000
// Reasons for which a purchase with frozen terms earns nothing, and which leave no trace in the holds.
const REFUSED: ReadonlySet<StatusReason | null> = new Set<StatusReason>([
  'not_a_new_customer',
  'not_a_lapsed_customer',
  'user_limit_reached',
  'budget_exhausted',
  'voucher_code_used',
])

/**
 * Recomputes every reward of a publisher from source events and frozen terms, and returns those that differ.
 * @param checked called with the number of purchases checked since the last call
 */
export async function verifyTransactions(
  reader: Reader,
  publisher: Publisher,
  checked: (purchases: number) => void = () => undefined,
): Promise<Difference[]> {
  const differences: Difference[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const roots = await listDecided(reader, publisher.id, after)
    const last = roots.at(-1)
    if (last === undefined) return differences
    after = last.transactionId
    differences.push(...(await findDifferences(reader, publisher, roots)))
    checked(roots.length)
  }
}

async function findDifferences(
  reader: Reader,
  publisher: Publisher,
  roots: readonly Transaction[],
): Promise<Difference[]> {
  const userIds = [...new Set(roots.map((root) => root.userId))]
  const ids = roots.map((root) => root.transactionId)
  const own = await listPairs(reader, publisher.id, userIds, ids)
  // A partial clearing shares refunds with other clearings, which are paired with its partner rather than with it.
  const partners = own.sameSource.flatMap((row) => row.ids)
  const pairs =
    partners.length === 0 ? own : await listPairs(reader, publisher.id, userIds, [...new Set([...ids, ...partners])])
  const reports = groupReportsBySource(pairs.sameSource)
  const read = await listPurchaseEvents(reader, publisher.id, userIds, [
    ...new Set([...ids, ...reports.values()].flat()),
  ])
  const marked = markRefundPairs(read, await listRefundPairs(reader, publisher.id, userIds))
  const events = Map.groupBy(marked, (event) => event.transactionId)
  const rows = await listGroups(reader, publisher.id, userIds, ids)
  const groups = Map.groupBy(rows, ({ adjusts, transactionId }) => adjusts ?? transactionId)
  const holds = Map.groupBy(await listHolds(reader, publisher.id, roots, []), ({ transactionId }) => transactionId)
  const stacked = collectStacked(pairs)
  return roots.flatMap((root) => {
    const held = holds.get(root.transactionId) ?? []
    const group = groups.get(root.transactionId) ?? [root]
    const isUser = root.terms?.oneTimeUse !== true || held.some(({ kind }) => kind === 'use')
    const newest = group.reduce((a, b) => (isNewer(b, a) ? b : a))
    const isPaid = isUser && !REFUSED.has(newest.statusReason) && !stacked.has(root.transactionId)
    // Checks the purchase as of its last settlement. An authorization that has lapsed since then is unsettled, but not
    // wrong.
    const at = newest.updatedAt
    const known = events.get(root.transactionId) ?? []
    const ruling = { terms: root.terms, reason: null, bound: findBound(held) }
    const all = (reports.get(root.transactionId) ?? []).map((id) => events.get(id) ?? [])
    const owed =
      isPaid && known.length > 0 ? computeOwed(foldWithOthers(known, all, publisher.timeZone, at), ruling) : null
    const posted = group.reduce((sum, { amounts }) => plus(sum, amounts), noAmounts)
    const [expected, found] = [toText(owed?.amounts ?? noAmounts), toText(posted)]
    const where = `transaction ${root.transactionId}`
    return expected === found ? [] : [{ check: 'reward_by_terms', where, expected, found }]
  })
}

/** Breaks ties between rows settled at the same instant by id, because ids sort by creation. */
function isNewer(a: Transaction, b: Transaction): boolean {
  const difference = a.updatedAt.getTime() - b.updatedAt.getTime()
  return difference > 0 || (difference === 0 && a.transactionId > b.transactionId)
}

function toText({ gross, user, publisher, fee, discount }: Amounts): string {
  return `gross ${gross} user ${user} publisher ${publisher} fee ${fee} discount ${discount}`
}

async function listDecided(reader: Reader, publisherId: PublisherId, after: string): Promise<Transaction[]> {
  const rows = await reader<Parameters<typeof toTransaction>[0][]>`
    select ${listTransactionColumns(reader)} from transactions t
    where t.publisher_id = ${publisherId} and t.adjusts is null and t.transaction_id > ${after}
    order by t.transaction_id
    limit ${BATCH}`
  return rows.map(toTransaction)
}
