import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { acceptTerms, createUser } from '../../src/users/users/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// The list contains the offers that a user can still use, and is updated after every purchase.

const offer = (offer_uid: string, given: object) => ({
  offer_uid,
  name: offer_uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate: 5 },
  refund_period_days: 3650,
  ...given,
})
const JOINED = new Date('2026-01-01T12:00:00Z')
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.catalog({
    categories: [{ category_id: 1, category: 'GROCERY' }],
    brands: [
      {
        brand_uid: 'shop',
        category_id: 1,
        name: 'Shop',
        offers: [
          offer('once', { one_time_use: true, commission: { rate: 9 } }),
          offer('welcome', { new_customer_only: true, commission: { rate: 7 } }),
          offer('always', {}),
        ],
      },
      {
        brand_uid: 'club',
        category_id: 1,
        name: 'Club',
        offers: [offer('back', { lapsed_customer_only: true, lapsed_customer_days: 60, commission: { rate: 6 } })],
      },
    ],
  })
  for (const name of ['ada', 'bob', 'cleo']) {
    await app.service.db.transaction(async (tx) => {
      await createUser(
        tx,
        app.publisher,
        { publisherUserId: name, email: null, primaryZipCode: null, attributes: null },
        JOINED,
      )
      await acceptTerms(tx, app.publisher, name, app.tncId, JOINED)
    })
  }
})
after(() => app.close())

async function offersFor(user: string): Promise<string[]> {
  const { body } = await app.call('GET', `/publishers/brands?publisher_user_id=${user}`)
  return body.content.flatMap((brand: { offers: { offer_uid: string }[] }) => brand.offers.map((one) => one.offer_uid))
}

async function report(kind: string, more: object): Promise<void> {
  const event = {
    publisher_user_id: 'ada',
    source: 'CARD',
    kind,
    amount: 50,
    currency: 'USD',
    brand_uid: 'shop',
    ...more,
  }
  const { status, body } = await app.call('POST', '/transactions', event)
  assert.equal(status, 200, JSON.stringify(body))
}

test("a used-up offer disappears only from its user's list, and a full refund restores it", async () => {
  assert.deepEqual(await offersFor('ada'), ['once', 'welcome', 'always'])
  await report('CLEARING', { external_id: 'a' })
  assert.deepEqual(await offersFor('ada'), ['always'])
  assert.deepEqual(await offersFor('bob'), ['once', 'welcome', 'always'])
  await report('REFUND', { external_id: 'b', original_external_id: 'a' })
  // A user who has bought is no longer a new customer, even after a full refund.
  assert.deepEqual(await offersFor('ada'), ['once', 'always'])
})

test('an offer for lapsed customers is listed only for them, until they buy again', async () => {
  const now = Date.now()
  const ago = (days: number): string => new Date(now - days * 86_400_000).toISOString()
  const at = { publisher_user_id: 'cleo', brand_uid: 'club' }
  assert.ok(!(await offersFor('cleo')).includes('back'), 'who never came has not stayed away')
  await report('CLEARING', { ...at, external_id: 'c1', transaction_date_time: ago(90) })
  assert.ok((await offersFor('cleo')).includes('back'))
  await report('CLEARING', { ...at, external_id: 'c2', transaction_date_time: ago(1) })
  assert.ok(!(await offersFor('cleo')).includes('back'), 'who was here yesterday is back')
})
