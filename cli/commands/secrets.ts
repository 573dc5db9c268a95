import type { Command } from 'commander'
import {
  ALIVE_SECONDS,
  countByColumn,
  describeRotation,
  listHolders,
  listMasterKeys,
  type RotationProgress,
  RotationStopped,
  rotateMasterKey,
} from '../../src/platform/vault/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { UserError } from '../errors.ts'
import { parseWholeNumber } from '../options.ts'
import { createProgressBar } from '../progress.ts'
import { shell } from '../shell.ts'
import { type Storage, withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, formatTable, note, styled } from '../terminal.ts'

// A few hundred records, so their rows are locked for less than a tenth of a second.
const PAGES_PER_BATCH = 16
// Operations store sealed values right after sealing them. This allows for a very busy machine.
const SETTLE_MS = 10_000

type Rotate = { readonly json?: true; readonly pause: number; readonly pages: number; readonly settle: number }

export function define(secrets: Command): void {
  const rotate = defineChange(
    secrets,
    'rotate',
    'replace the master key while the service runs; resumes after an interruption',
  )
    .option('--pause <ms>', 'pause between two batches, in milliseconds', milliseconds, 0)
    .action(rotateKey)
  rotate.addOption(
    rotate
      .createOption('--pages <count>', 'pages per batch')
      .default(PAGES_PER_BATCH)
      .argParser(parseWholeNumber(10_000))
      .hideHelp(),
  )
  rotate.addOption(
    rotate.createOption('--settle <ms>', 'see SETTLE_MS').default(SETTLE_MS).argParser(milliseconds).hideHelp(),
  )
  defineCommand(
    secrets,
    'status',
    'show the master keys, the records under each key, and the processes that hold them',
  ).action(async ({ json }: { readonly json?: true }) => {
    const status = await withStorage(readStatus)
    if (json) return answerJson(status)
    describe(status)
  })
}

const milliseconds = (text: string): number => (text === '0' ? 0 : parseWholeNumber(600_000)(text))

async function rotateKey({ json, by, pause, pages, settle }: Rotate & By): Promise<void> {
  const entry = { action: 'master_key.rotated', subject: 'master key' }
  const outcome = await withChanges(by, entry, async (storage) => {
    const { report, stop } = createReporter()
    try {
      const options = { report, pauseMs: pause, pagesPerBatch: pages, settleMs: settle }
      const rotation = await rotateMasterKey(storage.db, storage.secrets, options)
      return { ...rotation, inFile: storage.secrets.source.file !== null, ...(await readStatus(storage)) }
    } catch (error) {
      throw error instanceof RotationStopped ? new UserError(error.message) : error
    } finally {
      stop()
    }
  })
  const { keyId, resumed, wrapped, inFile, ...status } = outcome
  if (json) return answerJson({ key_id: keyId, resumed, wrapped, ...status })
  describe(status)
  answer('')
  answer(styled('green', `No records are left under any key but ${keyId}.`))
  if (!inFile) note('Now restart each process with LAUREL_MASTER_KEY set to only the new key.')
  note('Earlier backups still need the key that was in use at the time.')
}

/** Reports long-running steps in a progress bar. Without a terminal, prints a line for each new step or target. */
function createReporter(): { report(progress: RotationProgress): void; stop(): void } {
  if (!shell().stderr.isTTY) {
    let last = ''
    const report = ({ step, done, total, about }: RotationProgress): void => {
      // Prints one line per column, when its first batch begins. Messages about processes are printed when they change.
      const key = step === 'wrap' ? about : `${step} ${done}/${total} ${about}`
      if (key !== last) note(`${step.padEnd(8)} ${done}/${total} ${about}`)
      last = key
    }
    return { report, stop: () => undefined }
  }
  const bar = createProgressBar('{step} {bar} {value}/{total} {about}')
  let running: RotationProgress['step'] | null = null
  const stop = (): void => {
    if (running !== null) bar.stop()
    running = null
  }
  const report = ({ step, done, total, about }: RotationProgress): void => {
    if (total === 1) {
      stop()
      note(`${step.padEnd(8)} ${about}`)
    } else if (running !== step) {
      stop()
      bar.start(total, done, { step: step.padEnd(8), about })
      running = step
    } else {
      bar.setTotal(total)
      bar.update(done, { about })
    }
  }
  return { report, stop }
}

async function readStatus({ db, secrets: { source } }: Storage) {
  const keys = await listMasterKeys(db.reader)
  const counts = await countByColumn(db)
  const holders = await listHolders(db.reader, ALIVE_SECONDS)
  return {
    /** The rotation that has begun but not finished; null if there is none. */
    rotation: describeRotation(keys, source.read(), { isFile: source.file !== null }),
    keys: keys.map(({ keyId, state, changedAt }) => ({
      key_id: keyId,
      state,
      since: changedAt.toISOString(),
      records: counts.reduce((sum, count) => (count.keyId === keyId ? sum + count.records : sum), 0),
    })),
    columns: counts.map(({ table, column, keyId, records }) => ({
      column: `${table}.${column}`,
      key_id: keyId,
      records,
    })),
    processes: holders.map(({ name, held, sealing }) => ({ name, holds: held, seals_under: sealing })),
  }
}

function describe({ rotation, keys, columns, processes }: Awaited<ReturnType<typeof readStatus>>): void {
  const tables = [
    formatTable(
      ['key', 'state', 'since', '>records'],
      keys.map((one) => [one.key_id, one.state, one.since, String(one.records)]),
    ),
    formatTable(
      ['column', 'key', '>records'],
      columns.map((one) => [one.column, one.key_id, String(one.records)]),
    ),
    formatTable(
      ['process', 'holds', 'seals under'],
      processes.map((one) => [one.name, one.holds.join(' '), one.seals_under]),
    ),
  ]
  for (const line of tables.flatMap((table, index) => (index === 0 ? table : ['', ...table]))) answer(line)
  if (rotation === null) return
  answer('')
  answer(
    styled(
      'yellow',
      `A rotation has begun: ${rotation}. Unless it is still running, resume it with \`./laurel secrets rotate\`.`,
    ),
  )
}
