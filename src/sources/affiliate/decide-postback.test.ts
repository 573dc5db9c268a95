import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { CATALOG, fetchPatiently, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { walkList } from '../../../test/support/operator-lists.ts'
import { decodeId, encodeId, toUserId } from '../../platform/ids.ts'
import { setFormat, setNetworkSecret } from './networks.ts'
import { insertClick } from './queries.ts'
import { assignReport } from './sales/unmatched.ts'

const SECRET = 'a-secret-of-the-network'
const OFFER = 'offer-gadgets-link'
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  const { db, vault } = app.service
  await db.transaction((tx) => setNetworkSecret(tx, vault, 'default', SECRET, new Date()))
})
after(() => app.close())

async function buyer(name: string): Promise<string> {
  await app.call('POST', '/users', { publisher_user_id: name })
  await app.call('POST', '/terms/accept', { publisher_user_id: name, tnc_id: app.tncId })
  return name
}

async function click(user: string): Promise<string> {
  const clickId = randomUUID()
  const subId = clickId.replaceAll('-', '')
  const made = { userId: toUserId(app.publisher.id, user), clickId, subId, offerUid: OFFER, network: 'default' }
  await app.service.db.transaction((tx) => insertClick(tx, app.publisher.id, { ...made, clickedAt: new Date() }))
  return subId
}

async function report(content: Readonly<Record<string, string>>): Promise<void> {
  const query = new URLSearchParams({ secret: SECRET, amount: '100', status: 'pending', ...content })
  assert.equal((await fetchPatiently(new URL(`/postbacks/default?${query}`, app.service.url))).status, 200)
}

const unknown = async (): Promise<{ postback_id: string; reason: string; order_id: string; content: object }[]> =>
  (await app.operator('GET', '/operator/postbacks/unknown')).body.content
const decide = (id: string, verb: 'assign' | 'dismiss', body: object) =>
  app.operator('POST', `/operator/postbacks/${id}/${verb}`, { reason: 'a receipt', ...body })
const to = (user: string, offer_uid = OFFER) => ({
  publisher_id: encodeId('pub', app.publisher.id),
  publisher_user_id: user,
  offer_uid,
})

async function shown(user: string): Promise<unknown[]> {
  const { reader } = app.owner
  await eventually(async () => (await reader`select 1 from facts where failed_at is null limit 1`).length === 0)
  const { body } = await app.call('GET', `/transactions?publisher_user_id=${user}`)
  return body.content.map((one: Record<string, unknown>) => [one['status'], one['user_cashback']])
}

test('an assigned report and all other reports of its sale earn as if they came from the click', async () => {
  const user = await buyer('ada')
  const subId = await click(user)
  await report({ sub_id: 'cut-off', order_id: '1' })
  await report({ sub_id: 'cut-off', order_id: '1', amount: '80', status: 'approved' })
  await report({ sub_id: 'cut-off', order_id: '2' })
  const listed = await unknown()
  assert.deepEqual(
    listed.map(({ order_id, reason }) => [order_id, reason]),
    [
      ['2', 'unknown_sub_id'],
      ['1', 'unknown_sub_id'],
      ['1', 'unknown_sub_id'],
    ],
  )
  const content = { sub_id: 'cut-off', order_id: '1', amount: '80', status: 'approved' }
  assert.deepEqual(listed[1]?.content, content, 'as it came, without the secret')
  const id = listed[1]?.postback_id ?? ''
  const { status, body } = await decide(id, 'assign', to(user))
  assert.deepEqual([status, body], [200, { postback_id: id }])
  assert.deepEqual(await shown(user), [['PENDING', 6.4]])
  await report({ sub_id: 'cut-off', order_id: '1', amount: '50', status: 'approved' })
  assert.deepEqual(await shown(user), [['PENDING', 4]])
  await report({ sub_id: subId, order_id: '1', amount: '60', status: 'approved' })
  assert.deepEqual(await shown(user), [['PENDING', 4.8]])
  assert.deepEqual(
    (await unknown()).map(({ order_id }) => order_id),
    ['2'],
  )
  const again = await decide(id, 'assign', to(user))
  assert.deepEqual([again.status, again.body.code], [409, 'postback_settled'])
  const audit = await app.operator('GET', `/operator/audit?subject=${id}`)
  assert.deepEqual(audit.body.content[0].after, { ...to(user), reason: 'a receipt' })
})

test('a report that arrives while its sale is being assigned is also credited', async () => {
  const user = await buyer('bela')
  await click(user)
  await report({ sub_id: 'meanwhile', order_id: '31' })
  const [one] = await unknown()
  const assigned = { reason: 'a receipt', publisher: app.publisher, publisherUserId: user, offerUid: OFFER, by: 'ada' }
  const approved = await app.service.db.transaction(async (tx) => {
    const postbackId = decodeId<'postback'>('pbk', one?.postback_id ?? '') ?? ''
    await assignReport(tx, { ...assigned, postbackId }, new Date())
    const reported = report({ sub_id: 'meanwhile', order_id: '31', status: 'approved' })
    await Promise.race([reported, setTimeout(1_000)])
    return { reported }
  })
  await approved.reported
  assert.deepEqual(await shown(user), [['PENDING', 8]])
  const [credited] = await app.owner.reader<{ count: number }[]>`
    select count(*)::int as count from postbacks where order_id = '31' and status = 'approved' and user_id is not null`
  assert.equal(credited?.count, 1)
})

test('assigning additive records credits the sum of their amounts', async () => {
  const user = await buyer('cleo')
  await click(user)
  const { db } = app.service
  await db.transaction((tx) => setFormat(tx, 'default', { format: 'rakuten', fields: {} }, new Date()))
  const record = { order_id: '7', sku_number: 'S', currency: 'USD', status: 'locked' }
  await report({ ...record, etransaction_id: 'a', sale_amount: '100' })
  await report({ ...record, etransaction_id: 'b', sale_amount: '-25' })
  const [one] = await unknown()
  assert.equal(one?.reason, 'no_sub_id')
  assert.equal((await decide(one?.postback_id ?? '', 'assign', to(user))).status, 200)
  assert.deepEqual(await shown(user), [['PENDING', 6]])
  await report({ ...record, etransaction_id: 'c', sale_amount: '25' })
  assert.deepEqual(await shown(user), [['PENDING', 8]])
  await db.transaction((tx) => setFormat(tx, 'default', { format: 'generic', fields: {} }, new Date()))
})

test("a discount that Rakuten reports next to an order's products reduces the order total", async () => {
  const user = await buyer('emil')
  const u1 = await click(user)
  const { db } = app.service
  await db.transaction((tx) => setFormat(tx, 'default', { format: 'rakuten', fields: {} }, new Date()))
  const record = { u1, order_id: '41', currency: 'USD', status: 'locked' }
  await report({ ...record, etransaction_id: 'd1', sku_number: 'S', sale_amount: '100' })
  await report({ ...record, etransaction_id: 'd2', sku_number: 'T', sale_amount: '50' })
  await report({ ...record, etransaction_id: 'd3', sku_number: 'Discount', sale_amount: '-30' })
  assert.deepEqual(await shown(user), [['PENDING', 9.6]])
  await report({ ...record, etransaction_id: 'd4', sale_amount: '-20' })
  assert.deepEqual(await shown(user), [['PENDING', 8]])
  await db.transaction((tx) => setFormat(tx, 'default', { format: 'generic', fields: {} }, new Date()))
})

test("an assigned report without a currency uses the offer's currency", async () => {
  const user = await buyer('fay')
  await click(user)
  const { reader } = app.owner
  await reader`update programs set currency = 'JPY' where offer_uid = ${OFFER}`
  await report({ sub_id: 'no-currency', order_id: '51', amount: '8000' })
  await report({ sub_id: 'no-currency', order_id: '51', amount: '80', currency: 'USD' })
  const id = (await unknown()).find(({ order_id }) => order_id === '51')?.postback_id ?? ''
  assert.equal((await decide(id, 'assign', to(user))).status, 200)
  const rows = await reader`
    select currency, amount::int4 as amount from postbacks where order_id = '51' and user_id is not null
    order by received_at`
  assert.deepEqual(
    rows.map(({ currency, amount }) => [currency, amount]),
    [
      ['JPY', 8000],
      ['USD', 8000],
    ],
  )
  await reader`update programs set currency = 'USD' where offer_uid = ${OFFER}`
})

test('a decision on a sale does not apply to other orders of the same product', async () => {
  const user = await buyer('dora')
  await click(user)
  for (const order_id of ['31', '32', '33']) await report({ sub_id: 'newsletter', order_id, transaction_id: 'sku-1' })
  const findId = async (order: string) =>
    (await unknown()).find(({ order_id }) => order_id === order)?.postback_id ?? ''
  assert.equal((await decide(await findId('31'), 'assign', to(user))).status, 200)
  assert.equal((await decide(await findId('33'), 'dismiss', {})).status, 200)
  await report({ sub_id: 'newsletter', order_id: '34', transaction_id: 'sku-1' })
  assert.deepEqual(await shown(user), [['PENDING', 8]])
  const orders = (await unknown()).map(({ order_id }) => order_id)
  assert.deepEqual(orders.slice(0, 2), ['34', '32'])
})

test('a sale cannot be assigned to a user without a click on the offer, or to an unknown user', async () => {
  await buyer('bob')
  await report({ sub_id: 'cut-off', order_id: '3' })
  const id = (await unknown())[0]?.postback_id ?? ''
  for (const [target, code] of [
    [to('bob'), 'postback_mismatch'],
    [to('nobody'), 'postback_mismatch'],
    [to('ada', 'offer-market'), 'postback_mismatch'],
    [{ ...to('ada'), publisher_id: 'pub_x' }, 'publisher_not_found'],
  ] as const)
    assert.equal((await decide(id, 'assign', target)).body.code, code)
  assert.equal((await decide('pbk_01kbjyt5v3f4nvj5yq5yfypr9v', 'assign', to('ada'))).body.code, 'postback_not_found')
  assert.equal((await decide('else', 'dismiss', {})).body.code, 'postback_not_found')
})

test('a dismissed sale and its later reports remain unlisted, and concurrent decisions take effect once', async () => {
  await report({ sub_id: 'cut-off', order_id: '4' })
  const id = (await unknown())[0]?.postback_id ?? ''
  const answers = await Promise.all([1, 2, 3].map(() => decide(id, 'dismiss', {})))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
  await report({ sub_id: 'cut-off', order_id: '4', status: 'approved' })
  assert(!(await unknown()).some(({ order_id }) => order_id === '4'))
})

test('a rejection of an unknown sale is listed until the sale is reported', async () => {
  const user = await buyer('dora')
  const subId = await click(user)
  const rejection = { sub_id: subId, status: 'rejected', amount: '' }
  await report({ ...rejection, order_id: '5' })
  await report({ ...rejection, order_id: '6' })
  const listed = await unknown()
  assert.deepEqual(
    listed.slice(0, 2).map(({ order_id, reason }) => [order_id, reason]),
    [
      ['6', 'unknown_order'],
      ['5', 'unknown_order'],
    ],
  )
  await report({ sub_id: subId, order_id: '6', amount: '100', date: new Date().toISOString() })
  assert.equal((await unknown())[0]?.order_id, '5')
  const id = listed[1]?.postback_id ?? ''
  assert.equal((await decide(id, 'assign', to(user))).body.code, 'postback_mismatch')
  assert.equal((await decide(id, 'dismiss', {})).status, 200)
  assert(!(await unknown()).some(({ order_id }) => order_id === '5'))
})

test('the desk counts the listed reports, excluding decided sales and rejections of known sales', async () => {
  const onDesk = async (): Promise<number> => {
    const { content } = (await app.operator('GET', '/operator/desk')).body
    return content.find((one: { what: string }) => one.what === 'unknown_postbacks').count
  }
  const user = await buyer('dot')
  const subId = await click(user)
  const before = await onDesk()
  assert.equal(before, (await unknown()).length)
  await report({ sub_id: subId, order_id: 'known' })
  await report({ sub_id: subId, order_id: 'known', status: 'rejected' })
  assert.equal(await onDesk(), before)
  await report({ sub_id: subId, order_id: 'never-reported', status: 'rejected' })
  await report({ sub_id: 'of-nobody', order_id: 'x' })
  await report({ sub_id: 'of-nobody', order_id: 'y', status: 'rejected' })
  const listed = await unknown()
  assert.deepEqual([await onDesk(), listed.length], [before + 3, before + 3])
  for (const { postback_id } of listed.slice(0, 3)) assert.equal((await decide(postback_id, 'dismiss', {})).status, 200)
  assert.equal(await onDesk(), before)
})

test('unknown reports received together can be paged in either order and filtered by network', async () => {
  const { reader } = app.owner
  for (const order_id of ['p1', 'p2', 'p3']) await report({ sub_id: 'paged', order_id })
  await reader`alter table postbacks disable trigger user`
  await reader`update postbacks set received_at = '2020-01-01' where order_id in ('p1', 'p2')`
  await reader`alter table postbacks enable trigger user`
  const toIds = async (query: string): Promise<string[]> => {
    const rows = await walkList<{ postback_id: string }>(app, `/operator/postbacks/unknown?${query}`, 'postback_id')
    return rows.map(({ postback_id }) => postback_id)
  }
  const expected = (await unknown()).map(({ postback_id }) => postback_id)
  assert(expected.length > 3)
  assert.deepEqual(await toIds(''), expected)
  assert.deepEqual(await toIds('sort=received_at'), expected.toReversed())
  assert.deepEqual(await toIds('network=default'), expected)
  assert.deepEqual(await toIds('network=awin'), [])
})
