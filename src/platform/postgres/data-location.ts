import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, realpath, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writeOnce } from '../files.ts'
import { canWorkIn, chooseAccount, type SystemAccount } from './account.ts'
import { type Binaries, findBinaries, SHARED_FOLDER } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'

/**
 * The paths of a database. `home` belongs to the account that runs the server and contains the cluster (PostgreSQL's
 * term for its data directory). The other files belong to Laurel. Usually home is inside the data folder. If the
 * account cannot enter the data folder, home is in the shared folder and a pointer file contains its path.
 */
export type DataLocation = {
  readonly dataDir: string
  readonly home: string
  readonly cluster: string
  readonly passwordFile: string
  readonly portFile: string
  readonly logFile: string
}

export type ReadyLocation = DataLocation & { readonly account: SystemAccount | null; readonly binaries: Binaries }

const POINTER = 'postgres.location'
const PASSWORD_FILE = 'postgres.password'
// Each home in the shared folder has this file, which contains the path of its data folder.
const OWNER_FILE = 'data-folder'

/** Returns the location of a data folder, whether or not a database exists; null if the folder does not exist. */
export async function findLocation(folder: string): Promise<DataLocation | null> {
  if (!existsSync(folder)) return null
  const dataDir = await realpath(folder)
  return locationAt(dataDir, (await readIfThere(join(dataDir, POINTER))) ?? join(dataDir, 'postgres'))
}

/** True if the data folder contains a database, even an incomplete one. */
export function hasDatabase(folder: string): boolean {
  return existsSync(join(folder, PASSWORD_FILE))
}

/** Finds or creates the location of a data folder, and finds the account and binaries that run its server. */
export async function prepareLocation(folder: string, named: string | null): Promise<ReadyLocation> {
  // The server's account must pass through this folder to reach its own. Secret files in it have their own permissions.
  await mkdir(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const dataDir = await realpath(folder)
  const pointed = await readIfThere(join(dataDir, POINTER))
  const location = locationAt(dataDir, pointed ?? join(dataDir, 'postgres'))
  if (pointed !== null) await checkPointed(location)
  const account = chooseAccount({ ownerUid: await findOwner(location.cluster), named })
  const binaries = await findBinaries(account)
  if (account === null) {
    await mkdir(location.home, { recursive: true, mode: 0o700 })
    return { ...location, account, binaries }
  }
  if (await openHome(location.home, account)) return { ...location, account, binaries }
  if (existsSync(location.cluster)) {
    throw new EmbeddedPostgresError(
      `The database in ${location.home} runs as the account ${account.name}, which can no longer enter that ` +
        'folder. Grant it access (chmod o+x on the parent folders) or move the data folder back.',
    )
  }
  const home = await settleInSharedFolder(dataDir, account)
  return { ...locationAt(dataDir, home), account, binaries }
}

function locationAt(dataDir: string, home: string): DataLocation {
  return {
    dataDir,
    home,
    cluster: join(home, 'cluster'),
    passwordFile: join(dataDir, PASSWORD_FILE),
    portFile: join(dataDir, 'postgres.port'),
    logFile: join(dataDir, 'postgres.log'),
  }
}

async function findOwner(path: string): Promise<number | null> {
  return existsSync(path) ? (await stat(path)).uid : null
}

/** Creates the folder for the account. If the account cannot use the folder, removes it and returns false. */
async function openHome(home: string, account: SystemAccount): Promise<boolean> {
  const made = await mkdir(home, { recursive: true, mode: 0o700 })
  await chown(home, account.uid, account.gid)
  if (canWorkIn(account, home)) return true
  if (made !== undefined) await rmdir(home)
  return false
}

/**
 * Creates a home in the shared folder. Its name has a random part, so that a data folder that was deleted and recreated
 * gets a new database. The pointer is written only once, so that concurrent processes agree.
 */
async function settleInSharedFolder(dataDir: string, account: SystemAccount): Promise<string> {
  const name = `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}-${randomBytes(4).toString('hex')}`
  const home = await writeOnce(join(dataDir, POINTER), join(SHARED_FOLDER, name))
  await mkdir(SHARED_FOLDER, { recursive: true })
  await chmod(SHARED_FOLDER, 0o755)
  if (!(await openHome(home, account))) {
    throw new EmbeddedPostgresError(
      `The account ${account.name} can access neither ${dataDir} nor ${home}. Grant it access or set DATABASE_URL.`,
    )
  }
  await writeOnce(join(home, OWNER_FILE), dataDir)
  return home
}

/** Prevents two data folders from sharing a database after one was copied together with its pointer. */
async function checkPointed(location: DataLocation): Promise<void> {
  if (!existsSync(location.home)) {
    throw new EmbeddedPostgresError(
      `The database of ${location.dataDir} was in ${location.home}, which no longer exists. Restore it, or ` +
        `remove ${join(location.dataDir, POINTER)} to start with an empty database.`,
    )
  }
  const owner = await readIfThere(join(location.home, OWNER_FILE))
  if (owner === null || owner === location.dataDir) return
  if ((await readIfThere(join(owner, POINTER))) === location.home) {
    throw new EmbeddedPostgresError(
      `${location.dataDir} is a copy of ${owner}, whose database it must not use. Remove ` +
        `${join(location.dataDir, POINTER)} to start with an empty database.`,
    )
  }
  // The data folder was moved and keeps its database.
  await writeFile(join(location.home, OWNER_FILE), `${location.dataDir}\n`)
}
