import { flushCompileCache } from 'node:module'
import type { Command } from 'commander'
import type { Service } from '../../src/main.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { createLog, type Log } from '../../src/platform/telemetry/log.ts'
import { openStorage } from '../../src/storage.ts'
import { renderBanner } from '../banner.ts'
import { UserError } from '../errors.ts'
import { buildAddress, findFreePort, nextFreePort } from '../ports.ts'
import { isOk, isSimulator } from '../probe.ts'
import { findRuntime, type Runtime, removeRuntime, writeRuntime } from '../runtime.ts'
import { shell } from '../shell.ts'
import { type SimulatorProcess, startSimulator } from '../simulator.ts'
import { waitForStop } from '../stopping.ts'
import { answer, note } from '../terminal.ts'

export function define(command: Command): void {
  command.action(start)
}

async function start(): Promise<void> {
  const config = await claimPort(readStartConfig())
  const stopAsked = waitForStop()
  const running = await findRuntime(config.dataDir)
  const linker = await linkerFor(config, running)
  try {
    const { service, ...shown } = await startBeside(config, linker)
    try {
      const simulator = await linker.simulator
      const networkUrl = simulator?.networkUrl ?? null
      await welcome(config, service, { simulatorUrl: linker.url, networkUrl, ...shown })
      // Without this call, Node would write the cache only on a clean exit, so a killed process would lose it.
      flushCompileCache()
      await stopAsked
      note('Stopping after current work finishes.')
    } finally {
      await service.close()
    }
  } finally {
    await removeRuntime(config.dataDir)
    // If the service failed to start, it has already logged the reason.
    const simulator = await linker.simulator?.catch(() => null)
    await simulator?.stop()
  }
}

type Started = { readonly service: Service } & Pick<Shown, 'apiKey' | 'enterToken' | 'portalUrl'>

/** Loads the service's code while PostgreSQL starts. */
async function startBeside(config: Config, linker: Linker): Promise<Started> {
  const log = createLog(config.logLevel)
  const launched = Promise.withResolvers<void>()
  const opening = openStorage(config, {
    log: (message, level = 'info') => log[level](message),
    onLaunch: launched.resolve,
    migrates: true,
    role: config.role,
  })
  const [storage, { startService }, { createFirstAdmin, createStoryLink, settleSandbox }] = await Promise.all([
    opening,
    Promise.race([launched.promise, opening]).then(() => import('../../src/main.ts')),
    Promise.race([launched.promise, opening]).then(() => import('../sandbox.ts')),
  ])
  let apiKey: string | null = null
  let enterToken: string | null = null
  const address = buildAddress(config.host, config.port)
  const seed = async (db: Database): Promise<void> => {
    apiKey = await settleSandbox({ config, db, address }, systemClock.now())
    if (config.demo) enterToken = await createFirstAdmin(db, systemClock.now())
  }
  const service = await startService(config, {
    log,
    storage,
    ...(linker.url === null ? {} : { linkerUrls: { sandbox: linker.url } }),
    ...(config.role === 'worker' ? {} : { seed, consoleFolder: startConsoleBuild(log) }),
  })
  return { service, apiKey, enterToken, portalUrl: await createStoryLink(address, apiKey) }
}

/** Starts building the console. A failed build is only logged, because everything else works without the console. */
function startConsoleBuild(log: Log): Promise<string> {
  const folder = import('../../src/platform/web/index.ts').then(({ buildConsole }) => buildConsole())
  folder.catch((error: Error) => log.warn({ err: error }, 'the console could not be built, so it is not served'))
  return folder
}

/** Reads the settings. If the log goes to a terminal, its level defaults to `warn`. */
function readStartConfig(): Config {
  return readConfig(shell().stderr.isTTY ? { LAUREL_LOG_LEVEL: 'warn', ...shell().env } : shell().env)
}

/** Checks the ports before anything starts, so conflicts are reported right away. Replaces port 0 with a free one. */
async function claimPort(config: Config): Promise<Config> {
  const { host, metricsPort } = config
  if (metricsPort !== null && (await findFreePort(host, metricsPort)) === null)
    throw new UserError(`Port ${metricsPort} is in use by another program. Set LAUREL_METRICS_PORT to a free one.`)
  if (config.role === 'worker') return config
  const port = await findFreePort(config.host, config.port)
  if (port !== null) return { ...config, port }
  const running = await findRuntime(config.dataDir)
  const ours = running?.address === buildAddress(config.host, config.port)
  if (running !== null && ours && (await isOk(`${running.address}/healthz`))) {
    throw new UserError(
      `Laurel is already running at ${running.url} (process ${running.pid}). Set PORT to run a second one.`,
    )
  }
  throw new UserError(
    `Port ${config.port} is in use by another program. Set PORT to a free one, or to 0 for any free one.`,
  )
}

type Linker = { readonly url: string | null; readonly simulator: Promise<SimulatorProcess> | null }

/**
 * Finds the simulator that already serves this data folder, or starts one, unless another provider is configured. A
 * process that is only a worker never starts one.
 */
async function linkerFor(config: Config, running: Runtime | null): Promise<Linker> {
  if (config.linkerUrl !== null) return { url: null, simulator: null }
  if (running?.simulator_url && (await isSimulator(running.simulator_url)))
    return { url: running.simulator_url, simulator: null }
  if (config.role === 'worker') return { url: null, simulator: null }
  const host = config.simulatorHost
  const port = await nextFreePort(host, config.simulatorPort)
  const serviceUrl = config.baseUrl ?? buildAddress(config.host, config.port)
  // Starting it alongside the service saves half a second. The port is chosen first, so that both can use it.
  const simulator = startSimulator({ port, host, dataDir: config.dataDir, serviceUrl })
  simulator
    .then(({ lost }) => lost)
    .then(() => note('The simulator has stopped. Restart Laurel to start it again.'))
    .catch(() => undefined)
  // A simulator that listens on all addresses is reachable from this machine via loopback.
  const here = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return { url: buildAddress(here, port), simulator }
}

type Shown = Omit<Parameters<typeof renderBanner>[0], 'url'>

async function welcome(config: Config, service: Service, shown: Shown): Promise<void> {
  if (config.role === 'worker')
    return note('Laurel is processing jobs. This process serves no requests (LAUREL_ROLE=worker).')
  const now = systemClock.now()
  const address = buildAddress(config.host, config.port)
  const runtime = { pid: process.pid, url: service.url, address, simulator_url: shown.simulatorUrl }
  await writeRuntime(config.dataDir, { ...runtime, started_at: now.toISOString() }).catch((error: Error) =>
    note(`doctor and demo will not find this service: ${error.message}`),
  )
  for (const line of renderBanner({ ...shown, url: service.url })) answer(line)
}
