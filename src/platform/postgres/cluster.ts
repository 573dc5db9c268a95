import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readIfThere, syncFolder } from '../files.ts'
import { toCredentials } from './account.ts'
import type { ReadyLocation } from './data-location.ts'
import { EmbeddedPostgresError, findErrorCode, toMessage } from './errors.ts'

/** The account that owns the cluster and the tables. */
export const SUPERUSER = 'laurel'
/** The account that the service runs under. */
export const SERVICE = 'laurel_service'

// Only what the programs need, because Laurel's own environment holds secrets.
export const CHILD_ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

const UNFINISHED = /^cluster\.new-(\d+)-/

/**
 * Creates the cluster unless it exists. It is created under a temporary name and then renamed, so it is either complete
 * or absent. If two processes create it concurrently, one wins and the other uses its cluster.
 */
export async function ensureCluster(
  location: ReadyLocation,
  options: { readonly password: string; readonly durable: boolean },
): Promise<void> {
  const version = await readIfThere(join(location.cluster, 'PG_VERSION'))
  if (version !== null) return checkMajor(location, Number(version))
  await removeAbandoned(location)
  const draft = join(location.home, `cluster.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await initialize(location, draft, options)
    await rename(draft, location.cluster)
    // Otherwise, a power failure could undo the rename, and the next start would remove the cluster as an abandoned
    // draft.
    await syncFolder(location.home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes(findErrorCode(error) ?? '')) throw error
  }
}

function checkMajor(location: ReadyLocation, major: number): void {
  if (major === location.binaries.major) return
  throw new EmbeddedPostgresError(
    `The database in ${location.cluster} was created by PostgreSQL ${major}, but this Laurel includes ` +
      `${location.binaries.major}. Dump it with PostgreSQL ${major} and restore it into an empty data folder, or ` +
      'run it on a server of that version and set DATABASE_URL.',
  )
}

async function initialize(
  location: ReadyLocation,
  folder: string,
  options: { readonly password: string; readonly durable: boolean },
): Promise<void> {
  const passwordFile = `${folder}.password`
  await writeFile(passwordFile, options.password, { mode: 0o600, flag: 'wx' })
  if (location.account !== null) await chown(passwordFile, location.account.uid, location.account.gid)
  try {
    await promisify(execFile)(
      join(location.binaries.folder, 'bin', 'initdb'),
      [
        ...['-D', folder, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
        // The builtin provider sorts identically with any C library, so indexes survive system upgrades.
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { ...toCredentials(location.account), cwd: location.home, env: CHILD_ENVIRONMENT },
    )
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n') : []
    const reason = said.find((line) => /error|fatal/i.test(line)) ?? said.at(-1) ?? toMessage(error)
    throw new EmbeddedPostgresError(
      `The database could not be created in ${location.home} (${reason}). Fix the cause or set DATABASE_URL.`,
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Removes drafts left behind by processes that were killed while creating them. */
async function removeAbandoned(location: ReadyLocation): Promise<void> {
  for (const name of await readdir(location.home)) {
    const pid = UNFINISHED.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(location.home, name), { recursive: true, force: true })
  }
}

/** True if a process with this id exists, under our account or another. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return findErrorCode(error) === 'EPERM'
  }
}
