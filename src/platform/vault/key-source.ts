import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config/config.ts'
import { syncFolder, writeOnce } from '../files.ts'
import { KEY_BYTES, type MasterKey, parseMasterKey } from './vault.ts'

/** The source of this process's master keys. The first key is used for sealing if nothing is sealed yet. */
export type KeySource = {
  /** The source's name, displayed to operators. */
  readonly place: string
  /** Null if the keys come from a setting, which only changes with a restart. */
  readonly file: string | null
  /** Reads the keys again. @throws ConfigError if the file cannot be read or holds no keys */
  read(): readonly MasterKey[]
}

/** Returns the setting if there is one, otherwise the file in the data folder. */
export function chooseKeySource(given: readonly string[], dataDir: string): KeySource {
  if (given.length > 0) {
    const keys = given.map(parseMasterKey)
    return { place: 'LAUREL_MASTER_KEY', file: null, read: () => keys }
  }
  const file = join(dataDir, 'master.key')
  // Read synchronously, because callers that do not await must also be able to open a record under a newly added key.
  return { place: file, file, read: () => readKeys(file) }
}

/**
 * Adds a new key to the file. The key is on disk before anything can be sealed under it.
 * @param taken ids of earlier keys, which the new key must not repeat
 */
export async function addKey(file: string, taken: readonly string[]): Promise<MasterKey> {
  const present = readKeys(file)
  let key = newKey()
  while (taken.includes(key.id) || present.some((one) => one.id === key.id)) key = newKey()
  await replace(file, [key, ...present])
  return key
}

export async function dropKeys(file: string, ids: readonly string[]): Promise<void> {
  const present = readKeys(file)
  const kept = present.filter((key) => !ids.includes(key.id))
  if (kept.length < present.length) await replace(file, kept)
}

function readKeys(file: string): readonly MasterKey[] {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    if (lines.length === 0) throw new Error('it is empty')
    return lines.map(parseMasterKey)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The master keys cannot be read from ${file} (${why}). Restore the file from a backup.`)
  }
}

function newKey(): MasterKey {
  return parseMasterKey(randomBytes(KEY_BYTES).toString('base64'))
}

/** Creates the file with an initial key unless it exists. */
export async function createKeyFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeOnce(file, newKey().bytes.toString('base64'))
  await chmod(file, 0o600)
}

/** Replaces the file atomically by renaming a draft, so that no process reads a partial file. */
async function replace(file: string, keys: readonly MasterKey[]): Promise<void> {
  const target = await realpath(file)
  const draft = await writeDraft(target, keys, await stat(target))
  try {
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}

/**
 * @param owner the account that will own the file, so that the service can read it even if another account runs the
 * command
 */
async function writeDraft(
  file: string,
  keys: readonly MasterKey[],
  owner: { readonly uid: number; readonly gid: number },
): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(keys.map((key) => `${key.bytes.toString('base64')}\n`).join(''))
    const mine = await handle.stat()
    if (owner.uid !== mine.uid || owner.gid !== mine.gid) await handle.chown(owner.uid, owner.gid)
    await handle.sync()
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return draft
}
