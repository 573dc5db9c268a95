import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { credentialsOf } from './account.ts'
import { CHILD_ENVIRONMENT, isAlive } from './cluster.ts'
import { type Place, type ReadyPlace, readIfThere } from './location.ts'
import { serverArguments } from './settings.ts'

/** The server's first process, as its lock file postmaster.pid in the cluster tells. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly ready: boolean }

export type Launched = { readonly pid: number | undefined; hasEnded(): boolean }

const LOG_BYTES_MAX = 10 * 1024 * 1024
export const POLL_MS = 20
// The last checkpoint of a busy server on a slow disk takes its time; cutting it short would only mean recovery.
const STOP_LIMIT_MS = 60_000

/** The running server of a place, or null. A lock file that a crash left behind counts as nothing. */
export async function findPostmaster(place: Place): Promise<Postmaster | null> {
  const lock = await readLock(place)
  return lock !== null && runsFor(place, lock.pid) ? lock : null
}

/** Starts the server in a session of its own, so that neither Ctrl-C nor the end of this process takes it along. */
export async function launch(
  place: ReadyPlace,
  options: { readonly port: number; readonly durable: boolean },
): Promise<Launched> {
  await disownStaleLock(place)
  await boundLog(place.logFile)
  const log = await open(place.logFile, 'a', 0o600)
  try {
    const server = spawn(
      join(place.binaries.folder, 'bin', 'postgres'),
      ['-D', place.cluster, ...serverArguments(options)],
      {
        ...credentialsOf(place.account),
        cwd: place.home,
        env: CHILD_ENVIRONMENT,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    )
    let ended = false
    server.once('exit', () => {
      ended = true
    })
    // A program that could not be started at all has no exit; whoever waits sees that it ended and reads the log.
    server.once('error', () => {
      ended = true
    })
    server.unref()
    return { pid: server.pid, hasEnded: () => ended }
  } finally {
    await log.close()
  }
}

/** Fast shutdown: ends every session, writes a checkpoint. Says whether the server is gone within the limit. */
export async function shutDown(place: Place, pid: number): Promise<boolean> {
  if (runsFor(place, pid)) process.kill(pid, 'SIGINT')
  const giveUpAt = Date.now() + STOP_LIMIT_MS
  // The lock file goes last. The process itself may stay a zombie where nobody collects orphans, as in containers.
  while ((await readLock(place))?.pid === pid && runsFor(place, pid)) {
    if (Date.now() > giveUpAt) return false
    await wait(POLL_MS)
  }
  return true
}

/** The wanted port if it is free on loopback, otherwise any free one. */
export async function freePort(wanted: number | null): Promise<number> {
  return (wanted === null ? null : await tryPort(wanted)) ?? (await tryPort(0)) ?? 0
}

export async function lastFatalLine(place: Place): Promise<string> {
  const lines = ((await readIfThere(place.logFile)) ?? '').split('\n')
  const line = lines.findLast((candidate) => /FATAL|PANIC/.test(candidate)) ?? lines.at(-1) ?? ''
  return line.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

async function readLock(place: Place): Promise<Postmaster | null> {
  const text = await readIfThere(join(place.cluster, 'postmaster.pid'))
  if (text === null) return null
  // Its lines: pid, cluster, start time, port, socket folder, address, shared memory, state.
  const [pid, , , port, , , , state] = text.split('\n').map((line) => line.trim())
  const lock = { pid: Number(pid), port: Number(port), ready: state === 'ready' }
  return lock.pid > 0 ? lock : null
}

/**
 * Whether the process is a server of this very cluster. Its number alone proves nothing: after a crash or in a new
 * container it may belong to anyone, and a zombie still has one.
 */
function runsFor(place: Place, pid: number): boolean {
  if (!isAlive(pid)) return false
  if (existsSync('/proc/self/cmdline')) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(place.cluster)
    } catch {
      return false
    }
  }
  const listed = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  return listed.stdout.includes(`-D ${place.cluster} `)
}

/**
 * PostgreSQL takes over a stale lock file unless its number belongs to a living process, and then refuses. Where we
 * know that this process is no server of the cluster, we put our own number there: PostgreSQL ignores its parent's,
 * and still looks by the rest of the file whether orphans of the old server hold the shared memory. Removing the
 * file would skip that look.
 */
async function disownStaleLock(place: Place): Promise<void> {
  const lock = await readLock(place)
  if (lock === null || !isAlive(lock.pid) || runsFor(place, lock.pid)) return
  const file = join(place.cluster, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, [String(process.pid), ...lines.slice(1)].join('\n'))
}

/** The log is appended to while the server runs, and says little; at a start it is cut when it has grown anyway. */
async function boundLog(file: string): Promise<void> {
  if (existsSync(file) && (await stat(file)).size > LOG_BYTES_MAX) await truncate(file)
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(address instanceof Object ? address.port : null))
    })
  })
}
