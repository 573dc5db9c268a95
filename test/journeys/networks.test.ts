import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { FORMAT_NAMES, type FormatName, importReport, setNetworkSecret } from '../../src/affiliate/index.ts'
import { setFormat } from '../../src/affiliate/networks.ts'
import { fetchNextReport } from '../../src/affiliate/report-fetch.ts'
import { setReportSource } from '../../src/affiliate/report-source.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { CATALOG, fetchPatiently, startTestApp, type TestApp } from '../support/app.ts'
import { LOCAL } from '../support/egress.ts'
import { eventually } from '../support/eventually.ts'
import { type SaleNames, type SaleState, WRITERS } from '../support/network-writers.ts'

// Each network reports the life of a sale in its own way, by postback and by report; users get the same cents.

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
  const name = `buyer-${++users}`
  await app.call('POST', '/users', { publisher_user_id: name })
  await app.call('POST', '/terms/accept', { publisher_user_id: name, tnc_id: app.tncId })
  return name
}

/** Follows the user's link, and names a sale that comes of it. */
async function bought(user: string): Promise<SaleNames> {
  const { body } = await app.call('GET', `/publishers/brands/brand-gadgets?publisher_user_id=${user}`)
  const offer = body[0].offers.find((one: { offer_types: string }) => one.offer_types === 'AFFILIATE')
  const { headers } = await fetchPatiently(offer.tracking_url, { redirect: 'manual' })
  const subId = new URL(headers.get('location') ?? '').searchParams.get('sub') ?? ''
  // Some networks write whole seconds, and the user accepted the terms in this one.
  return { subId, order: `${1000 + ++orders}`, soldAt: new Date(Math.ceil(Date.now() / 1000) * 1000) }
}

/** What the user is shown of their one sale, once everything that was reported is booked. */
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

type Channel = (format: FormatName, names: SaleNames, state: SaleState) => Promise<void>
const CHANNELS: Readonly<Record<'postback' | 'report', Channel>> = {
  postback: async (format, names, state) => {
    const { status, body } = await post(WRITERS[format].postback(names, state))
    assert.equal(status, 200, JSON.stringify(body))
  },
  report: async (format, names, state) => {
    await take([WRITERS[format].row(names, state)])
  },
}

const state = (status: SaleState['status'], amount: number, change: number, record: number): SaleState => ({
  ...{ status, amount, change, record },
})
// Of a network whose records add up, a state that changes no amount is one of the first record.
const PENDING = state('pending', 10_000, 10_000, 0)
const APPROVED = state('approved', 10_000, 10_000, 0)
const LOWERED = state('approved', 8_000, -2_000, 1)
const RAISED = state('approved', 12_000, 4_000, 2)
const REVERSED = state('rejected', 12_000, -12_000, 3)
const LIFE: readonly (readonly [SaleState, cashback: number])[] = [
  ...([
    [PENDING, 8],
    [PENDING, 8],
    [APPROVED, 8],
    [APPROVED, 8],
    [LOWERED, 6.4],
  ] as const),
  ...([
    [LOWERED, 6.4],
    [RAISED, 9.6],
    [REVERSED, 0],
    [REVERSED, 0],
  ] as const),
]

for (const format of FORMAT_NAMES) {
  for (const [channel, report] of Object.entries(CHANNELS)) {
    test(`${format} by ${channel}: pending, approved, amended both ways and reversed, each repeated`, async () => {
      await write(format)
      const user = await buyer()
      const names = await bought(user)
      for (const [next, cashback] of LIFE) {
        await report(format, names, next)
        const expected = next === REVERSED ? ['CANCELLED', 0] : ['PENDING', cashback]
        assert.deepEqual(await shown(user), expected, JSON.stringify(next))
      }
    })
  }

  test(`${format}: what is pending and comes late, from either side, takes no approval away`, async () => {
    await write(format)
    const user = await buyer()
    const names = await bought(user)
    await CHANNELS.report(format, names, APPROVED)
    await CHANNELS.postback(format, names, PENDING)
    assert.deepEqual(await shown(user), ['PENDING', 8])
    await CHANNELS.postback(format, names, LOWERED)
    await CHANNELS.report(format, names, PENDING)
    await CHANNELS.report(format, names, LOWERED)
    assert.deepEqual(await shown(user), ['PENDING', 6.4])
  })
}

test('records that add up come to the same in any order', async () => {
  for (const format of ['cj', 'rakuten'] as const) {
    await write(format)
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [1, 2, 0],
    ]) {
      const user = await buyer()
      const names = await bought(user)
      for (const index of order) await CHANNELS.report(format, names, [APPROVED, LOWERED, RAISED][index] ?? APPROVED)
      assert.deepEqual(await shown(user), ['PENDING', 9.6], `${format} ${order}`)
    }
  }
})

test('an event of Rakuten that pays no commission is no sale, however it comes', async () => {
  await write('rakuten')
  const user = await buyer()
  const names = await bought(user)
  const event = { ...WRITERS.rakuten.row(names, APPROVED), etransaction_id: 'event', is_event: 'Y' }
  assert.equal((await post(event)).status, 200)
  assert.deepEqual(await take([event]), { rows: 0, taken: 0, unmatched: 0 })
  await take([event, { ...WRITERS.rakuten.row(names, APPROVED), is_event: 'N' }])
  assert.deepEqual(await shown(user), ['PENDING', 8])
})

test('a notification of Awin is JSON in a member of a form', async () => {
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

test("an unreadable postback is refused with the name of the network's own field", async () => {
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

test('a report with an unreadable row is refused as a whole, and each faulty line is named', async () => {
  await write('impact')
  const user = await buyer()
  const good = WRITERS.impact.row(await bought(user), APPROVED)
  const text = ['Id;State;Amount;SubId1', `1;APPROVED;5.00;x`, '2;PERHAPS;5.00;x', '3;APPROVED;five;x'].join('\n')
  await assert.rejects(take([], text), {
    code: 'report_invalid',
    message: /^line 3: State must be one of .*\nline 4: Amount must be a decimal above 0/,
  })
  await assert.rejects(take([good, { ...good, State: 'PERHAPS' }]), {
    code: 'report_invalid',
    message: /^line 2: State/,
  })
  await assert.rejects(take([], '{"Actions": [], "@nextpageuri": "/more"}'), { message: /only a part/ })
  await assert.rejects(take([], '{"Else": []}'), { message: /no list of rows at Actions/ })
  await assert.rejects(take([], '[1]'), { message: /something else than a row at 1/ })
  await assert.rejects(take([{ ...good, EventDate: '2999-01-01' }]), { message: /^line 1: date must lie between/ })
  assert.deepEqual(await shown(user), ['NONE', 0])
  assert.deepEqual(await take([good, good]), { rows: 2, taken: 1, unmatched: 0 })
  assert.deepEqual(await take([good]), { rows: 1, taken: 0, unmatched: 0 })
})

test('rows of unknown and of missing sub-ids stop no report, and are counted', async () => {
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

test('an amendment changes the amount and keeps the state, whichever report arrives first', async () => {
  await write('generic')
  const cases = [
    ['approved', ['PENDING', 6.4], true],
    ['rejected', ['CANCELLED', 0], false],
  ] as const
  for (const isTimed of [true, false])
    for (const [status, expected, isCleared] of cases)
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [0, 2, 1],
      ]) {
        const user = await buyer()
        const { subId, order: orderId, soldAt } = await bought(user)
        const reports = [
          { status: 'pending', amount: 100 },
          // An approval without a time that arrives after an amendment sets the amount.
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

test('a sale that is amended to nothing keeps its state, and earns again when it is amended upwards', async () => {
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

test('an order that is reported under two clicks of one user counts once', async () => {
  await write('generic')
  const user = await buyer()
  const [first, second] = [await bought(user), await bought(user)]
  await CHANNELS.postback('generic', first, APPROVED)
  await CHANNELS.report('generic', { ...second, order: first.order }, APPROVED)
  assert.deepEqual(await shown(user), ['PENDING', 8])
})

type FetchedSource = Parameters<typeof setReportSource>[3]
type Played = { readonly request: IncomingMessage; readonly body: string }

/** A network that is asked for its reports. */
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
  // The worker of the service may be the one that fetches.
  await eventually(async () => {
    await fetchNextReport({ db, vault, clock: systemClock, egress: LOCAL, log: createLog('silent') })
    return ended()
  })
  const [row] = await app.owner.reader<{ failures: number; lastError: string | null; nextAt: Date }[]>`
    select failures, last_error, next_at from network_reports`
  assert(row)
  return row
}

const answerOf: Readonly<Record<FormatName, (rows: readonly object[]) => object>> = {
  generic: (rows) => rows,
  impact: (rows) => ({ '@nextpageuri': '', Actions: rows }),
  cj: (rows) => ({ data: { publisherCommissions: { payloadComplete: true, records: rows } } }),
  awin: (rows) => rows,
  rakuten: (rows) => rows,
}

test("each network's report is fetched in overlapping pages, with its header, and imported", async () => {
  for (const format of FORMAT_NAMES) {
    await write(format)
    const user = await buyer()
    const row = WRITERS[format].row(await bought(user), APPROVED)
    const network = await playNetwork(() => ({ text: JSON.stringify(answerOf[format]([row])) }))
    const isCj = format === 'cj'
    const { failures, lastError } = await fetched({
      url: `${network.url}/report?from={from}&to={to}`,
      body: isCj ? '{"query": "{ records(since: \\"{from}\\", before: \\"{to}\\") }"}' : null,
    })
    network.close()
    assert.deepEqual([failures, lastError], [0, null], format)
    assert.deepEqual(await shown(user), ['PENDING', 8], format)
    const pages = network.asked.map(({ request }) => new URL(request.url ?? '', network.url).searchParams)
    assert.equal(pages.length, 3)
    assert.deepEqual(pages[1]?.get('from'), pages[0]?.get('to'))
    for (const { request, body } of network.asked) {
      assert.equal(request.headers.authorization, 'Bearer a-token-of-ours')
      assert.equal(request.method, isCj ? 'POST' : 'GET')
      if (isCj) assert.match(body, /since: \\"\d{4}-\d\d-\d\d\\"/)
    }
  }
})

test('a report that cannot be fetched or read is tried again ever later, and shown with its reason', async () => {
  await write('generic')
  const cases: readonly (readonly [{ status?: number; text: string }, RegExp])[] = [
    [{ status: 500, text: 'no' }, /answered 500/],
    [{ status: 302, text: '' }, /answered 302, a redirect/],
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

test('only addresses that webhooks may have can be fetched', async () => {
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
