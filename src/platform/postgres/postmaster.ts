import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readIfThere } from '../files.ts'
import { toCredentials } from './account.ts'
import { CHILD_ENVIRONMENT, isAlive } from './cluster.ts'
import type { DataLocation, ReadyLocation } from './data-location.ts'
import { buildServerArguments } from './settings.ts'

/** The server's main process, as described by its lock file postmaster.pid in the cluster. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly ready: boolean }

export type Launched = { readonly pid: number | undefined; hasEnded(): boolean }

const LOG_BYTES_MAX = 10 * 1024 * 1024
export const POLL_MS = 20
// The final checkpoint of a busy server takes a long time on a slow disk, and interrupting it would only force a
// recovery at the next start.
const STOP_LIMIT_MS = 60_000

/** Returns the running server of a location; null if there is none. Ignores a lock file left behind by a crash. */
export async function findPostmaster(location: DataLocation): Promise<Postmaster | null> {
  const lock = await readLock(location)
  return lock !== null && runsFor(location, lock.pid) ? lock : null
}

/** Starts the server in its own session, so that it survives Ctrl-C and the end of this process. */
export async function launch(
  location: ReadyLocation,
  options: { readonly port: number; readonly durable: boolean },
): Promise<Launched> {
  await disownStaleLock(location)
  await boundLog(location.logFile)
  const log = await open(location.logFile, 'a', 0o600)
  try {
    const server = spawn(
      join(location.binaries.folder, 'bin', 'postgres'),
      ['-D', location.cluster, ...buildServerArguments(options)],
      {
        ...toCredentials(location.account),
        cwd: location.home,
        env: CHILD_ENVIRONMENT,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    )
    let ended = false
    server.once('exit', () => {
      ended = true
    })
    // A program that fails to start does not emit exit.
    server.once('error', () => {
      ended = true
    })
    server.unref()
    return { pid: server.pid, hasEnded: () => ended }
  } finally {
    await log.close()
  }
}

/**
 * Shuts the server down in fast mode, which ends every session and writes a checkpoint. Returns true if the server
 * exits within the limit.
 */
export async function shutDown(location: DataLocation, pid: number): Promise<boolean> {
  if (runsFor(location, pid)) process.kill(pid, 'SIGINT')
  const giveUpAt = Date.now() + STOP_LIMIT_MS
  // The server removes its lock file last. Its process can remain a zombie where nothing reaps orphans, as in many
  // containers.
  while ((await readLock(location))?.pid === pid && runsFor(location, pid)) {
    if (Date.now() > giveUpAt) return false
    await wait(POLL_MS)
  }
  return true
}

/** Returns the requested port if it is free on loopback, otherwise any free one. */
export async function freePort(wanted: number | null): Promise<number> {
  return (wanted === null ? null : await tryPort(wanted)) ?? (await tryPort(0)) ?? 0
}

export async function readLastFatalLine(location: DataLocation): Promise<string> {
  const lines = ((await readIfThere(location.logFile)) ?? '').split('\n')
  const line = lines.findLast((candidate) => /FATAL|PANIC/.test(candidate)) ?? lines.at(-1) ?? ''
  return line.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

async function readLock(location: DataLocation): Promise<Postmaster | null> {
  const text = await readIfThere(join(location.cluster, 'postmaster.pid'))
  if (text === null) return null
  // The lines are pid, cluster, start time, port, socket folder, address, shared memory, state.
  const [pid, , , port, , , , state] = text.split('\n').map((line) => line.trim())
  const lock = { pid: Number(pid), port: Number(port), ready: state === 'ready' }
  return lock.pid > 0 ? lock : null
}

/**
 * True if the process is a server of this cluster. A process id proves nothing by itself: after a crash or in a new
 * container, it might belong to another program or to a zombie.
 */
function runsFor(location: DataLocation, pid: number): boolean {
  if (!isAlive(pid)) return false
  if (existsSync('/proc/self/cmdline')) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(location.cluster)
    } catch {
      return false
    }
  }
  const listed = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  return listed.stdout.includes(`-D ${location.cluster} `)
}

/**
 * Replaces the process id in a stale lock file with our own if another program now has that id. PostgreSQL refuses to
 * take over a lock file whose process id is alive, unless the id is that of its own parent. It still uses the rest of
 * the file to check whether orphans of the old server hold the shared memory. Deleting the file would skip that check.
 */
async function disownStaleLock(location: DataLocation): Promise<void> {
  const lock = await readLock(location)
  if (lock === null || !isAlive(lock.pid) || runsFor(location, lock.pid)) return
  const file = join(location.cluster, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, [String(process.pid), ...lines.slice(1)].join('\n'))
}

/** Truncates an oversized log before the server starts. The log is normally small. */
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
