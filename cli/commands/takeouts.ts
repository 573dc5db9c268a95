import { rm, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import {
  beginMove,
  cancelMove,
  completeMove,
  importTakeout,
  type Manifest,
  yieldTakeoutLines,
  zipLines,
} from '../../src/data/publisher-export/index.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { formatDecimal, isCurrency } from '../../src/platform/money.ts'
import { type Carrier, createCarrier, newCarrierKey, type Secrets } from '../../src/platform/vault/index.ts'
import { getPublisher } from '../../src/tenants/publishers/index.ts'
import type { By } from '../actor.ts'
import { defineChange } from '../define.ts'
import { UserError } from '../errors.ts'
import { writeWhole } from '../files.ts'
import { parseWholeNumber, readPublisherId } from '../options.ts'
import { readSecretFile } from '../secret.ts'
import { shell } from '../shell.ts'
import { change, withChanges } from '../storage.ts'
import { answer, answerJson, note } from '../terminal.ts'

// Longer than the slowest outgoing call (a webhook delivery) and the lifetime of a cached key, even on a busy machine.
const SETTLE_MS = 30_000

export function define(takeouts: Command): void {
  const create = defineChange(
    takeouts,
    'create',
    'export all data of a publisher to an archive, and the key of its secrets to a separate file',
  )
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .requiredOption('--out <file>', 'the archive to write')
    .requiredOption('--key-file <file>', 'the key file to write; keep it separate from the archive')
    .option('--final', 'close the publisher here: from then on, this installation refuses its calls and pays nothing')
    .action(createArchive)
  create.addOption(
    create
      .createOption('--settle <ms>', 'see SETTLE_MS')
      .default(SETTLE_MS)
      .argParser(parseWholeNumber(600_000))
      .hideHelp(),
  )
  defineChange(takeouts, 'import', "import a publisher from another installation's archive, and compare all totals")
    .requiredOption('--file <file>', 'the archive')
    .requiredOption('--key-file <file>', 'the key file that was written with it')
    .action(importArchive)
  defineChange(takeouts, 'cancel', 'reopen a publisher that was exported with --final and not imported anywhere')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .action(cancel)
}

type Create = {
  readonly publisher: PublisherId
  readonly out: string
  readonly keyFile: string
  readonly final?: true
  readonly settle: number
  readonly json?: true
}

async function createArchive({ publisher, out, keyFile, final, settle, json, by }: Create & By): Promise<void> {
  const key = newCarrierKey()
  await writeKey(keyFile, key)
  try {
    const entry = {
      action: 'publisher.taken_out',
      subject: encodeId('pub', publisher),
      after: { final: final === true },
    }
    const manifest = await withChanges(by, entry, async ({ db, secrets }) => {
      await db.transaction((tx) =>
        final === true ? beginMove(tx, publisher, settle) : getPublisher(tx, publisher).then(() => undefined),
      )
      if (final === true) await completeMove(db, publisher)
      return write(db, createCarrier(secrets.ring, key), publisher, out)
    })
    if (json) return answerJson(present(manifest))
    describe(manifest)
    note(`${keyFile} opens the secrets of the archive. Keep it separate, and delete both once they are imported.`)
  } catch (error) {
    // A key without an archive is useless and would block the next attempt.
    await rm(keyFile, { force: true })
    throw error
  }
}

async function write(
  db: Pick<Database, 'snapshot'>,
  carrier: Carrier,
  publisher: PublisherId,
  out: string,
): Promise<Manifest> {
  let written: Manifest | null = null
  const onManifest = (manifest: Manifest): void => {
    written = manifest
  }
  await db.snapshot((tx) => writeWhole(out, zipLines(yieldTakeoutLines(tx, carrier, publisher, onManifest))))
  if (written === null) throw new Error('an archive was written without a manifest')
  return written
}

/**
 * Creates the file, accessible only to this account, and never overwrites an existing one.
 * @throws UserError if it cannot be created
 */
async function writeKey(file: string, key: string): Promise<void> {
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'it already exists' : `the system returned ${error.code}`
    throw new UserError(`${file} cannot be written: ${why}.`)
  })
}

type Import = { readonly file: string; readonly keyFile: string; readonly json?: true }

async function importArchive({ file, keyFile, json, by }: Import & By): Promise<void> {
  const key = await readSecretFile(keyFile)
  const { linkers } = readConfig(shell().env)
  const manifest = await change(by, async (tx, { secrets, vault }) => {
    const result = await importTakeout(tx, { carrier: openCarrier(secrets, keyFile, key), vault, linkers }, file)
    const { publisher_id: subject, name, environment, at } = result
    return { action: 'publisher.imported', subject, after: { name, environment, at }, result }
  })
  if (json) return answerJson(present(manifest))
  describe(manifest)
  note('All totals agree. Card logins keep working if this installation uses the same account at the provider.')
}

function openCarrier({ ring }: Secrets, file: string, key: string): Carrier {
  try {
    return createCarrier(ring, key)
  } catch {
    throw new UserError(`${file} does not contain the key of a takeout.`)
  }
}

async function cancel({ publisher, json, by }: { readonly publisher: PublisherId; readonly json?: true } & By) {
  const subject = encodeId('pub', publisher)
  await change(by, async (tx) => {
    await cancelMove(tx, publisher)
    return { action: 'publisher.stays', subject, result: null }
  })
  if (json) return answerJson({ publisher_id: subject })
  answer(`${subject} is open here again.`)
  note('Delete the archive. A publisher that is active in two installations would be paid twice.')
}

function present({ tables, money, ...head }: Manifest) {
  const rows = Object.values(tables).reduce((sum, one) => sum + one.rows, 0)
  return { ...head, rows, tables, money }
}

function describe(manifest: Manifest): void {
  const { name, publisher_id, rows, at, final } = present(manifest)
  answer(`${name} (${publisher_id}), as of ${at}${final ? '; it has left' : ''}: ${rows} rows`)
  for (const [total, value] of Object.entries(manifest.money))
    answer(`  ${total.padEnd(46)} ${formatTotal(total, value).padStart(15)}`)
}

/**
 * Formats a total. The names of money totals end with a currency and what is summed; all other totals are row counts.
 */
function formatTotal(total: string, value: string): string {
  const [currency = '', what] = total.split(' ').slice(-2)
  return isCurrency(currency) && what !== 'count' ? formatDecimal(BigInt(value), currency) : value
}
