import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { recordEvents } from '../../src/events/index.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { Serving } from './processes.ts'
import type { BenchUser, Tenant } from './tenant.ts'
import { type ReceivedWebhook, readReceived, waitForArrivals } from './webhooks.ts'

const PER_SECOND = 200
const COUNT = 20 * PER_SECOND
const PART = 0.95

type Given = {
  readonly db: Database
  readonly tenant: Tenant
  readonly users: readonly BenchUser[]
  readonly receiver: Serving
  /** The events to send, taken from earlier deliveries. */
  readonly models: readonly ReceivedWebhook[]
  readonly keepIn: string
}

/** Returns the p95 from the start of an event's transaction to its arrival, based on the event's own `created_at`. */
export function measureFirstAttemptMs(given: Given): Promise<number> {
  const { db, tenant, users } = given
  return p95(given, async (number, { body }) => {
    const userId = users[number]?.userId ?? null
    const { data } = JSON.parse(body)
    const record = { type: 'transaction.created', userId, data } as const
    await db.transaction((tx) => recordEvents(tx, tenant.publisher, [record], new Date()))
  })
}

/** Returns the p95 of a bare undici request, from the call to its arrival. */
export async function measurePostMs(given: Given): Promise<number> {
  const pool = new Pool(given.receiver.url)
  try {
    return await p95(given, async (_, { body }) => {
      const event = { ...JSON.parse(body), created_at: new Date() }
      const headers = { 'content-type': 'application/json' }
      const answer = await pool.request({ path: '/hook', method: 'POST', headers, body: JSON.stringify(event) })
      await answer.body.dump()
    })
  } finally {
    await pool.close()
  }
}

async function p95(
  { receiver, models, keepIn }: Given,
  send: (number: number, model: ReceivedWebhook) => Promise<void>,
): Promise<number> {
  await waitForArrivals(receiver, { count: COUNT, after: 1, keepIn }, async () => {
    const sent: Promise<void>[] = []
    const beganMs = performance.now()
    // Sends on schedule, no matter how long earlier sends take.
    for (const [number, model] of models.slice(0, COUNT).entries()) {
      await wait(Math.max(0, beganMs + (number * 1_000) / PER_SECOND - performance.now()))
      sent.push(send(number, model))
    }
    await Promise.all(sent)
  })
  const late = (await readReceived(keepIn)).map(({ body, atMs }) => atMs - Date.parse(JSON.parse(body).created_at))
  return late.toSorted((a, b) => a - b)[Math.floor(late.length * PART)] ?? Number.NaN
}
