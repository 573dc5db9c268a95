import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import {
  FORMAT_NAMES,
  type FormatName,
  fetchNextReport,
  importReport,
  setFormat,
  setNetworkSecret,
  setReportSource,
} from '../../src/sources/affiliate/index.ts'
import { acceptTerms, createUser } from '../../src/users/users/index.ts'
import { CATALOG, fetchPatiently, startTestApp, type TestApp } from '../support/app.ts'
import { LOCAL } from '../support/egress.ts'
import { eventually } from '../support/eventually.ts'
import { type SaleNames, type SaleState, WRITERS } from '../support/network-writers.ts'
import { sample } from '../support/runs.ts'

// Every network reports the lifecycle of a sale differently, by postback and by report. The user must earn the same
// amount in each case.

const SECRET = 'a-secret-of-the-network'
let app: TestApp
let users = 0
let orders = 0

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  const { db, vault } = app.service
  await db.transaction((tx) => setNetworkSecret(tx, vault, 'default', SECRET, new Date()))
})
after(() => app.close())

async function write(format: FormatName): Promise<void> {
  await app.service.db.transaction((tx) => setFormat(tx, 'default', { format, fields: {} }, new Date()))
}

async function buyer(): Promise<string> {
  const publisherUserId = `buyer-${++users}`
  const input = { publisherUserId, email: null, primaryZipCode: null, attributes: null }
  await app.service.db.transaction(async (tx) => {
    await createUser(tx, app.publisher, input, new Date())
    await acceptTerms(tx, app.publisher, publisherUserId, app.tncId, new Date())
  })
  return publisherUserId
}

/** Follows the user's tracking link and returns the identifiers for a sale from that click. */
async function bought(user: string): Promise<SaleNames> {
  const { body } = await app.call('GET', `/publishers/brands/brand-gadgets?publisher_user_id=${user}`)
  const offer = body[0].offers.find((one: { offer_types: string }) => one.offer_types === 'AFFILIATE')
  const { headers } = await fetchPatiently(offer.tracking_url, { redirect: 'manual' })
  const subId = new URL(headers.get('location') ?? '').searchParams.get('sub') ?? ''
  // Some networks report whole seconds, so the sale's time is rounded up to the next second. The terms may have been
  // accepted during the current one.
  return { subId, order: `${1000 + ++orders}`, soldAt: new Date(Math.ceil(Date.now() / 1000) * 1000) }
}

/** Reads the status and cashback of the user's only sale once every report is booked. */
async function shown(user: string): Promise<[status: string, cashback: number]> {
  const { reader } = app.owner
  await eventually(async () => (await reader`select 1 from facts where failed_at is null limit 1`).length === 0)
  const { body } = await app.call('GET', `/transactions?publisher_user_id=${user}`)
  assert(body.content.length <= 1, 'a sale is one transaction')
  return [body.content[0]?.status ?? 'NONE', body.content[0]?.user_cashback ?? 0]
}

const post = (report: object) =>
  app.call('POST', '/postbacks/default', report, { 'X-Postback-Secret': SECRET, Authorization: '' })
const take = (rows: readonly object[], text = JSON.stringify(rows)) =>
  importReport(app.service.db, 'default', text, new Date())

/**
 * Sends the states in order: one postback each, or all in one report, because each report starts a thread that parses
 * it.
 */
type Channel = (format: FormatName, names: SaleNames, ...states: SaleState[]) => Promise<void>
const CHANNELS: Readonly<Record<'postback' | 'report', Channel>> = {
  postback: async (format, names, ...states) => {
    for (const state of states) {
      const { status, body } = await post(WRITERS[format].postback(names, state))
      assert.equal(status, 200, JSON.stringify(body))
    }
  },
  report: async (format, names, ...states) => {
    await take(states.map((state) => WRITERS[format].row(names, state)))
  },
}

const state = (status: SaleState['status'], amount: number, change: number, record: number): SaleState => ({
  status,
  amount,
  change,
  record,
})
// On networks with additive records, a status change without an amount applies to the first record.
const PENDING = state('pending', 10_000, 10_000, 0)
const APPROVED = state('approved', 10_000, 10_000, 0)
const LOWERED = state('approved', 8_000, -2_000, 1)
const RAISED = state('approved', 12_000, 4_000, 2)
const REVERSED = state('rejected', 12_000, -12_000, 3)
/** States that are sent together, and the resulting cashback. */
const LIFE: readonly (readonly [readonly SaleState[], cashback: number])[] = [
  [[PENDING], 8],
  [[PENDING, APPROVED], 8],
  [[APPROVED, LOWERED], 6.4],
  [[LOWERED, RAISED], 9.6],
  [[RAISED, REVERSED, REVERSED], 0],
]

for (const format of FORMAT_NAMES) {
  for (const [channel, report] of Object.entries(CHANNELS)) {
    test(`${format} by ${channel}: pending, approved, amended up and down, and reversed, each repeated`, async () => {
      await write(format)
      const user = await buyer()
      const names = await bought(user)
      for (const [states, cashback] of LIFE) {
        await report(format, names, ...states)
        const expected = states.includes(REVERSED) ? ['CANCELLED', 0] : ['PENDING', cashback]
        assert.deepEqual(await shown(user), expected, JSON.stringify(states))
      }
    })
  }

  test(`${format}: a late pending report does not undo an approval, whichever channel it uses`, async () => {
    await write(format)
    const user = await buyer()
    const names = await bought(user)
    await CHANNELS.report(format, names, APPROVED)
    await CHANNELS.postback(format, names, PENDING)
    assert.deepEqual(await shown(user), ['PENDING', 8])
    await CHANNELS.postback(format, names, LOWERED)
    await CHANNELS.report(format, names, PENDING, LOWERED)
    assert.deepEqual(await shown(user), ['PENDING', 6.4])
  })
}

test('additive records yield the same total in any order', async () => {
  for (const format of ['cj', 'rakuten'] as const) {
    await write(format)
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [1, 2, 0],
    ]
    for (const order of sample(orders, 1 / 2)) {
      const user = await buyer()
      const names = await bought(user)
      const states = order.map((index) => [APPROVED, LOWERED, RAISED][index] ?? APPROVED)
      await CHANNELS.postback(format, names, ...states)
      assert.deepEqual(await shown(user), ['PENDING', 9.6], `${format} ${order}`)
    }
  }
})

test('a Rakuten event without commission is not a sale in either channel', async () => {
  await write('rakuten')
  const user = await buyer()
  const names = await bought(user)
  const event = { ...WRITERS.rakuten.row(names, APPROVED), etransaction_id: 'event', is_event: 'Y' }
  assert.equal((await post(event)).status, 200)
  assert.deepEqual(await take([event]), { rows: 0, taken: 0, unmatched: 0 })
  await take([event, { ...WRITERS.rakuten.row(names, APPROVED), is_event: 'N' }])
  assert.deepEqual(await shown(user), ['PENDING', 8])
})

test('an Awin notification is read as JSON inside a form field', async () => {
  await write('awin')
  const user = await buyer()
  const pushed = JSON.stringify(WRITERS.awin.postback(await bought(user), PENDING))
  const send = (text: string) =>
    fetchPatiently(new URL(`/postbacks/default?secret=${SECRET}`, app.service.url), {
      method: 'POST',
      body: new URLSearchParams({ AwinTransactionPush: text }),
    })
  assert.equal((await send(pushed)).status, 200)
  assert.deepEqual(await shown(user), ['PENDING', 8])
  const refused = await send('{')
  assert.deepEqual(
    [refused.status, ((await refused.json()) as { errors: { field: string }[] }).errors[0]?.field],
    [400, 'AwinTransactionPush'],
  )
})

test("an unreadable postback is rejected, and the error identifies the network's own field", async () => {
  const cases: readonly (readonly [FormatName, string, unknown])[] = [
    ['impact', 'amount', '12,50'],
    ['impact', 'status', 'perhaps'],
    ['cj', 'saleAmountUsd', 'much'],
    ['cj', 'eventDate', 'yesterday'],
    ['awin', 'transactionAmount', '-5'],
    ['awin', 'transactionCurrency', 'dollars'],
    ['rakuten', 'etransaction_id', ''],
  ]
  for (const [format, field, value] of cases) {
    await write(format)
    const names = { subId: 'nobody', order: '1', soldAt: new Date() }
    const { status, body } = await post({ ...WRITERS[format].postback(names, PENDING), [field]: value })
    assert.equal(status, 400, `${format} ${field}`)
    const plain = (name: string) => name.toLowerCase().replaceAll('_', '')
    assert.equal(plain(body.errors[0].field), plain(field), format)
  }
})

test('a report with an unreadable row is rejected in full, and every invalid line is listed', async () => {
  await write('impact')
  const user = await buyer()
  const good = WRITERS.impact.row(await bought(user), APPROVED)
  const text = ['Id;State;Amount;SubId1', `1;APPROVED;5.00;x`, '2;PERHAPS;5.00;x', '3;APPROVED;five;x'].join('\n')
  await assert.rejects(take([], text), {
    code: 'report_invalid',
    message: /^line 3: State must be one of .*\nline 4: Amount must be a decimal greater than 0/,
  })
  await assert.rejects(take([good, { ...good, State: 'PERHAPS' }]), {
    code: 'report_invalid',
    message: /^line 2: State/,
  })
  await assert.rejects(take([], '{"Actions": [], "@nextpageuri": "/more"}'), { message: /is incomplete/ })
  await assert.rejects(take([], '{"Else": []}'), { message: /no list of rows at Actions/ })
  await assert.rejects(take([], '[1]'), { message: /something other than a row at position 1/ })
  await assert.rejects(take([{ ...good, EventDate: '2999-01-01' }]), { message: /^line 1: date must be between/ })
  assert.deepEqual(await shown(user), ['NONE', 0])
  assert.deepEqual(await take([good, good]), { rows: 2, taken: 1, unmatched: 0 })
  assert.deepEqual(await take([good]), { rows: 1, taken: 0, unmatched: 0 })
})

test('rows with an unknown or missing sub-ID are counted and do not stop the import', async () => {
  await write('impact')
  const user = await buyer()
  const names = await bought(user)
  const rows = [
    WRITERS.impact.row({ ...names, order: 'u-1', subId: 'nobody' }, APPROVED),
    WRITERS.impact.row({ ...names, order: 'u-2', subId: '' }, APPROVED),
    WRITERS.impact.row(names, APPROVED),
  ]
  assert.deepEqual(await take(rows), { rows: 3, taken: 3, unmatched: 2 })
  assert.deepEqual(await take(rows), { rows: 3, taken: 0, unmatched: 0 })
  assert.deepEqual(await shown(user), ['PENDING', 8])
})

test('an amendment changes the amount and keeps the status, whichever report arrives first', async () => {
  await write('generic')
  const cases = [
    ['approved', ['PENDING', 6.4], true],
    ['rejected', ['CANCELLED', 0], false],
  ] as const
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [0, 2, 1],
  ]
  for (const isTimed of [true, false])
    for (const [status, expected, isCleared] of cases)
      for (const order of sample(orders, 2 / 3)) {
        const user = await buyer()
        const { subId, order: orderId, soldAt } = await bought(user)
        const reports = [
          { status: 'pending', amount: 100 },
          // An undated approval that arrives after an amendment sets the amount.
          { status, amount: isTimed ? 100 : 80 },
          { status: 'amended', amount: 80 },
        ].map((one, nth) => ({ ...one, reported_at: new Date(soldAt.getTime() + nth * 1000).toISOString() }))
        for (const index of order) {
          const { reported_at, ...report } = reports[index] ?? assert.fail()
          const names = { sub_id: subId, order_id: orderId, currency: 'USD' }
          assert.equal((await post({ ...names, ...report, ...(isTimed ? { reported_at } : {}) })).status, 200)
        }
        assert.deepEqual(await shown(user), expected, `${status}, timed: ${isTimed}, in the order ${order}`)
        const { body } = await app.call('GET', `/transactions?publisher_user_id=${user}`)
        assert.equal(body.content[0].cleared_on !== null, isCleared)
      }
})

test('a sale amended to zero keeps its status, and earns again if amended upward', async () => {
  await write('generic')
  const user = await buyer()
  const { subId, order } = await bought(user)
  const report = async (status: string, amount: number) => {
    const sale = { sub_id: subId, order_id: order, currency: 'USD', status, amount }
    assert.equal((await post(sale)).status, 200)
    return shown(user)
  }
  assert.deepEqual(await report('approved', 100), ['PENDING', 8])
  assert.deepEqual(await report('amended', 0), ['CANCELLED', 0])
  assert.deepEqual(await report('amended', 50), ['PENDING', 4])
})

test('an order reported under two clicks by one user earns once', async () => {
  await write('generic')
  const user = await buyer()
  const [first, second] = [await bought(user), await bought(user)]
  await CHANNELS.postback('generic', first, APPROVED)
  await CHANNELS.report('generic', { ...second, order: first.order }, APPROVED)
  assert.deepEqual(await shown(user), ['PENDING', 8])
})

type FetchedSource = Parameters<typeof setReportSource>[3]
type Played = { readonly request: IncomingMessage; readonly body: string }

/** Starts a server that serves reports as a network would. */
async function playNetwork(answer: (played: Played) => { status?: number; text: string }) {
  const asked: Played[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push({ request, body })
      const { status = 200, text } = answer({ request, body })
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const SOURCE: FetchedSource = {
  url: 'https://api.example/?from={from}&to={to}',
  body: null,
  headerName: 'Authorization',
  headerValue: 'Bearer a-token-of-ours',
  everyMinutes: 60,
  days: 90,
  pageDays: 30,
}

async function fetched(source: Partial<FetchedSource>) {
  const { db, vault } = app.service
  const now = new Date()
  await db.transaction((tx) => setReportSource(tx, { vault, egress: LOCAL }, 'default', { ...SOURCE, ...source }, now))
  const ended = async () => {
    const [row] = await app.owner.reader<{ lastSuccessAt: Date | null; lastErrorAt: Date | null }[]>`
      select last_success_at, last_error_at from network_reports`
    return [row?.lastSuccessAt, row?.lastErrorAt].some((at) => at !== null && at !== undefined && at >= now)
  }
  // The service's own worker may fetch the report first.
  await eventually(async () => {
    await fetchNextReport({ db, vault, clock: systemClock, egress: LOCAL, log: createLog('silent') })
    return ended()
  })
  const [row] = await app.owner.reader<{ failures: number; lastError: string | null; nextAt: Date }[]>`
    select failures, last_error, next_at from network_reports`
  assert(row)
  return row
}

const answersByFormat: Readonly<Record<FormatName, (rows: readonly object[]) => object>> = {
  generic: (rows) => rows,
  impact: (rows) => ({ '@nextpageuri': '', Actions: rows }),
  cj: (rows) => ({ data: { publisherCommissions: { payloadComplete: true, records: rows } } }),
  awin: (rows) => rows,
  rakuten: (rows) => rows,
}

test("each network's report is fetched with its header, in overlapping periods, and then imported", async () => {
  for (const format of FORMAT_NAMES) {
    await write(format)
    const user = await buyer()
    const row = WRITERS[format].row(await bought(user), APPROVED)
    const network = await playNetwork(() => ({ text: JSON.stringify(answersByFormat[format]([row])) }))
    const isCj = format === 'cj'
    const { failures, lastError } = await fetched({
      url: `${network.url}/report?from={from}&to={to}`,
      days: 60,
      body: isCj ? '{"query": "{ records(since: \\"{from}\\", before: \\"{to}\\") }"}' : null,
    })
    network.close()
    assert.deepEqual([failures, lastError], [0, null], format)
    assert.deepEqual(await shown(user), ['PENDING', 8], format)
    const pages = network.asked.map(({ request }) => new URL(request.url ?? '', network.url).searchParams)
    assert.equal(pages.length, 2)
    assert.deepEqual(pages[1]?.get('from'), pages[0]?.get('to'))
    for (const { request, body } of network.asked) {
      assert.equal(request.headers.authorization, 'Bearer a-token-of-ours')
      assert.equal(request.method, isCj ? 'POST' : 'GET')
      if (isCj) assert.match(body, /since: \\"\d{4}-\d\d-\d\d\\"/)
    }
  }
})

test('a report that cannot be fetched or parsed is retried later, and the reason is recorded', async () => {
  await write('generic')
  const cases: readonly (readonly [{ status?: number; text: string }, RegExp])[] = [
    [{ status: 500, text: 'no' }, /responded with 500/],
    [{ status: 302, text: '' }, /responded with 302, a redirect/],
    [{ text: '<html>\nNot today.' }, /has no column amount/],
    [{ text: '[{"order_id": "1"}]' }, /^line 1: /],
    [{ text: `[${' '.repeat(20 * 1024 * 1024)}]` }, /larger than 20 MiB/],
  ]
  for (const [answer, reason] of cases) {
    const network = await playNetwork(() => answer)
    const { failures, lastError, nextAt } = await fetched({ url: `${network.url}/?{from}` })
    network.close()
    assert.match(lastError ?? '', reason)
    assert(failures >= 1 && nextAt > new Date())
  }
  const [row] = await app.owner.reader<{ text: string }[]>`select network_reports::text as text from network_reports`
  assert(!row?.text.includes('a-token-of-ours'), 'the header is sealed')
})

test('reports are fetched only from addresses that are also allowed for webhooks', async () => {
  const { db, vault } = app.service
  const set = (source: Partial<FetchedSource>, network = 'default') =>
    db.transaction((tx) => setReportSource(tx, { vault, egress: LOCAL }, network, { ...SOURCE, ...source }, new Date()))
  for (const [source, field] of [
    [{ url: 'http://api.example/{from}' }, 'url'],
    [{ url: 'https://10.0.0.1/{from}' }, 'url'],
    [{ url: 'https://db.internal/{from}' }, 'url'],
    [{ url: 'https://api.example/' }, 'url'],
    [{ headerName: 'not a name' }, 'header'],
    [{ headerValue: 'two\nlines' }, 'header'],
  ] as const)
    await assert.rejects(set(source), { code: 'network_invalid', field })
  await assert.rejects(set({}, 'nobody'), { code: 'network_invalid', field: 'network' })
})
