import assert from 'node:assert/strict'
import { type Hold, lockWholeBudgets, takeFromBudgets, writeHolds } from '../../../catalog/allowances/index.ts'
import { type Book, closeBook, readWallets } from '../../../ledger/index.ts'
import { awaitAll, type Tx, withSavepoint } from '../../../platform/db/database.ts'
import type { UserId } from '../../../platform/ids.ts'
import { mapYielding, runInSlices } from '../../../platform/slices.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { listUserNames } from '../../../users/users/index.ts'
import type { LoadedPurchase, Touched } from '../load/load.ts'
import { type DecidedPurchase, type ReplayResult, replay } from '../replay/replay.ts'
import { loadReplayInput, type ReplayInput, type SettlementCatalog } from '../replay/replay-input.ts'
import { type DecisionRow, insertDecisions } from '../rewards/queries.ts'
import { type Change, type Group, isSameTerms, settle } from '../rewards/settle.ts'
import { writeChanges } from '../rewards/write-changes.ts'
import { storePairs } from '../same-purchase/policy.ts'
import { storeRefundPairs } from '../same-purchase/refund-pairs.ts'
import { toStored } from '../trace/trace.ts'
import { recordMerchants } from './merchant-evidence.ts'

/** The result of a replay, and everything to be written for it. */
export type SettlementPlan = {
  readonly replayed: ReplayResult
  /** Each purchase, with the changes to its transaction and adjusting transactions. */
  readonly settled: readonly (DecidedPurchase & { readonly changes: readonly Change[] })[]
  readonly decisions: readonly DecisionRow[]
  readonly holdsBefore: readonly Hold[]
  readonly book: Book
}

/**
 * Loads purchases, replays them, and writes whatever differs from the stored state. The caller must have stored the new
 * events and locked the users' wallets in the book. Closes the book.
 */
export async function settlePurchases(
  tx: Tx,
  deps: { readonly catalog: SettlementCatalog },
  book: Book,
  touched: Touched,
  now: Date,
): Promise<SettlementPlan> {
  const { publisher } = book
  const userIds = [...book.wallets.keys()]
  const [input, names] = await awaitAll([
    loadReplayInput(tx, deps.catalog, publisher, userIds, touched, now),
    listUserNames(tx, publisher.id, userIds),
  ])
  const plan = await withinBudgets(tx, input, book)
  await write(tx, input, plan, names)
  return plan
}

/**
 * Returns what `settlePurchases` would do now, without writing anything. Requires a snapshot, because the wallets must
 * match the purchases.
 */
export async function previewSettlement(
  reader: Tx,
  deps: { readonly catalog: SettlementCatalog },
  publisher: Publisher,
  userIds: readonly UserId[],
  touched: Touched,
  now: Date,
): Promise<SettlementPlan> {
  const [input, wallets] = await awaitAll([
    loadReplayInput(reader, deps.catalog, publisher, userIds, touched, now),
    readWallets(reader, publisher, userIds),
  ])
  return runInSlices(planSettlement(input, { publisher, wallets, journals: [] }))
}

/** Works on a copy of the book, so nothing is booked until the plan is written. */
function* planSettlement(
  input: ReplayInput,
  { publisher, wallets, journals }: Book,
): Generator<undefined, SettlementPlan> {
  const book: Book = { publisher, wallets: new Map(wallets), journals: [...journals] }
  const replayed = yield* replay(input)
  const settled = yield* mapYielding(replayed.outcomes, (one) => ({ ...one, changes: settleOne(book, one, input.now) }))
  const decisions = yield* mapYielding(settled, (one) => toDecision(one, one.changes))
  return { replayed, settled, decisions: decisions.flat(), holdsBefore: input.allowances.holds, book }
}

/**
 * Plans with the budgets as they were read, then draws on them. If another transaction got there first, plans again
 * with the budgets locked.
 */
async function withinBudgets(tx: Tx, input: ReplayInput, book: Book): Promise<SettlementPlan> {
  const plan = await runInSlices(planSettlement(input, book))
  const takes = plan.replayed.allowances.takes()
  const { budgets } = input.allowances
  if (await withSavepoint(tx, 'budgets', () => takeFromBudgets(tx, takes, budgets))) return plan
  const need = takes.reduce((most, { amount }) => (amount > most ? amount : most), 0n)
  const locked = await lockWholeBudgets(tx, input.budgetKeys, { offered: input.offered, states: budgets, need })
  const again = await runInSlices(
    planSettlement({ ...input, allowances: { ...input.allowances, budgets: locked } }, book),
  )
  const isTaken = await takeFromBudgets(tx, again.replayed.allowances.takes(), locked)
  assert(isTaken, 'a locked budget covers what was planned with it')
  return again
}

function settleOne(book: Book, { purchase, ruling }: DecidedPurchase, now: Date): Change[] {
  const { group, folded, isFixed } = purchase
  const hasMatured = isFixed && group.root.status === 'EARNED'
  const stated = folded.isPurchase ? (hasMatured ? withOrderNumber(purchase) : withFacts(purchase)) : group
  const changes = settle(book, stated, folded, ruling, now)
  return folded.isHistory ? changes.map((change): Change => ({ ...change, isSilent: true })) : changes
}

/** A matured purchase keeps its facts but adopts an order number, so that its other reports can be found. */
function withOrderNumber({ group, folded: { facts } }: LoadedPurchase): Group {
  const { root } = group
  if (root.orderId !== null || facts.orderId === undefined) return group
  return { ...group, stored: root, root: { ...root, orderId: facts.orderId } }
}

function withFacts({ group, folded: { facts, currency }, match, judgedIn }: LoadedPurchase): Group {
  const { root } = group
  return {
    ...group,
    stored: root,
    root: {
      ...root,
      brandUid: match.brandUid,
      matchMethod: match.method,
      merchantName: facts.merchantName ?? root.merchantName,
      merchantDescriptor: facts.merchantDescriptor ?? root.merchantDescriptor,
      orderId: facts.orderId ?? root.orderId,
      accountId: facts.accountId ?? root.accountId,
      currency,
      judgedIn,
    },
  }
}

/** Returns the decision if it must be stored because it is the first one or differs from the previous one. */
function toDecision({ purchase: { group }, judgement }: DecidedPurchase, changes: readonly Change[]): DecisionRow[] {
  const { root, former = root } = group
  const after = changes.find((change) => change.after.transactionId === root.transactionId)?.after
  if (judgement === null || after === undefined) return []
  const isSame =
    !group.isNew &&
    isSameTerms(former.terms, after.terms) &&
    former.statusReason === after.statusReason &&
    former.brandUid === after.brandUid
  if (isSame) return []
  const { userId, transactionId } = root
  return [{ userId, transactionId, version: after.version, trace: toStored(judgement) }]
}

async function write(
  tx: Tx,
  input: ReplayInput,
  plan: SettlementPlan,
  names: ReadonlyMap<UserId, string>,
): Promise<void> {
  const { publisher, assortment, purchases, formerPairs, refundPairs, now } = input
  const { replayed, settled, decisions, book } = plan
  const changes = settled.flatMap((one) => one.changes)
  await awaitAll([
    recordMerchants(tx, publisher, assortment, purchases, now),
    writeChanges(tx, publisher, changes, names, now),
    insertDecisions(tx, publisher.id, decisions, now),
    writeHolds(tx, publisher.id, replayed.allowances.changes()),
    storePairs(tx, publisher, formerPairs, replayed.pairs, now),
    storeRefundPairs(tx, publisher, refundPairs, now),
    closeBook(tx, book),
  ])
}
