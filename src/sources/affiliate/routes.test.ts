import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRoutes } from '../../../test/support/affiliate-world.ts'
import { findConstraint } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import { readFirstRows } from '../../tenants/access/index.ts'
import { setLockDays, setNetworkSecret } from './networks.ts'
import { UNKNOWN_POSTBACKS } from './sales/unmatched-queries.ts'
import { savePrograms } from './service.ts'

const place = await openRoutes('affiliate')
const { ask, db, clock, links } = place
const { publisher } = await place.tenant()
const user = await place.addUser(publisher, 'ada')
const SECRET = 'a-secret-of-awin-0001'
const program = { network: 'awin', currency: 'EUR', firstDay: null, lastDay: null }

await db.transaction(async (tx) => {
  await savePrograms(tx, [{ ...program, offerUid: 'off_a', addressTemplate: 'https://shop.example/go?s={sub_id}' }])
  await setNetworkSecret(tx, place.vault, 'awin', SECRET, clock.at)
})

async function click(offerUid = 'off_a', userId: UserId = user): Promise<string> {
  const { headers } = await ask(new URL(links.forUser(userId)(offerUid)).pathname)
  return /[0-9a-f]{32}/.exec(String(headers.location))?.[0] ?? ''
}

const facts = () => db.reader<{ publisherId: string; payload: { postbackId: string } }[]>`
  select publisher_id, payload from facts where name = 'sale.reported' order by ordinal`
const postbacks = () => db.reader<{ content: object; subId: string; amount: bigint; currency: string }[]>`
  select content, sub_id, amount, currency from postbacks order by received_at, postback_id`

const report = (content: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', 'x-postback-secret': SECRET },
  payload: JSON.stringify(content),
})

test('a report is stored as received and announced once, in any format, even if it is sent repeatedly', async () => {
  const subId = await click()
  const content = { sub_id: subId, order_id: 'A-1', amount: '84.50', status: 'pending', campaign: 'x' }
  const before = (await facts()).length
  const query = new URLSearchParams({ ...content, secret: SECRET }).toString()
  const form = {
    method: 'POST' as const,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: query,
  }
  const answers = [
    await ask('/postbacks/awin', report(content)),
    await ask(`/postbacks/awin?${query}`),
    await ask('/postbacks/awin', form),
    ...(await Promise.all([1, 2, 3, 4].map(() => ask('/postbacks/awin', report(content))))),
  ]
  for (const answer of answers) {
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { received: true })
  }
  const kept = (await postbacks()).filter((one) => one.subId === subId)
  assert.deepEqual(kept, [{ content, subId, amount: 8450n, currency: 'EUR' }])
  const recorded = (await facts()).slice(before)
  assert.equal(recorded.length, 1)
  assert.equal(recorded[0]?.publisherId, publisher.id)
})

test('an uppercase sub-id is recognized', async () => {
  const subId = await click()
  const before = (await facts()).length
  await ask('/postbacks/awin', report({ sub_id: subId.toUpperCase(), order_id: 'A-2', amount: 1, status: 'approved' }))
  assert.equal((await facts()).length, before + 1)
})

test('a report with an unknown sub-id is stored but has no further effect', async () => {
  const before = (await facts()).length
  const answer = await ask(
    '/postbacks/awin',
    report({ sub_id: 'nobody', order_id: 'A-3', amount: 5, status: 'approved' }),
  )
  assert.equal(answer.status, 200)
  assert.equal((await facts()).length, before)
  const unknown = await db.reader`
    select sub_id, order_id, amount, publisher_id from postbacks where user_id is null`
  assert.deepEqual([...unknown], [{ subId: 'nobody', orderId: 'A-3', amount: 500n, publisherId: null }])
})

test("a report with another network's sub-id is treated as having an unknown sub-id", async () => {
  const foreign = 'a-secret-of-another-1'
  await db.transaction((tx) => setNetworkSecret(tx, place.vault, 'another', foreign, clock.at))
  const sub_id = await click()
  const content = { sub_id, order_id: 'W-1', amount: 9, status: 'approved' }
  const stolen = report(content)
  const before = (await facts()).length
  const headers = { ...stolen.headers, 'x-postback-secret': foreign }
  assert.deepEqual((await ask('/postbacks/another', { ...stolen, headers })).body, { received: true })
  const [kept] = await db.reader`select user_id, currency from postbacks where sub_id = ${sub_id}`
  assert.deepEqual({ ...kept }, { userId: null, currency: 'USD' })
  assert.equal((await facts()).length, before)
  await ask('/postbacks/awin', stolen)
  assert.equal((await facts()).length, before + 1)
  const listed = await readFirstRows(
    db.reader,
    UNKNOWN_POSTBACKS,
    { network: 'another' },
    { sort: '-received_at', limit: 5 },
  )
  assert.deepEqual(
    listed.map((one) => [one.subId, one.sentTo, one.orderId]),
    [[sub_id, 'awin', 'W-1']],
  )
})

test('reports with unknown sub-ids are listed newest first', async () => {
  for (const [minute, order_id] of ['U-1', 'U-2', 'U-3'].entries()) {
    clock.at = new Date(Date.UTC(2026, 10, 21, 10, minute))
    await ask('/postbacks/awin', report({ sub_id: `gone-${minute}`, order_id, amount: 5, status: 'pending' }))
  }
  clock.at = new Date('2026-11-21T10:00:00Z')
  const query = { network: 'awin' }
  const listed = await readFirstRows(db.reader, UNKNOWN_POSTBACKS, query, { sort: '-received_at', limit: 3 })
  assert.deepEqual(
    listed.map((one) => [one.orderId, one.sentTo]),
    [
      ['U-3', null],
      ['U-2', null],
      ['U-1', null],
    ],
  )
})

test('after a program moves to another network, its earlier clicks remain with the old network', async () => {
  const moving = { ...program, offerUid: 'off_moving', addressTemplate: 'https://shop.example/moving' }
  await db.transaction((tx) => savePrograms(tx, [moving]))
  const sub_id = await click('off_moving')
  await db.transaction((tx) => savePrograms(tx, [{ ...moving, network: 'another' }]))
  const before = (await facts()).length
  await ask('/postbacks/awin', report({ sub_id, order_id: 'W-2', amount: 9, status: 'approved' }))
  assert.equal((await facts()).length, before + 1)
})

test('a correction back to an earlier amount is a new report, but a duplicate of the same report is not', async () => {
  const sub_id = await click()
  const send = async (amount: number, more: object = {}) => {
    const content = { sub_id, order_id: 'C-1', amount, status: 'approved', date: '2026-11-20', ...more }
    assert.equal((await ask('/postbacks/awin', report(content))).status, 200)
    return (await postbacks()).filter((one) => one.subId === sub_id).map((one) => Number(one.amount))
  }
  assert.deepEqual(await send(100), [10_000])
  assert.deepEqual(await send(80), [10_000, 8_000])
  assert.deepEqual(await send(80, { campaign: 'sent again' }), [10_000, 8_000])
  assert.deepEqual(await send(100), [10_000, 8_000, 10_000])
  assert.deepEqual(await send(100), [10_000, 8_000, 10_000])
})

test('approving an item again after its order was rejected is a new report', async () => {
  const sub_id = await click()
  const send = async (more: object) => {
    assert.equal((await ask('/postbacks/awin', report({ sub_id, order_id: 'C-3', ...more }))).status, 200)
    return (await postbacks()).filter((one) => one.subId === sub_id).length
  }
  const item = { transaction_id: 'i-1', amount: 100, status: 'approved' }
  assert.deepEqual([await send(item), await send({ status: 'rejected' })], [1, 2])
  assert.deepEqual([await send(item), await send(item)], [3, 3])
})

test('a report with a number or time is recognized as a duplicate no matter when it is resent', async () => {
  for (const identity of [{ report_id: 'r-1' }, { reported_at: '2026-11-20T10:00:00Z' }]) {
    const sub_id = await click()
    const send = (amount: number, more: object) =>
      ask('/postbacks/awin', report({ sub_id, order_id: 'C-2', amount, status: 'approved', ...more }))
    await send(100, identity)
    await send(80, { report_id: 'r-2' })
    await send(100, identity)
    await send(100, { report_id: 'r-3' })
    const kept = (await postbacks()).filter((one) => one.subId === sub_id)
    assert.deepEqual(
      kept.map((one) => one.amount),
      [10_000n, 8_000n, 10_000n],
    )
  }
})

test("the publisher's clock determines whether a time is in the future", async () => {
  const ahead = await place.tenant()
  const moved = await place.addUser(ahead.publisher, 'mover')
  await db.transaction(
    (tx) => tx`
      update publishers set clock_offset_ms = ${40 * 86_400_000} where publisher_id = ${ahead.publisher.id}`,
  )
  const [here, there] = [await click(), await click('off_a', moved)]
  const send = (sub_id: string, times: object) =>
    ask('/postbacks/awin', report({ sub_id, order_id: 'F-1', amount: 5, status: 'approved', ...times }))
  for (const times of [{ date: '2026-11-23' }, { date: '1969-12-31' }, { reported_at: '2026-11-22T10:00:01Z' }]) {
    const answer = await send(here, times)
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.errors[0].field, Object.keys(times)[0])
  }
  assert.match((await send('nobody', { date: '2026-11-23' })).body.detail, /^date must be between 1970 and 2026-11-22/)
  // Clocks may run ahead by a day, and this publisher is 40 days ahead.
  assert.equal((await send(here, { date: '2026-11-22', reported_at: '2026-11-22T10:00:00Z' })).status, 200)
  assert.equal((await send(there, { date: '2026-12-30' })).status, 200)
})

test('a report without the right secret is rejected without revealing which networks exist', async () => {
  const content = { sub_id: 'x', order_id: 'S-1', amount: 5, status: 'approved' }
  const wrong = [
    ['/postbacks/awin', { ...report(content), headers: { 'content-type': 'application/json' } }],
    [
      '/postbacks/awin',
      { ...report(content), headers: { 'content-type': 'application/json', 'x-postback-secret': `${SECRET}x` } },
    ],
    ['/postbacks/other', report(content)],
    ['/postbacks/AWIN', report(content)],
    ['/postbacks/awin?secret=guess', {}],
    ['/postbacks/awin', {}],
  ] as const
  const before = (await postbacks()).length
  const bodies = new Set<string>()
  for (const [path, how] of wrong) {
    const answer = await ask(path, how)
    assert.equal(answer.status, 401, path)
    bodies.add(`${answer.body.code} ${answer.body.detail}`)
  }
  assert.equal(bodies.size, 1)
  assert.equal((await postbacks()).length, before)
})

test('attempts to guess secrets are rate-limited per address, but reports with the right secret are not', async () => {
  const from = async (remoteAddress: string, secret: string) => {
    const headers = { 'x-postback-secret': secret }
    const url = '/postbacks/awin?sub_id=none&order_id=often&amount=1&status=approved'
    return (await place.app.inject({ url, remoteAddress, headers })).statusCode
  }
  const statuses = async (address: string, secret: string) => {
    const answers: number[] = []
    for (let count = 0; count < 401; count++) answers.push(await from(address, secret))
    return answers
  }
  const guessed = await statuses('192.0.2.77', 'a-guess')
  assert.deepEqual([guessed[0], guessed.at(-1)], [401, 429])
  assert.equal(await from('192.0.2.78', 'a-guess'), 401)
  assert.deepEqual(new Set(await statuses('192.0.2.79', SECRET)), new Set([200]))
})

test('the secret is never stored', async () => {
  const [row] = await db.reader<{ found: boolean }[]>`
    select exists (select 1 from postbacks where content::text like ${`%${SECRET}%`})
      or exists (select 1 from networks where encode(secret_fingerprint, 'escape') like ${`%${SECRET}%`}) as found`
  assert.equal(row?.found, false)
})

test('an unreadable report is rejected with a 400 that identifies the field', async () => {
  const cases: [object, string][] = [
    [{ order_id: '1', amount: 5, status: 'approved' }, 'sub_id'],
    [{ sub_id: 'x', amount: 5, status: 'approved' }, 'order_id'],
    [{ sub_id: 'x', order_id: '1', status: 'approved' }, 'amount'],
    [{ sub_id: 'x', order_id: '1', amount: 5, status: 'perhaps' }, 'status'],
    [{ sub_id: 'x', order_id: '1', amount: '5.001', currency: 'EUR', status: 'approved' }, 'amount'],
    [{ sub_id: ['x'], order_id: '1', amount: 5, status: 'approved' }, 'sub_id'],
    [{ sub_id: 'x', order_id: '1', amount: 5, status: 'approved', reported_at: '2026-11-20' }, 'reported_at'],
    [{ sub_id: 'a\u0000', order_id: '1', amount: 5, status: 'approved' }, 'sub_id'],
  ]
  for (const [content, field] of cases) {
    const answer = await ask('/postbacks/awin', report(content))
    assert.equal(answer.status, 400, field)
    assert(
      answer.body.errors.some((error: { field: string }) => error.field === field),
      answer.text,
    )
  }
  const unreadable = { ...report({}), payload: '{' }
  assert.equal((await ask('/postbacks/awin', unreadable)).status, 400)
  const queries = [
    'sub_id=a&sub_id=b',
    'sub_id=%00&order_id=1&amount=1&status=new',
    'x%00y=1&sub_id=a&order_id=1&amount=1&status=new',
  ]
  for (const query of queries) assert.equal((await ask(`/postbacks/awin?secret=${SECRET}&${query}`)).status, 400, query)
})

test('a report that is too large or has an unsupported content type is rejected', async () => {
  const large = report({ sub_id: 'x', order_id: '1', amount: 5, status: 'approved', note: 'x'.repeat(70_000) })
  assert.equal((await ask('/postbacks/awin', large)).status, 413)
  const xml = { ...report({}), headers: { 'content-type': 'text/xml', 'x-postback-secret': SECRET }, payload: '<a/>' }
  assert.equal((await ask('/postbacks/awin', xml)).status, 415)
})

test('a new secret replaces the old one, and weak secrets and invalid names are rejected', async () => {
  const content = { sub_id: 'y', order_id: 'R-1', amount: 5, status: 'approved' }
  const set = (network: string, secret: string) =>
    db.transaction((tx) => setNetworkSecret(tx, place.vault, network, secret, clock.at))
  await set('cj', 'first-secret-of-cj-1')
  await set('cj', 'second-secret-of-cj-2')
  const withSecret = (secret: string) => ({
    ...report(content),
    headers: { 'content-type': 'application/json', 'x-postback-secret': secret },
  })
  assert.equal((await ask('/postbacks/cj', withSecret('first-secret-of-cj-1'))).status, 401)
  assert.equal((await ask('/postbacks/cj', withSecret('second-secret-of-cj-2'))).status, 200)
  await assert.rejects(set('cj', 'short'), { code: 'network_invalid', field: 'secret' })
  await assert.rejects(set('C J', 'second-secret-of-cj-2'), { code: 'network_invalid', field: 'network' })
})

test('a lock period is 1 to 365 days and requires a known network', async () => {
  const set = (network: string, days: number) => db.transaction((tx) => setLockDays(tx, network, days, clock.at))
  await set('awin', 45)
  const [row] = await db.reader<{ lockDays: number }[]>`select lock_days from networks where network = 'awin'`
  assert.equal(row?.lockDays, 45)
  for (const days of [0, 366, 1.5, Number.NaN])
    await assert.rejects(set('awin', days), { code: 'network_invalid', field: 'lock_days' })
  await assert.rejects(set('unknown', 45), { code: 'network_invalid', field: 'network' })
})

test('a stored report cannot be changed', async () => {
  for (const change of [db.reader`update postbacks set amount = 1`, db.reader`delete from postbacks`]) {
    await assert.rejects(change, (error) => findConstraint(error) === 'postbacks_are_immutable')
  }
})
