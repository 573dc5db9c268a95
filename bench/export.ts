import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import postgres from 'postgres'
import type { Benchmark, Reading } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { watchMemory } from './support/polled.ts'
import { type Serving, serve } from './support/processes.ts'
import { addPurchases } from './support/purchases.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { createTenant, createUsers, type Tenant } from './support/tenant.ts'

const ROWS = 1_000_000
const USERS = 100_000
const SECONDS_APART = 20
const EARLY_ROWS = 100_000
const ROUNDS = 3
const DATABASE = 'export'
// An explicit period that covers every purchase, because a report ends today by default.
const [FROM, TO] = ['2026-01-01', '2027-12-31']
const MIB = 2 ** 20

export const exporting: Benchmark = {
  name: 'export',
  about:
    '1,000,000 transactions of 100,000 users as CSV: GET /reports/transactions from a process in the role api, read to its end by a bare client. The limit is a COPY TO STDOUT of the same columns of the same rows, joined and ordered the same way. `export-memory`: the peak memory of the process while the last 900,000 rows of its first report were read, sampled five times a second; the limit is the peak during the first 100,000',
  measure: async (server) => {
    const { url, tenant } = await prepare(server)
    const service = await serve('service.ts', [], { DATABASE_URL: url, PORT: '0', LAUREL_ROLE: 'api' })
    const sql = postgres(url, { max: 1, connection: { TimeZone: 'UTC' } })
    try {
      return await race({ service, sql, tenant, say: server.say })
    } finally {
      await sql.end({ timeout: 5 })
      await service.stop()
      await server.drop(DATABASE)
    }
  },
}

async function prepare(server: BenchServer): Promise<{ url: string; tenant: Tenant }> {
  server.say('export: 1,000,000 purchases of 100,000 users are made')
  const url = await server.create(DATABASE)
  const db = server.open(DATABASE)
  try {
    const tenant = await createTenant(db)
    await createUsers(db, tenant, USERS)
    await addPurchases(db, tenant, { count: ROWS, users: USERS, secondsApart: SECONDS_APART }, (done) =>
      server.say(`export: ${done} of ${ROWS} purchases`),
    )
    return { url, tenant }
  } finally {
    await db.close()
  }
}

type Stage = {
  readonly service: Serving
  readonly sql: postgres.Sql
  readonly tenant: Tenant
  readonly say: (message: string) => void
}

async function race({ service, sql, tenant, say }: Stage): Promise<Reading[]> {
  const memory = watchMemory(service)
  // The first report and the first COPY are warm-ups. The first report also shows how much memory the process needs
  // before it has written many rows.
  let earlyBytes = 0
  await readReport(service, tenant, () => {
    earlyBytes = memory.peakBytes()
  })
  const lateBytes = memory.peakBytes()
  memory.stop()
  await copyRows(sql, tenant)
  const rounds: { ours: number; limit: number }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    say(`export: round ${round} of ${ROUNDS}`)
    rounds.push({
      ours: await measureSeconds(() => readReport(service, tenant)),
      limit: await measureSeconds(() => copyRows(sql, tenant)),
    })
  }
  return [
    {
      name: 'export',
      ours: ROWS / computeMedian(rounds.map((round) => round.ours)),
      limit: ROWS / computeMedian(rounds.map((round) => round.limit)),
      goal: { of: 'ratio', bound: 'at least', value: 0.7 },
      unit: 'transactions/s',
    },
    {
      name: 'export-memory',
      ours: lateBytes / MIB,
      limit: earlyBytes / MIB,
      // Not 1, because V8 frees spent buffers only after about 64 MiB of them have piled up outside the heap.
      goal: { of: 'ratio', bound: 'at most', value: 1.25 },
      unit: 'MiB',
    },
  ]
}

/** Reads a report to the end and discards it, counting only its lines. */
async function readReport({ url }: Serving, { apiKey }: Tenant, onEarlyRows?: () => void): Promise<void> {
  const request = get(`${url}/reports/transactions?from=${FROM}&to=${TO}`, { headers: { 'x-api-key': apiKey } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let lines = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const before = lines
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) lines++
    if (before < EARLY_ROWS && lines >= EARLY_ROWS) onEarlyRows?.()
  }
  if (lines !== ROWS + 1) throw new Error(`the report answered ${answer.statusCode} with ${lines} lines`)
}

const LINE_END = 0x0a

/** The columns of a report, as stored. */
const COLUMNS = `
  t.transaction_id, u.publisher_user_id, t.user_id, t.source, t.external_id, t.authorized_at, t.status, t.status_reason, t.brand_uid,
  t.merchant_name, t.merchant_descriptor, t.order_id, t.account_id, t.amount, t.refunded, t.currency, t.offer_uid, t.offer_type,
  t.reward_type, t.user_amount, t.user_discount, t.publisher_amount, t.cleared_on, t.available_on, t.adjusts, t.version, t.created_at,
  t.updated_at`

async function copyRows(sql: postgres.Sql, { publisher }: Tenant): Promise<void> {
  // COPY does not support parameters.
  const rows = await sql
    .unsafe(
      `copy (
        select ${COLUMNS}
        from transactions t join users u on u.user_id = t.user_id and u.publisher_id = t.publisher_id
        where t.publisher_id = '${publisher.id}' and t.authorized_at >= '${FROM}' and t.authorized_at < '${TO}'
        order by t.authorized_at, t.transaction_id
      ) to stdout`,
    )
    .readable()
  // Each chunk is one row.
  let lines = 0
  rows.on('data', () => lines++)
  await once(rows, 'end')
  if (lines !== ROWS) throw new Error(`COPY gave ${lines} rows`)
}
