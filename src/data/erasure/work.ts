import { randomBytes } from 'node:crypto'
import { recordEvents } from '../../events/index.ts'
import { openBook } from '../../ledger/index.ts'
import { HOUR_MS } from '../../platform/calendar.ts'
import type { Tx } from '../../platform/db/database.ts'
import { encodeId, type PublisherId } from '../../platform/ids.ts'
import type { LeasedWork } from '../../platform/queue/leased-work.ts'
import { recordFact } from '../../platform/queue/outbox.ts'
import { createQueueWork } from '../../platform/queue/row-queue.ts'
import { type LinkerDeps, unlinkUser } from '../../purchases/linker/index.ts'
import { eraseEvents } from '../../purchases/transactions/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import { listUserTables, type UserTable } from '../tables/index.ts'
import * as rows from './erase-queries.ts'
import { BOUND_HOURS, computeProof, type Erasure } from './erasure.ts'
import * as queries from './queries.ts'

/**
 * The worker's part of an erasure, in small, repeatable commits:
 *
 * 1. Replaces the references by which reports find their purchases, all in one commit under the user's lock, so that a
 *    report finds either all old or all new ones. The request has already replaced the user's own identifier.
 * 2. Erases everything else, one batch per commit, until nothing is left.
 * 3. Once the provider has ended the logins, stores the proof and records the event `user.erased`.
 */

// Each commit takes a few tenths of a second.
const BATCH = 1_000
// Stops waiting for the provider well within the limit.
const TOKENS_HOURS = BOUND_HOURS - 1
const WAIT_MS = 2_000

/** Tables whose identifiers refer to one another and must be replaced together. */
const IN_FIRST_STEP: ReadonlySet<string> = new Set([
  'transactions',
  'feed_rows',
  'refund_pairs',
  'orphan_decisions',
  'withheld_rewards',
  'postbacks',
])
/** The table of sealed tokens, which stay until the provider has ended the logins. */
const REMOVALS = 'item_removals'

/** Creates the background work that erases users. */
export function createErasures(deps: LinkerDeps, publisherId: PublisherId | null): LeasedWork {
  let tables: readonly UserTable[] | null = null
  return createQueueWork<queries.QueuedErasure>(deps, queries.ERASURES, publisherId, async (due) => {
    tables ??= await listUserTables(deps.db.reader)
    try {
      return await eraseStep(deps, due, tables)
    } catch (error) {
      // A migration may have changed the tables.
      tables = null
      throw error
    }
  })
}

/** Runs the next step. Returns the milliseconds until the following step is due, or `done`. */
function eraseStep(
  deps: LinkerDeps,
  due: queries.QueuedErasure,
  tables: readonly UserTable[],
): Promise<number | 'done'> {
  return deps.db.transaction(async (tx) => {
    const publisher = await getPublisher(tx, due.publisherId)
    await openBook(tx, publisher, [due.userId])
    const erasure = await queries.lockOpenErasure(tx, due.publisherId, due.userId)
    if (erasure === null) return 'done'
    if (erasure.salt === null) {
      await replaceNames(tx, deps, publisher, erasure, tables)
      return 0
    }
    const leaver = { ...erasure, salt: erasure.salt }
    const counts = await eraseBatch(tx, leaver, tables)
    if (Object.keys(counts).length > 0) {
      await queries.saveCounts(tx, withCounts(erasure, counts))
      return 0
    }
    return (await finish(tx, deps, publisher, leaver, tables)) ? 'done' : WAIT_MS
  })
}

type Counts = Readonly<Record<string, number>>

/** Returns the erasure with these row counts added to its own. */
function withCounts(erasure: Erasure, more: Counts): Erasure {
  const counts = { ...erasure.counts }
  for (const [table, count] of Object.entries(more)) counts[table] = (counts[table] ?? 0) + count
  return { ...erasure, counts }
}

async function replaceNames(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  erasure: Erasure,
  tables: readonly UserTable[],
): Promise<void> {
  const { publisherId, userId } = erasure
  // The deactivation's fact may not have been processed yet.
  await unlinkUser(tx, deps, publisher, userId)
  const leaver = { publisherId, userId, salt: randomBytes(32) }
  await queries.saveSalt(tx, publisherId, userId, leaver.salt)
  await rows.lockSubIds(tx, leaver)
  const counts: Record<string, number> = {
    // Already done by the request, unless a process running the previous version handled it.
    users: await rows.renameUser(tx, erasure, publisherNow(publisher, deps.clock)),
    source_events: await eraseEvents(tx, publisher, leaver),
    postback_answers: await rows.eraseAnswers(tx, leaver),
  }
  for (const table of tables.filter(({ name }) => IN_FIRST_STEP.has(name)))
    counts[table.name] = await rows.eraseRows(tx, leaver, table, Number.MAX_SAFE_INTEGER)
  await queries.saveCounts(tx, withCounts(erasure, withoutZeros(counts)))
}

/** Erases about one batch. Returns the counts by table, which are empty once everything is erased. */
async function eraseBatch(tx: Tx, leaver: Erasure & rows.Leaver, tables: readonly UserTable[]): Promise<Counts> {
  const counts: Record<string, number> = {}
  let left = BATCH
  for (const [name, erase] of stepsFor(tx, leaver, tables)) {
    const count = await erase(left)
    counts[name] = (counts[name] ?? 0) + count
    left -= count
    if (left <= 0) break
  }
  return withoutZeros(counts)
}

type Step = readonly [table: string, erase: (limit: number) => Promise<number>]

function stepsFor(tx: Tx, leaver: Erasure & rows.Leaver, userTables: readonly UserTable[]): Step[] {
  const svcUserId = encodeId('usr', leaver.userId)
  const data = JSON.stringify({ svc_user_id: svcUserId, erased: true })
  const tables = userTables.flatMap((table): Step[] => {
    const { name, nulled, replaced, set, deleted, erasedBy } = table
    const isErased = [nulled, replaced, set, deleted].some((columns) => columns !== undefined)
    if (!isErased || erasedBy !== undefined || IN_FIRST_STEP.has(name) || name === REMOVALS) return []
    return [[name, (limit) => rows.eraseRows(tx, leaver, table, limit)]]
  })
  return [
    ...tables,
    ['events', (limit) => rows.eraseAnnouncements(tx, leaver, data, limit)],
    ['merchant_sightings', () => rows.deleteSightings(tx, leaver)],
    ['review_items', () => rows.eraseReviews(tx, leaver)],
    ['facts', () => rows.deleteFacts(tx, leaver, [leaver.userId, svcUserId])],
    ['audit_log', () => eraseAudit(tx, leaver)],
  ]
}

async function eraseAudit(tx: Tx, leaver: rows.Leaver): Promise<number> {
  const audited = await rows.listAudited(tx, leaver)
  const svcUserId = encodeId('usr', leaver.userId)
  const things = audited.map(({ prefix, id }) => encodeId(prefix, id))
  const byOperators = await rows.eraseAudit(tx, [svcUserId, ...things])
  return byOperators + (await rows.eraseAuditedChanges(tx, svcUserId))
}

function withoutZeros(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

/** Completes the erasure. Returns false while it has to wait for the provider. */
async function finish(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  erasure: Erasure & rows.Leaver,
  tables: readonly UserTable[],
): Promise<boolean> {
  let counted: Erasure = erasure
  if (await rows.isWaitingForProvider(tx, erasure)) {
    if (deps.clock.now().getTime() < erasure.recordedAt.getTime() + TOKENS_HOURS * HOUR_MS) return false
    for (const table of tables.filter(({ name }) => name === REMOVALS))
      counted = withCounts(erasure, { [REMOVALS]: await rows.eraseRows(tx, erasure, table, BATCH) })
    await queries.saveCounts(tx, counted)
  }
  const now = publisherNow(publisher, deps.clock)
  const done = { ...counted, doneAt: now, sha256: computeProof({ ...counted, doneAt: now }) }
  await queries.markDone(tx, done)
  // Report files created before now may still contain the user's data.
  await recordFact(tx, erasure.publisherId, 'user.erased', {})
  const data = {
    svc_user_id: encodeId('usr', erasure.userId),
    erasure_id: encodeId('era', erasure.erasureId),
    pseudonym: erasure.pseudonym,
    done_at: now.toISOString(),
    sha256: done.sha256.toString('hex'),
    erased: true,
  }
  await recordEvents(tx, publisher, [{ type: 'user.erased', userId: erasure.userId, data }], now)
  return true
}
