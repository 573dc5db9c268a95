// The measured publisher's neighbor. It runs at its limits, or at ten times its limits while doing everything that
// could slow others down. It sends on schedule and does not wait for responses before sending more.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { buildUserName } from './tenant.ts'

export type NeighbourPlan = {
  readonly url: string
  readonly apiKey: string
  readonly users: number
  readonly readsPerSecond: number
  readonly eventsPerSecond: number
  readonly eventsPerBatch: number
  /** One in this many reads is a search. */
  readonly searchEvery: number
  readonly reportsAtOnce: number
  readonly reportEveryMs: number
  readonly replaysPerSecond: number
  readonly endpoints: number
  /** The delay before its webhook receiver responds with 200. */
  readonly receiverMs: number
}

/** The number of responses by path and status code, and the number of calls sent. */
export type NeighbourCounts = Readonly<Record<string, number>>

const TICK_MS = 50
// Limits the number of unanswered calls, so that the caller's memory is bounded.
const OPEN_MAX = 512

const plan = JSON.parse(process.argv[2] ?? '') as NeighbourPlan
const counts: Record<string, number> = {}
const pool = new Pool(plan.url, { connections: OPEN_MAX, headersTimeout: 0, bodyTimeout: 0 })
let [open, sent, ended] = [0, 0, false]

const receiver = createServer((request, response) => {
  request.resume()
  setTimeout(() => response.end(), plan.receiverMs).unref()
})
receiver.listen(0, '127.0.0.1', () => void begin())

async function begin(): Promise<void> {
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const endpoints: string[] = []
  for (let number = 0; number < plan.endpoints; number++) {
    const created = await call('POST', '/webhooks/endpoints', { url: `${hook}?${number}` })
    endpoints.push(JSON.parse(created).endpoint_id)
  }
  process.send?.(plan.url)
  atRate(plan.readsPerSecond, (number) => call('GET', buildPath(number)))
  atRate(plan.eventsPerSecond / plan.eventsPerBatch, (number) => call('POST', '/transactions', buildBatch(number)))
  atRate(plan.replaysPerSecond, (number) =>
    call('POST', `/webhooks/endpoints/${endpoints[number % endpoints.length]}/replay`, { after: 0 }),
  )
  for (let number = 0; number < plan.reportsAtOnce; number++) void readReports()
}

/** Sends calls on schedule, no matter how long earlier ones take. */
function atRate(perSecond: number, send: (number: number) => Promise<unknown>): void {
  const beganMs = performance.now()
  let number = 0
  setInterval(() => {
    const due = ((performance.now() - beganMs) * perSecond) / 1_000
    for (; number < due; number++) if (open < OPEN_MAX) send(number).catch(() => undefined)
  }, TICK_MS)
}

async function readReports(): Promise<void> {
  while (!ended) {
    await call('GET', '/reports/transactions?format=csv').catch(() => undefined)
    await wait(Math.max(TICK_MS, plan.reportEveryMs))
  }
}

async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<string> {
  open++
  sent++
  try {
    const headers = { 'content-type': 'application/json', 'x-api-key': plan.apiKey }
    const answer = await pool.request({ path, method, headers, body: body === undefined ? null : JSON.stringify(body) })
    const kind = `${path.split(/[/?]/)[1]} ${answer.statusCode}`
    counts[kind] = (counts[kind] ?? 0) + 1
    if (path.startsWith('/webhooks')) return await answer.body.text()
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER })
    return ''
  } finally {
    open--
  }
}

/** Builds the path of a read. Half are user statuses; the others are pages and a few searches. */
function buildPath(number: number): string {
  const user = buildUserName((number * 7919) % plan.users)
  if (number % plan.searchEvery === 3) return `/transactions?search_text=trader%20${number % 997}`
  if (number % 2 === 0) return `/users/status/${user}`
  if (number % 4 === 1) return `/transactions?publisher_user_id=${user}`
  return `/users?page=${number % 10}`
}

function buildBatch(number: number): object {
  const transactions = Array.from({ length: plan.eventsPerBatch }, (_, place) => ({
    external_id: `${process.pid}-${number}-${place}`,
    publisher_user_id: buildUserName((number * 104_729 + place) % plan.users),
    brand_uid: `brand-${(number + place) % 500}`,
    amount: 20 + (place % 100),
  }))
  return { transactions }
}

process.once('SIGTERM', async () => {
  ended = true
  process.send?.({ ...counts, sent } satisfies NeighbourCounts)
  process.disconnect?.()
  process.exit(0)
})
