import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { buildApp, type ServiceParts } from './app.ts'
import { type CatalogStore, createCatalogStore } from './catalog/catalog/index.ts'
import { createFolderStorage, createReportLinks, createS3Storage, type ReportWorkDeps } from './data/reports/index.ts'
import { configureEgress } from './events/index.ts'
import { createSimulatedSupplier } from './payouts/gift-cards/index.ts'
import { createSimulatedBank } from './payouts/redemptions/index.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Config, ConfigError, readConfig } from './platform/config/config.ts'
import { createClockGuard } from './platform/db/clock-guard.ts'
import type { Database } from './platform/db/database.ts'
import type { App } from './platform/http/index.ts'
import { openTracing } from './platform/http/tracing.ts'
import { createLog, type Log } from './platform/telemetry/log.ts'
import { startMetricsServer } from './platform/telemetry/metrics-server.ts'
import type { Vault } from './platform/vault/index.ts'
import { listUnserved, openProviders, PRODUCTION_SETTINGS, WITHOUT_LINKING } from './purchases/linker/index.ts'
import { createListing, findTransactionBrand, prepareMatching } from './purchases/transactions/index.ts'
import { createTrackingLinks } from './sources/affiliate/index.ts'
import { openStorage, type Storage } from './storage.ts'
import { folderOutbox, type Outbox, smtpOutbox } from './tenants/accounts/index.ts'
import { createDueWork, startWorker } from './worker.ts'

// During this time, responses tell clients to close their connections. The server closes idle connections only
// afterward, because a request sent just as its connection is closed would fail.
const DRAIN_MS = 1_000

export type Service = {
  /** The public address if one is configured, otherwise the address it listens on. */
  readonly url: string
  readonly db: Database
  readonly vault: Vault
  readonly config: Config
  readonly catalog: CatalogStore
  /** Answers pending requests, finishes running jobs, then closes the database. */
  close(): Promise<void>
}

type Given = {
  readonly log?: Log
  /** URLs of the linking provider: the simulator's for sandboxes, and a stand-in for production in tests. */
  readonly linkerUrls?: { readonly sandbox?: string; readonly production?: string }
  readonly clock?: Clock
  /** The clock that is compared with the database's. Defaults to the system clock. Tests pass an incorrect clock. */
  readonly hostClock?: Clock
  /** The time to drain. Tests pass a shorter one, because they have no callers left. */
  readonly drainMs?: number
  /** The storage, if it is already open. */
  readonly storage?: Storage
  /** The folder of the built console, pending while the build runs. If omitted, the console is not served. */
  readonly consoleFolder?: Promise<string>
  /** Seeds the sandbox on the first start. */
  readonly seed?: (db: Database) => Promise<unknown>
}

/**
 * Starts the API, the worker or both, depending on the role, and returns when everything is ready. The service starts
 * listening before that. Until it is ready, /readyz lists what is missing and other requests wait for the catalog.
 * @param given overrides for tests, and what the caller has already started or built
 * @throws ConfigError if the settings provide no linking provider for the environment of an existing publisher
 */
export async function startService(config: Config, given: Given = {}): Promise<Service> {
  const log = given.log ?? createLog(config.logLevel)
  for (const sentence of config.unknownSettings) log.warn(sentence)
  const storage =
    given.storage ??
    (await openStorage(config, { log: (message) => log.info(message), migrates: true, role: config.role }))
  const closers: (() => Promise<unknown>)[] = [storage.close]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    closers.push(await openTracing(config, log))
    if (config.metricsPort !== null) {
      const metrics = await startMetricsServer(config.host, config.metricsPort)
      log.info({ address: metrics.url }, 'metrics')
      closers.push(metrics.close)
    }
    await refuseUnserved(config, storage)
    let draining = false
    const parts = assemble(config, storage, log, given, () => draining)
    if (config.role !== 'worker') {
      const app = await buildApp(parts)
      closers.push(() => app.close())
      parts.setGivingWay(app.givingWay)
      const address = await app.listen({ host: config.host, port: config.port })
      parts.setBaseUrl(config.baseUrl ?? address)
    }
    await parts.catalog.refresh()
    parts.notReady.delete('catalog')
    if (config.role !== 'api') {
      const db = storage.pools.background
      const clockAgrees = createClockGuard(db.reader, given.hostClock ?? systemClock, log)
      closers.push(startWorker({ ...parts, db, clockAgrees }).stop)
    }
    closers.push(async () => {
      draining = true
      if (config.role !== 'worker') await setTimeout(given.drainMs ?? DRAIN_MS)
    })
    if (given.seed !== undefined) {
      await given.seed(storage.db)
      await parts.catalog.refresh()
      parts.notReady.delete('sandbox')
    }
    const { baseUrl: url, catalog } = parts
    return { url, db: storage.db, vault: storage.vault, config, catalog, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Refuses to start without a real linking provider for production publishers, which must never link cards against the
 * simulator or appear to work when they cannot link cards.
 */
async function refuseUnserved({ linkers }: Config, { pools }: Storage): Promise<void> {
  const unserved = await listUnserved(pools.background.reader, linkers)
  if (unserved.length > 0)
    throw new ConfigError(
      `Production publishers (${unserved.map(({ name }) => name).join(', ')}) need ${PRODUCTION_SETTINGS}. ` +
        `Alternatively, ${WITHOUT_LINKING}.`,
    )
}

type Parts = ServiceParts &
  ReportWorkDeps & {
    setBaseUrl(url: string): void
    setGivingWay(way: App['givingWay']): void
    readonly notReady: Set<string>
  }

function assemble(config: Config, { pools, vault }: Storage, log: Log, given: Given, isDraining: () => boolean) {
  const clock = given.clock ?? systemClock
  let baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`
  const sandbox = config.linkerUrl ?? `http://127.0.0.1:${config.simulatorPort}`
  const { calls: db, background } = pools
  const providers = openProviders(config.linkers, { sandbox, ...given.linkerUrls }, db.reader)
  for (const [environment, provider] of Object.entries(providers))
    if (provider?.canReach(baseUrl) === false)
      log.warn(
        { environment },
        'webhooks from the linking provider cannot arrive, so every feed is polled; set LAUREL_BASE_URL to an ' +
          'https URL',
      )
  const { s3, retentionDays: reportRetentionDays, linkSeconds: seconds } = config.reports
  const reportStorage = s3 === null ? createFolderStorage(config.dataDir) : createS3Storage(s3)
  // A standalone worker has no calls to yield to.
  let givingWay: App['givingWay'] = async (part) => part()
  const parts: Parts = {
    db,
    pools,
    clock,
    vault,
    log,
    // Calls hold connections while they wait for the catalog, so loading it must use another pool.
    catalog: createCatalogStore(background, { clock, log, prepare: prepareMatching }),
    providers,
    payoutBank: createSimulatedBank(
      config.payoutBankUrl ?? pickSimulatorUrl(config, given.linkerUrls?.sandbox ?? sandbox),
    ),
    giftCardSupplier: createSimulatedSupplier(
      config.giftCardSupplierUrl ?? pickSimulatorUrl(config, given.linkerUrls?.sandbox ?? sandbox),
    ),
    links: createTrackingLinks({ vault, baseUrl: () => baseUrl }),
    outbox: createOutbox(config),
    reportStorage,
    reportLinks: createReportLinks({ vault, reportStorage, baseUrl: () => baseUrl, seconds }),
    reportRetentionDays,
    givingWay: (part) => givingWay(part),
    setGivingWay: (way) => {
      givingWay = way
    },
    // A worker does not listen, so only the setting shows where its service can be reached.
    egress: configureEgress(config.webhooks, config.role === 'worker' ? config.baseUrl : baseUrl),
    get baseUrl() {
      return baseUrl
    },
    setBaseUrl: (url) => {
      baseUrl = url
    },
    trustedProxies: config.trustedProxies,
    operatorCallsPerSecond: config.operatorCallsPerSecond,
    strangerCallsPerSecond: config.strangerCallsPerSecond,
    clicksPerSecond: config.clicksPerSecond,
    retentionDays: config.retentionDays,
    // Advancing a sandbox by months takes longer than a call is allowed to take.
    doDueWork: (publisher, now) => createDueWork({ ...parts, db: background })(publisher, now),
    isDraining,
    notReady: new Set(given.seed === undefined ? ['catalog'] : ['catalog', 'sandbox']),
    consoleFolder: given.consoleFolder ?? null,
    brandOfTransaction: findTransactionBrand,
    offersOfUser: createListing(),
  }
  return parts
}

function createOutbox({ mail: { smtpUrl, from }, dataDir, demo }: Config): Outbox {
  return smtpUrl === null ? folderOutbox(dataDir, demo) : smtpOutbox(smtpUrl, from)
}

/** Returns the simulator's URL for the services that are simulated even if cards are linked elsewhere. */
function pickSimulatorUrl(config: Config, sandbox: string): string {
  return config.linkers.sandbox === 'simulator' ? sandbox : `http://127.0.0.1:${config.simulatorPort}`
}

/** Runs the service on its own, without the simulator or demo data, until a signal stops it. */
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const service = await startService(readConfig())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void service.close())
}
