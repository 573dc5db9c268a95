import { isKey } from './installation.ts'
import type { KeySource } from './key-source.ts'
import type { KeyHolder, KeyRow } from './queries.ts'
import type { Keyring, MasterKey } from './vault.ts'

/** The keyring of a process: the keys of its source, except those that the database has retired. */
type ProcessKeyring = Keyring & {
  /** Applies the states stored in the database: which key seals, and which ones are retired. */
  update(rows: readonly KeyRow[]): void
  /** Returns what this process reports to a rotation. */
  report(): Pick<KeyHolder, 'held' | 'sealing'>
}

export function createKeyring(source: KeySource, log: (message: string) => void): ProcessKeyring {
  const keys = new Map<string, MasterKey>()
  const retired = new Set<string>()
  let sealing: MasterKey | null = null
  let missing = ''
  const readSource = (): void => {
    for (const key of source.read()) if (!retired.has(key.id)) keys.set(key.id, key)
  }
  const sealUnder = (row: KeyRow): void => {
    const key = keys.get(row.keyId)
    if (key !== undefined && isKey(key, row)) {
      sealing = key
    } else if (missing !== row.keyId) {
      missing = row.keyId
      log(`records are sealed under the master key ${row.keyId}, which is missing from ${source.place}; add it there`)
    }
  }
  readSource()
  return {
    sealing: () => {
      if (sealing === null) throw new Error('no master key is available for sealing')
      return sealing
    },
    find: (id) => {
      // Another process might seal under a new key before this one has learned of it.
      if (!keys.has(id) && !retired.has(id) && source.file !== null) readSource()
      return keys.get(id) ?? null
    },
    update: (rows) => {
      // After a backup is restored, a retired key might be back in use.
      for (const row of rows) if (row.state !== 'retired') retired.delete(row.keyId)
      if (rows.some((row) => row.state !== 'retired' && !keys.has(row.keyId))) readSource()
      for (const row of rows) {
        if (row.state === 'sealing') sealUnder(row)
        if (row.state !== 'retired') continue
        retired.add(row.keyId)
        keys.delete(row.keyId)
      }
    },
    report: () => ({ held: [...keys.keys()].sort(), sealing: sealing?.id ?? '' }),
  }
}
