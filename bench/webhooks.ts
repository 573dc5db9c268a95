import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createCatalogStore } from '../src/catalog/catalog/index.ts'
import type { Database } from '../src/platform/db/database.ts'
import { ingestEvents } from '../src/purchases/transactions/index.ts'
import type { Benchmark } from './benchmark.ts'
import { buildPurchase } from './intake.ts'
import type { BenchServer } from './support/bench-server.ts'
import { fillCatalog } from './support/catalog.ts'
import { measureFirstAttemptMs, measurePostMs } from './support/first-attempts.ts'
import { type Serving, serve } from './support/processes.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { type BenchUser, createTenant, createUsers, type Tenant } from './support/tenant.ts'
import { readReceived, registerEndpoint, startPoster, startReceiver, waitForArrivals } from './support/webhooks.ts'

// One event per user, so that no two events of the same user are delivered together.
const EVENTS = 20_000
const BATCH = 500
const WARM_UP = 2_000
const ROUNDS = 5
// The maximum number of concurrent calls to an endpoint.
const CONNECTIONS = 64
const LOOK_EVERY_MS = 10
const TEMPLATE = 'webhooks_template'
const DATABASE = 'webhooks'

export const webhooks: Benchmark = {
  name: 'webhooks',
  about:
    'the events of 20,000 purchases by as many users, delivered to one endpoint by a worker process that numbers, claims, signs, posts and records them, timed from the 2,000th arrival until the last is recorded. The limit is undici posting the very same bodies and headers from memory, over as many connections as we use, timed until the last arrival. The receiver is a bare node:http in a separate process. `webhooks-first-attempt`: p95 at 200 events a second for 20 seconds, each in its own commit, from before its transaction to the arrival; the limit is the same bodies posted bare at the same pace',
  measure: async (server) => {
    const receiver = await startReceiver()
    try {
      const stage = await prepare(server, receiver)
      const { ours, limit } = await race(stage)
      const attempts = await measureFirstAttempts(stage)
      return [
        { name: 'webhooks', ours, limit, goal: { of: 'ratio', bound: 'at least', value: 0.5 }, unit: 'deliveries/s' },
        {
          name: 'webhooks-first-attempt',
          ...attempts,
          goal: { of: 'ours', bound: 'at most', value: 1_000 },
          unit: 'ms',
        },
      ]
    } finally {
      await receiver.stop()
      await server.drop(TEMPLATE)
    }
  },
}

type Stage = {
  readonly server: BenchServer
  readonly receiver: Serving
  readonly masterKey: string
  readonly tenant: Tenant
  readonly users: readonly BenchUser[]
  /** Holds the deliveries of the first round, which the poster repeats. */
  readonly file: string
}

/**
 * Creates a sandbox, because only a sandbox may send webhooks to this machine. The events of its purchases have not
 * been delivered yet.
 */
async function prepare(server: BenchServer, receiver: Serving): Promise<Stage> {
  server.say('webhooks: 20,000 purchases of as many users are made')
  const masterKey = randomBytes(32).toString('base64')
  const url = await server.create(TEMPLATE)
  const db = server.open(TEMPLATE)
  try {
    const tenant = await createTenant(db)
    await db.reader`update publishers set environment = 'sandbox' where publisher_id = ${tenant.publisher.id}`
    await registerEndpoint({ DATABASE_URL: url, LAUREL_MASTER_KEY: masterKey }, tenant.apiKey, `${receiver.url}/hook`)
    await fillCatalog(db)
    const users = await createUsers(db, tenant, EVENTS)
    const deps = { catalog: createCatalogStore(db) }
    for (let from = 0; from < EVENTS; from += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) => buildPurchase(users, from + index))
      await db.transaction((tx) => ingestEvents(tx, deps, tenant.publisher, batch, new Date()))
    }
    return { server, receiver, masterKey, tenant, users, file: join(server.dataDir, 'webhooks.jsonl') }
  } finally {
    await db.close()
  }
}

async function race(stage: Stage): Promise<{ ours: number; limit: number }> {
  await deliver(stage, stage.file)
  const rounds: { ours: number; limit: number }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    stage.server.say(`webhooks: round ${round} of ${ROUNDS}`)
    rounds.push({ ours: await deliver(stage, null), limit: await post(stage) })
  }
  const perSecond = (seconds: number): number => (EVENTS - WARM_UP) / seconds
  return {
    ours: perSecond(computeMedian(rounds.map((round) => round.ours))),
    limit: perSecond(computeMedian(rounds.map((round) => round.limit))),
  }
}

/** Returns how many seconds a worker takes to deliver everything. */
function deliver(stage: Stage, keepIn: string | null): Promise<number> {
  return onCopy(stage, async (db, startWorker) => {
    const { seconds } = await waitForArrivals(stage.receiver, { count: EVENTS, after: WARM_UP, keepIn }, startWorker)
    return seconds + (await measureSeconds(() => allRecorded(db)))
  })
}

async function allRecorded(db: Database): Promise<void> {
  while ((await db.reader`select from webhook_queues limit 1`).length > 0) await wait(LOOK_EVERY_MS)
  const [row] = await db.reader<{ delivered: number }[]>`
    -- all publishers: there is one
    select count(*)::int as delivered from webhook_deliveries where status = 'delivered' and attempts = 1`
  if (row?.delivered !== EVENTS) throw new Error(`of ${EVENTS} events ${row?.delivered} were delivered`)
}

async function post({ receiver, file }: Stage): Promise<number> {
  const poster = await startPoster(receiver, file, CONNECTIONS)
  try {
    const wanted = { count: EVENTS, after: WARM_UP, keepIn: null }
    return (await waitForArrivals(receiver, wanted, () => poster.child.send('begin'))).seconds
  } finally {
    await poster.stop()
  }
}

/** Measures first attempts while there is nothing else to deliver. */
function measureFirstAttempts(stage: Stage): Promise<{ ours: number; limit: number }> {
  stage.server.say('webhooks: first attempts at 200 events a second')
  return onCopy(stage, async (db, startWorker) => {
    await db.reader`truncate event_queue`
    await startWorker()
    const keepIn = join(stage.server.dataDir, 'first-attempts.jsonl')
    const given = { ...stage, db, keepIn, models: await readReceived(stage.file) }
    return { ours: await measureFirstAttemptMs(given), limit: await measurePostMs(given) }
  })
}

/** Runs the work on a fresh copy that has delivered nothing yet. */
async function onCopy<T>(
  { server, masterKey }: Stage,
  work: (db: Database, startWorker: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const databaseUrl = await server.create(DATABASE, TEMPLATE)
  const db = server.open(DATABASE)
  const workers: Serving[] = []
  try {
    return await work(db, async () => {
      const env = {
        DATABASE_URL: databaseUrl,
        LAUREL_MASTER_KEY: masterKey,
        LAUREL_ROLE: 'worker',
        LAUREL_WEBHOOK_PRIVATE_ADDRESSES: '1',
      }
      workers.push(await serve('service.ts', [], env))
    })
  } finally {
    for (const worker of workers) await worker.stop()
    await db.close()
    await server.drop(DATABASE)
  }
}
