import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { CATALOG, startTestApp, type Tenant, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { addUser, at, book, split } from '../../../../test/support/settlement-world.ts'
import { accrue, adjust, clawBack, holdForRedemption, mature, writeOff } from '../../../ledger/index.ts'
import { encodeId, toUserId } from '../../../platform/ids.ts'
import { changeSettings } from '../../../tenants/publishers/index.ts'
import { COLUMNS, REPORT_KINDS, type ReportKind } from '../columns.ts'
import { REPORT_FORMATS, type ReportFormat } from '../formats.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

type Row = Readonly<Record<string, unknown>>

/** Orders a report, waits for it and downloads its file without an API key. */
async function made(tenant: Tenant, asked: object) {
  const ordered = await tenant.call('POST', '/reports', asked)
  assert.equal(ordered.status, 200, JSON.stringify(ordered.body))
  const report = await eventually(async () => {
    const { body } = await tenant.call('GET', `/reports/${ordered.body.report_id}`)
    assert.notEqual(body.status, 'failed', body.reason)
    return body.status === 'ready' && body
  })
  const response = await fetch(report.url)
  assert.equal(response.status, 200)
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.deepEqual(
    [report.bytes, report.sha256],
    [bytes.length, createHash('sha256').update(bytes).digest('hex')],
    'the size and the hash are those of the file',
  )
  const rows = await parseRows(bytes, report.format)
  assert.equal(report.rows, rows.length)
  return { report, response, bytes, rows }
}

async function parseRows(bytes: Buffer, format: ReportFormat): Promise<Row[]> {
  if (format === 'csv') return parse(bytes, { columns: true, record_delimiter: '\r\n' })
  if (format === 'ndjson')
    return String(bytes)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const file = new Uint8Array(bytes).buffer
  return parquetReadObjects({ file })
}

/** Converts a row of any format to the text of its CSV cells, so that formats can be compared. */
function asText(kind: ReportKind, row: Row): Row {
  return Object.fromEntries(
    COLUMNS[kind].map(({ name, type }) => {
      const value = row[name]
      if (!(value instanceof Date)) return [name, String(value ?? '')]
      return [name, type === 'day' ? value.toISOString().slice(0, 10) : value.toISOString()]
    }),
  )
}

/** Creates a publisher with data for every kind of report. */
async function busyTenant(): Promise<Tenant> {
  const tenant = await app.tenant()
  await app.service.db.transaction((tx) => changeSettings(tx, tenant.publisher.id, { redemptionMinimum: 1n }))
  const call = async (method: string, path: string, body?: object) => {
    const answer = await tenant.call(method, path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  await call('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  await call('POST', '/users', { publisher_user_id: '=ada, "the" first', attributes: { tier: 'gold' } })
  await call('POST', '/users', { publisher_user_id: 'bob', email: 'bob@example.com', primary_zip_code: '10001' })
  await call('POST', '/users', { publisher_user_id: 'cleo' })
  for (const publisher_user_id of ['=ada, "the" first', 'bob'])
    await call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  await call('DELETE', '/users/bob')
  const purchase = { publisher_user_id: '=ada, "the" first', source: 'GIFT_CARD', offer_uid: 'offer-gadgets-gift' }
  await call('POST', '/transactions', { ...purchase, external_id: 'one', amount: 50 })
  await call('POST', '/transactions', { ...purchase, external_id: 'two', amount: 25.5, order_id: '+1' })
  await call('POST', '/sandbox/clock', { advance_days: 40 })
  const refund = { external_id: 'back', kind: 'REFUND', original_external_id: 'two', amount: 25.5 }
  await call('POST', '/transactions', { ...purchase, ...refund })
  await call('POST', '/redemptions', { publisher_user_id: '=ada, "the" first', amount: 0.5, method: 'publisher' })
  await eventually(async () => (await tenant.call('GET', '/webhooks/deliveries')).body.total_elements >= 5)
  return tenant
}

test('reports have the same content in every format and match the API', async () => {
  const tenant = await busyTenant()
  const shown: Record<string, Row[]> = {}
  for (const kind of REPORT_KINDS) {
    const texts = new Map<ReportFormat, Row[]>()
    for (const format of REPORT_FORMATS) {
      const { rows } = await made(tenant, { kind, format })
      if (format === 'ndjson') shown[kind] = rows
      texts.set(
        format,
        rows.map((row) => asText(kind, row)),
      )
    }
    // Only in CSV, a cell that a spreadsheet would treat as a formula begins with an apostrophe.
    const csv = texts
      .get('csv')
      ?.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value).replace(/^'(?=[=+])/, '')])),
      )
    if (kind !== 'deliveries') {
      assert.deepEqual(csv, texts.get('ndjson'), kind)
      assert.deepEqual(texts.get('parquet'), texts.get('ndjson'), kind)
    }
    assert((shown[kind]?.length ?? 0) > 0, kind)
  }
  await matchesInterface(tenant, shown)
})

async function matchesInterface(tenant: Tenant, shown: Readonly<Record<string, Row[]>>): Promise<void> {
  const list = async (path: string): Promise<Row[]> => (await tenant.call('GET', `${path}size=100`)).body.content
  assert.deepEqual(shown['transactions'], await list('/transactions?sort=transaction_date_time,asc&'))
  assert.deepEqual(shown['redemptions'], await list('/redemptions?sort=created_at,asc&'))
  const second = (user: Row) => ({ ...user, created_at: null, updated_at: null })
  assert.deepEqual(shown['users']?.map(second), (await list('/users?sort=created_at,asc&')).map(second))
  assert.deepEqual(
    shown['users']?.map((user) => user['account_status']),
    ['ACTIVE', 'INACTIVE', 'PENDING'],
  )
  const statement = (await tenant.call('GET', '/users/%3Dada%2C%20%22the%22%20first/statement')).body
  const lines: { journal_id: string; kind: string; changes: Record<string, number> }[] = statement.content
  assert.deepEqual(
    shown['rewards']?.map((row) => [
      row['journal_id'],
      row['pending_change'],
      row['available_change'],
      row['debt_change'],
    ]),
    lines
      .filter(({ kind }) => !kind.startsWith('redemption'))
      .map(({ journal_id, changes }) => [journal_id, changes['pending'], changes['available'], changes['debt']]),
  )
  for (const row of [...(shown['transactions'] ?? []), ...(shown['rewards'] ?? []), ...(shown['redemptions'] ?? [])])
    assert.equal(row['currency'], 'USD', 'every row with an amount names its currency')
  const delivered = new Map((await list('/webhooks/deliveries?')).map((one) => [one['delivery_id'], one['event_type']]))
  for (const { delivery_id, event_type } of shown['deliveries'] ?? [])
    assert.equal(delivered.get(delivery_id), event_type)
}

test('a write-off references its adjustment in the report, like other adjustments', async () => {
  const tenant = await app.tenant()
  const userId = await addUser(tenant, 'ada')
  const [purchase, writtenOff, given] = [at('2026-01-05'), at('2026-01-08'), at('2026-01-09')]
  await book(app.service.db, tenant, userId, (opened) => {
    accrue(opened, userId, purchase, 'brand-market', split)
    mature(opened, userId, purchase, split)
    holdForRedemption(opened, userId, at('2026-01-06'), split.user)
    clawBack(opened, userId, purchase, 'brand-market', split)
    writeOff(opened, userId, writtenOff, split.user)
    adjust(opened, userId, given, 5_00n, 'service')
  })
  const { rows } = await made(tenant, { kind: 'rewards', format: 'ndjson' })
  assert.deepEqual(
    rows.slice(-2).map((row) => [row['kind'], row['adjustment_id'], row['debt_change']]),
    [
      ['write_off', encodeId('adj', writtenOff.id), -70],
      ['adjustment', encodeId('adj', given.id), 0],
    ],
  )
})

test('days follow the publisher’s time zone, even across clock changes', async () => {
  const tenant = await app.tenant()
  const { id } = tenant.publisher
  await app.service.db.transaction((tx) => changeSettings(tx, id, { timeZone: 'America/New_York' }))
  // March 8, 2026 has 23 hours in New York.
  const times = {
    before: '2026-03-08T04:59:59.999999Z',
    first: '2026-03-08T05:00:00Z',
    last: '2026-03-09T03:59:59.999999Z',
    after: '2026-03-09T04:00:00Z',
  }
  for (const [name, at] of Object.entries(times))
    await app.owner.reader`
      insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
      values (${toUserId(id, name)}, ${id}, ${name}, ${at}, ${at})`
  const names = async (asked: object) =>
    (await made(tenant, { kind: 'users', format: 'ndjson', ...asked })).rows.map((row) => row['publisher_user_id'])
  assert.deepEqual(await names({ day: '2026-03-08' }), ['first', 'last'])
  assert.deepEqual(await names({ from: '2026-03-07', to: '2026-03-08' }), ['before', 'first', 'last'])
  assert.deepEqual(await names({ from: '2026-03-09' }), ['after'])
})

test('a report without rows still produces a file', async () => {
  const tenant = await app.tenant()
  for (const format of REPORT_FORMATS) {
    const { rows, bytes, report } = await made(tenant, { kind: 'redemptions', format, day: '2026-01-01' })
    assert.deepEqual([rows, report.rows], [[], 0])
    if (format === 'csv') assert.match(String(bytes), /^redemption_id,[a-z_,]+\r\n$/)
  }
})

test("a link serves only its own report's file, under a descriptive name", async () => {
  const tenant = await app.tenant()
  const { report, response } = await made(tenant, { kind: 'users', from: '2026-01-01', to: '2026-01-31' })
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="users_2026-01-01_2026-01-31.csv"')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const { report: other } = await made(tenant, { kind: 'users', day: '2026-02-01', format: 'parquet' })
  const link = new URL(report.url)
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(link)
    change(url)
    return url.href
  }
  const forged = [
    changed((url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))),
    changed((url) => url.searchParams.set('signature', new URL(other.url).searchParams.get('signature') ?? '')),
    changed((url) => url.searchParams.set('signature', 'short')),
    changed((url) => (url.pathname = new URL(other.url).pathname)),
    changed((url) => (url.pathname = '/reports/rpt_01kbjyt5v3f4nvj5yq5yfypr9v/file')),
    changed((url) => (url.pathname = '/reports/anything/file')),
  ]
  for (const url of forged) {
    const answer = await fetch(url)
    assert.deepEqual([answer.status, ((await answer.json()) as Row)['code']], [404, 'report_not_found'], url)
  }
  assert.equal((await fetch(changed((url) => url.searchParams.delete('signature')))).status, 400)
})

test('a file expires after its retention period, and its link then returns 410', async () => {
  const tenant = await app.tenant()
  const { report } = await made(tenant, { kind: 'users', day: '2026-01-01' })
  assert.equal((await tenant.call('POST', '/sandbox/clock', { advance_days: 31 })).status, 200)
  const gone = await fetch(report.url)
  assert.deepEqual([gone.status, ((await gone.json()) as Row)['code']], [410, 'report_expired'])
  const { body } = await tenant.call('GET', `/reports/${report.report_id}`)
  assert.deepEqual([body.status, body.url, body.sha256], ['expired', null, report.sha256])
  const { body: listed } = await tenant.call('GET', '/reports?status=expired&kind=users')
  assert.deepEqual([listed.total_elements, listed.content[0].report_id], [1, report.report_id])
})

test('the event that announces a ready report contains no link', async () => {
  const tenant = await app.tenant()
  const { report } = await made(tenant, { kind: 'users', day: '2026-01-01' })
  const event = await eventually(async () => {
    const { body } = await tenant.call('GET', '/events')
    return body.content.find((one: { type: string }) => one.type === 'report.ready')
  })
  const { url: _, url_expires_at: __, ...data } = report
  assert.deepEqual(event.data, data)
})

test("another publisher's report is not found, and an API key without the right scope is rejected", async () => {
  const [owner, stranger] = [await app.tenant(), await app.tenant({ scopes: ['reports:read'] })]
  const { report } = await made(owner, { kind: 'users', day: '2026-01-01' })
  const refused = await stranger.call('GET', `/reports/${report.report_id}`)
  assert.deepEqual([refused.status, refused.body.code], [404, 'report_not_found'])
  assert.equal((await stranger.call('GET', '/reports')).body.total_elements, 0)
  assert.equal((await stranger.call('POST', '/reports', { kind: 'users' })).status, 403)
})

test('an invalid order is rejected with an error for the field', async () => {
  const tenant = await app.tenant()
  const table: [Row, string][] = [
    [{}, 'kind'],
    [{ kind: 'cards' }, 'kind'],
    [{ kind: 'users', format: 'xlsx' }, 'format'],
    [{ kind: 'users', day: '2026-02-30' }, 'day'],
    [{ kind: 'users', day: '2026-02-01', to: '2026-02-02' }, 'day'],
    [{ kind: 'users', from: '2026-02-02', to: '2026-02-01' }, 'to'],
    [{ kind: 'users', from: '2000-01-01', to: '2026-02-01' }, 'from'],
    [{ kind: 'users', days: 3 }, 'days'],
  ]
  for (const [asked, field] of table) {
    const { status, body } = await tenant.call('POST', '/reports', asked)
    assert.deepEqual([status, body.errors?.[0].field], [400, field], JSON.stringify(asked))
  }
})

test('repeating a call with the same idempotency key creates only one order', async () => {
  const tenant = await app.tenant()
  const order = () => tenant.call('POST', '/reports', { kind: 'users' }, { 'Idempotency-Key': 'again' })
  const [first, second] = [await order(), await order()]
  assert.equal(first.body.report_id, second.body.report_id)
  assert.equal((await tenant.call('GET', '/reports')).body.total_elements, 1)
})
