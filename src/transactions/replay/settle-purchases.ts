import assert from 'node:assert/strict'
import {
  type BudgetState,
  budgetName,
  type Hold,
  lockWholeBudgets,
  takeFromBudgets,
  writeHolds,
} from '../../allowances/index.ts'
import { type Book, balancesOf, closeBook } from '../../ledger/index.ts'
import { awaitAll, type Reader, type Tx, withSavepoint } from '../../platform/database.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import {
  type Change,
  type DecisionRow,
  type Group,
  insertDecisions,
  isSameTerms,
  settle,
  writeChanges,
} from '../../rewards/index.ts'
import { listUserNames } from '../../users/index.ts'
import { noteMerchants } from '../intake/merchant-evidence.ts'
import { storePairs } from '../same-purchase/policy.ts'
import { toStored } from '../trace/trace.ts'
import type { LoadedPurchase, Redecisions, Touched } from './load.ts'
import { type Outcome, type Replayed, replay } from './replay.ts'
import { budgetKeyOf, loadScene, type Scene, type SettlementCatalog } from './scene.ts'

/** What purchases come to, and what has to be written so that they do. */
export type Plan = {
  readonly replayed: Replayed
  /** The changes of each purchase: of the transaction itself and of what adjusts it. */
  readonly settled: readonly { readonly purchase: LoadedPurchase; readonly changes: readonly Change[] }[]
  readonly decisions: readonly DecisionRow[]
  /** What the purchases held before. */
  readonly holdsBefore: readonly Hold[]
  readonly book: Book
}

/**
 * Brings purchases to what is known of them now: loads, replays, and writes the difference to what is stored. The caller
 * has stored the new events and holds the users' balances in the book, which is closed here.
 */
export async function settlePurchases(
  tx: Tx,
  deps: { readonly catalog: SettlementCatalog },
  book: Book,
  touched: Touched,
  now: Date,
  redecisions?: Redecisions,
): Promise<Plan> {
  const { publisher } = book
  const userIds = [...book.balances.keys()]
  const [scene, names] = await awaitAll([
    loadScene(tx, deps.catalog, publisher, userIds, touched, now, redecisions),
    listUserNames(tx, publisher.id, userIds),
  ])
  const plan = await withinBudgets(tx, scene, book)
  await write(tx, scene, plan, names)
  return plan
}

/** The same without writing anything: what settlePurchases would come to now. */
export async function previewSettlement(
  reader: Reader,
  deps: { readonly catalog: SettlementCatalog },
  publisher: Publisher,
  userIds: readonly UserId[],
  touched: Touched,
  now: Date,
  redecisions?: Redecisions,
): Promise<Plan> {
  const [scene, balances] = await awaitAll([
    loadScene(reader, deps.catalog, publisher, userIds, touched, now, redecisions),
    balancesOf(reader, publisher, userIds),
  ])
  return planOf(scene, { publisher, balances, journals: [] })
}

/** Nothing that is planned is booked until it is written. */
function planOf(scene: Scene, { publisher, balances, journals }: Book): Plan {
  const book: Book = { publisher, balances: new Map(balances), journals: [...journals] }
  const replayed = replay(scene)
  const settled = replayed.outcomes.map((outcome) => ({
    purchase: outcome.purchase,
    changes: settleOne(book, outcome, scene.now),
  }))
  const decisions = replayed.outcomes.flatMap((outcome, index) => decisionOf(outcome, settled[index]?.changes ?? []))
  return { replayed, settled, decisions, holdsBefore: scene.allowances.holds, book }
}

/**
 * Plans by what budgets seemed to hold and takes it from them. Where another transaction was faster, it plans again by what
 * they really hold, locked.
 */
async function withinBudgets(tx: Tx, scene: Scene, book: Book): Promise<Plan> {
  const plan = planOf(scene, book)
  const takes = plan.replayed.allowances.takes()
  const { budgets } = scene.allowances
  if (await withSavepoint(tx, 'budgets', () => takeFromBudgets(tx, takes, budgets))) return plan
  const locked = await lockBudgets(tx, scene, takes)
  const again = planOf({ ...scene, allowances: { ...scene.allowances, budgets: locked } }, book)
  const isTaken = await takeFromBudgets(tx, again.replayed.allowances.takes(), locked)
  assert(isTaken, 'a locked budget holds what was decided by it')
  return again
}

function lockBudgets(
  tx: Tx,
  { publisher, allowances: { holds, budgets: states }, offered }: Scene,
  takes: ReturnType<Replayed['allowances']['takes']>,
): Promise<BudgetState[]> {
  const held = holds.filter(({ kind }) => kind === 'budget').map((hold) => budgetKeyOf(publisher, hold))
  const keys = [...new Map([...offered, ...held].map((key) => [budgetName(key), key])).values()]
  const need = takes.reduce((most, { amount }) => (amount > most ? amount : most), 0n)
  return lockWholeBudgets(tx, keys, { offered, states, need })
}

function settleOne(
  book: Book,
  { purchase: { group, match, isFixed, judgedIn }, state, ruling }: Outcome,
  now: Date,
): Change[] {
  const { root } = group
  const facts: Group =
    state.isPurchase && !(isFixed && root.status === 'EARNED') ? withFacts(group, state, match, judgedIn) : group
  const changes = settle(book, facts, state, ruling, now)
  return state.isHistory ? changes.map((change): Change => ({ ...change, isSilent: true })) : changes
}

function withFacts(
  group: Group,
  { facts, currency }: Outcome['state'],
  match: LoadedPurchase['match'],
  judgedIn: number | null,
): Group {
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

/** A decision is stored when it is the first, or another than the one before. */
function decisionOf({ purchase: { group }, judgement }: Outcome, changes: readonly Change[]): DecisionRow[] {
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

async function write(tx: Tx, scene: Scene, plan: Plan, names: ReadonlyMap<UserId, string>): Promise<void> {
  const { publisher, assortment, purchases, formerPairs, now } = scene
  const { replayed, settled, decisions, book } = plan
  const changes = settled.flatMap((one) => one.changes)
  await awaitAll([
    noteMerchants(tx, publisher, assortment, purchases, now),
    writeChanges(tx, publisher, changes, names, now),
    insertDecisions(tx, publisher.id, decisions, now),
    writeHolds(tx, publisher.id, replayed.allowances.changes()),
    storePairs(tx, publisher, formerPairs, replayed.pairs, now),
    closeBook(tx, book),
  ])
}
