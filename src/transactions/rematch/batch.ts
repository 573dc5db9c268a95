import type { Assortment } from '../../catalog/index.ts'
import { openBook } from '../../ledger/index.ts'
import { type Amounts, noAmounts } from '../../offers/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { TransactionId, UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import {
  type BoundOf,
  type Change,
  listBoundsOfUsers,
  listTransactionsById,
  type Transaction,
} from '../../rewards/index.ts'
import { settleGroups } from '../groups.ts'
import { listPosted } from '../queries.ts'
import type { Redecision } from '../works.ts'
import { isChanged, type Line, stateOf } from './lines.ts'

/** Who is told what to decide: the caller has to choose once the users are held, so that nobody changes anything in between. */
export type Choose = (roots: ReadonlyMap<TransactionId, Transaction>) => ReadonlyMap<TransactionId, Redecision>

/**
 * Decides purchases of some users anew, in one transaction, and answers what became of them and of those that depend on
 * them. The users' balances are held first: whoever reports of them meanwhile waits, and then finds what was decided.
 */
export async function redecide(
  tx: Tx,
  publisher: Publisher,
  assortment: Assortment,
  purchases: { readonly userIds: readonly UserId[]; readonly transactionIds: readonly TransactionId[] },
  choose: Choose,
  now: Date,
): Promise<Line[]> {
  const book = await openBook(tx, publisher, purchases.userIds)
  const known = await listTransactionsById(tx, publisher.id, purchases.transactionIds)
  const chosen = choose(new Map(known.map((root) => [root.transactionId, root])))
  if (chosen.size === 0) return []
  const deps = { catalog: { assortmentOf: async () => assortment } }
  const touched = new Map([...chosen.keys()].map((id) => [id, []]))
  const bounds = await listBoundsOfUsers(tx, publisher.id, purchases.userIds)
  const changes = await settleGroups(tx, deps, book, touched, now, chosen)
  return linesOf(tx, publisher, purchases.userIds, changes, bounds)
}

async function linesOf(
  tx: Tx,
  publisher: Publisher,
  userIds: readonly UserId[],
  changes: readonly Change[],
  bounds: readonly BoundOf[],
): Promise<Line[]> {
  const byRoot = Map.groupBy(changes, ({ after }) => after.adjusts ?? after.transactionId)
  const ids = [...byRoot.keys()]
  if (ids.length === 0) return []
  const roots = await listTransactionsById(tx, publisher.id, ids)
  const posted = new Map(
    (await listPosted(tx, publisher.id, userIds, ids)).map((one) => [one.transactionId, one.amounts]),
  )
  const bounded = new Map(
    bounds.map(({ transactionId, gross, reason }) => [transactionId, { gross: `${gross}`, reason }]),
  )
  return roots
    .map((root): Line => {
      const own = byRoot.get(root.transactionId) ?? []
      const former = own.find(({ after }) => after.transactionId === root.transactionId)?.before ?? root
      const amounts = posted.get(root.transactionId) ?? noAmounts
      const { userId, transactionId } = root
      const had = { ...stateOf(former, before(amounts, own)), bound: bounded.get(transactionId) ?? null }
      return { userId, transactionId, before: had, after: stateOf(root, amounts) }
    })
    .filter(isChanged)
}

/** What was posted before these changes. */
function before(amounts: Amounts, changes: readonly Change[]): Amounts {
  const of = (name: keyof Amounts): bigint =>
    changes.reduce(
      (rest, change) => rest - change.after.amounts[name] + (change.before?.amounts[name] ?? 0n),
      amounts[name],
    )
  return { gross: of('gross'), user: of('user'), publisher: of('publisher'), fee: of('fee'), discount: of('discount') }
}
