import { startService } from '../../src/main.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { openStorage } from '../../src/storage.ts'
import { listPublishers, type Publisher } from '../../src/tenants/publishers/index.ts'
import { openPublisher } from '../../src/users/terms/index.ts'
import { createAuditedKey } from '../audited-key.ts'
import { UserError } from '../errors.ts'
import { buildAddress, findFreePort } from '../ports.ts'
import { isOk, isSimulator } from '../probe.ts'
import { findRuntime } from '../runtime.ts'
import { isKeyValid, readSandboxKey, settleSandbox } from '../sandbox.ts'
import { shell } from '../shell.ts'
import { startSimulator } from '../simulator.ts'

/** Everything the demo needs: a service, its simulator, a sandbox key, and access to the database. */
export type Stage = {
  readonly url: string
  readonly simulatorUrl: string
  readonly apiKey: string
  readonly db: Database
  readonly started: boolean
  close(): Promise<void>
}

/** The demo's user. */
export type Shopper = { readonly name: string; readonly svcUserId: string; readonly publisher: Publisher }

const NOT_HERE =
  'The demo registers a user and makes purchases in the database, so it does not run where LAUREL_DEMO is 0.'

/**
 * Opens the service running on this data folder, or starts one for the demo. The console takes seconds to build, so it
 * is included only on request.
 */
export async function openStage(withConsole: boolean): Promise<Stage> {
  const config = readConfig(shell().env)
  if (!config.demo) throw new UserError(NOT_HERE)
  const running = await findRuntime(config.dataDir)
  if (running === null || !(await isOk(`${running.address}/healthz`))) return startStage(config, withConsole)
  const simulatorUrl = running.simulator_url ?? config.linkerUrl
  if (simulatorUrl === null || !(await isSimulator(simulatorUrl))) throw noSimulator()
  const { db, close } = await openStorage(config)
  try {
    return {
      url: running.address,
      simulatorUrl,
      apiKey: await keyFor(config, db, running.address),
      db,
      started: false,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function startStage(given: Config, withConsole: boolean): Promise<Stage> {
  if (given.linkerUrl !== null && !(await isSimulator(given.linkerUrl))) throw noSimulator()
  const host = '127.0.0.1'
  const port = await findFreePort(host, 0)
  if (port === null) throw new UserError('No port is free on this machine.')
  const config: Config = { ...given, host, port, role: 'all', baseUrl: null, logLevel: 'silent' }
  const simulator =
    given.linkerUrl === null
      ? await startSimulator({ port: 0, dataDir: given.dataDir, serviceUrl: buildAddress(host, port) })
      : null
  const simulatorUrl = simulator?.url ?? given.linkerUrl ?? ''
  const closers = [async () => simulator?.stop()]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const service = await startService(config, {
      log: createLog('silent'),
      linkerUrls: { sandbox: simulatorUrl },
      drainMs: 0,
      ...(withConsole ? { consoleFolder: buildConsole() } : {}),
    })
    closers.push(service.close)
    await settleSandbox({ config, db: service.db, address: service.url }, systemClock.now())
    return {
      url: service.url,
      simulatorUrl,
      apiKey: await keyFor(config, service.db, service.url),
      db: service.db,
      started: true,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const PUBLISHER = 'Demonstration'
// Far longer than a demo takes.
const KEY_MS = 3_600_000

/** Returns the key stored by the first start or, failing that, creates one for the demo's own sandbox publisher. */
async function keyFor(config: Config, db: Database, url: string): Promise<string> {
  const kept = config.databaseUrl === null ? await readSandboxKey(config.dataDir) : null
  if (kept !== null && (await isKeyValid(url, kept))) return kept
  return db.transaction(async (tx) => {
    const now = systemClock.now()
    const known = (await listPublishers(tx)).find((one) => one.name === PUBLISHER && one.environment === 'sandbox')
    const publisher = known ?? (await openPublisher(tx, { name: PUBLISHER, environment: 'sandbox' }, now))
    return createAuditedKey(tx, publisher, now, { expiresAt: new Date(now.getTime() + KEY_MS), addressRanges: [] })
  })
}

function noSimulator(): UserError {
  return new UserError(
    'The demo makes purchases on the simulator, but there is none where sandbox publishers link. Check ' +
      'LAUREL_LINKER, LAUREL_LINKER_URL and LAUREL_PLAID_SANDBOX_SECRET, and restart Laurel.',
  )
}
