import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { startTestApp, type Tenant } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { toUserId } from '../../platform/ids.ts'
import type { PresentedTransaction } from '../../purchases/transactions/index.ts'
import { STATUS_REASONS } from '../../purchases/transactions/rewards/statuses.ts'
import { changeSettings } from '../../tenants/publishers/index.ts'
import { COLUMNS } from './columns.ts'
import { buildLineFormat, formatLine, LINE_FORMATS } from './formats.ts'
import { createRowWriter } from './row-writer.ts'
import { streamReport } from './service.ts'

const app = await startTestApp()
after(app.close)
const MIB = 1024 * 1024
// More rows than fit into the buffers between the database and a reader who has stopped reading.
const LONG_ROWS = 100_000
const long = await app.tenant()
await addTransactions(long, 'user-1', LONG_ROWS, '2026-03-01T00:00:00Z')
const ALL = '?from=2026-03-01&to=2026-12-31&format=ndjson'
const DAY = '?from=2026-03-01&to=2026-03-01&format=ndjson'
const DAY_ROWS = 1_440
const LONG: Parameters<typeof streamReport>[1] = {
  publisher: long.publisher,
  kind: 'transactions' as const,
  now: new Date('2026-12-31'),
  period: { from: '2026-03-01', to: '2026-12-31' },
}
const ndjson = () => createRowWriter(COLUMNS.transactions, 'ndjson')

/** Inserts plain rows for one user, a minute apart, in one statement. Bypasses the modules that normally write them. */
async function addTransactions(tenant: Tenant, publisherUserId: string, count: number, from: string): Promise<void> {
  const { id } = tenant.publisher
  const userId = toUserId(id, publisherUserId)
  await app.service.db.transaction(async (tx) => {
    await tx`
      insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
      values (${userId}, ${id}, ${publisherUserId}, ${from}, ${from})
      on conflict do nothing`
    await tx`
      insert into transactions (user_id, transaction_id, publisher_id, source, external_id, merchant_descriptor, currency, amount,
        authorized_at, status, status_reason, created_at, updated_at)
      select ${userId}, gen_random_uuid(), ${id}, 'CARD', ${`${from} `} || number, '=1+1, "Corner" Market', 'USD', 1999,
        ${from}::timestamptz + number * interval '1 minute', 'CANCELLED', 'unmatched', ${from}, ${from}
      from generate_series(0, ${count - 1}::int) as number`
  })
}

/** Inserts rows with random content of any kind that the table accepts. */
async function addRandomTransactions(tenant: Tenant, count: number): Promise<number> {
  const { id } = tenant.publisher
  // PostgreSQL cannot store NUL. Characters that are special in COPY or CSV must be frequent.
  const parts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '""', '\\', ',', '(', ')', ' ', '=', '\r\n', 'null'),
  )
  const text = fc.array(parts, { maxLength: 4 }).map((all) => all.join('').replaceAll('\0', ''))
  const maybe = fc.option(text)
  const minor = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
  // Ten years from 1970, with microseconds.
  const instant = fc
    .tuple(fc.integer({ min: 0, max: 314_000_000 }), fc.constantFrom(0, 1, 999, 1_000, 120_000, 123_456, 999_999))
    .map(
      ([seconds, micros]) =>
        `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`,
    )
  const day = fc.option(instant.map((one) => one.slice(0, 10)))
  const row = fc.record({
    transaction_id: fc.uuid(),
    source: text,
    external_id: fc.uuid(),
    brand_uid: maybe,
    match_method: text,
    merchant_name: maybe,
    merchant_descriptor: maybe,
    order_id: maybe,
    account_id: maybe,
    currency: fc.constantFrom('USD', 'JPY', 'KWD'),
    amount: minor,
    refunded: minor,
    authorized_at: instant,
    cleared_on: day,
    status: fc.constantFrom('PENDING', 'EARNED', 'CANCELLED'),
    status_reason: fc.option(fc.constantFrom(...STATUS_REASONS)),
    offer_uid: maybe,
    offer_type: maybe,
    reward_type: maybe,
    user_amount: minor,
    publisher_amount: minor,
    fee_amount: minor,
    user_discount: minor,
    available_on: day,
    adjusts: fc.option(fc.uuid()),
    version: fc.integer({ min: 1, max: 1_000 }),
    created_at: instant,
    updated_at: instant,
  })
  const publisherUserId = '"quoted" (user), \\ 1'
  const rows = fc.sample(row, count).map((one) => ({
    ...one,
    publisher_id: id,
    user_id: toUserId(id, publisherUserId),
    gross: one.user_amount + one.publisher_amount + one.fee_amount + one.user_discount,
  }))
  await addTransactions(tenant, publisherUserId, 0, '1970-01-01T00:00:00Z')
  await app.service.db.transaction(
    (tx) =>
      tx`insert into transactions select * from jsonb_populate_recordset(null::transactions, ${JSON.stringify(rows)}::text::jsonb)`,
  )
  return rows.length
}

/** Opens a report, waiting until the publisher's previous report has ended. */
async function open(tenant: Tenant, query: string): Promise<IncomingMessage> {
  const url = new URL(`/reports/transactions${query}`, app.service.url)
  for (;;) {
    const request = get(url, { agent: false, headers: { Authorization: `Bearer ${tenant.apiKey}` } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (response.statusCode !== 429) return response
    response.destroy()
  }
}

async function report(tenant: Tenant, query: string) {
  const response = await open(tenant, query)
  response.setEncoding('utf8')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

const parseLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('both formats contain the transactions as the API returns them', async () => {
  const tenant = await app.tenant()
  await addTransactions(tenant, '+user-1', 3, '2026-03-01T00:00:00Z')
  const { body } = await tenant.call('GET', '/transactions?sort=transaction_date_time,asc')
  assert.equal(body.content.length, 3)

  const ndjson = await report(tenant, '?from=2026-03-01&to=2026-03-31&format=ndjson')
  assert.equal(ndjson.headers['content-type'], 'application/x-ndjson')
  assert.deepEqual(parseLines(ndjson.text), body.content)

  const csv = await report(tenant, '?from=2026-03-01&to=2026-03-31')
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
  const name = 'transactions_2026-03-01_2026-03-31.csv'
  assert.equal(csv.headers['content-disposition'], `attachment; filename="${name}"`)
  const rows: Record<string, string>[] = parse(csv.text, { columns: true, record_delimiter: '\r\n' })
  const texts = (shown: object) =>
    Object.fromEntries(Object.entries(shown).map(([field, value]) => [field, String(value ?? '')]))
  assert.deepEqual(
    rows,
    body.content.map((shown: object) => ({
      ...texts(shown),
      publisher_user_id: "'+user-1",
      merchant_descriptor: '\'=1+1, "Corner" Market',
    })),
  )
})

test("both formats match the API byte for byte, regardless of a row's content", async () => {
  const tenant = await app.tenant()
  const rows = await addRandomTransactions(tenant, 100)
  const { body } = await tenant.call('GET', '/transactions?sort=transaction_date_time,asc&size=100')
  assert.equal(body.content?.length, rows, JSON.stringify(body))
  for (const name of LINE_FORMATS) {
    const format = buildLineFormat(COLUMNS.transactions, name)
    const { text } = await report(tenant, `?from=1970-01-01&to=1979-12-30&format=${name}`)
    const lines = body.content.map((shown: PresentedTransaction) => formatLine(format, shown))
    assert.equal(text, format.head + lines.join(''))
  }
})

test('a report without transactions consists of the header row in CSV and is empty in NDJSON', async () => {
  const tenant = await app.tenant()
  assert.match((await report(tenant, '')).text, /^transaction_uid,publisher_user_id,[a-z_,]+\r\n$/)
  assert.equal((await report(tenant, '?format=ndjson')).text, '')
})

test("days are inclusive and follow the publisher's time zone", async () => {
  const made = await app.tenant()
  const { db } = app.service
  const publisher = await db.transaction((tx) =>
    changeSettings(tx, made.publisher.id, { timeZone: 'America/New_York' }),
  )
  const tenant = { ...made, publisher }
  // Midnight in New York is 05:00 UTC in January.
  await addTransactions(tenant, 'before', 1, '2026-01-10T04:59:59Z')
  await addTransactions(tenant, 'first', 1, '2026-01-10T05:00:00Z')
  await addTransactions(tenant, 'last', 1, '2026-01-12T04:59:59Z')
  await addTransactions(tenant, 'after', 1, '2026-01-12T05:00:00Z')
  const { text } = await report(tenant, '?from=2026-01-10&to=2026-01-11&format=ndjson')
  assert.deepEqual(
    parseLines(text).map((line) => line['publisher_user_id']),
    ['first', 'last'],
  )
})

test("a report does not include another publisher's transactions", async () => {
  const [owner, stranger] = [await app.tenant(), await app.tenant()]
  await addTransactions(owner, 'user-1', 2, '2026-03-01T00:00:00Z')
  assert.equal(parseLines((await report(owner, '?format=ndjson')).text).length, 2)
  assert.equal((await report(stranger, '?format=ndjson')).text, '')
})

test('an invalid period or format is rejected with an error for the field', async () => {
  const table: [string, string][] = [
    ['?from=2026-02-30', 'from'],
    ['?to=yesterday', 'to'],
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=2000-01-01&to=2026-01-01', 'from'],
    ['?to=9999-12-31', 'to'],
    ['?format=xlsx', 'format'],
    ['?page=1', 'page'],
  ]
  for (const [query, field] of table) {
    const { status, body } = await app.call('GET', `/reports/transactions${query}`)
    assert.equal(status, 400, query)
    assert.equal(body.errors[0].field, field, query)
  }
})

test('a report requires an API key that can read reports', async () => {
  const poor = await app.tenant({ scopes: ['transactions:read'] })
  assert.equal((await poor.call('GET', '/reports/transactions')).status, 403)
  assert.equal(
    (await app.call('GET', '/reports/transactions', undefined, { Authorization: 'Bearer none' })).status,
    401,
  )
})

test('streaming 100,000 transactions uses constant memory', async () => {
  const response = await open(long, ALL)
  let [bytes, lines, sampledAt, heapPeak] = [0, 0, 0, 0]
  const heapBefore = await heapHeld()
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 0x0a) lines++
    if (bytes - sampledAt < 4 * MIB) continue
    sampledAt = bytes
    heapPeak = Math.max(heapPeak, await heapHeld())
  }
  assert.equal(lines, LONG_ROWS)
  assert(bytes > 60 * MIB, `${bytes} bytes`)
  assert(heapPeak - heapBefore < 16 * MIB, `the heap grew by ${Math.round((heapPeak - heapBefore) / MIB)} MiB`)
})

test('a failure mid-stream aborts the connection, so a partial report never looks complete', async () => {
  const tenant = await app.tenant()
  await addTransactions(tenant, 'user-1', 5_000, '2026-03-01T00:00:00Z')
  // The last row cannot be formatted, because no currency has this code.
  await app.service.db.transaction(
    (tx) => tx`
    update transactions set currency = '?'
    where publisher_id = ${tenant.publisher.id} and authorized_at = '2026-03-01T00:00:00Z'::timestamptz + interval '4999 minutes'`,
  )
  const response = await open(tenant, ALL)
  assert.equal(response.statusCode, 200)
  let bytes = 0
  await assert.rejects(async () => {
    for await (const chunk of response) bytes += chunk.length
  }, /aborted/)
  assert(bytes > MIB, 'what was read before is on its way already')
})

test('losing the database connection during a slow read aborts only that report', async () => {
  const response = await open(long, ALL)
  await once(response, 'readable')
  await loseConnection()
  await assert.rejects(readToEnd(response), /aborted/)
  assert.equal(parseLines((await report(long, DAY)).text).length, DAY_ROWS)
})

test('losing the database connection during a fast read aborts only that report', async () => {
  for (let round = 0; round < 2; round++) {
    const reading = assert.rejects(readToEnd(await open(long, ALL)), /aborted/)
    await loseConnection()
    await reading
  }
  assert.equal((await report(await app.tenant(), '')).status, 200)
})

async function readToEnd(response: IncomingMessage): Promise<void> {
  for await (const chunk of response) assert(chunk.length > 0)
}

const RUNNING = `from pg_stat_activity
  where datname = current_database() and state = 'active' and query like '%copy (%' and pid <> pg_backend_pid()`

async function loseConnection(): Promise<void> {
  const { reader } = app.owner
  await eventually(async () => (await reader`select pg_terminate_backend(pid) ${reader.unsafe(RUNNING)}`).length > 0)
}

test('a reader who disconnects cancels the statement and frees its connection', async () => {
  const { reader } = app.owner
  // More rounds than there are connections.
  for (let round = 0; round < 20; round++) {
    const response = await open(long, ALL)
    assert.equal(response.statusCode, 200)
    await once(response, 'readable')
    response.destroy()
    await eventually(async () => (await reader`select pid ${reader.unsafe(RUNNING)}`).length === 0)
  }
  assert.equal(parseLines((await report(long, DAY)).text).length, DAY_ROWS)
})

test('a publisher can stream one report at a time, and a disconnected reader makes room for the next', {
  timeout: 600_000,
}, async () => {
  const running = await open(long, ALL)
  await once(running, 'readable')
  const refused = await long.call('GET', '/reports/transactions')
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'rate_limited')
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.equal((await report(await app.tenant(), '')).status, 200)

  running.destroy()
  const next = await open(long, ALL)
  assert.equal(next.statusCode, 200)
  next.destroy()
})

const givingWay = async <T>(part: () => T): Promise<T> => part()
const PATIENT = { windowMs: 600_000, windowBytesMin: MIB, wholeMs: 600_000 }
for (const [reader, bounds] of [
  ['who trickles', { ...PATIENT, windowMs: 200 }],
  ['who takes too long', { ...PATIENT, wholeMs: 200 }],
] as const) {
  test(`a reader ${reader} is cut off, and the snapshot ends`, async (context) => {
    const { db } = app.service
    const reports = openDatabase(db.url, { work: 'reports', connections: 1 })
    context.after(() => reports.close())
    const deps = { reports, checks: db, givingWay }
    const { stream, ended } = streamReport(deps, LONG, ndjson(), bounds)
    // Reads a little and then stops.
    await once(stream, 'readable')
    stream.read(100)
    await once(stream, 'error')
    await ended
    assert.equal((await reports.reader`select 1 as one`).length, 1)
  })
}

test('a report whose reader disconnects is canceled, on the second attempt if necessary', async (context) => {
  // The tests' service connects as the owner, and only the owner can cancel the owner's statements.
  const { url } = app.owner
  const open = (work: 'reports' | 'checks') => {
    const opened = openDatabase(url, { work, connections: 1 })
    context.after(() => opened.close())
    return opened
  }
  const [reports, checks] = [open('reports'), open('checks')]
  let refusals = 1
  // The first attempt to cancel fails, as if the database temporarily accepted no more connections.
  const reader = new Proxy(checks.reader, {
    apply: (target, self, parameters) =>
      refusals-- > 0 ? Promise.reject(new Error('too many connections')) : Reflect.apply(target, self, parameters),
  })
  const deps = { reports, checks: { ...checks, reader }, givingWay }
  const { stream, ended } = streamReport(deps, LONG, ndjson(), PATIENT)
  await once(stream, 'readable')
  stream.destroy()
  await ended
  assert.equal(refusals, -1, 'it was cancelled, not read to its end')
})

test('a report gives way to API calls', async (context) => {
  const { db } = app.service
  const reports = openDatabase(db.url, { work: 'reports', connections: 1 })
  context.after(() => reports.close())
  const [asked, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deps = {
    reports,
    checks: db,
    givingWay: async <T>(part: () => T): Promise<T> => {
      asked.resolve()
      await allowed.promise
      return part()
    },
  }
  const { stream, ended } = streamReport(deps, LONG, ndjson(), PATIENT)
  let lines = 0
  stream.on('data', (data) => {
    lines += String(data).split('\n').length - 1
  })
  await asked.promise
  await new Promise(setImmediate)
  const before = lines
  await new Promise(setImmediate)
  assert.equal(lines, before)
  allowed.resolve()
  await ended
  assert(lines > before)
})

/**
 * Returns the memory used on and off the heap. Garbage collection runs twice, because the first pass finds buffers and
 * the second frees them.
 */
async function heapHeld(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  await new Promise(setImmediate)
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
