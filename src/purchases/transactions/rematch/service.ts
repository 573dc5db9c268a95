import { createHash } from 'node:crypto'
import type { CatalogStore } from '../../../catalog/catalog/index.ts'
import { type Book, openBook } from '../../../ledger/index.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId, newUuid, type TransactionId, type UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { TransactionRefusal } from '../errors.ts'
import type { Former, Touched } from '../load/load.ts'
import type { SettlementCatalog } from '../replay/replay-input.ts'
import { listTransactionsById } from '../rewards/queries.ts'
import { previewSettlement, settlePurchases } from '../write/settle-purchases.ts'
import {
  collectChanges,
  isStill,
  noSums,
  plusChanges,
  type RematchChange,
  type RematchSums,
  serializeChanges,
} from './changes.ts'
import type { RematchProgress } from './queries.ts'
import * as queries from './queries.ts'
import type { Rematch, RematchId } from './rematch.ts'
import { type Filter, PURCHASES_MAX, type Selected, selectPurchases } from './select.ts'

// After an alias, a store list, a date or an offer has been corrected, purchases can be judged again against the
// current catalog. Nothing else unfreezes terms. A preview plans each batch without writing anything, and applying
// writes the same plan. Each batch of a preview sees shared budgets as if there were no other batches. If this makes a
// difference, applying with the preview's hash stops at that batch.

type Deps = { readonly db: Database; readonly catalog: SettlementCatalog & Pick<CatalogStore, 'refresh'> }
export type Preview = {
  readonly examined: number
  readonly changes: readonly RematchChange[]
  readonly sums: RematchSums
  readonly hash: string
}

// A batch's users are locked for a few tenths of a second while it is decided.
const BATCH_PURCHASES = 500

/**
 * Returns what a re-match would change. Writes nothing.
 * @throws Refusal as selectPurchases does
 */
export async function previewRematch(
  deps: Deps,
  publisher: Publisher,
  filter: Filter,
  now: Date,
  max = PURCHASES_MAX,
): Promise<Preview> {
  const batches = await prepare(deps, publisher, filter, max, now)
  return previewBatches(deps, publisher, batches, now)
}

/** A re-match with its computed sums. */
type FinishedRematch = Rematch & RematchProgress

/** Runs in the commit that starts a re-match, before anything changes. */
type Begun = (tx: Tx, rematchId: RematchId) => Promise<void>

export type RematchOrder = {
  readonly filter: Filter
  readonly by: string
  readonly reason: string
  readonly begun?: Begun
  /** The hash of a preview, so that any other result is rejected; null to accept any result. */
  readonly expected: string | null
  /** The real time of the order. A sandbox's clock may be ahead of real time. */
  readonly at?: Date
}

/**
 * Decides the purchases again in batches of users, each in its own commit with its part of the record. If interrupted,
 * the re-match can be completed by repeating the order.
 * @throws Refusal rematch_differs, and as selectPurchases does
 */
export async function applyRematch(
  deps: Deps,
  publisher: Publisher,
  { filter, by, reason, expected, begun, at }: RematchOrder,
  now: Date,
  max = PURCHASES_MAX,
): Promise<FinishedRematch> {
  const batches = await prepare(deps, publisher, filter, max, now)
  const preview = expected === null ? null : await previewBatches(deps, publisher, batches, now)
  if (preview !== null && preview.hash !== expected) throw differs('The result has changed. Preview it again.')
  const promised = preview === null ? null : Map.groupBy(preview.changes, ({ userId }) => userId)
  const stored = { ...filter, hash: expected }
  const record = { undoes: null, decidedBy: by, reason, filter: stored, startedAt: at ?? now }
  return run(deps, publisher, batches, { record, begun }, async (tx, book, batch, changed) => {
    const changes = collectChanges(await settlePurchases(tx, deps, book, byPresentCatalog(batch), now))
    const awaited = promised === null ? changes : batch.userIds.flatMap((userId) => promised.get(userId) ?? [])
    if (serializeChanges(changes) !== serializeChanges(awaited))
      throw differs(`Something changed in the meantime. ${changed} purchases were changed; the others were not.`)
    return { changes, examined: batch.transactionIds.length, kept: 0 }
  })
}

/**
 * Restores the terms that a re-match replaced. Purchases that have been decided again since then are left unchanged and
 * counted.
 * @throws Refusal rematch_undone if it was already undone completely
 */
export async function undoRematch(
  deps: Deps,
  publisher: Publisher,
  { undone, by, begun, at }: { readonly undone: Rematch } & Pick<RematchOrder, 'by' | 'begun' | 'at'>,
  now: Date,
  size = BATCH_PURCHASES,
): Promise<FinishedRematch> {
  const former = await queries.findUndo(deps.db.reader, publisher.id, undone.rematchId)
  if (former !== null) throw undoneBefore(former)
  await deps.catalog.refresh()
  // In reverse order, so that allowances are freed before their former holders take them back.
  const batches = splitIntoBatches(
    await queries.listChanged(deps.db.reader, publisher.id, undone.rematchId),
    size,
  ).reverse()
  const reason = `undoes: ${undone.reason}`
  const record = { undoes: undone.rematchId, decidedBy: by, reason, filter: {}, startedAt: at ?? now }
  return run(deps, publisher, batches, { record, begun }, async (tx, book, { userIds, transactionIds }) => {
    const made = await queries.listChanges(tx, publisher.id, undone.rematchId, userIds)
    const stored = await listTransactionsById(tx, publisher.id, transactionIds)
    const roots = new Map(stored.map((root) => [root.transactionId, root]))
    const standing = made.filter(({ transactionId, after }) => {
      const root = roots.get(transactionId)
      return root !== undefined && isStill(root, after)
    })
    const restored = new Map(standing.map((change) => [change.transactionId, toFormer(change)]))
    const changes = restored.size === 0 ? [] : collectChanges(await settlePurchases(tx, deps, book, restored, now))
    return { changes, examined: made.length, kept: made.length - standing.length }
  })
}

/** Purchases that are decided in one database transaction. */
type Batch = { readonly userIds: readonly UserId[]; readonly transactionIds: readonly TransactionId[] }

function byPresentCatalog({ transactionIds }: Batch): Touched {
  return new Map(transactionIds.map((id) => [id, 'rematch']))
}

type Start = {
  readonly record: Omit<Parameters<typeof queries.insertRematch>[2], 'rematchId'>
  readonly begun: Begun | undefined
}
type BatchResult = Pick<RematchProgress, 'examined' | 'kept'> & { readonly changes: readonly RematchChange[] }

/** Decides the batches in sequence, each in its own commit with its part of the record. */
async function run(
  { db }: Deps,
  publisher: Publisher,
  batches: readonly Batch[],
  { record, begun }: Start,
  decide: (tx: Tx, book: Book, batch: Batch, changed: number) => Promise<BatchResult>,
): Promise<FinishedRematch> {
  const rematchId = newUuid<'rematch'>()
  await db.transaction(async (tx) => {
    await queries.insertRematch(tx, publisher.id, { rematchId, ...record })
    await begun?.(tx, rematchId)
  })
  let progress: RematchProgress = { examined: 0, changed: 0, kept: 0, sums: noSums }
  for (const batch of batches) {
    progress = await db.transaction(async (tx) => {
      const book = await openBook(tx, publisher, batch.userIds)
      const { changes, examined, kept } = await decide(tx, book, batch, progress.changed)
      const next = {
        examined: progress.examined + examined,
        changed: progress.changed + changes.length,
        kept: progress.kept + kept,
        sums: plusChanges(progress.sums, changes),
      }
      await queries.insertChanges(tx, publisher.id, rematchId, changes)
      await queries.markProgress(tx, publisher.id, rematchId, next, null)
      return next
    })
  }
  const finishedAt = record.startedAt
  await db.transaction((tx) => queries.markProgress(tx, publisher.id, rematchId, progress, finishedAt))
  const { timeZone, currency } = publisher
  return { rematchId, publisherId: publisher.id, timeZone, currency, ...record, ...progress, finishedAt }
}

function toFormer({ before }: RematchChange): Former {
  const { terms, statusReason, brandUid, matchMethod, judgedIn = null, amounts, bound } = before
  return {
    terms,
    reason: statusReason,
    brandUid,
    matchMethod,
    judgedIn,
    gross: BigInt(amounts.gross),
    bound: bound == null ? null : { ...bound, gross: BigInt(bound.gross) },
  }
}

/** @throws Refusal rematch_not_found */
export async function getRematch(db: Database, text: string): Promise<Rematch> {
  const id: RematchId | null = decodeId<'rematch'>('rmt', text)
  const found = id === null ? null : await queries.findRematch(db.reader, id)
  if (found === null) throw new Refusal<TransactionRefusal>('rematch_not_found', 'There is no such re-match.')
  return found
}

async function prepare(deps: Deps, publisher: Publisher, filter: Filter, max: number, now: Date) {
  // Picks up recent corrections.
  await deps.catalog.refresh()
  const assortment = await deps.catalog.getAssortment(publisher)
  const selected = await selectPurchases(deps.db.reader, publisher, assortment, filter, max, now)
  return splitIntoBatches(selected)
}

/** Keeps a user's purchases together, because the reward of one can depend on another. */
function splitIntoBatches(selected: readonly Selected[], size = BATCH_PURCHASES): Batch[] {
  const batches: { userIds: UserId[]; transactionIds: TransactionId[] }[] = []
  for (const { userId, transactionIds } of selected) {
    const last = batches.at(-1)
    if (last === undefined || last.transactionIds.length + transactionIds.length > size)
      batches.push({ userIds: [userId], transactionIds: [...transactionIds] })
    else {
      last.userIds.push(userId)
      last.transactionIds.push(...transactionIds)
    }
  }
  return batches
}

async function previewBatches(
  deps: Deps,
  publisher: Publisher,
  batches: readonly Batch[],
  now: Date,
): Promise<Preview> {
  const changes: RematchChange[] = []
  for (const batch of batches) {
    const plan = await deps.db.snapshot((tx) =>
      previewSettlement(tx, deps, publisher, batch.userIds, byPresentCatalog(batch), now),
    )
    changes.push(...collectChanges(plan))
  }
  const hash = createHash('sha256').update(serializeChanges(changes)).digest('hex')
  const examined = batches.reduce((sum, { transactionIds }) => sum + transactionIds.length, 0)
  return { examined, changes, sums: plusChanges(noSums, changes), hash }
}

function differs(sentence: string): Refusal<TransactionRefusal> {
  return new Refusal<TransactionRefusal>('rematch_differs', sentence)
}

function undoneBefore({ rematchId, decidedBy }: Pick<Rematch, 'rematchId' | 'decidedBy'>): Refusal<TransactionRefusal> {
  const uid = encodeId('rmt', rematchId)
  return new Refusal<TransactionRefusal>(
    'rematch_undone',
    `${decidedBy} has undone it with ${uid}. To restore it, undo that re-match.`,
  )
}
