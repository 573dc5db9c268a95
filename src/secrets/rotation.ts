import { setTimeout } from 'node:timers/promises'
import { type Database, sqlStateOf, type Tx } from '../platform/database.ts'
import { isKey } from './installation.ts'
import { addKey, dropKeys } from './key-source.ts'
import * as queries from './queries.ts'
import * as columns from './sealed-columns-queries.ts'
import { ALIVE_SECONDS, type Secrets } from './service.ts'
import { type MasterKey, wrapAnew } from './vault.ts'

/**
 * Replaces the master key while the service runs (docs/decisions/0009-master-keys.md):
 *
 * 1. announce: the new key is there for all processes, and each says that it holds it;
 * 2. seal: from one commit on it is the key that seals, and each process says that it has heard;
 * 3. wrap: every record's data key is wrapped under it, a few pages at a time;
 * 4. close: the database refuses new records under the old key, what came in meanwhile is wrapped, too;
 * 5. retire: nothing is left under it, it leaves the data folder and the memory of all processes.
 *
 * Each step is one commit or may be repeated, so a rotation that was killed goes on where it was.
 */
export type Rotation = {
  readonly keyId: string
  readonly retired: readonly string[]
  readonly wrapped: number
  readonly resumed: boolean
}

export type Step = 'announce' | 'seal' | 'wrap' | 'close' | 'retire'
export type Progress = { readonly step: Step; readonly done: number; readonly total: number; readonly about: string }

export type RotationOptions = {
  readonly report: (progress: Progress) => void
  readonly pagesPerBatch: number
  /** Rest between two batches. */
  readonly pauseMs: number
  /** How long an operation may take from sealing a secret to storing it. */
  readonly settleMs: number
}

/** A rotation that cannot go on as things are; what it did stays, and the same command goes on from there. */
export class RotationStopped extends Error {}

// Longer than an ended process counts as running, so that a killed one does not stop a rotation.
const WAIT_MS = (ALIVE_SECONDS + 15) * 1_000
const POLL_MS = 200
// Writers under the old key wait behind us for so long at most; by then there should be none.
const LOCK_LIMIT_MS = 2_000
const LOCK_ATTEMPTS = 20
const PASSES_MAX = 10
const LOCK_NOT_AVAILABLE = '55P03'

/** @throws RotationStopped */
export async function rotateMasterKey(db: Database, secrets: Secrets, options: RotationOptions): Promise<Rotation> {
  // The lock lasts as long as this transaction, which does nothing else: with this process it ends, however that ends.
  return db.transaction(async (lock) => {
    if (!(await queries.lockRotation(lock)))
      throw new RotationStopped('Another rotation is under way; `laurel secrets status` shows how far it is.')
    await queries.guardSealedColumns(db.reader)
    const { resumed } = await announce(db, secrets, options)
    await seal(db, secrets, options)
    let wrapped = await wrapAll(db, secrets, options)
    await close(db, secrets, options)
    wrapped += await wrapAll(db, secrets, options)
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
    report({ step: 'announce', done: 1, total: 1, about: 'an earlier rotation goes on' })
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

/** The first key that has never been used: of the setting, or left in the file by a rotation that was killed, or a new one. */
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
      ? 'There is no new key to change to: restart every process with LAUREL_MASTER_KEY=NEW,OLD, and call this again with the same setting.'
      : `The key ${retired.id} in LAUREL_MASTER_KEY was retired before and is not taken again; make a new one with \`openssl rand -base64 32\`.`,
  )
}

function isRetired(rows: readonly queries.KeyRow[], key: MasterKey): boolean {
  return rows.some((row) => row.keyId === key.id && row.state === 'retired')
}

async function seal(db: Database, secrets: Secrets, options: RotationOptions): Promise<void> {
  const announced = (await queries.listMasterKeys(db.reader)).find((row) => row.state === 'announced')
  if (announced !== undefined) {
    await secrets.refresh()
    await everyProcess(db, options, {
      step: 'announce',
      about: `hold ${announced.keyId}`,
      remedy: `does not hold the new key ${announced.keyId}; restart it with LAUREL_MASTER_KEY=NEW,OLD, or give its data folder the same master.key`,
      isDone: (holder) => holder.held.includes(announced.keyId),
    })
    await db.transaction(async (tx) => changeSealingKey(tx, announced.keyId))
  }
  await secrets.refresh()
  const { id } = secrets.ring.sealing()
  options.report({ step: 'seal', done: 1, total: 1, about: `new records are sealed under ${id}` })
}

/** Processes enter under the same lock: one that is not seen here sees what is done here. */
async function changeSealingKey(tx: Tx, keyId: string): Promise<void> {
  await queries.lockInstallation(tx)
  const without = (await queries.listHolders(tx, ALIVE_SECONDS)).find((holder) => !holder.held.includes(keyId))
  if (without !== undefined) {
    throw new RotationStopped(`${without.name} has just started without the new key ${keyId}; call this again.`)
  }
  await queries.moveMasterKeys(tx, 'sealing', 'opening')
  await queries.moveMasterKeys(tx, 'announced', 'sealing')
}

async function wrapAll(db: Database, secrets: Secrets, options: RotationOptions): Promise<number> {
  const sealed = await columns.listSealedColumns(db.reader)
  const pages = new Map<columns.SealedColumn, number>()
  for (const column of sealed) pages.set(column, await columns.countPages(db.reader, column))
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
      return [{ ...one, next: wrapAnew(ring, one.wrapping) }]
    } catch {
      // Damaged, or under a key that nobody has: it stays as it is, and is counted at the end.
      return []
    }
  })
  return changes.length === 0 ? 0 : columns.replaceWrappings(tx, column, pages, changes)
}

async function close(db: Database, secrets: Secrets, options: RotationOptions): Promise<void> {
  const leaving = (await queries.listMasterKeys(db.reader)).filter((row) => row.state === 'opening')
  if (leaving.length === 0) return
  const { id } = secrets.ring.sealing()
  await everyProcess(db, options, {
    step: 'close',
    about: `seal under ${id}`,
    remedy: `has not begun to seal under ${id}; look at its log`,
    isDone: (holder) => holder.sealing === id,
  })
  await setTimeout(options.settleMs)
  for (const { keyId } of leaving) await closeKey(db, keyId)
  options.report({ step: 'close', done: 1, total: 1, about: leaving.map(({ keyId }) => keyId).join(', ') })
}

async function closeKey(db: Database, keyId: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction(async (tx) => {
        await queries.lockRecordsOf(tx, keyId, LOCK_LIMIT_MS)
        await queries.closeMasterKey(tx, keyId)
      })
      return
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error
      if (attempt === LOCK_ATTEMPTS)
        throw new RotationStopped(
          `A transaction that wrote a record under ${keyId} does not end; call this again later.`,
        )
    }
  }
}

async function retire(db: Database, secrets: Secrets, options: RotationOptions): Promise<string[]> {
  const { id } = secrets.ring.sealing()
  let left = await countLeft(db, id)
  for (let pass = 0; left.records > 0 && pass < PASSES_MAX; pass++) {
    // What is left was held by someone else, who needs a moment, or cannot be wrapped at all.
    await setTimeout(POLL_MS)
    await wrapAll(db, secrets, options)
    left = await countLeft(db, id)
  }
  if (left.records > 0) {
    throw new RotationStopped(
      `These records cannot be wrapped under ${id}, for they are damaged, in use, or under a key that is not here: ${left.about}.`,
    )
  }
  await db.transaction((tx) => queries.moveMasterKeys(tx, 'closing', 'retired'))
  const rows = await queries.listMasterKeys(db.reader)
  const retired = rows.filter((row) => row.state === 'retired').map((row) => row.keyId)
  if (secrets.source.file !== null) await dropKeys(secrets.source.file, retired)
  await secrets.refresh()
  options.report({ step: 'retire', done: 1, total: 1, about: 'nothing is left under another key' })
  return retired
}

async function countLeft(db: Database, keyId: string): Promise<{ readonly records: number; readonly about: string }> {
  const counts = (await countByColumn(db)).filter((one) => one.keyId !== keyId)
  const about = counts.map((one) => `${one.records} in ${one.table}.${one.column} under ${one.keyId}`).join(', ')
  return { records: counts.reduce((sum, one) => sum + one.records, 0), about }
}

export type RecordCount = columns.SealedColumn & { readonly keyId: string; readonly records: number }

/** How many records lie in each column under each key. */
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
  readonly isDone: (holder: queries.Holder) => boolean
}

async function everyProcess(
  db: Database,
  { report }: RotationOptions,
  { step, about, remedy, isDone }: Expectation,
): Promise<void> {
  let shown = -1
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const holders = await queries.listHolders(db.reader, ALIVE_SECONDS)
    const waiting = holders.filter((holder) => !isDone(holder))
    const done = holders.length - waiting.length
    if (done !== shown) {
      const missing = waiting.length === 0 ? '' : `, waiting for ${namesOf(waiting)}`
      report({ step, done, total: holders.length, about: `processes ${about}${missing}` })
    }
    shown = done
    if (waiting.length === 0) return
    if (waitedMs >= WAIT_MS)
      throw new RotationStopped(`${namesOf(waiting)} ${remedy}. Nothing is lost; call this again.`)
    await setTimeout(POLL_MS)
  }
}

function namesOf(holders: readonly queries.Holder[]): string {
  return holders.map(({ name }) => name).join(', ')
}
