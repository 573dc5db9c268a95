// The publisher whose wait times are measured. It requests statuses, reports purchases, and receives webhooks for each
// purchase and its reward, which matures immediately because the purchase is old.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { buildUserName } from './tenant.ts'

export type CallerPlan = {
  readonly url: string
  readonly apiKey: string
  readonly users: number
  readonly statusesPerSecond: number
  readonly purchasesPerSecond: number
  readonly seconds: number
}

/** Every measured wait, in milliseconds. */
export type Waits = {
  readonly statuses: number[]
  readonly purchases: number[]
  /** From the creation of a purchase's event to its arrival. */
  readonly webhooks: number[]
  /** From the event of a purchase whose refund period has passed to the event of its matured reward. */
  readonly maturing: number[]
}

const ARRIVE_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50
// Longer ago than any refund period in the catalog, but after the users joined.
const LONG_AGO_MS = 60 * 86_400_000

const plan = JSON.parse(process.argv[2] ?? '') as CallerPlan
const waits: Waits = { statuses: [], purchases: [], webhooks: [], maturing: [] }
const pool = new Pool(plan.url, { connections: 32, headersTimeout: ARRIVE_WITHIN_MS })
const madeAtMs = new Map<string, number>()

const receiver = createServer(async (request, response) => {
  const atMs = Date.now()
  const event = JSON.parse(await text(request)) as WebhookBody
  response.end()
  take(event, atMs)
})

type WebhookBody = {
  readonly type: string
  readonly created_at: string
  readonly data: { readonly transaction_uid?: string; readonly status?: string }
}

function take({ type, created_at, data }: WebhookBody, atMs: number): void {
  const createdMs = Date.parse(created_at)
  if (data.transaction_uid === undefined) return
  if (type === 'transaction.created') {
    waits.webhooks.push(atMs - createdMs)
    madeAtMs.set(data.transaction_uid, createdMs)
  } else if (type === 'transaction.updated' && data.status === 'EARNED') {
    waits.maturing.push(createdMs - (madeAtMs.get(data.transaction_uid) ?? Number.NaN))
  }
}

receiver.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  await call('POST', '/webhooks/endpoints', { url })
  process.send?.(url)
})

process.once('message', async () => {
  const count = plan.purchasesPerSecond * plan.seconds
  await Promise.all([
    atRate(plan.statusesPerSecond, waits.statuses, (number) =>
      call('GET', `/users/status/${buildUserName((number * 7919) % plan.users)}`),
    ),
    atRate(plan.purchasesPerSecond, waits.purchases, (number) => call('POST', '/transactions', buildPurchase(number))),
  ])
  for (let waitedMs = 0; waits.maturing.length < count && waitedMs < ARRIVE_WITHIN_MS; waitedMs += LOOK_EVERY_MS)
    await wait(LOOK_EVERY_MS)
  // Webhooks that have not arrived count as the longest wait.
  const late = (times: readonly number[]): number[] => [
    ...times,
    ...Array.from({ length: count - times.length }, () => ARRIVE_WITHIN_MS),
  ]
  process.send?.({ ...waits, webhooks: late(waits.webhooks), maturing: late(waits.maturing) } satisfies Waits)
})
process.once('SIGTERM', () => process.exit(0))

async function atRate(perSecond: number, times: number[], send: (number: number) => Promise<void>): Promise<void> {
  const beganMs = performance.now()
  const running: Promise<void>[] = []
  for (let number = 0; number < perSecond * plan.seconds; number++) {
    await wait(Math.max(0, beganMs + (number * 1_000) / perSecond - performance.now()))
    const sentMs = performance.now()
    // A failed call counts as the longest wait, because the neighbor must not cost others a single response.
    const took = send(number).then(
      () => performance.now() - sentMs,
      (error: unknown) => {
        console.error(String(error))
        return ARRIVE_WITHIN_MS
      },
    )
    running.push(took.then((ms) => void times.push(ms)))
  }
  await Promise.all(running)
}

async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': plan.apiKey }
  const answer = await pool.request({ path, method, headers, body: body === undefined ? null : JSON.stringify(body) })
  const answered = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${answered}`)
}

function buildPurchase(number: number): object {
  return {
    external_id: `purchase-${number}`,
    publisher_user_id: buildUserName(number % plan.users),
    // The offers of these brands have no further conditions.
    brand_uid: `brand-${1 + 10 * (number % 100)}`,
    amount: 50,
    transaction_date_time: new Date(Date.now() - LONG_AGO_MS).toISOString(),
  }
}
