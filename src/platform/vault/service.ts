import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ConfigError } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { enterInstallation, LOST } from './installation.ts'
import { chooseKeySource, createKeyFile, type KeySource } from './key-source.ts'
import { createKeyring } from './keyring.ts'
import { deleteHolder, listMasterKeys, upsertHolder } from './queries.ts'
import { type Keyring, openVault, type Vault } from './vault.ts'

/** A process's vault, with keys that are refreshed while the process runs. */
export type Secrets = {
  readonly vault: Vault
  readonly ring: Keyring
  readonly source: KeySource
  /** Immediately reads which key is the sealing key, and reports the keys that this process holds. */
  refresh(): Promise<void>
  close(): Promise<void>
}

// A rotation waits about this long at two of its steps. A refresh is one small statement.
const REFRESH_MS = 1_000
// A process reports that it is alive at every fifth refresh, even if nothing has changed.
const REFRESHES_PER_REPORT = 5
/**
 * A process counts as running for this long after its last report. On a busy machine, several reports might be late.
 */
export const ALIVE_SECONDS = 30

type Opening = {
  readonly db: Database
  readonly keys: readonly string[]
  readonly dataDir: string
  /** The name of this process, displayed to operators. */
  readonly name: string
  readonly log: (message: string) => void
}

/**
 * Enters the installation with the keys from the settings or the data folder. From then on, rotations wait for this
 * process. @throws ConfigError if records are sealed under a key that is missing
 */
export async function openSecrets({ db, keys, dataDir, name, log }: Opening): Promise<Secrets> {
  const source = chooseKeySource(keys, dataDir)
  if (source.file !== null) {
    // A new key could be mistaken for the missing one. The database is checked before the file, because in the opposite
    // order another process with this folder could create the file and enter between the two checks.
    const isInstalled = (await listMasterKeys(db.reader)).length > 0
    if (isInstalled && !existsSync(source.file)) throw new ConfigError(LOST)
    await createKeyFile(source.file)
  }
  const holder = { holderId: randomUUID(), name }
  const { ring, derivationSecret } = await db.transaction(async (tx) => {
    const installed = await enterInstallation(tx, source)
    const ring = createKeyring(source, log)
    ring.update(installed.keys)
    await upsertHolder(tx, { ...holder, ...ring.report() })
    return { ring, derivationSecret: installed.derivationSecret }
  })
  let reported = JSON.stringify(ring.report())
  let refreshes = 0
  const refresh = async (): Promise<void> => {
    ring.update(await listMasterKeys(db.reader))
    const report = ring.report()
    const isDue = refreshes++ % REFRESHES_PER_REPORT === 0
    if (!isDue && JSON.stringify(report) === reported) return
    await upsertHolder(db.reader, { ...holder, ...report })
    reported = JSON.stringify(report)
  }
  const stopRefreshing = repeat(refresh, () =>
    log('the master keys in use could not be read; retrying at the next refresh'),
  )
  return {
    vault: openVault(ring, derivationSecret),
    ring,
    source,
    refresh,
    close: async () => {
      await stopRefreshing()
      // If the database is unreachable, the row expires by itself.
      await deleteHolder(db.reader, holder.holderId).catch(() => undefined)
    },
  }
}

/** Runs the work every REFRESH_MS, without overlapping runs and without keeping the process alive. */
function repeat(work: () => Promise<void>, failed: () => void): () => Promise<void> {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= work()
      .catch(failed)
      .finally(() => {
        running = null
      })
  }, REFRESH_MS).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
