import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startSimulator } from '../../simulator/index.ts'
import { importCatalog } from '../../src/catalog/catalog/index.ts'
import { type Service, startService } from '../../src/main.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { createLog, type Log } from '../../src/platform/telemetry/log.ts'
import type { Storage } from '../../src/storage.ts'
import { createApiKey, createOperator } from '../../src/tenants/access/index.ts'
import { linkForFirstAdmin, openSession, type Role, toLocalActor } from '../../src/tenants/accounts/index.ts'
import { redeemToken } from '../../src/tenants/accounts/tokens.ts'
import { changeSettings, type Publisher, type Scope } from '../../src/tenants/publishers/index.ts'
import { openPublisher, publishTerms } from '../../src/users/terms/index.ts'
import './declared-refusals.ts'
import { asService, testDatabase } from './postgres.ts'

export type Answer = {
  readonly status: number
  // The test states the shape of the response. The compiler cannot know it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
  readonly headers: Headers
}
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

export type Tenant = { readonly publisher: Publisher; readonly apiKey: string; readonly call: Call }
export type TestApp = Tenant & {
  readonly service: Service
  /** The database, opened as the owner of its tables, for everything that the service itself may not see or do. */
  readonly owner: Database
  readonly simulatorUrl: string
  readonly tncId: number
  /** Calls with the key of an operator who has every permission. */
  readonly operator: Call
  /** Calls from the browser of a signed-in admin. */
  readonly person: Call
  /** Creates another operator with this role. */
  staff(role: Role): Promise<Call>
  /** Creates another publisher with its own key. */
  tenant(options?: {
    readonly environment?: 'sandbox' | 'production'
    readonly scopes?: readonly Scope[] | null
  }): Promise<Tenant>
  /** Stops everything. Call it in the file's top-level `after`. */
  close(): Promise<void>
  /** Imports brands in the catalog file format. The service uses them as soon as this returns. */
  catalog(file: object): Promise<void>
}

type AppOptions = {
  readonly log?: Log
  /** A clock that the test controls, for tests in which seconds matter even on a slow machine. */
  readonly clock?: Clock
  readonly hostClock?: Clock
  readonly masterKey?: string
  readonly settings?: Readonly<Record<string, string>>
  /** The provider's addresses, if they are not those of the simulator that runs with the service. */
  readonly linkerUrls?: { readonly sandbox?: string; readonly production?: string }
  /** The built console. If absent, the console is not served. */
  readonly consoleFolder?: Promise<string>
  /** Opens the storage with different pools than those in the settings. */
  readonly storage?: (config: Config) => Promise<Storage>
}

/** Starts the entire service on a separate database, together with a simulator, over real sockets. */
export async function startTestApp(options: AppOptions = {}): Promise<TestApp> {
  const database = await testDatabase('app')
  const owner = openDatabase(database.url, { connections: 2 })
  const simulator = await startSimulator({ port: 0 })
  const dataDir = await mkdtemp(join(tmpdir(), 'laurel-test-'))
  const config = readConfig({
    ...addressesFor(database.url),
    LAUREL_DATA_DIR: dataDir,
    PORT: '0',
    LAUREL_LOG_LEVEL: 'silent',
    LAUREL_MASTER_KEY: options.masterKey ?? Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
    // Tests call faster than any operator or stranger would.
    LAUREL_OPERATOR_CALLS_PER_SECOND: '100000',
    LAUREL_STRANGER_CALLS_PER_SECOND: '100000',
    ...options.settings,
  })
  const log = options.log ?? createLog('silent')
  const clock = options.clock ?? systemClock
  const storage = options.storage === undefined ? {} : { storage: await options.storage(config) }
  const { hostClock = systemClock, consoleFolder } = options
  const given = {
    log,
    clock,
    hostClock,
    linkerUrls: { sandbox: simulator.url, ...options.linkerUrls },
    drainMs: 0,
    ...storage,
    ...(consoleFolder === undefined ? {} : { consoleFolder }),
  }
  const service = await startService(config, given).catch(async (error: unknown) => {
    // If left open, these would keep the file's process alive.
    await simulator.close()
    await owner.close()
    throw error
  })
  const now = clock.now()
  const terms = await service.db.transaction((tx) =>
    publishTerms(tx, { url: 'https://example.com/terms', revision: '1', requiredFrom: new Date(0) }, now),
  )
  const operator = await openOperator(service, { name: 'Ada', role: 'admin' }, now)
  const tenant: TestApp['tenant'] = (options) => createTenant(service, options, now)
  return {
    ...(await tenant()),
    service,
    owner,
    simulatorUrl: simulator.url,
    tncId: terms.documentId,
    operator,
    person: await openPerson(service, now),
    staff: (role) => openOperator(service, { name: `A person (${role})`, role }, clock.now()),
    tenant,
    close: async () => {
      await service.close()
      await simulator.close()
      await owner.close()
      await rm(dataDir, { recursive: true })
    },
    catalog: async (file) => {
      await importCatalog(service.db, { format: 'json', text: JSON.stringify(file) })
      // The service would notice the import by itself, but not immediately.
      await service.catalog.refresh()
    },
  }
}

async function openOperator({ db, url }: Service, operator: { name: string; role: Role }, now: Date): Promise<Call> {
  const { key } = await db.transaction((tx) => createOperator(tx, { ...operator, by: toLocalActor('tests') }, now))
  return makeCaller(url, key)
}

async function openPerson({ db, url }: Service, now: Date): Promise<Call> {
  const { token } = await db.transaction(async (tx) => {
    const link = await linkForFirstAdmin(tx, 'admin@laurel.localhost', toLocalActor('tests'), now)
    const accountId = await redeemToken(tx, link ?? '', 'enter', now)
    return openSession(tx, { kind: 'operator', accountId }, { address: '::1', userAgent: '' }, now)
  })
  const call = makeCaller(url, null)
  return (method, path, body, headers = {}) =>
    call(method, path, body, { cookie: `laurel_console=${token}`, 'sec-fetch-site': 'same-origin', ...headers })
}

async function createTenant(
  { db, url }: Service,
  { environment = 'sandbox', scopes = null }: NonNullable<Parameters<TestApp['tenant']>[0]> = {},
  now: Date,
): Promise<Tenant> {
  return db.transaction(async (tx) => {
    const made = await openPublisher(tx, { name: 'Test', environment }, now)
    // Tests call faster than any publisher would, and rate limits have their own tests.
    const unlimited = { readsPerSecond: 100_000, writesPerSecond: 100_000, eventsPerSecond: 100_000 }
    const publisher = await changeSettings(tx, made.id, unlimited)
    const { apiKey } = await createApiKey(tx, publisher, scopes, now)
    return { publisher, apiKey, call: makeCaller(url, apiKey) }
  })
}

/** Uses the pooler in front of the test server if LAUREL_TEST_POOLER is set (see test/journeys/pgbouncer.test.ts). */
function addressesFor(url: string): Record<string, string> {
  const pooler = process.env['LAUREL_TEST_POOLER']
  const direct = asService(url)
  if (pooler === undefined) return { DATABASE_URL: direct }
  return { DATABASE_URL: new URL(new URL(url).pathname, pooler).href, DATABASE_DIRECT_URL: direct }
}

// A service on a busy machine briefly rejects requests and indicates when to retry. That is not a test failure.
const BUSY_TRIES = 60

export function makeCaller(url: string, apiKey: string | null): Call {
  return async (method, path, body, headers = {}) => {
    const response = await fetchPatiently(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
  }
}

/** Works like `fetch`, but retries while the service is busy. */
export async function fetchPatiently(url: string | URL, init: RequestInit = {}): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, init)
    if (response.status !== 503 || tries >= BUSY_TRIES) return response
    const body = await response
      .clone()
      .json()
      .catch(() => null)
    if (!isBusy(response.status, body)) return response
    await setTimeout(Number(response.headers.get('retry-after') ?? 1) * 1000)
  }
}

export function isBusy(status: number, body: unknown): boolean {
  return status === 503 && typeof body === 'object' && body !== null && 'code' in body && body.code === 'overloaded'
}

/** A small catalog with one offer of each kind that the journeys need. */
export const CATALOG = {
  categories: [
    { category_id: 1, category: 'GROCERY' },
    { category_id: 2, category: 'ELECTRONICS' },
  ],
  brands: [
    {
      brand_uid: 'brand-market',
      category_id: 1,
      name: 'Corner Market',
      website: 'https://cornermarket.example',
      aliases: ['CRNR MKT'],
      offers: [
        {
          offer_uid: 'offer-market',
          name: '5% back',
          description: '5% back on groceries',
          offer_type: 'CARD_LINKED',
          reward_type: 'CASHBACK_PERCENTAGE',
          commission: { rate: 5 },
          refund_period_days: 30,
          min_spend: 10,
          max_spend: 200,
          terms_and_conditions: 'Sample.',
        },
      ],
    },
    {
      brand_uid: 'brand-gadgets',
      category_id: 2,
      name: 'Gadget Barn',
      website: 'https://gadgetbarn.example',
      offers: [
        {
          offer_uid: 'offer-gadgets-link',
          name: '8% online',
          description: '8% through the link',
          offer_type: 'AFFILIATE',
          reward_type: 'CASHBACK_PERCENTAGE',
          commission: { rate: 8 },
          refund_period_days: 14,
          tracking_url: 'https://shop.gadgetbarn.example/?aff=laurel&sub={sub_id}',
          terms_and_conditions: 'Sample.',
        },
        {
          offer_uid: 'offer-gadgets-once',
          name: '$10 once',
          description: '$10 back once',
          offer_type: 'CARD_LINKED',
          reward_type: 'CASHBACK_DOLLAR',
          commission: { amount: 10 },
          refund_period_days: 0,
          one_time_use: true,
          min_spend: 50,
          terms_and_conditions: 'Sample.',
        },
        {
          offer_uid: 'offer-gadgets-gift',
          name: 'Gift cards',
          description: '4% on gift cards',
          offer_type: 'GIFT_CARD',
          reward_type: 'CASHBACK_PERCENTAGE',
          commission: { rate: 4 },
          refund_period_days: 0,
          denominations: [25, 25.03, 50],
          terms_and_conditions: 'Sample.',
        },
        {
          offer_uid: 'offer-gadgets-code',
          name: 'Code',
          description: '$3 off with the code',
          offer_type: 'VOUCHER_CODE',
          reward_type: 'DISCOUNT_DOLLAR',
          commission: { amount: 3 },
          refund_period_days: 7,
          voucher_code: 'SAVE3',
          terms_and_conditions: 'Sample.',
        },
      ],
    },
  ],
}
