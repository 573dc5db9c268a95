import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Where a running service can be found: a file in the data folder that `start` writes and removes. A killed process
 * leaves it behind, so it is believed only while its process lives.
 */
export type Runtime = {
  readonly pid: number
  /** The public address, which need not be reachable from this machine. */
  readonly url: string
  /** Where it listens. */
  readonly address: string
  readonly simulator_url: string | null
  readonly started_at: string
}

const fileOf = (dataDir: string): string => join(dataDir, 'runtime.json')

export async function writeRuntime(dataDir: string, runtime: Runtime): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${fileOf(dataDir)}.${runtime.pid}`
  await writeFile(draft, `${JSON.stringify(runtime)}\n`, { mode: 0o600 })
  await rename(draft, fileOf(dataDir))
}

/** The service that runs on this data folder, or null. */
export async function findRuntime(dataDir: string): Promise<Runtime | null> {
  const runtime = await readRuntime(dataDir)
  return runtime !== null && isAlive(runtime.pid) ? runtime : null
}

/** Removes the file if it is ours: another service may have been started on the same folder since. */
export async function removeRuntime(dataDir: string): Promise<void> {
  if ((await readRuntime(dataDir))?.pid === process.pid) await rm(fileOf(dataDir), { force: true })
}

async function readRuntime(dataDir: string): Promise<Runtime | null> {
  try {
    const runtime: unknown = JSON.parse(await readFile(fileOf(dataDir), 'utf8'))
    return isRuntime(runtime) ? runtime : null
  } catch {
    // Missing, or cut short by a crash: either way it says nothing.
    return null
  }
}

function isRuntime(value: unknown): value is Runtime {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    'url' in value &&
    Number.isInteger(value.pid) &&
    typeof value.url === 'string' &&
    'address' in value &&
    typeof value.address === 'string'
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
