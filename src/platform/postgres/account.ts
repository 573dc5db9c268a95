import { spawnSync } from 'node:child_process'
import { cannotRun } from './errors.ts'

/** The account that runs the server, if it is not our own. */
export type SystemAccount = { readonly name: string; readonly uid: number; readonly gid: number }

/**
 * Chooses the account that runs PostgreSQL, which refuses to run as root. If we are root, chooses the account that
 * already owns the database, otherwise the named account, otherwise `nobody`. Creates no account. Returns null if we
 * are not root and run the server ourselves.
 */
export function chooseAccount(options: {
  readonly ownerUid: number | null
  readonly named: string | null
}): SystemAccount | null {
  if (process.getuid?.() !== 0) return null
  const { ownerUid, named } = options
  return lookUp(ownerUid !== null && ownerUid !== 0 ? String(ownerUid) : (named ?? 'nobody'))
}

/** Returns the spawn options to run a program as the account. */
export function toCredentials(account: SystemAccount | null): { uid?: number; gid?: number } {
  // spawn expects signed numbers, and on some systems the account `nobody` has id -2, printed as 4294967294.
  return account === null ? {} : { uid: account.uid | 0, gid: account.gid | 0 }
}

/**
 * Tests whether the account can work in the folder by trying it, because permissions, ACLs, mounts and sandboxes all
 * matter.
 */
export function canWorkIn(account: SystemAccount | null, folder: string): boolean {
  const trial = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -r . && test -w .', 'sh', folder], {
    ...toCredentials(account),
    cwd: '/',
    stdio: 'ignore',
  })
  if (trial.error) throw cannotRun(`no program can be started as ${account?.name}: ${trial.error.message}`)
  return trial.status === 0
}

function lookUp(name: string): SystemAccount {
  const uid = ask('-u', name)
  const gid = ask('-g', name)
  if (uid === 0) throw cannotRun(`PostgreSQL refuses to run as root, and the account ${name} is root`)
  return { name, uid, gid }
}

/**
 * Returns the numeric ID of an account or its group. Uses `id`, because /etc/passwd is only one of several kinds of
 * account databases.
 */
function ask(option: '-u' | '-g', name: string): number {
  const answer = spawnSync('id', [option, name], { encoding: 'utf8' })
  const id = Number(answer.stdout)
  if (answer.status !== 0 || !/^\d+\s*$/.test(answer.stdout)) {
    // An owner without an entry in the account database is just a numeric ID, and its group is assumed to have the same
    // ID.
    if (/^\d+$/.test(name)) return Number(name)
    throw cannotRun(`PostgreSQL cannot run as root, and there is no ordinary account named ${name}`)
  }
  return id
}
