import { setTimeout } from 'node:timers/promises'
import { type Database, findSqlState, type Tx } from '../db/database.ts'
import { isKey } from './installation.ts'
import { addKey, dropKeys } from './key-source.ts'
import * as queries from './queries.ts'
import * as columns from './sealed-columns-queries.ts'
import { ALIVE_SECONDS, type Secrets } from './service.ts'
import { type MasterKey, rewrap } from './vault.ts'

/**
 * Replaces the master key while the service runs (docs/decisions/0009-master-keys.md):
 *
 * 1. announce: the new key is available, and every process reports that it holds the key;
 * 2. seal: one commit makes it the sealing key, and every process reports that it seals under the new key;
 * 3. close: one commit makes the database reject new records under the old key;
 * 4. wrap: the data keys of all records are rewrapped under the new key, a few pages at a time;
 * 5. retire: the old key leaves the data folder and the memory of every process.
 *
 * Each step is idempotent or a single commit, so a killed rotation resumes where it stopped.
 */
type Rotation = {
  readonly keyId: string
  /** Ids of all keys ever retired. */
  readonly retired: readonly string[]
  /** The number of records wrapped under the new key. */
  readonly wrapped: number
  readonly resumed: boolean
}

type Step = 'announce' | 'seal' | 'close' | 'wrap' | 'retire'
export type RotationProgress = {
  readonly step: Step
  readonly done: number
  readonly total: number
  readonly about: string
}

export type RotationOptions = {
  readonly report: (progress: RotationProgress) => void
  readonly pagesPerBatch: number
  /** The pause between batches. */
  readonly pauseMs: number
  /** The maximum time an operation may take from sealing a secret to storing it. */
  readonly settleMs: number
}

/** Thrown if the rotation cannot continue. Completed work is preserved, and the same command resumes the rotation. */
export class RotationStopped extends Error {}

// Longer than ALIVE_SECONDS, so that a killed process stops counting as running before the rotation gives up.
const WAIT_MS = (ALIVE_SECONDS + 15) * 1_000
const POLL_MS = 200
// The longest time that closing a key may block transactions that write under it. None should be left at that point.
const LOCK_LIMIT_MS = 2_000
const LOCK_ATTEMPTS = 20
// A row locked by another transaction is skipped and wrapped in a later pass.
const PASSES_MAX = 10
const LOCK_NOT_AVAILABLE = '55P03'

/** @throws RotationStopped */
export async function rotateMasterKey(db: Database, secrets: Secrets, options: RotationOptions): Promise<Rotation> {
  // This transaction only holds the lock, so the lock is released however this process ends.
  return db.transaction(async (lock) => {
    if (!(await queries.lockRotation(lock)))
      throw new RotationStopped('Another rotation is in progress. Run `laurel secrets status` to see its progress.')
    const { resumed } = await announce(db, secrets, options)
    await seal(db, secrets, options)
    await close(db, secrets, options)
    const wrapped = await wrap(db, secrets, options)
    const retired = await retire(db, secrets, options)
    return { keyId: secrets.ring.sealing().id, retired, wrapped, resumed }
  })
}

async function announce(
  db: Database,
  secrets: Secrets,
  { report }: RotationOptions,
): Promise<{ readonly resumed: boolean }> {
  const rows = await queries.listMasterKeys(db.reader)
  const held = secrets.source.read()
  const announced = rows.find((row) => row.state === 'announced')
  const isKept = announced !== undefined && held.some((key) => isKey(key, announced))
  const isUnderWay = rows.some((row) => row.state === 'opening' || row.state === 'closing')
  const hasLeftover = secrets.source.file !== null && held.some((key) => isRetired(rows, key))
  if (isKept || isUnderWay || hasLeftover) {
    report({ step: 'announce', done: 1, total: 1, about: 'resuming an earlier rotation' })
    return { resumed: true }
  }
  const key = await nextKey(secrets, rows, held)
  await db.transaction(async (tx) => {
    await queries.lockInstallation(tx)
    await queries.deleteAnnouncedKey(tx)
    await queries.insertMasterKey(tx, key, 'announced')
  })
  report({ step: 'announce', done: 1, total: 1, about: `the new key is ${key.id}` })
  return { resumed: false }
}

/**
 * Returns the first key that was never used, either from the setting or left in the file by a killed rotation. If there
 * is none, creates one.
 */
async function nextKey(
  { source }: Secrets,
  rows: readonly queries.KeyRow[],
  held: readonly MasterKey[],
): Promise<MasterKey> {
  const unused = held.find((key) => rows.every((row) => row.keyId !== key.id || row.state === 'announced'))
  if (unused !== undefined) return unused
  if (source.file !== null) {
    return addKey(
      source.file,
      rows.map((row) => row.keyId),
    )
  }
  const retired = held.find((key) => isRetired(rows, key))
  throw new RotationStopped(
    retired === undefined
      ? 'There is no new key. Restart every process with LAUREL_MASTER_KEY=NEW,OLD, and run this command again ' +
          'with the same setting.'
      : `The key ${retired.id} in LAUREL_MASTER_KEY was already retired and cannot be used again. Generate a new ` +
          'one with `openssl rand -base64 32`.',
  )
}

function isRetired(rows: readonly queries.KeyRow[], key: MasterKey): boolean {
  return rows.some((row) => row.keyId === key.id && row.state === 'retired')
}

async function seal(db: Database, secrets: Secrets, options: RotationOptions): Promise<void> {
  const announced = (await queries.listMasterKeys(db.reader)).find((row) => row.state === 'announced')
  if (announced !== undefined) {
    await secrets.refresh()
    await waitForProcesses(db, options, {
      step: 'announce',
      about: `hold ${announced.keyId}`,
      remedy:
        `does not hold the new key ${announced.keyId}. Restart it with LAUREL_MASTER_KEY=NEW,OLD, or give its data ` +
        'folder the same master.key',
      isDone: (holder) => holder.held.includes(announced.keyId),
    })
    await db.transaction(async (tx) => changeSealingKey(tx, announced.keyId))
  }
  await secrets.refresh()
  const { id } = secrets.ring.sealing()
  options.report({ step: 'seal', done: 1, total: 1, about: `new records are sealed under ${id}` })
}

/**
 * Makes the announced key the sealing key. Starting processes take the same lock, so any process not seen here will see
 * the new sealing key.
 */
async function changeSealingKey(tx: Tx, keyId: string): Promise<void> {
  await queries.lockInstallation(tx)
  const without = (await queries.listHolders(tx, ALIVE_SECONDS)).find((holder) => !holder.held.includes(keyId))
  if (without !== undefined) {
    throw new RotationStopped(`${without.name} has just started without the new key ${keyId}. Run this command again.`)
  }
  await queries.moveMasterKeys(tx, 'sealing', 'opening')
  await queries.moveMasterKeys(tx, 'announced', 'sealing')
}

async function close(db: Database, secrets: Secrets, options: RotationOptions): Promise<void> {
  const closing = (await queries.listMasterKeys(db.reader)).filter((row) => row.state === 'opening')
  if (closing.length === 0) return
  const { id } = secrets.ring.sealing()
  await waitForProcesses(db, options, {
    step: 'close',
    about: `seal under ${id}`,
    remedy: `does not seal under ${id} yet. See its log`,
    isDone: (holder) => holder.sealing === id,
  })
  await setTimeout(options.settleMs)
  for (const { keyId } of closing) await closeKey(db, keyId)
  options.report({ step: 'close', done: 1, total: 1, about: closing.map(({ keyId }) => keyId).join(', ') })
}

async function closeKey(db: Database, keyId: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction(async (tx) => {
        await queries.lockRecordsByKey(tx, keyId, LOCK_LIMIT_MS)
        await queries.closeMasterKey(tx, keyId)
      })
      return
    } catch (error) {
      if (findSqlState(error) !== LOCK_NOT_AVAILABLE) throw error
      if (attempt === LOCK_ATTEMPTS)
        throw new RotationStopped(
          `A transaction that wrote a record under ${keyId} is still open. Run this command again later.`,
        )
    }
  }
}

/** Makes passes over all sealed columns until no record is left under another key. */
async function wrap(db: Database, secrets: Secrets, options: RotationOptions): Promise<number> {
  const { id } = secrets.ring.sealing()
  let wrapped = 0
  for (let pass = 1; ; pass++) {
    wrapped += await wrapColumns(db, secrets, options)
    const left = (await countByColumn(db)).filter((one) => one.keyId !== id)
    if (left.length === 0) return wrapped
    if (pass === PASSES_MAX) {
      const list = left.map((one) => `${one.records} in ${one.table}.${one.column} under ${one.keyId}`).join(', ')
      throw new RotationStopped(
        `These records cannot be rewrapped under ${id}, because they are damaged, in use, or sealed under a ` +
          `missing key: ${list}.`,
      )
    }
    await setTimeout(POLL_MS)
  }
}

async function wrapColumns(db: Database, secrets: Secrets, options: RotationOptions): Promise<number> {
  const pages = new Map<columns.SealedColumn, number>()
  for (const column of await columns.listSealedColumns(db.reader))
    pages.set(column, await columns.countPages(db.reader, column))
  const total = pages.values().reduce((sum, count) => sum + count, 0)
  let [done, wrapped] = [0, 0]
  for (const [column, count] of pages) {
    for (let from = 0; from < count; from += options.pagesPerBatch) {
      const to = Math.min(count, from + options.pagesPerBatch)
      wrapped += await db.transaction((tx) => wrapPages(tx, secrets, column, { from, to }))
      done += to - from
      options.report({ step: 'wrap', done, total, about: `${column.table}.${column.column}` })
      if (options.pauseMs > 0) await setTimeout(options.pauseMs)
    }
  }
  return wrapped
}

async function wrapPages(
  tx: Tx,
  { ring }: Secrets,
  column: columns.SealedColumn,
  pages: columns.Pages,
): Promise<number> {
  const found = await columns.lockWrappings(tx, column, pages, ring.sealing().id)
  const changes = found.flatMap((one) => {
    try {
      return [{ ...one, next: rewrap(ring, one.wrapping) }]
    } catch {
      // The record is damaged or sealed under a key we do not have. It stays unchanged and is counted after the pass.
      return []
    }
  })
  return changes.length === 0 ? 0 : columns.replaceWrappings(tx, column, pages, changes)
}

async function retire(db: Database, secrets: Secrets, options: RotationOptions): Promise<string[]> {
  await db.transaction((tx) => queries.moveMasterKeys(tx, 'closing', 'retired'))
  const rows = await queries.listMasterKeys(db.reader)
  const retired = rows.filter((row) => row.state === 'retired').map((row) => row.keyId)
  if (secrets.source.file !== null) await dropKeys(secrets.source.file, retired)
  await secrets.refresh()
  options.report({ step: 'retire', done: 1, total: 1, about: 'no records remain under another key' })
  return retired
}

type RecordCount = columns.SealedColumn & { readonly keyId: string; readonly records: number }

/** Counts the sealed records by column and key. */
export async function countByColumn(db: Database): Promise<RecordCount[]> {
  const counts: RecordCount[] = []
  for (const column of await columns.listSealedColumns(db.reader)) {
    for (const count of await columns.countRecords(db.reader, column)) counts.push({ ...column, ...count })
  }
  return counts
}

type Expectation = {
  readonly step: Step
  readonly about: string
  readonly remedy: string
  readonly isDone: (holder: queries.KeyHolder) => boolean
}

async function waitForProcesses(
  db: Database,
  { report }: RotationOptions,
  { step, about, remedy, isDone }: Expectation,
): Promise<void> {
  let reported = -1
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const holders = await queries.listHolders(db.reader, ALIVE_SECONDS)
    const waiting = holders.filter((holder) => !isDone(holder))
    const done = holders.length - waiting.length
    if (done !== reported) {
      const missing = waiting.length === 0 ? '' : `, waiting for ${joinNames(waiting)}`
      report({ step, done, total: holders.length, about: `processes ${about}${missing}` })
    }
    reported = done
    if (waiting.length === 0) return
    if (waitedMs >= WAIT_MS)
      throw new RotationStopped(`${joinNames(waiting)} ${remedy}. Nothing is lost. Run this command again.`)
    await setTimeout(POLL_MS)
  }
}

function joinNames(holders: readonly queries.KeyHolder[]): string {
  return holders.map(({ name }) => name).join(', ')
}
