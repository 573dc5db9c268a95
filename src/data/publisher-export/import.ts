import { refingerprintCodes } from '../../catalog/allowances/index.ts'
import { bumpAssortments } from '../../catalog/catalog/index.ts'
import { addUpImported } from '../../ledger/index.ts'
import { refingerprintDestinations } from '../../payouts/redemptions/index.ts'
import { isAboutData, type Tx } from '../../platform/db/database.ts'
import { decodeId, encodeId, type PublisherId } from '../../platform/ids.ts'
import type { Carrier, Vault } from '../../platform/vault/index.ts'
import { isServed, PRODUCTION_SETTINGS, WITHOUT_LINKING } from '../../purchases/linker/index.ts'
import { announcePublishers, getPublisher } from '../../tenants/publishers/index.ts'
import { listMovingTables, type RegisteredTable } from '../tables/index.ts'
import { TakeoutFault } from './errors.ts'
import { type ArchivedRow, cutShort, readEnd, readLines, readRow } from './lines.ts'
import * as queries from './queries.ts'
import { findSchemaVersion } from './scope-queries.ts'
import type { Manifest } from './takeout.ts'
import { readContent, readMoney } from './totals-queries.ts'

type Deps = {
  readonly carrier: Carrier
  readonly vault: Vault
  /** The linking provider configured here for each environment; null if there is none. */
  readonly linkers: Parameters<typeof isServed>[1]
}

/**
 * Imports a publisher from an archive in a single transaction. Nothing is visible until all totals have been compared,
 * and an import that fails or is killed leaves nothing behind.
 * @throws TakeoutFault if the archive is damaged, has another version or key, or cannot be imported here
 */
export async function importTakeout(tx: Tx, deps: Deps, file: string): Promise<Manifest> {
  const lines = readLines(file)
  try {
    const first = await lines.next()
    if (first.done === true) throw cutShort(file)
    const manifest = readManifest(file, first.value)
    const publisherId = getPublisherId(file, manifest)
    await refuseUnfit(tx, deps, manifest, publisherId)
    const arrived = await insertAll(tx, deps, { file, first: first.value, lines, publisherId })
    await compare(tx, manifest, publisherId, arrived)
    await refuseUnserved(tx, deps, publisherId)
    await addUpImported(tx, publisherId)
    await queries.queueDeliveries(tx, publisherId)
    await queries.expireReports(tx, publisherId)
    // Each installation fingerprints user input with its own key, so the imported fingerprints would match nothing
    // here.
    await refingerprintCodes(tx, deps.vault, publisherId)
    await refingerprintDestinations(tx, deps.vault, publisherId)
    await bumpAssortments(tx)
    await announcePublishers(tx)
    return manifest
  } catch (error) {
    if (!isAboutData(error)) throw error
    throw new TakeoutFault(
      `${file} cannot be imported. It was changed, or it conflicts with existing data: ${(error as Error).message}.`,
    )
  } finally {
    await lines.return(undefined)
  }
}

function readManifest(file: string, line: string): Manifest {
  try {
    const manifest = JSON.parse(line)
    if (manifest.laurel_takeout === 1) return manifest
  } catch {
    // Not JSON, so it is rejected below.
  }
  throw new TakeoutFault(`${file} is not a takeout in this format.`)
}

function getPublisherId(file: string, { publisher_id }: Manifest): PublisherId {
  const publisherId = decodeId<'publisher'>('pub', publisher_id)
  if (publisherId === null) throw new TakeoutFault(`${file} does not specify a publisher.`)
  return publisherId
}

/** @throws TakeoutFault */
async function refuseUnfit(
  tx: Tx,
  { carrier }: Deps,
  { schema, key_id, environment, final, at, name, publisher_id }: Manifest,
  publisherId: PublisherId,
): Promise<void> {
  const here = await findSchemaVersion(tx)
  if (schema !== here)
    throw new TakeoutFault(
      `The archive has schema ${schema}, and this installation has ${here}. Bring both to the same version and ` +
        'create the archive again.',
    )
  if (key_id !== carrier.keyId) throw new TakeoutFault('This is not the key that the archive was created with.')
  if (environment === 'production' && !final)
    throw new TakeoutFault(
      'The publisher is still active in the installation that created the archive, so both would pay. Create the ' +
        'archive with --final.',
    )
  if (Date.parse(at) > (await queries.findNow(tx)).getTime())
    throw new TakeoutFault(
      `The archive was created at ${at}, which is in the future according to this database. Correct its clock.`,
    )
  const [namesake] = await queries.listNamesakes(tx, publisherId, name)
  if (namesake !== undefined)
    throw new TakeoutFault(
      namesake.publisherId === publisherId
        ? `${publisher_id} already exists here, as ${namesake.name}.`
        : `Another publisher here has the name ${name}. Rename it with: laurel publishers set ` +
            `${encodeId('pub', namesake.publisherId)} --name NAME.`,
    )
}

/**
 * Refuses a publisher whose users could not link cards here, because the service would then refuse to start.
 * @throws TakeoutFault
 */
async function refuseUnserved(tx: Tx, { linkers }: Deps, publisherId: PublisherId): Promise<void> {
  const publisher = await getPublisher(tx, publisherId)
  if (!isServed(publisher, linkers))
    throw new TakeoutFault(
      `Users of ${publisher.name} could not link cards here, so the service would not start again. Set ` +
        `${PRODUCTION_SETTINGS}. Or, in the original installation before creating the archive again: ` +
        `${WITHOUT_LINKING}.`,
    )
}

type Arriving = {
  readonly file: string
  readonly first: string
  readonly lines: AsyncIterable<string>
  readonly publisherId: PublisherId
}

// Enough to insert many rows per statement without using much memory.
const ROWS_AT_ONCE = 1_000
const TEXT_AT_ONCE = 2 * 1024 * 1024

/**
 * Inserts the rows and returns their number by table.
 * @throws TakeoutFault if lines are missing or were altered
 */
async function insertAll(
  tx: Tx,
  { carrier }: Deps,
  { file, first, lines, publisherId }: Arriving,
): Promise<ReadonlyMap<string, number>> {
  const tables = new Map((await listMovingTables(tx)).map((table) => [table.name, table]))
  const now = await queries.findNow(tx)
  await queries.openNumbers(tx)
  const seal = carrier.seal().update(`${first}\n`)
  const arrived = new Map<string, number>()
  let count = 1
  let batch: string[] = []
  let length = 0
  let current: RegisteredTable | null = null
  const flush = async (): Promise<void> => {
    if (current !== null && batch.length > 0)
      await queries.insertRows(tx, current, `[${batch.join(',')}]`, publisherId, now)
    batch = []
    length = 0
  }
  for await (const line of lines) {
    const end = readEnd(line)
    if (end !== null) {
      if (end.lines !== count || end.seal !== seal.digest('hex'))
        throw new TakeoutFault(`${file} was changed after it was created.`)
      await flush()
      return arrived
    }
    seal.update(`${line}\n`)
    count++
    const row = readRow(line)
    const table = tables.get(row.table)
    if (table === undefined)
      throw new TakeoutFault(`${file} has rows of ${row.table}, which an archive must not contain.`)
    arrived.set(table.name, (arrived.get(table.name) ?? 0) + 1)
    if (table !== current || batch.length === ROWS_AT_ONCE || length > TEXT_AT_ONCE) await flush()
    current = table
    const text = unpacked(carrier, row)
    batch.push(text)
    length += text.length
  }
  throw cutShort(file)
}

/** Returns the row's JSON text with its secrets sealed for this installation. */
function unpacked(carrier: Carrier, { sealed, text }: ArchivedRow): string {
  const members = Object.entries(sealed).map(([column, hex]) => {
    try {
      return `,"${column}":"\\\\x${carrier.unpack(Buffer.from(hex, 'hex')).toString('hex')}"`
    } catch {
      throw new TakeoutFault(`A secret in ${column} was changed after the archive was created.`)
    }
  })
  return `${text.slice(0, -1)}${members.join('')}}`
}

/**
 * Compares the imported rows with the manifest. Anyone with the key can seal arbitrary rows, so the rows must match the
 * manifest and belong to the publisher.
 * @throws TakeoutFault naming the first total that differs
 */
async function compare(
  tx: Tx,
  manifest: Manifest,
  publisherId: PublisherId,
  arrived: ReadonlyMap<string, number>,
): Promise<void> {
  for (const table of (await listMovingTables(tx)).filter(({ owner }) => owner !== 'shared')) {
    const expected = manifest.tables[table.name] ?? { rows: 0, sum: '0' }
    const found = await readContent(tx, table, publisherId, 'target')
    if ((arrived.get(table.name) ?? 0) > found.rows)
      throw new TakeoutFault(`The archive contains rows of ${table.name} that do not belong to the publisher.`)
    if (found.rows !== expected.rows)
      throw new TakeoutFault(`The table ${table.name} has ${found.rows} rows instead of ${expected.rows}.`)
    if (found.sum !== expected.sum) throw new TakeoutFault(`The content of the table ${table.name} is different.`)
  }
  const money = await readMoney(tx, publisherId)
  for (const name of new Set([...Object.keys(manifest.money), ...Object.keys(money)])) {
    const [expected = 'nothing', found = 'nothing'] = [manifest.money[name], money[name]]
    if (found !== expected) throw new TakeoutFault(`The total ${name} is ${found} instead of ${expected}.`)
  }
}
