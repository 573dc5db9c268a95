import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE_MS } from '../src/platform/calendar.ts'
import type { Database } from '../src/platform/db/database.ts'
import type { Benchmark, Reading } from './benchmark.ts'
import { pollBare } from './support/bare-poll.ts'
import type { BenchServer } from './support/bench-server.ts'
import { fillCatalog } from './support/catalog.ts'
import { linkItems } from './support/linked-items.ts'
import { type Polled, startPolling, watchMemory } from './support/polled.ts'
import { type Serving, serve } from './support/processes.ts'
import { measureSeconds } from './support/rounds.ts'
import { type SimulatedItem, writeSimulatedItems } from './support/simulated-items.ts'
import { addFaults, enforceLimits, readCalls, removeFaults } from './support/simulator-control.ts'
import { createTenant } from './support/tenant.ts'
import { buildFaults, isBroken, isSound } from './support/unwell-items.ts'

const ITEMS = 10_000
const ROWS = 20
// The number of items that a worker reads concurrently.
const AT_ONCE = 32
const SYNC = '/transactions/sync'
const ALLOWED_PER_MINUTE = 2_500
// Twice what the provider allows, so that the provider is always the bottleneck, even while webhooks and people also
// make requests.
const NEEDED_PER_SECOND = Math.ceil((2 * ALLOWED_PER_MINUTE) / 60)
const UNLIMITED_PER_MINUTE = 1_000_000
const PACE_AFTER_MS = 5_000
const LOOK_EVERY_MS = 500
const GIVE_UP_MS = 15 * MINUTE_MS
const MIB = 2 ** 20
// By then, lazy loading is complete, so steady memory growth would show up in the remaining part.
const EARLY_PART = 5
const TEMPLATE = 'safety_poll_template'
const DATABASE = 'safety_poll'

/**
 * Returns how many rows are left for the poll after a day of webhooks. Most rows were reported by webhooks and have
 * been read. One item in four lost its last webhook, and one in fifty must be read from the beginning.
 */
function countUnread(number: number): number {
  if (number % 50 === 1) return ROWS
  return number % 4 === 2 ? 2 : 0
}

export const safetyPoll: Benchmark = {
  name: 'safety-poll',
  about:
    "10,000 linked items with 20 rows each, all due at the same time (one in four has two rows that no webhook reported, one in fifty is read from the beginning), from the start of a worker until it has read everything readable: one login in a hundred is broken, as many give faulty responses, and as many respond late. The limit is as many bare calls of transactions/sync, 32 at a time over kept connections, to the same simulator; both run without rate limits. `safety-poll-allowed`: calls of transactions/sync in a minute while the simulator enforces the provider's limits, refuses none, and each login is checked too; the limit is what the provider allows. `safety-poll-memory`: the worker's peak memory in the first run, sampled five times a second; the limit is the peak during the first fifth of the items",
  measure: async (server) => {
    const stage = await prepare(server)
    try {
      const fast = await pollFast(stage)
      const perMinute = await pollWithinLimits(stage)
      return buildReadings(fast, perMinute)
    } finally {
      await server.drop(TEMPLATE)
    }
  },
}

function buildReadings(fast: Awaited<ReturnType<typeof pollFast>>, perMinute: number): Reading[] {
  return [
    {
      name: 'safety-poll',
      ours: fast.ours,
      limit: fast.limit,
      goal: { of: 'ours', bound: 'at least', value: NEEDED_PER_SECOND },
      unit: 'items/s',
    },
    {
      name: 'safety-poll-allowed',
      ours: perMinute,
      limit: ALLOWED_PER_MINUTE,
      goal: { of: 'ratio', bound: 'at least', value: 0.9 },
      unit: 'calls/min',
    },
    {
      name: 'safety-poll-memory',
      ours: fast.peakBytes / MIB,
      limit: fast.earlyBytes / MIB,
      goal: { of: 'ours', bound: 'at most', value: 600 },
      unit: 'MiB',
    },
  ]
}

type Stage = {
  readonly server: BenchServer
  readonly items: readonly SimulatedItem[]
  readonly snapshot: string
  readonly setting: Pick<Polled, 'masterKey' | 'client' | 'baseUrl'>
}

async function prepare(server: BenchServer): Promise<Stage> {
  server.say('safety-poll: 10,000 items are made at the simulator and linked')
  const setting = {
    masterKey: randomBytes(32).toString('base64'),
    client: { clientId: 'bench', secret: randomBytes(16).toString('hex') },
    baseUrl: 'http://127.0.0.1:9',
  }
  const snapshot = join(server.dataDir, 'safety-poll.json')
  const { client, baseUrl, masterKey } = setting
  const wanted = { count: ITEMS, rows: ROWS, client, webhook: `${baseUrl}/linker/webhooks`, countUnread, isBroken }
  const items = await writeSimulatedItems(snapshot, wanted)
  await server.create(TEMPLATE)
  const db = server.open(TEMPLATE)
  try {
    const tenant = await createTenant(db)
    await fillCatalog(db)
    const readAt = new Date(Date.now() - 86_400_000)
    await linkItems(db, tenant, items, { masterKey, dataDir: server.dataDir, readAt })
  } finally {
    await db.close()
  }
  return { server, items, snapshot, setting }
}

/** Runs an entire poll at full speed, then the bare calls. */
async function pollFast(stage: Stage) {
  const { server, items, setting } = stage
  return onCopy(stage, async (place) => {
    server.say('safety-poll: a whole poll without limits')
    const { seconds, ...bytes } = await pollAll(stage, place)
    server.say('safety-poll: the same calls, bare')
    await removeFaults(place.simulator.url)
    const bareSeconds = await measureSeconds(() => pollBare(place.simulator.url, items, setting.client, AT_ONCE))
    return { ours: countSound(items) / seconds, limit: items.length / bareSeconds, ...bytes }
  })
}

async function pollAll({ server, items, setting }: Stage, { simulator, databaseUrl }: Place) {
  const db = server.open(DATABASE)
  // Login checks have their own rate limits, which are not measured here.
  await db.reader`update linker_items set checked_at = now()`
  const began = new Date()
  const limits = { syncsPerMinute: UNLIMITED_PER_MINUTE }
  const worker = await startPolling({ ...setting, ...limits, databaseUrl, simulatorUrl: simulator.url })
  const memory = watchMemory(worker)
  try {
    await waitForLast(db, Math.ceil(countSound(items) / EARLY_PART), began)
    const earlyBytes = memory.peakBytes()
    const last = await waitForLast(db, countSound(items), began)
    const peakBytes = Math.max(earlyBytes, memory.peakBytes())
    return { seconds: (last.getTime() - began.getTime()) / 1_000, earlyBytes, peakBytes }
  } finally {
    memory.stop()
    await worker.stop()
    await db.close()
  }
}

/** Measures a poll for one minute, after it has reached a steady rate. */
async function pollWithinLimits(stage: Stage): Promise<number> {
  const { server, setting } = stage
  server.say("safety-poll: a minute within the provider's limits")
  return onCopy(stage, async ({ simulator, databaseUrl }) => {
    await enforceLimits(simulator.url)
    const polled = { ...setting, databaseUrl, simulatorUrl: simulator.url, syncsPerMinute: ALLOWED_PER_MINUTE }
    const worker = await startPolling(polled)
    try {
      await wait(PACE_AFTER_MS)
      const before = await readCalls(simulator.url)
      const seconds = await measureSeconds(() => wait(MINUTE_MS))
      const after = await readCalls(simulator.url)
      if (Object.keys(after.refused).length > 0) throw new Error(`refused were ${JSON.stringify(after.refused)}`)
      return (((after.calls[SYNC] ?? 0) - (before.calls[SYNC] ?? 0)) / seconds) * 60
    } finally {
      await worker.stop()
    }
  })
}

type Place = { readonly simulator: Serving; readonly databaseUrl: string }

/** Runs the work on a fresh copy, in which no items have been read. */
async function onCopy<T>({ server, items, snapshot }: Stage, work: (place: Place) => Promise<T>): Promise<T> {
  const databaseUrl = await server.create(DATABASE, TEMPLATE)
  const simulator = await serve('simulator.ts', [snapshot])
  try {
    await addFaults(simulator.url, buildFaults(items))
    return await work({ simulator, databaseUrl })
  } finally {
    await simulator.stop()
    await server.drop(DATABASE)
  }
}

/** Waits until the wanted number of items have been read, and returns the time of the last read. */
async function waitForLast(db: Database, wanted: number, since: Date): Promise<Date> {
  for (const endMs = Date.now() + GIVE_UP_MS; ; await wait(LOOK_EVERY_MS)) {
    const [row] = await db.reader<{ read: number; last: Date | null }[]>`
      -- all publishers: there is one
      select count(*)::int as read, max(synced_at) as last from linker_items where synced_at >= ${since}`
    if (row !== undefined && row.read >= wanted && row.last !== null) return row.last
    if (Date.now() > endMs) throw new Error(`of ${wanted} items that can be read ${row?.read} were`)
  }
}

function countSound(items: readonly SimulatedItem[]): number {
  return items.filter((_, number) => isSound(number)).length
}
