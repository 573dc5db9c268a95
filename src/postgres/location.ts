import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, link, mkdir, readFile, realpath, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, accountToRunAs, canWorkIn } from './account.ts'
import { type Binaries, SHARED_FOLDER, usableBinaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError } from './errors.ts'

/**
 * Where a database lies. `home` belongs to the account that runs the server and holds the cluster (PostgreSQL's word
 * for its data directory); the other files belong to Laurel. Usually home is a folder of the data folder. When the
 * data folder is closed to that account, home lies in the shared folder and a pointer file says where.
 */
export type Place = {
  readonly dataDir: string
  readonly home: string
  readonly cluster: string
  readonly passwordFile: string
  readonly portFile: string
  readonly logFile: string
}

export type ReadyPlace = Place & { readonly account: Account | null; readonly binaries: Binaries }

const POINTER = 'postgres.location'
// In a home of the shared folder: the data folder it serves.
const SERVED = 'data-folder'

/** The place of a data folder as its files name it, whether or not a database is there. Null: no such folder. */
export async function findPlace(folder: string): Promise<Place | null> {
  if (!existsSync(folder)) return null
  const dataDir = await realpath(folder)
  return placeAt(dataDir, (await readIfThere(join(dataDir, POINTER))) ?? join(dataDir, 'postgres'))
}

/** Finds or makes the place of a data folder, the account and the binaries that will run there. */
export async function settlePlace(folder: string, named: string | null): Promise<ReadyPlace> {
  // Another account must pass through the folder to its own; what is secret in it has its own mode.
  await mkdir(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const dataDir = await realpath(folder)
  const pointed = await readIfThere(join(dataDir, POINTER))
  const place = placeAt(dataDir, pointed ?? join(dataDir, 'postgres'))
  if (pointed !== null) await checkPointed(place)
  const account = accountToRunAs({ ownerUid: await ownerOf(place.cluster), named })
  const binaries = await usableBinaries(account)
  if (account === null) {
    await mkdir(place.home, { recursive: true, mode: 0o700 })
    return { ...place, account, binaries }
  }
  if (await openHome(place.home, account)) return { ...place, account, binaries }
  if (existsSync(place.cluster)) {
    throw new EmbeddedPostgresError(
      `The database in ${place.home} is run by the account ${account.name}, which cannot enter that folder any more, so let it pass (chmod o+x on the folders above) or move the data folder back.`,
    )
  }
  const home = await settleInSharedFolder(dataDir, account)
  return { ...placeAt(dataDir, home), account, binaries }
}

/**
 * Writes a file that nobody has written yet, whole or not at all, and returns what stands in it: when two processes
 * write at once, both get the words of the first.
 */
export async function writeOnce(file: string, text: string): Promise<string> {
  const present = await readIfThere(file)
  if (present !== null) return present
  const draft = `${file}.new-${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${text}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

export async function readIfThere(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function placeAt(dataDir: string, home: string): Place {
  return {
    dataDir,
    home,
    cluster: join(home, 'cluster'),
    passwordFile: join(dataDir, 'postgres.password'),
    portFile: join(dataDir, 'postgres.port'),
    logFile: join(dataDir, 'postgres.log'),
  }
}

async function ownerOf(path: string): Promise<number | null> {
  return existsSync(path) ? (await stat(path)).uid : null
}

/** Makes the folder, gives it to the account and says whether the account can work there; if not, leaves no trace. */
async function openHome(home: string, account: Account): Promise<boolean> {
  const made = await mkdir(home, { recursive: true, mode: 0o700 })
  await chown(home, account.uid, account.gid)
  if (canWorkIn(account, home)) return true
  if (made !== undefined) await rmdir(home)
  return false
}

/**
 * The name holds a random part: a data folder that was deleted and made anew gets a new database, and the pointer,
 * written once, settles which one when two processes get here together.
 */
async function settleInSharedFolder(dataDir: string, account: Account): Promise<string> {
  const name = `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}-${randomBytes(4).toString('hex')}`
  const home = await writeOnce(join(dataDir, POINTER), join(SHARED_FOLDER, name))
  await mkdir(SHARED_FOLDER, { recursive: true })
  await chmod(SHARED_FOLDER, 0o755)
  if (!(await openHome(home, account))) {
    throw new EmbeddedPostgresError(
      `The account ${account.name} can work neither in ${dataDir} nor in ${home}, so give it access or set DATABASE_URL.`,
    )
  }
  await writeOnce(join(home, SERVED), dataDir)
  return home
}

/** A pointer that was copied along with its folder must not make two data folders share one database. */
async function checkPointed(place: Place): Promise<void> {
  if (!existsSync(place.home)) {
    throw new EmbeddedPostgresError(
      `The database of ${place.dataDir} was in ${place.home}, which is gone, so bring it back or remove ${join(place.dataDir, POINTER)} to begin with an empty one.`,
    )
  }
  const served = await readIfThere(join(place.home, SERVED))
  if (served === null || served === place.dataDir) return
  if ((await readIfThere(join(served, POINTER))) === place.home) {
    throw new EmbeddedPostgresError(
      `${place.dataDir} is a copy of ${served}, whose database it must not use, so remove ${join(place.dataDir, POINTER)} to begin with an empty one.`,
    )
  }
  // The folder was moved: the database follows it.
  await writeFile(join(place.home, SERVED), `${place.dataDir}\n`)
}
