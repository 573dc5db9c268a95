import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { startSimulator } from '../../simulator/index.ts'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { toDataText } from '../../src/events/index.ts'
import { addDays, type Day, startOfDay, toDay } from '../../src/platform/calendar.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { type App, createApp } from '../../src/platform/http/index.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import {
  createLinkerLoops,
  type LinkerDeps,
  linkerPublicRoutes,
  linkerRoutes,
} from '../../src/purchases/linker/index.ts'
import { openPlaid } from '../../src/purchases/linker/plaid/provider.ts'
import type { Provider } from '../../src/purchases/linker/provider.ts'
import { REFUSALS } from '../../src/refusals.ts'
import { authenticatePublishers, createApiKey } from '../../src/tenants/access/index.ts'
import { changeSettings, createPublisher, type Publisher, type Scope } from '../../src/tenants/publishers/index.ts'
import { createUser } from '../../src/users/users/index.ts'
import { eventually } from './eventually.ts'
import { testDatabase } from './postgres.ts'

/** The linker behind real sockets, with the simulator as its provider and a clock that tests can advance. */
export type World = Awaited<ReturnType<typeof openWorld>>

export const CLIENT = { clientId: 'laurel-tests', secret: `secret-${randomBytes(12).toString('hex')}` }

export async function openWorld(name: string) {
  const database = await testDatabase(name)
  const db = openDatabase(database.url)
  const simulator = await startSimulator({ port: 0, webhookRetryDelaysMs: [] })
  const door = await openDoorTo(simulator.url)
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) }
  const logged: string[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  // Bypasses the service's log redaction, because secrets should not reach a log in the first place.
  const log = pino({ level: 'trace' }, sink)
  const deps = {
    db,
    clock,
    vault: createVault(randomBytes(32).toString('base64')),
    log,
    catalog: createCatalogStore(db),
    providers: {
      sandbox: openPlaid({
        address: door.url,
        ...CLIENT,
        isSimulator: true,
        environment: 'sandbox',
      }),
      production: null as Provider | null,
    },
    baseUrl: '',
  } satisfies LinkerDeps
  const app = createApp({ log, refusals: REFUSALS, trustedProxies: [] })
  const webhooks = { answered: 0 }
  app.addHook('onResponse', async ({ url }) => {
    if (url === '/linker/webhooks') webhooks.answered++
  })
  linkerPublicRoutes(app, deps)
  app.register(async (inner: App) => {
    await authenticatePublishers(inner, deps)
    linkerRoutes(inner, deps)
  })
  deps.baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const publisher = await db.transaction(async (tx) => {
    const made = await createPublisher(tx, { name: 'One', environment: 'sandbox' }, clock.now())
    // Tests call faster than any publisher would.
    return changeSettings(tx, made.id, { readsPerSecond: 100_000, writesPerSecond: 100_000, eventsPerSecond: 100_000 })
  })
  const close = async () => {
    await app.close()
    await door.close()
    await simulator.close()
    await db.close()
  }
  return { db, deps, app, simulator, door, clock, logged, publisher, webhooks, close }
}

/** Returns the linker's dependencies with some of the sandbox provider's calls replaced. */
export function depsWith({ deps }: World, calls: Partial<Provider>): LinkerDeps {
  return { ...deps, providers: { ...deps.providers, sandbox: { ...deps.providers.sandbox, ...calls } } }
}

/**
 * Opens a door between the service and the simulator. Shutting it makes the provider unreachable. It can also lose the
 * response to a call that was carried out, or hold a call.
 */
async function openDoorTo(address: string) {
  const { createServer, request } = await import('node:http')
  const door = {
    mode: 'open' as 'open' | 'shut' | 'html',
    shutFor: null as string | null,
    losesAnswerOf: null as string | null,
    /** With `answered`, the provider has received the call, and only its response is held. */
    holds: null as { readonly path: string; readonly until: Promise<void>; readonly answered?: boolean } | null,
    calls: [] as string[],
  }
  const server = createServer(async (incoming, outgoing) => {
    door.calls.push(incoming.url ?? '')
    const held = door.holds?.path === incoming.url ? door.holds : null
    if (held !== null && held.answered !== true) await held.until
    if (door.mode === 'shut' || door.shutFor === incoming.url) return void incoming.socket.destroy()
    if (door.mode === 'html') return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')
    const onward = request(new URL(incoming.url ?? '/', address), { method: 'POST', headers: incoming.headers })
    onward.on('response', async (answer) => {
      await held?.until
      if (door.losesAnswerOf === incoming.url) return void incoming.socket.destroy()
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    // If the simulator closes the connection, so does the door.
    onward.on('error', () => incoming.socket.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  assert(typeof bound === 'object' && bound !== null)
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return Object.assign(door, { url: `http://127.0.0.1:${bound.port}`, close })
}

export async function addUser(world: World, publisherUserId: string, publisher = world.publisher) {
  const input = { publisherUserId, email: null, primaryZipCode: null, attributes: null }
  const { user } = await world.db.transaction((tx) => createUser(tx, publisher, input, world.clock.now()))
  return user
}

export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
export type Client = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, key?: string) => Promise<Answer>

/** Returns a client with a new key for the publisher. */
export async function createClient(
  world: World,
  publisher: Publisher = world.publisher,
  scopes: Scope[] | null = null,
) {
  const { apiKey } = await world.db.transaction((tx) => createApiKey(tx, publisher, scopes, world.clock.now()))
  const client: Client = async (method, url, body, key) => {
    const answer = await world.app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  return client
}

/** Posts to the simulator directly, bypassing the service. */
export async function atSimulator(world: World, path: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${world.simulator.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'plaid-client-id': CLIENT.clientId,
      'plaid-secret': CLIENT.secret,
    },
    body: JSON.stringify(body),
  })
  const replied = (await answer.json()) as Record<string, unknown>
  assert.equal(answer.status, 200, JSON.stringify(replied))
  return replied
}

/** Returns the public token that the link page would return at the end. */
export async function publicToken(world: World, username = 'user_plain', institution_id = 'ins_109508') {
  const replied = await atSimulator(world, '/sandbox/public_token/create', {
    institution_id,
    initial_products: ['transactions'],
    options: { override_username: username, override_password: 'pass_good' },
  })
  return String(replied['public_token'])
}

type SimItem = { item_id: string; error: string | null; accounts: { account_id: string; type: string }[] }

export async function simulatedItems(world: World): Promise<SimItem[]> {
  const answer = await fetch(`${world.simulator.url}/_sim/items`)
  return ((await answer.json()) as { items: SimItem[] }).items
}

/** Links a login. By default, it is the user's own, because an account belongs to only one user. */
export async function link(world: World, client: Client, publisherUserId: string, username?: string, bank?: string) {
  const body = {
    public_token: await publicToken(world, username ?? publisherUserId, bank),
    institution_id: bank ?? 'ins_109508',
    institution_name: 'Bank',
  }
  return client('POST', `/linker/public-token/${publisherUserId}`, body)
}

/**
 * Runs every loop of the linker until no work is left and no webhook is in transit. A pass skips rows that a webhook
 * has locked, and no late webhook may change what the test reads afterward.
 */
export async function work(world: World): Promise<void> {
  let hasWorked = true
  while (hasWorked) {
    hasWorked = false
    await waitForWebhooks(world)
    for (const loop of createLinkerLoops(world.deps)) while (await loop.pass()) hasWorked = true
  }
}

/** Makes the provider resend an item's last webhooks. Returns once they have arrived. */
export async function replay(world: World, item_id: string, count: number): Promise<void> {
  await waitForWebhooks(world)
  const before = world.webhooks.answered
  const { sent } = await atSimulator(world, '/_sim/webhooks/replay', { item_id, count })
  await until(async () => world.webhooks.answered >= before + Number(sent))
  await waitForWebhooks(world)
}

/** Resolves once every webhook from the provider is answered or abandoned, and its hint is stored. */
export async function waitForWebhooks(world: World): Promise<void> {
  await until(async () => {
    const answer = await fetch(`${world.simulator.url}/_sim/webhooks`)
    const { deliveries } = (await answer.json()) as { deliveries: { outcome: string }[] }
    return deliveries.every(({ outcome }) => outcome !== 'waiting')
  })
  // A webhook is answered early if storing it takes a long time. Statements that wait for a lock are waiting for the
  // test itself, so they are ignored.
  await until(async () => {
    const busy = await world.db.reader`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
        and wait_event_type is distinct from 'Lock'`
    return busy.length === 0
  })
}

/** Advances the world's clock to noon, so no day ends during the test. Returns the new day. */
export function moveToNoon({ clock }: World): Day {
  const tomorrow = addDays(toDay(clock.now(), 'UTC'), 1)
  clock.offsetMs += startOfDay(tomorrow, 'UTC').getTime() + 12 * 3_600_000 - clock.now().getTime()
  return tomorrow
}

/** Waits until the condition holds, because the provider's webhooks arrive at any time. */
export async function until(what: () => Promise<boolean>): Promise<void> {
  await eventually(what)
}

export type RecordedEvent = { kind: string; externalId: string; originalExternalId: string | null; amount: bigint }

export async function sourceEvents(world: World, userId: string): Promise<RecordedEvent[]> {
  const rows = await world.db.reader<RecordedEvent[]>`
    select kind, external_id, original_external_id, amount
    from source_events where user_id = ${userId} order by received_at, event_id`
  return [...rows]
}

type StoredEvent = {
  readonly type: string
  readonly data: Record<string, unknown>
  readonly previous: Record<string, unknown> | null
}

export async function readEvents(world: World, userId: string): Promise<StoredEvent[]> {
  const rows = await world.db.reader<(Omit<StoredEvent, 'data'> & { data: string })[]>`
    select type, stored_data::text as data, previous from events where user_id = ${userId} order by event_id`
  return rows.map((row) => ({ ...row, data: JSON.parse(toDataText(row.data)) }))
}
