import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { after } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { createFolderStorage, createReportLinks } from '../../src/data/reports/index.ts'
import { createSimulatedSupplier } from '../../src/payouts/gift-cards/index.ts'
import { createSimulatedBank } from '../../src/payouts/redemptions/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openPools } from '../../src/platform/db/pools.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import { openPlaid } from '../../src/purchases/linker/plaid/provider.ts'
import { createListing, findTransactionBrand } from '../../src/purchases/transactions/index.ts'
import { createTrackingLinks } from '../../src/sources/affiliate/index.ts'
import { createApiKey, createOperator } from '../../src/tenants/access/index.ts'
import { folderOutbox, ROLES, type Role, toLocalActor } from '../../src/tenants/accounts/index.ts'
import { changeSettings, createPublisher, type Scope } from '../../src/tenants/publishers/index.ts'
import './declared-refusals.ts'
import { SHARED } from './egress.ts'
import { testDatabase } from './postgres.ts'

/**
 * Builds the application without sockets, worker or provider. It connects to the database only when a request needs it.
 */
export async function unstartedApp(databaseUrl: string) {
  const pools = openPools(databaseUrl, { calls: 2, reports: 1, background: 2 })
  const { calls: db, background } = pools
  const log = createLog('silent')
  const vault = createVault(randomBytes(32).toString('base64'))
  const reportStorage = createFolderStorage(tmpdir())
  const app = await buildApp({
    db,
    pools,
    clock: systemClock,
    vault,
    log,
    catalog: createCatalogStore(background, { clock: systemClock, log }),
    providers: {
      sandbox: openPlaid({
        address: 'http://127.0.0.1:1',
        clientId: 'a',
        secret: 'b',
        isSimulator: true,
        environment: 'sandbox',
      }),
      production: null,
    },
    payoutBank: createSimulatedBank('http://127.0.0.1:1'),
    giftCardSupplier: createSimulatedSupplier('http://127.0.0.1:1'),
    outbox: folderOutbox(tmpdir(), true),
    reportStorage,
    reportLinks: createReportLinks({ vault, reportStorage, baseUrl: () => 'http://127.0.0.1', seconds: 60 }),
    links: createTrackingLinks({ vault, baseUrl: () => 'http://127.0.0.1' }),
    baseUrl: 'http://127.0.0.1',
    egress: SHARED,
    trustedProxies: [],
    operatorCallsPerSecond: 100_000,
    strangerCallsPerSecond: 100_000,
    clicksPerSecond: 100_000,
    retentionDays: readConfig({}).retentionDays,
    doDueWork: async () => ({ unreadFeeds: 0 }),
    isDraining: () => false,
    notReady: new Set(),
    consoleFolder: null,
    brandOfTransaction: findTransactionBrand,
    offersOfUser: createListing(),
  })
  await app.ready()
  const close = async () => {
    await app.close()
    for (const pool of Object.values(pools)) await pool.close()
  }
  return { app, db, close }
}

/**
 * Builds the application for injected requests, with a publisher key per list of scopes and an operator key per role.
 */
export async function openApp(name: string, scopes: readonly (readonly Scope[] | null)[]) {
  const database = await testDatabase(name)
  const { app, db, close } = await unstartedApp(database.url)
  after(close)
  const keys = await db.transaction(async (tx) => {
    const now = systemClock.now()
    const { id } = await createPublisher(tx, { name: 'Test', environment: 'sandbox' }, now)
    const publisher = await changeSettings(tx, id, {
      readsPerSecond: 100_000,
      writesPerSecond: 100_000,
      eventsPerSecond: 100_000,
    })
    const made: string[] = []
    for (const granted of scopes) made.push((await createApiKey(tx, publisher, granted, now)).apiKey)
    return made
  })
  const operators = await db.transaction(async (tx) => {
    const made = new Map<Role, string>()
    for (const role of ROLES) {
      const { key } = await createOperator(tx, { name: role, role, by: toLocalActor('tests') }, systemClock.now())
      made.set(role, key)
    }
    return made
  })
  return { app, keys, operators }
}
