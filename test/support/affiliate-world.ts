import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { createCatalogStore, trackingLinkRoutes } from '../../src/catalog/catalog/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { type App, createApp } from '../../src/platform/http/index.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import { REFUSALS } from '../../src/refusals.ts'
import { affiliateRoutes, createTrackingLinks } from '../../src/sources/affiliate/index.ts'
import { authenticatePublishers, createApiKey } from '../../src/tenants/access/index.ts'
import { changeSettings, createPublisher, type Publisher } from '../../src/tenants/publishers/index.ts'
import { createUser } from '../../src/users/users/index.ts'
import { testDatabase } from './postgres.ts'

const BASE_URL = 'https://rewards.example.com'

type Ask = {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

/** Sets up tracking links and postbacks on a separate database, with any routes that a test adds. */
export async function openRoutes(
  name: string,
  more: (app: App, parts: Parts) => void | Promise<void> = () => undefined,
) {
  const database = await testDatabase(name)
  const db = openDatabase(database.url)
  const clock = { at: new Date('2026-11-21T10:00:00Z'), now: () => clock.at }
  const vault = createVault(randomBytes(32).toString('base64'))
  const links = createTrackingLinks({ vault, baseUrl: () => BASE_URL })
  const catalog = createCatalogStore(db, { clock })
  const parts = { db, clock, vault, links, catalog, baseUrl: BASE_URL }
  const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [] })
  trackingLinkRoutes(app, parts)
  affiliateRoutes(app, parts)
  await more(app, parts)
  after(async () => {
    await app.close()
    await db.close()
  })
  const tenant = (
    settings: Parameters<typeof changeSettings>[2] = {},
    environment: Publisher['environment'] = 'sandbox',
  ) =>
    db.transaction(async (tx) => {
      const made = await createPublisher(tx, { name: 'Test', environment }, clock.at)
      // The clock is frozen in these tests, so an exhausted rate limit would never recover.
      const publisher = await changeSettings(tx, made.id, { readsPerSecond: 100_000, ...settings })
      return { publisher, apiKey: (await createApiKey(tx, publisher, null, clock.at)).apiKey }
    })
  const addUser = (publisher: Publisher, publisherUserId: string): Promise<UserId> =>
    db.transaction(async (tx) => {
      const input = { publisherUserId, email: null, primaryZipCode: null, attributes: null }
      return (await createUser(tx, publisher, input, clock.at)).user.userId
    })
  const ask = async (url: string, { method = 'GET', headers = {}, payload }: Ask = {}) => {
    const answer = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    const isJson = answer.payload !== '' && /json/.test(String(answer.headers['content-type']))
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.payload,
      body: isJson ? answer.json() : null,
    }
  }
  return { ...parts, app, tenant, addUser, ask }
}

type Parts = {
  readonly db: ReturnType<typeof openDatabase>
  readonly clock: { at: Date; now(): Date }
  readonly vault: ReturnType<typeof createVault>
  readonly links: ReturnType<typeof createTrackingLinks>
  readonly catalog: ReturnType<typeof createCatalogStore>
  readonly baseUrl: string
}

/** Registers routes that require an API key. */
export async function guarded(app: App, parts: Parts, routes: (inner: App) => void): Promise<void> {
  await app.register(async (inner: App) => {
    await authenticatePublishers(inner, parts)
    routes(inner)
  })
}
