import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { credentialsOf } from './account.ts'
import { codeOf, EmbeddedPostgresError, messageOf } from './errors.ts'
import { type ReadyPlace, readIfThere } from './location.ts'

export const SUPERUSER = 'laurel'

// Only what the programs need: Laurel's own environment holds secrets that are none of their business.
export const CHILD_ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

const UNFINISHED = /^cluster\.new-(\d+)-/

/**
 * Makes the cluster unless it is there. It is made beside its place and then renamed, so that it is whole or absent,
 * and of two processes that make it at once, one wins and the other uses what it finds.
 */
export async function ensureCluster(
  place: ReadyPlace,
  options: { readonly password: string; readonly durable: boolean },
): Promise<void> {
  const version = await readIfThere(join(place.cluster, 'PG_VERSION'))
  if (version !== null) return checkMajor(place, Number(version))
  await removeAbandoned(place)
  const draft = join(place.home, `cluster.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await initialize(place, draft, options)
    await rename(draft, place.cluster)
    await syncFolder(place.home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  }
}

function checkMajor(place: ReadyPlace, major: number): void {
  if (major === place.binaries.major) return
  throw new EmbeddedPostgresError(
    `The database in ${place.cluster} was made by PostgreSQL ${major} and this Laurel brings ${place.binaries.major}, so dump it with a PostgreSQL ${major} and restore it into an empty data folder, or run it by a server of that version and set DATABASE_URL.`,
  )
}

async function initialize(
  place: ReadyPlace,
  folder: string,
  options: { readonly password: string; readonly durable: boolean },
): Promise<void> {
  const passwordFile = `${folder}.password`
  await writeFile(passwordFile, options.password, { mode: 0o600, flag: 'wx' })
  if (place.account !== null) await chown(passwordFile, place.account.uid, place.account.gid)
  try {
    await promisify(execFile)(
      join(place.binaries.folder, 'bin', 'initdb'),
      [
        ...['-D', folder, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
        // The builtin provider sorts alike on every machine, whatever its C library; an index outlives an upgrade.
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { ...credentialsOf(place.account), cwd: place.home, env: CHILD_ENVIRONMENT },
    )
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n') : []
    const reason = said.find((line) => /error|fatal/i.test(line)) ?? said.at(-1) ?? messageOf(error)
    throw new EmbeddedPostgresError(
      `The database could not be made in ${place.home} (${reason}), so put the cause right or set DATABASE_URL.`,
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Drafts of processes that were killed while they made them. */
async function removeAbandoned(place: ReadyPlace): Promise<void> {
  for (const name of await readdir(place.home)) {
    const pid = UNFINISHED.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(place.home, name), { recursive: true, force: true })
  }
}

/** Whether a process of that number exists, ours or another account's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Without this a power cut could bring back the draft's name, and the next start would take it for abandoned. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
