import { createHash } from 'node:crypto'
import type { CatalogStore } from '../../catalog/index.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { decodeId, encodeId, newUuid, type TransactionId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { TransactionRefusal } from '../errors.ts'
import type { Former } from '../replay/load.ts'
import type { SettlementCatalog } from '../replay/scene.ts'
import { anew, type Batch, type Choose, previewBatch, redecide } from './batch.ts'
import { addLines, contentOf, isStill, type Line, noSums, type Sums } from './lines.ts'
import type { Progress, Rematch, RematchId } from './queries.ts'
import * as queries from './queries.ts'
import { type Filter, PURCHASES_MAX, type Selected, selectPurchases } from './select.ts'

// After an alias, a store list, a date or an offer was corrected, purchases can be judged again by the catalog as it is now.
// Nothing else unfreezes terms. A preview plans each batch and writes nothing; applying writes the same plan, so both come
// to the same while nothing happens in between. A budget that several users share is judged by each batch of a preview as
// if the others were not there: applying by a preview's hash stops where that makes a difference.

type Deps = { readonly db: Database; readonly catalog: SettlementCatalog & Pick<CatalogStore, 'refresh'> }
export type Preview = {
  readonly examined: number
  readonly lines: readonly Line[]
  readonly sums: Sums
  readonly hash: string
}

// Users are held while their batch is decided: some tenths of a second.
const BATCH_PURCHASES = 500

/** What a re-match would change, and by how much; nothing is changed. @throws what selectPurchases throws */
export async function previewRematch(
  deps: Deps,
  publisher: Publisher,
  filter: Filter,
  now: Date,
  max = PURCHASES_MAX,
): Promise<Preview> {
  const batches = await prepare(deps, publisher, filter, max, now)
  return previewOf(deps, publisher, batches, now)
}

/** Called in the commit with which a re-match begins, before anything is changed. */
type Begun = (tx: Tx, rematchId: RematchId) => Promise<void>

export type Order = {
  readonly filter: Filter
  readonly by: string
  readonly reason: string
  readonly begun?: Begun
  /** The hash of a preview: what comes to something else is refused. */
  readonly expected: string | null
  /** When it is ordered, where the publisher's present is another: a sandbox's clock can stand ahead. */
  readonly at?: Date
}

/**
 * Decides the purchases again, in batches of users, each a commit with its part of the record. If it is interrupted, the
 * same order again does the rest.
 * @throws Refusal rematch_differs, and what selectPurchases throws
 */
export async function applyRematch(
  deps: Deps,
  publisher: Publisher,
  { filter, by, reason, expected, begun, at }: Order,
  now: Date,
  max = PURCHASES_MAX,
): Promise<Rematch> {
  const batches = await prepare(deps, publisher, filter, max, now)
  const preview = expected === null ? null : await previewOf(deps, publisher, batches, now)
  if (preview !== null && preview.hash !== expected) throw differs('Preview it again: it comes to something else now.')
  const promised = preview === null ? null : Map.groupBy(preview.lines, (line) => line.userId)
  const rematchId = newUuid<'rematch'>()
  const [since = null, until = null] = [filter.since?.toISOString(), filter.until?.toISOString()]
  const asked = { ...filter, since, until, hash: expected }
  await deps.db.transaction(async (tx) => {
    await queries.insertRematch(tx, publisher.id, {
      ...{ rematchId, undoes: null, decidedBy: by, reason },
      ...{ asked, startedAt: at ?? now },
    })
    await begun?.(tx, rematchId)
  })
  let progress: Progress = { examined: 0, changed: 0, kept: 0, sums: noSums }
  for (const batch of batches) {
    progress = await deps.db.transaction(async (tx) => {
      const lines = await redecide(tx, deps, publisher, batch, anew, now)
      const awaited = promised === null ? lines : batch.userIds.flatMap((userId) => promised.get(userId) ?? [])
      if (contentOf(lines) !== contentOf(awaited))
        throw differs(`Something happened meanwhile: ${progress.changed} purchases were changed, the others were not.`)
      return record(tx, publisher, rematchId, lines, { ...progress, examined: progress.examined + sizeOf(batch) })
    })
  }
  return finish(deps, publisher, rematchId, progress, at ?? now)
}

/**
 * Puts back what a re-match changed: the former terms, through the same function. What was decided about a purchase since
 * then stays as it is, and is counted as kept.
 * @throws Refusal rematch_undone when that was done to its end before
 */
export async function undoRematch(
  deps: Deps,
  publisher: Publisher,
  { undone, by, begun, at }: { readonly undone: Rematch } & Pick<Order, 'by' | 'begun' | 'at'>,
  now: Date,
  size = BATCH_PURCHASES,
): Promise<Rematch> {
  const former = await queries.findUndo(deps.db.reader, publisher.id, undone.rematchId)
  if (former !== null) throw undoneBefore(former)
  await deps.catalog.refresh()
  const rematchId = newUuid<'rematch'>()
  const reason = `undoes: ${undone.reason}`
  await deps.db.transaction(async (tx) => {
    await queries.insertRematch(tx, publisher.id, {
      ...{ rematchId, undoes: undone.rematchId, decidedBy: by, reason },
      ...{ asked: {}, startedAt: at ?? now },
    })
    await begun?.(tx, rematchId)
  })
  let progress: Progress = { examined: 0, changed: 0, kept: 0, sums: noSums }
  // The last first: what was freed for others is free again before those who had it take it back.
  const batches = batchesOf(await queries.listChanged(deps.db.reader, publisher.id, undone.rematchId), size).reverse()
  for (const batch of batches) {
    const made = await queries.listLines(deps.db.reader, publisher.id, undone.rematchId, batch.userIds)
    progress = await deps.db.transaction(async (tx) => {
      let kept = 0
      const choose: Choose = (roots) => {
        const standing = made.filter(({ transactionId, after }) => {
          const root = roots.get(transactionId)
          return root !== undefined && isStill(root, after)
        })
        kept = made.length - standing.length
        return new Map(standing.map((line) => [line.transactionId, formerOf(line)]))
      }
      const lines = await redecide(tx, deps, publisher, batch, choose, now)
      const examined = progress.examined + made.length
      return record(tx, publisher, rematchId, lines, { ...progress, examined, kept: progress.kept + kept })
    })
  }
  return finish(deps, publisher, rematchId, progress, at ?? now)
}

function formerOf({ before }: Line): Former {
  const { terms, statusReason, brandUid, matchMethod, judgedIn = null, amounts, bound } = before
  return {
    ...{ terms, reason: statusReason, brandUid, matchMethod, judgedIn },
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
  // What was just corrected must be known here.
  await deps.catalog.refresh()
  const assortment = await deps.catalog.assortmentOf(publisher)
  const selected = await selectPurchases(deps.db.reader, publisher, assortment, filter, max, now)
  return batchesOf(selected)
}

/** A user's purchases stay together: what one earns can depend on another. */
function batchesOf(selected: readonly Selected[], size = BATCH_PURCHASES): Batch[] {
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

async function previewOf(deps: Deps, publisher: Publisher, batches: readonly Batch[], now: Date): Promise<Preview> {
  const lines: Line[] = []
  for (const batch of batches) lines.push(...(await previewBatch(deps.db, deps, publisher, batch, now)))
  const hash = createHash('sha256').update(contentOf(lines)).digest('hex')
  const examined = batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
  return { examined, lines, sums: addLines(noSums, lines), hash }
}

async function record(
  tx: Tx,
  publisher: Publisher,
  rematchId: RematchId,
  lines: readonly Line[],
  progress: Progress,
): Promise<Progress> {
  const next = { ...progress, changed: progress.changed + lines.length, sums: addLines(progress.sums, lines) }
  await queries.insertLines(tx, publisher.id, rematchId, lines)
  await queries.markProgress(tx, publisher.id, rematchId, next, null)
  return next
}

async function finish(
  deps: Deps,
  publisher: Publisher,
  rematchId: RematchId,
  progress: Progress,
  finishedAt: Date,
): Promise<Rematch> {
  await deps.db.transaction((tx) => queries.markProgress(tx, publisher.id, rematchId, progress, finishedAt))
  const done = await queries.findRematch(deps.db.reader, rematchId)
  if (done === null) throw new Error('a re-match is gone that was there a moment ago')
  return done
}

function sizeOf(batch: Batch): number {
  return batch.transactionIds.length
}

function differs(sentence: string): Refusal<TransactionRefusal> {
  return new Refusal<TransactionRefusal>('rematch_differs', sentence)
}

function undoneBefore({ rematchId, decidedBy }: Pick<Rematch, 'rematchId' | 'decidedBy'>): Refusal<TransactionRefusal> {
  const uid = encodeId('rmt', rematchId)
  return new Refusal<TransactionRefusal>(
    'rematch_undone',
    `${decidedBy} undid it by ${uid}; undo that to have it back.`,
  )
}
