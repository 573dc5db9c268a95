import { randomUUID } from 'node:crypto'
import type { Database } from '../platform/database.ts'
import { enterInstallation, isKey } from './installation.ts'
import { type KeySource, openKeySource } from './key-source.ts'
import { forgetHolder, type Holder, type KeyRow, listMasterKeys, noteHolder } from './queries.ts'
import { type Keyring, type MasterKey, openVault, type Vault } from './vault.ts'

/** The vault of a process, and what keeps its keys up to date while it runs. */
export type Secrets = {
  readonly vault: Vault
  readonly ring: Keyring
  readonly source: KeySource
  /** Asks the database at once which key seals, and tells it which keys are held here. */
  refresh(): Promise<void>
  close(): Promise<void>
}

// A rotation waits this long, more or less, at two of its steps; the question is one small statement.
const REFRESH_MS = 1_000
// Every so many refreshes a process says that it is still there, though nothing has changed.
const REFRESHES_PER_SIGN = 5
/** Several signs may be late on a busy machine before a process counts as ended. */
export const ALIVE_SECONDS = 30

type Given = {
  readonly db: Database
  readonly keys: readonly string[]
  readonly dataDir: string
  /** What an operator knows this process by. */
  readonly name: string
  readonly log: (message: string) => void
}

/**
 * Enters the installation with the keys of the settings or of the data folder. From then on the process is one of those
 * that a rotation waits for. @throws ConfigError when a key is missing under which something is sealed.
 */
export async function openSecrets({ db, keys, dataDir, name, log }: Given): Promise<Secrets> {
  const source = await openKeySource(keys, dataDir)
  const holder = { holderId: randomUUID(), name }
  const { ring, derivationSecret } = await db.transaction(async (tx) => {
    const installed = await enterInstallation(tx, source)
    const ring = createRing(source, log)
    ring.learn(installed.keys)
    await noteHolder(tx, { ...holder, ...ring.shown() })
    return { ring, derivationSecret: installed.derivationSecret }
  })
  let told = JSON.stringify(ring.shown())
  let refreshes = 0
  const refresh = async (): Promise<void> => {
    ring.learn(await listMasterKeys(db.reader))
    const shown = ring.shown()
    const isDue = refreshes++ % REFRESHES_PER_SIGN === 0
    if (!isDue && JSON.stringify(shown) === told) return
    await noteHolder(db.reader, { ...holder, ...shown })
    told = JSON.stringify(shown)
  }
  const stopRefreshing = repeat(refresh, () => log('the keys in use could not be asked for; it is tried again'))
  return {
    vault: openVault(ring, derivationSecret),
    ring,
    source,
    refresh,
    close: async () => {
      await stopRefreshing()
      // When the database is gone, the entry goes by itself after a while.
      await forgetHolder(db.reader, holder.holderId).catch(() => undefined)
    },
  }
}

type Ring = Keyring & {
  learn(rows: readonly KeyRow[]): void
  /** What the other processes, and a rotation, are told. */
  shown(): Pick<Holder, 'held' | 'sealing'>
}

function createRing(source: KeySource, log: (message: string) => void): Ring {
  const keys = new Map<string, MasterKey>()
  const retired = new Set<string>()
  let sealing: MasterKey | null = null
  let missed = ''
  const take = (): void => {
    for (const key of source.read()) if (!retired.has(key.id)) keys.set(key.id, key)
  }
  const learnSealing = (row: KeyRow): void => {
    const key = keys.get(row.keyId)
    if (key !== undefined && isKey(key, row)) {
      sealing = key
    } else if (missed !== row.keyId) {
      missed = row.keyId
      log(`records are sealed under the master key ${row.keyId}, which is not in ${source.place}: add it there`)
    }
  }
  take()
  return {
    sealing: () => {
      if (sealing === null) throw new Error('no master key seals yet')
      return sealing
    },
    find: (id) => {
      // Written a moment ago by a process that has heard of a new key before this one.
      if (!keys.has(id) && !retired.has(id) && source.file !== null) take()
      return keys.get(id) ?? null
    },
    learn: (rows) => {
      // After a backup was brought back, a key that was retired may be in use again.
      for (const row of rows) if (row.state !== 'retired') retired.delete(row.keyId)
      if (rows.some((row) => row.state !== 'retired' && !keys.has(row.keyId))) take()
      for (const row of rows) {
        if (row.state === 'sealing') learnSealing(row)
        if (row.state !== 'retired') continue
        retired.add(row.keyId)
        keys.delete(row.keyId)
      }
    },
    shown: () => ({ held: [...keys.keys()].sort(), sealing: sealing?.id ?? '' }),
  }
}

/** Again and again, one at a time; does not keep the process from ending. */
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
