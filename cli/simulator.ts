import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { UserError } from './errors.ts'

export type SimulatorProcess = {
  readonly url: string
  /** The address at which other machines on the network reach the simulator; null if only this machine can. */
  readonly networkUrl: string | null
  /** Resolves if the simulator exits without being stopped. */
  readonly lost: Promise<void>
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../simulator/main.ts', import.meta.url))
// An idle machine needs a second; a slow and busy one might need many.
const START_LIMIT_MS = 60_000
// The simulator only writes a small file on exit, so if it takes longer than this, it is stuck.
const STOP_LIMIT_MS = 5_000

/**
 * Starts the simulated linking provider as a child process. It does not inherit this process's environment, which may
 * contain secrets, and it exits when this process does, even if this process is killed.
 */
export async function startSimulator(options: {
  readonly port: number
  readonly host?: string
  readonly dataDir: string
  readonly serviceUrl: string
}): Promise<SimulatorProcess> {
  const compiled = getCompileCacheDir()
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Uses a separate process group, so Ctrl-C in a terminal reaches only this process, which stops the child once the
    // service has drained.
    detached: true,
    env: {
      SIMULATOR_PORT: String(options.port),
      SIMULATOR_HOST: options.host ?? '',
      SIMULATOR_DATA_FILE: join(options.dataDir, 'simulator.json'),
      SIMULATOR_SERVICE_URL: options.serviceUrl,
      SIMULATOR_EXIT_WITH_PARENT: '1',
      ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }),
    },
  })
  const { simulator_url: url, network_url: networkUrl = null } = await readAddresses(child)
  if (Number(new URL(url).port) !== options.port && options.port !== 0) {
    child.kill('SIGTERM')
    throw new UserError(`Port ${options.port} was taken before the simulator could use it. Start Laurel again.`)
  }
  let stopping = false
  const lost = new Promise<void>((resolve) => child.once('exit', () => stopping || resolve()))
  return {
    url,
    networkUrl,
    lost,
    stop: () => {
      stopping = true
      return stop(child)
    },
  }
}

type Addresses = { readonly simulator_url: string; readonly network_url?: string }

async function readAddresses(child: ChildProcess): Promise<Addresses> {
  if (child.stdout === null) throw new Error('the simulator was started without a pipe')
  const lines = createInterface({ input: child.stdout })
  const late = AbortSignal.timeout(START_LIMIT_MS)
  try {
    const line = await Promise.race([
      once(lines, 'line', { signal: late }).then(([first]) => String(first)),
      once(child, 'exit', { signal: late }).then(() => null),
    ])
    if (line !== null) return JSON.parse(line)
  } catch (error) {
    child.kill('SIGKILL')
    if (!late.aborted) throw error
  }
  throw new UserError(
    'The simulator did not start. Set SIMULATOR_PORT to another port, or LAUREL_LINKER_URL to run without the ' +
      'simulator.',
  )
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(timer)
}
