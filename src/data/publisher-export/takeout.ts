import { setTimeout } from 'node:timers/promises'
import { takeCut } from '../../ledger/index.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { encodeId, type PublisherId } from '../../platform/ids.ts'
import type { Carrier } from '../../platform/vault/index.ts'
import { announcePublishers, getPublisher } from '../../tenants/publishers/index.ts'
import { listMovingTables } from '../tables/index.ts'
import { TakeoutFault } from './errors.ts'
import { type ArchivedRow, endLine, formatRow } from './lines.ts'
import * as queries from './queries.ts'
import { findSchemaVersion } from './scope-queries.ts'
import { type ContentTotal, readContent, readMoney } from './totals-queries.ts'

/** The first line of an archive. */
export type Manifest = {
  readonly laurel_takeout: 1
  /** The latest migration of the database that the archive comes from. */
  readonly schema: string
  readonly publisher_id: string
  readonly name: string
  readonly environment: 'sandbox' | 'production'
  /** True if the publisher has left the installation that wrote the archive. */
  readonly final: boolean
  readonly at: string
  readonly key_id: string
  readonly tables: Readonly<Record<string, ContentTotal>>
  readonly money: Readonly<Record<string, string>>
}

/**
 * Yields the lines of an archive with all the publisher's data. Must run on a snapshot.
 * @throws Refusal publisher_not_found
 */
export async function* yieldTakeoutLines(
  tx: Tx,
  carrier: Carrier,
  publisherId: PublisherId,
  onManifest: (manifest: Manifest) => void = () => undefined,
): AsyncGenerator<string> {
  const manifest = await buildManifest(tx, carrier, publisherId)
  onManifest(manifest)
  const seal = carrier.seal()
  const sealed = (line: string): string => {
    seal.update(`${line}\n`)
    return `${line}\n`
  }
  yield sealed(JSON.stringify(manifest))
  let lines = 1
  const tables = await listMovingTables(tx)
  for (const table of tables)
    for await (const portion of queries.readRows(tx, table, tables, publisherId)) {
      lines += portion.length
      yield portion.map((row) => sealed(formatRow(packed(carrier, row)))).join('')
    }
  yield `${endLine({ lines, seal: seal.digest('hex') })}\n`
}

async function buildManifest(tx: Tx, carrier: Carrier, publisherId: PublisherId): Promise<Manifest> {
  const publisher = await getPublisher(tx, publisherId)
  const tables = (await listMovingTables(tx)).filter(({ owner }) => owner !== 'shared')
  const totals: Record<string, ContentTotal> = {}
  for (const table of tables) totals[table.name] = await readContent(tx, table, publisherId, 'source')
  return {
    laurel_takeout: 1,
    schema: await findSchemaVersion(tx),
    publisher_id: encodeId('pub', publisherId),
    name: publisher.name,
    environment: publisher.environment,
    final: await queries.hasMoved(tx, publisherId),
    at: (await queries.findNow(tx)).toISOString(),
    key_id: carrier.keyId,
    tables: totals,
    money: await readMoney(tx, publisherId),
  }
}

function packed(carrier: Carrier, row: ArchivedRow): ArchivedRow {
  const entries = Object.entries(row.sealed).map(([column, hex]) => [
    column,
    carrier.pack(Buffer.from(hex, 'hex')).toString('hex'),
  ])
  return { ...row, sealed: Object.fromEntries(entries) }
}

/**
 * Begins to close a publisher in this installation. Its calls are refused and no new work starts, but work in progress
 * can finish. After `settleMs`, nothing more is recorded for the publisher.
 * @throws Refusal publisher_not_found
 */
export async function beginMove(tx: Tx, publisherId: PublisherId, settleMs: number): Promise<void> {
  await getPublisher(tx, publisherId)
  await queries.markMoving(tx, publisherId, settleMs)
  await announcePublishers(tx)
}

const POLL_MS = 100
// Batch transactions take seconds, but importing a catalog or a network report can take longer.
const CUT_WAIT_MS = 600_000

/** Waits until nothing more can be recorded for the publisher and everything recorded so far is committed. */
export async function completeMove(db: Database, publisherId: PublisherId): Promise<void> {
  while (!(await queries.hasMoved(db.reader, publisherId))) await setTimeout(POLL_MS)
  if ((await takeCut(db, CUT_WAIT_MS)) === null)
    throw new TakeoutFault('A transaction that began earlier is still open. End it, and create the archive again.')
}

/**
 * Cancels the move, as if it had never begun.
 * @throws TakeoutFault, Refusal publisher_not_found
 */
export async function cancelMove(tx: Tx, publisherId: PublisherId): Promise<void> {
  await getPublisher(tx, publisherId)
  if (!(await queries.markStaying(tx, publisherId)))
    throw new TakeoutFault('This publisher has not moved, so there is nothing to cancel.')
  await announcePublishers(tx)
}
