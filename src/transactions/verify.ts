import { boundOf, listHolds } from '../allowances/index.ts'
import type { Difference } from '../ledger/index.ts'
import { type Amounts, type Bound, bounded, noAmounts, targetOf } from '../offers/index.ts'
import type { Reader } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { type StatusReason, type Transaction, transactionColumns, transactionOf } from '../rewards/index.ts'
import { foldEvents } from './fold/fold.ts'
import type { SourceEvent } from './intake/event.ts'
import { listEventsOf, listPosted } from './queries.ts'
import { listPairs } from './same-purchase/pair-queries.ts'

const BATCH = 1_000
// What frozen terms can be refused for without a trace in the holds.
const REFUSED: ReadonlySet<StatusReason | null> = new Set<StatusReason>([
  'not_a_new_customer',
  'not_a_lapsed_customer',
  'user_limit_reached',
  'budget_exhausted',
  'voucher_code_used',
])

/** Recomputes every reward of a publisher from its source events and frozen terms, and names each that differs. */
export async function verifyTransactions(reader: Reader, publisher: Publisher): Promise<Difference[]> {
  const differences: Difference[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const roots = await listDecided(reader, publisher.id, after)
    const last = roots.at(-1)
    if (last === undefined) return differences
    after = last.transactionId
    differences.push(...(await differencesOf(reader, publisher, roots)))
  }
}

async function differencesOf(
  reader: Reader,
  publisher: Publisher,
  roots: readonly Transaction[],
): Promise<Difference[]> {
  const userIds = [...new Set(roots.map((root) => root.userId))]
  const ids = roots.map((root) => root.transactionId)
  const events = Map.groupBy(await listEventsOf(reader, publisher.id, userIds, ids), (event) => event.transactionId)
  const posted = new Map((await listPosted(reader, publisher.id, userIds, ids)).map((row) => [row.transactionId, row]))
  const holds = Map.groupBy(await listHolds(reader, publisher.id, roots, []), ({ transactionId }) => transactionId)
  const pairs = await listPairs(reader, publisher.id, userIds, ids)
  const stacked = new Set(
    pairs.map((pair) => (pair.stacked === 'CARD' ? pair.cardId : pair.stacked && pair.affiliateId)),
  )
  return roots.flatMap((root) => {
    const held = holds.get(root.transactionId) ?? []
    const row = posted.get(root.transactionId)
    const isUser = root.terms?.oneTimeUse !== true || held.some(({ kind }) => kind === 'use')
    const isRefused = root.status !== 'EARNED' && REFUSED.has(root.statusReason)
    const isPaid = isUser && !isRefused && !stacked.has(root.transactionId)
    const owed = owedFor(
      publisher,
      { root, bound: boundOf(held) },
      events.get(root.transactionId) ?? [],
      row?.updatedAt ?? root.updatedAt,
    )
    const [expected, found] = [isPaid ? owed : noAmounts, row?.amounts ?? noAmounts].map(textOf)
    return expected === found
      ? []
      : [
          {
            check: 'reward_by_terms',
            where: `transaction ${root.transactionId}`,
            expected: expected ?? '',
            found: found ?? '',
          },
        ]
  })
}

/** As of the last time it was settled: an authorization that lapsed since then is due, not wrong. */
function owedFor(
  publisher: Publisher,
  { root, bound }: { readonly root: Transaction; readonly bound: Bound | null },
  events: readonly SourceEvent[],
  at: Date,
): Amounts {
  if (root.terms === null || events.length === 0) return noAmounts
  const folded = foldEvents(events, publisher.timeZone, at)
  return folded.emptyReason === null ? bounded(root.terms, targetOf(root.terms, folded), bound).amounts : noAmounts
}

function textOf({ gross, user, publisher, fee, discount }: Amounts): string {
  return `gross ${gross} user ${user} publisher ${publisher} fee ${fee} discount ${discount}`
}

async function listDecided(reader: Reader, publisherId: PublisherId, after: string): Promise<Transaction[]> {
  const rows = await reader<Parameters<typeof transactionOf>[0][]>`
    select ${transactionColumns(reader)} from transactions t
    where t.publisher_id = ${publisherId} and t.adjusts is null and t.transaction_id > ${after}
    order by t.transaction_id
    limit ${BATCH}`
  return rows.map(transactionOf)
}
