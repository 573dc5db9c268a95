import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../src/platform/postgres/index.ts'

/**
 * Locates a running service through a file in the data folder that `start` writes and removes. Because a killed process
 * leaves the file behind, it is ignored unless its process is alive.
 */

export type Runtime = {
  readonly pid: number
  /** The public address, which might not be reachable from this machine. */
  readonly url: string
  /** The address the service listens on. */
  readonly address: string
  readonly simulator_url: string | null
  readonly started_at: string
}

const buildRuntimePath = (dataDir: string): string => join(dataDir, 'runtime.json')

export async function writeRuntime(dataDir: string, runtime: Runtime): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${buildRuntimePath(dataDir)}.${runtime.pid}`
  await writeFile(draft, `${JSON.stringify(runtime)}\n`, { mode: 0o600 })
  await rename(draft, buildRuntimePath(dataDir))
}

/** Returns the service running on this data folder; null if there is none. */
export async function findRuntime(dataDir: string): Promise<Runtime | null> {
  const runtime = await readRuntime(dataDir)
  return runtime !== null && isAlive(runtime.pid) ? runtime : null
}

/** Removes the file if this process wrote it. Another service may have since started on the same folder. */
export async function removeRuntime(dataDir: string): Promise<void> {
  if ((await readRuntime(dataDir))?.pid === process.pid) await rm(buildRuntimePath(dataDir), { force: true })
}

async function readRuntime(dataDir: string): Promise<Runtime | null> {
  try {
    const runtime: unknown = JSON.parse(await readFile(buildRuntimePath(dataDir), 'utf8'))
    return isRuntime(runtime) ? runtime : null
  } catch {
    // The file is missing or was truncated by a crash, so no service can be found.
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
