import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../../test/support/redemptions.ts'
import { ask, buyThroughNetwork, linkCard, SECRET } from '../../test/support/takeout-life.ts'
import { decodeUuidTime, encodeId, newUuid, toUserId } from '../platform/ids.ts'
import { setNetworkSecret } from '../sources/affiliate/index.ts'

// Publishers, users, networks and banks often quote only an ID.

const app = await startTestApp()
after(() => app.close())
let redeemer: Redeemer
const finds = async (q: string): Promise<string[]> => {
  const { content } = await ask(app.operator, 'GET', `/operator/search?q=${encodeURIComponent(q)}`)
  return content.map((one: Record<string, string>) => `${one['kind']} ${one['id']}`)
}

before(async () => {
  await app.catalog(CATALOG)
  const { db, vault } = app.service
  await db.transaction((tx) => setNetworkSecret(tx, vault, 'default', SECRET, new Date()))
  redeemer = await openRedeemer(app)
})

test('cards, gift cards, erasures, payout files and re-matches are found by ID', async () => {
  const { call, publisher } = redeemer
  const ofPublisher = { publisher_id: encodeId('pub', publisher.id) }
  await redeemer.user('ann', 2)
  await linkCard(app, redeemer, 'ann')
  const { linked_institutions: banks } = await ask(call, 'GET', '/linker/linked-cards/ann')
  const items = [{ denomination: 25, quantity: 1 }]
  const body = { publisher_user_id: 'ann', external_ref: 'basket', offer_uid: 'offer-gadgets-gift', items }
  const order = (await call('POST', '/gift-cards/orders', body, { 'Idempotency-Key': 'basket' })).body
  await ask(call, 'PUT', '/users/ann/payout-destination', CHECKING)
  assert.equal((await redeemer.redeem('ann', { method: 'file' })).status, 200)
  const file = await ask(app.operator, 'POST', '/operator/payout-files', { ...ofPublisher, format: 'csv' })
  const again = { ...ofPublisher, brand_uid: 'brand-market', reason: 'shown' }
  const rematch = await ask(app.operator, 'POST', '/operator/rematches', again)
  await redeemer.user('eve', 0)
  const erasure = (await call('POST', '/users/eve/erase', { confirm: 'eve' })).body
  for (const [kind, id] of [
    ['card', banks[0].linked_cards[0].card_id],
    ['gift_card', order.cards[0].card_id],
    ['payout_file', file.file_id],
    ['rematch', rematch.rematch_uid],
    ['erasure', erasure.erasure_id],
  ])
    assert.deepEqual(await finds(id), [`${kind} ${id}`])
})

test('a sale reported by a network is found by its postback ID', async () => {
  await redeemer.user('sam', 0)
  await buyThroughNetwork(app, redeemer, 'sam')
  const [row] = await app.owner.reader<{ postbackId: string }[]>`select postback_id from postbacks`
  const id = encodeId('pbk', row?.postbackId ?? '')
  assert.deepEqual(await finds(id), [`postback ${id}`])
})

test("an event ID finds the event's first delivery to each endpoint, and a replay adds no result", async () => {
  const { call } = redeemer
  const endpoints = await Promise.all(
    ['one', 'two'].map((name) => ask(call, 'POST', '/webhooks/endpoints', { url: `http://127.0.0.1:9/${name}` })),
  )
  await redeemer.user('web', 0)
  const readDeliveries = async (endpointId: string) =>
    (await ask(app.operator, 'GET', `/operator/deliveries?endpoint_id=${endpointId}&event_type=user.created`)).content
  const deliveries = await eventually(async () => {
    const all = await Promise.all(endpoints.map(({ endpoint_id }) => readDeliveries(endpoint_id)))
    return all.every(({ length }) => length > 0) && all.flat()
  })
  const eventId = deliveries[0].event_id
  const expected = deliveries.map(({ delivery_id }) => `webhook_delivery ${delivery_id}`).toSorted()
  assert.equal(expected.length, 2)
  assert.deepEqual((await finds(eventId)).toSorted(), expected)
  await ask(call, 'POST', `/webhooks/endpoints/${endpoints[0].endpoint_id}/replay`, { after: 0 })
  assert.deepEqual((await finds(eventId)).toSorted(), expected)
})

test('a search for an event sent to many endpoints returns only a few deliveries', async () => {
  const { call } = await app.tenant()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    await ask(call, 'POST', '/webhooks/endpoints', { url: `http://127.0.0.1:9/${name}` })
  await ask(call, 'POST', '/users', { publisher_user_id: 'many' })
  const eventId = await eventually(async () => {
    const [row] = await app.owner.reader<{ eventId: string }[]>`
      select event_id from webhook_deliveries where type = 'user.created' group by event_id having count(*) = 6`
    return row?.eventId ?? false
  })
  assert.equal((await finds(encodeId('evt', eventId))).length, 5)
})

test("the UUID of another record does not trigger a search of that day's deliveries", async () => {
  const { id } = redeemer.publisher
  await app.owner.reader`
    insert into webhook_deliveries (publisher_id, endpoint_id, user_id, event_id, type, sequence, created_at)
    values (${id}, ${newUuid()}, ${newUuid()}, ${id}, 'user.created', 0, ${decodeUuidTime(id)})`
  assert.deepEqual(await finds(id), [`publisher ${encodeId('pub', id)}`])
  assert.equal((await finds(encodeId('evt', id))).length, 1)
})

test('an unknown ID yields no results, regardless of the time it encodes', async () => {
  for (const uuid of [newUuid(), 'ffffffff-ffff-7fff-bfff-ffffffffffff', '00000000-0000-7000-8000-000000000000']) {
    assert.deepEqual(await finds(encodeId('evt', uuid)), [])
    assert.deepEqual(await finds(uuid), [])
  }
})

test("a search returns only what the operator's role may read", async () => {
  await ask(redeemer.call, 'POST', '/users', { publisher_user_id: 'hidden', email: 'hidden@example.com' })
  const userUid = encodeId('usr', toUserId(redeemer.publisher.id, 'hidden'))
  const [catalog, support] = [await app.staff('catalog'), await app.staff('support')]
  for (const text of ['hidden@example.com', 'hidden', userUid]) {
    const q = encodeURIComponent(text)
    const kinds = async (call: typeof catalog) =>
      (await ask(call, 'GET', `/operator/search?q=${q}`)).content.map((one: { kind: string }) => one.kind)
    assert.deepEqual(await kinds(catalog), [], text)
    assert.deepEqual(await kinds(support), ['user'], text)
  }
})
