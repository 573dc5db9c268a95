import { boundOf } from '../../allowances/index.ts'
import { openBook } from '../../ledger/index.ts'
import { type Amounts, type Bound, noAmounts, plus } from '../../offers/index.ts'
import type { Database, Tx } from '../../platform/database.ts'
import type { TransactionId, UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { listTransactionsById, type Transaction } from '../../rewards/index.ts'
import type { Redecisions } from '../replay/load.ts'
import type { SettlementCatalog } from '../replay/scene.ts'
import { type Plan, previewSettlement, settlePurchases } from '../replay/settle-purchases.ts'
import { isChanged, type Line, stateOf } from './lines.ts'

/** Chooses which purchases are decided again, and how. Called under the locks of their users. */
export type Choose = (roots: ReadonlyMap<TransactionId, Transaction>) => Redecisions
/** Purchases that are decided in one database transaction. */
export type Batch = { readonly userIds: readonly UserId[]; readonly transactionIds: readonly TransactionId[] }
type Deps = { readonly catalog: SettlementCatalog }

/** Judges all of them by the present catalog. */
export const byPresentCatalog: Choose = (roots) => new Map([...roots.keys()].map((id) => [id, 'rematch' as const]))

/** Decides purchases again. Returns the changes of these and of all that depend on them. */
export async function redecide(
  tx: Tx,
  deps: Deps,
  publisher: Publisher,
  { userIds, transactionIds }: Batch,
  choose: Choose,
  now: Date,
): Promise<Line[]> {
  const book = await openBook(tx, publisher, userIds)
  const stored = await listTransactionsById(tx, publisher.id, transactionIds)
  const chosen = choose(new Map(stored.map((root) => [root.transactionId, root])))
  if (chosen.size === 0) return []
  const touched = new Map([...chosen.keys()].map((id) => [id, []]))
  return linesOf(await settlePurchases(tx, deps, book, touched, now, chosen))
}

/** What `redecide` would change. Writes and locks nothing. */
export async function previewBatch(
  db: Database,
  deps: Deps,
  publisher: Publisher,
  { userIds, transactionIds }: Batch,
  now: Date,
): Promise<Line[]> {
  const chosen = new Map(transactionIds.map((id) => [id, 'rematch' as const]))
  const touched = new Map(transactionIds.map((id) => [id, []]))
  return linesOf(await previewSettlement(db.reader, deps, publisher, userIds, touched, now, chosen))
}

function linesOf({ settled, holdsBefore }: Plan): Line[] {
  const bounds = Map.groupBy(holdsBefore, ({ transactionId }) => transactionId)
  return settled.flatMap(({ purchase: { group }, changes }) => {
    if (changes.length === 0) return []
    const { root, former = root, adjustments } = group
    const before = [former, ...adjustments]
    const after = new Map(before.map((row) => [row.transactionId, row]))
    for (const change of changes) after.set(change.after.transactionId, change.after)
    const { userId, transactionId } = root
    const line: Line = {
      ...{ userId, transactionId },
      before: { ...stateOf(former, sumOf(before)), bound: shown(boundOf(bounds.get(transactionId) ?? [])) },
      after: stateOf(after.get(transactionId) ?? former, sumOf([...after.values()])),
    }
    return isChanged(line) ? [line] : []
  })
}

function shown(bound: Bound | null): NonNullable<Line['before']['bound']> | null {
  return bound === null ? null : { gross: String(bound.gross), reason: bound.reason }
}

function sumOf(rows: readonly Transaction[]): Amounts {
  return rows.reduce((sum, { amounts }) => plus(sum, amounts), noAmounts)
}
