import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { encodeId } from '../../platform/ids.ts'
import { importCodes } from './service.ts'

let app: TestApp
let users = 0

const FILE = {
  ...CATALOG,
  brands: [
    ...CATALOG.brands,
    {
      brand_uid: 'brand-limits',
      category_id: 1,
      name: 'Limits and Sons',
      offers: [
        ['activate', { activation_required: true }],
        ['codes', { unique_codes: true, offer_type: 'VOUCHER_CODE' }],
        ['over', { end_date: '2020-01-01' }],
      ].map(([name, more]) => ({
        offer_uid: `offer-${String(name)}`,
        name: String(name),
        offer_type: 'CARD_LINKED',
        reward_type: 'CASHBACK_PERCENTAGE',
        commission: { rate: 10 },
        ...(more as object),
      })),
    },
  ],
}

before(async () => {
  app = await startTestApp()
  await app.catalog(FILE)
})
after(() => app.close())

async function newUser(accepts = true): Promise<string> {
  const publisher_user_id = `limited-${users++}`
  await app.call('POST', '/users', { publisher_user_id })
  if (accepts) await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  return publisher_user_id
}

test('activating an offer returns the time, and users who may not activate it can still deactivate it', async () => {
  const publisher_user_id = await newUser()
  const first = await app.call('POST', '/offers/offer-activate/activate', { publisher_user_id })
  const again = await app.call('POST', '/offers/offer-activate/activate', { publisher_user_id })
  assert.equal(first.status, 200)
  assert.deepEqual(again.body, first.body)
  assert.deepEqual(Object.keys(first.body), ['offer_uid', 'publisher_user_id', 'activated_at'])
  assert(Date.parse(first.body.activated_at) <= Date.now())
  await app.call('DELETE', `/users/${publisher_user_id}`)
  const ended = await app.call('DELETE', `/offers/offer-activate/activate?publisher_user_id=${publisher_user_id}`)
  assert.deepEqual([ended.status, ended.body.activated_at], [200, null])
})

test('activation and voucher codes are rejected for unknown or inactive users and offers', async () => {
  const user = await newUser()
  const pending = await newUser(false)
  const rows = [
    ['nobody', 'offer-activate', 404, 'user_not_found'],
    [user, 'offer-unheard-of', 404, 'offer_unknown'],
    [pending, 'offer-activate', 409, 'user_not_active'],
    [user, 'offer-over', 409, 'offer_not_available'],
  ] as const
  for (const [publisher_user_id, offer, status, code] of rows) {
    for (const act of ['activate', 'voucher-code']) {
      const answer = await app.call('POST', `/offers/${offer}/${act}`, { publisher_user_id })
      assert.deepEqual([answer.status, answer.body.code], [status, code], `${act} ${code}`)
    }
  }
  const noCodes = await app.call('POST', '/offers/offer-activate/voucher-code', { publisher_user_id: user })
  assert.deepEqual([noCodes.status, noCodes.body.code], [409, 'offer_not_available'])
})

test('an offer that the publisher does not carry is reported as unknown', async () => {
  const { publisher, call } = await app.tenant()
  await call('POST', '/users', { publisher_user_id: 'ada' })
  await call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  const path = `/operator/publishers/${encodeId('pub', publisher.id)}/assortment`
  const put = await app.operator('PUT', path, { offers: [{ offer_uid: 'offer-activate', carried: false }] })
  assert.equal(put.status, 200)
  await app.service.catalog.refresh()
  for (const [method, path] of [
    ['POST', '/offers/offer-activate/activate'],
    ['POST', '/offers/offer-activate/voucher-code'],
    ['DELETE', '/offers/offer-activate/activate?publisher_user_id=ada'],
  ] as const) {
    const answer = await call(method, path, method === 'POST' ? { publisher_user_id: 'ada' } : undefined)
    assert.deepEqual([answer.status, answer.body.code], [404, 'offer_unknown'], `${method} ${path}`)
  }
})

test('a shared code goes to every user, a pool code to only one, and an empty pool yields an error', async () => {
  const [one, two] = [await newUser(), await newUser()]
  const ask = (offer: string, publisher_user_id: string) =>
    app.call('POST', `/offers/${offer}/voucher-code`, { publisher_user_id })
  assert.equal((await ask('offer-gadgets-code', one)).body.voucher_code, 'SAVE3')
  assert.equal((await ask('offer-gadgets-code', two)).body.voucher_code, 'SAVE3')
  const { db, vault } = app.service
  await db.transaction((tx) =>
    importCodes(
      tx,
      vault,
      { offerUid: 'offer-codes', environment: 'sandbox' },
      [{ code: 'ONLY-1', expiresOn: '2999-12-31' }],
      new Date(),
    ),
  )
  const given = await ask('offer-codes', one)
  assert.deepEqual(given.body, {
    offer_uid: 'offer-codes',
    publisher_user_id: one,
    voucher_code: 'ONLY-1',
    expires_on: '2999-12-31',
  })
  const refused = await ask('offer-codes', two)
  assert.deepEqual([refused.status, refused.body.code], [409, 'codes_exhausted'])
  const used = await app.call('POST', '/transactions', {
    publisher_user_id: one,
    external_id: 'with-code',
    source: 'VOUCHER',
    voucher_code: 'only-1',
    amount: 20,
  })
  assert.deepEqual([used.body.status, used.body.offer_uid, used.body.user_cashback], ['PENDING', 'offer-codes', 2])
  const decision = await app.call('GET', `/transactions/${used.body.transaction_uid}/decision`)
  assert(!/only-1/i.test(JSON.stringify(decision.body)), 'the trace shows the code')
})

test('another publisher cannot end an activation', async () => {
  const publisher_user_id = await newUser()
  await app.call('POST', '/offers/offer-activate/activate', { publisher_user_id })
  const other = await app.tenant()
  const ended = await other.call('DELETE', `/offers/offer-activate/activate?publisher_user_id=${publisher_user_id}`)
  assert.deepEqual([ended.status, ended.body.code], [404, 'user_not_found'])
})
