import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { syncFolder } from '../files.ts'
import type { SystemAccount } from './account.ts'
import { findLocation, prepareLocation } from './data-location.ts'
import { EmbeddedPostgresError, findErrorCode } from './errors.ts'

/**
 * Base backups through PostgreSQL's low-level interface, because the embedded binaries lack pg_basebackup. A backup
 * copies the files of the cluster while the server changes them, together with the WAL that makes the copy consistent.
 * It is a folder that contains `cluster` and the accounts' password, but never the master key.
 */

const PASSWORD = 'postgres.password'
// PostgreSQL's manual recommends omitting these, because they belong to the running server. The folders themselves must
// exist.
const OMITTED_FILES = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init'])
const OMITTED_CONTENT = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pgsql_tmp',
])
const WAL_SEGMENT = /^[0-9A-F]{24}$/

/**
 * Backs up the embedded database while it is running and being written to.
 * @param url connects as its owner
 * @throws EmbeddedPostgresError if there is no database, or the target already exists
 */
export async function backUpCluster(dataDir: string, url: string, target: string): Promise<void> {
  const location = await findLocation(dataDir)
  if (location === null) throw new EmbeddedPostgresError(`There is no database in ${dataDir}.`)
  if (existsSync(target))
    throw new EmbeddedPostgresError(`${target} already exists. Choose a folder that does not exist.`)
  const draft = `${target}.part-${randomBytes(4).toString('hex')}`
  const copy = join(draft, 'cluster')
  // The backup is tied to one database session. Closing it aborts the backup and drops the slot.
  const sql = postgres(url, { max: 1, max_lifetime: null, onnotice: () => undefined })
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    // Prevents the WAL from being recycled before it is copied.
    await sql`select pg_create_physical_replication_slot(${`laurel_backup_${process.pid}`}, true, true)`
    const [start] = await sql`
      select s.lsn, pg_walfile_name(s.lsn) as file from pg_backup_start('laurel backup', fast => true) as s (lsn)`
    await copyTree(location.cluster, copy)
    const [end] = await sql`select labelfile from pg_backup_stop(wait_for_archive => false)`
    await writeFile(join(copy, 'backup_label'), end?.['labelfile'], { mode: 0o600, flush: true })
    for (const name of await readdir(join(location.cluster, 'pg_wal')))
      if (WAL_SEGMENT.test(name) && name >= start?.['file'])
        await copyFile(join(location.cluster, 'pg_wal', name), join(copy, 'pg_wal', name))
    await copyFile(location.passwordFile, join(draft, PASSWORD))
    await rename(draft, target)
    await syncFolder(dirname(target))
  } finally {
    await sql.end({ timeout: 5 })
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Restores a backup into a data folder that has no database yet. The server recovers on its first start. Returns a
 * function that removes the restored files once the server has stopped.
 * @throws EmbeddedPostgresError if the folder is not a backup, or a database already exists
 */
export async function restoreCluster(
  backup: string,
  dataDir: string,
  account: string | null,
): Promise<() => Promise<void>> {
  if (!existsSync(join(backup, 'cluster', 'backup_label')))
    throw new EmbeddedPostgresError(`${backup} is not a backup. Choose a folder created by \`laurel backup\`.`)
  const location = await prepareLocation(dataDir, account)
  if (existsSync(location.cluster))
    throw new EmbeddedPostgresError(
      `${dataDir} already contains a database, which a restore would replace. Move that folder away or set ` +
        'LAUREL_DATA_DIR.',
    )
  const draft = join(location.home, `cluster.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await copyTree(join(backup, 'cluster'), draft, location.account, new Set())
    await writeFile(location.passwordFile, await readFile(join(backup, PASSWORD)), { mode: 0o600, flush: true })
    await rename(draft, location.cluster)
    await syncFolder(location.home)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return async () => {
    await rm(location.cluster, { recursive: true, force: true })
    await rm(location.passwordFile, { force: true })
  }
}

/**
 * Copies files that a server might change or remove in the meantime. Replaying the server's WAL makes the copy
 * consistent.
 */
async function copyTree(
  from: string,
  to: string,
  owner: SystemAccount | null = null,
  omitted = OMITTED_CONTENT,
): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  if (owner !== null) await chown(to, owner.uid, owner.gid)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (!omitted.has(entry.name)) await copyTree(source, target, owner, omitted)
      else await mkdir(target, { mode: 0o700 })
    } else if (!OMITTED_FILES.has(entry.name)) {
      await copyFile(source, target).catch((error: unknown) => {
        if (findErrorCode(error) !== 'ENOENT') throw error
      })
      if (owner !== null && existsSync(target)) await chown(target, owner.uid, owner.gid)
    }
  }
}
