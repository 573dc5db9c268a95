import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUserId } from '../../src/platform/ids.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { CATALOG, fetchPatiently, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// Advancing a sandbox clock returns once all due work is done, including work already in progress in a worker.

const SECRET = 'a-secret-of-the-network'
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  const { db, vault } = app.service
  await db.transaction((tx) => setNetworkSecret(tx, vault, 'default', SECRET, new Date()))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})
after(() => app.close())

async function clicked(): Promise<string | null> {
  const { body } = await app.call('GET', '/publishers/brands/brand-gadgets?publisher_user_id=ada')
  const offer = body[0].offers.find((one: { offer_types: string }) => one.offer_types === 'AFFILIATE')
  const { headers } = await fetchPatiently(offer.tracking_url, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '').searchParams.get('sub')
}

/** Waits until this many statements are blocked on a lock. */
function waiting(count: number): Promise<unknown> {
  return eventually(async () => {
    const rows = await app.owner.reader`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return rows.length >= count
  })
}

test("advancing the clock waits for rewards and sales while the user's balance is locked", async () => {
  const gift = { publisher_user_id: 'ada', external_id: 'gift', source: 'GIFT_CARD', amount: 50 }
  const bought = await app.call('POST', '/transactions', { ...gift, offer_uid: 'offer-gadgets-gift' })
  assert.deepEqual([bought.body.status, bought.body.user_cashback], ['PENDING', 2])
  const sale = { sub_id: await clicked(), order_id: 'order-1', amount: 100, currency: 'USD', status: 'approved' }
  const { moving } = await app.service.db.transaction(async (tx) => {
    await tx`select 1 from user_balances where user_id = ${toUserId(app.publisher.id, 'ada')} for update`
    const headers = { 'content-type': 'application/json', 'X-Postback-Secret': SECRET }
    const sent = { method: 'POST', headers, body: JSON.stringify(sale) }
    assert.equal((await fetchPatiently(`${app.service.url}/postbacks/default`, sent)).status, 200)
    // The worker blocks while processing the sale.
    await waiting(1)
    const moving = app.call('POST', '/sandbox/clock', { advance_days: 2 })
    await waiting(2)
    return { moving }
  })
  assert.equal((await moving).status, 200)
  const { body } = await app.call('GET', '/transactions?publisher_user_id=ada&sort=amount')
  assert.deepEqual(
    body.content.map((one: Record<string, unknown>) => [one['source'], one['status'], one['user_cashback']]),
    [
      ['GIFT_CARD', 'EARNED', 2],
      ['AFFILIATE', 'PENDING', 8],
    ],
  )
})

test("advancing the clock waits for rewards to mature while the user's balance is locked", async () => {
  const gift = { publisher_user_id: 'ada', external_id: 'second', source: 'GIFT_CARD', amount: 25 }
  assert.equal((await app.call('POST', '/transactions', { ...gift, offer_uid: 'offer-gadgets-gift' })).status, 200)
  const standing = async () => (await app.call('GET', '/users/status/ada')).body.available_cashback
  const before = await standing()
  const { moving } = await app.service.db.transaction(async (tx) => {
    await tx`select 1 from user_balances where user_id = ${toUserId(app.publisher.id, 'ada')} for update`
    const moving = app.call('POST', '/sandbox/clock', { advance_days: 2 })
    await waiting(1)
    return { moving }
  })
  assert.equal((await moving).status, 200)
  assert.equal(await standing(), before + 1)
})
