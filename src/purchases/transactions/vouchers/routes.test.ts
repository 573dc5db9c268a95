import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { importCodes } from '../../../catalog/allowances/index.ts'

const offer = (offer_uid: string) => ({
  offer_uid,
  name: 'Codes',
  description: '$3 off',
  offer_type: 'VOUCHER_CODE',
  reward_type: 'CASHBACK_DOLLAR',
  commission: { amount: 3 },
  refund_period_days: 5,
  min_spend: 10,
  terms_and_conditions: 'Sample.',
  unique_codes: true,
})

let app: TestApp
const TODAY = new Date().toISOString().slice(0, 10)

before(async () => {
  app = await startTestApp()
  await app.catalog({
    categories: [{ category_id: 1, category: 'BOOKS' }],
    brands: [
      {
        brand_uid: 'brand-books',
        category_id: 1,
        name: 'Paper Lantern',
        website: 'https://paper.example',
        offers: [offer('offer-codes'), offer('offer-short')],
      },
    ],
  })
  const fill = (offerUid: string, codes: readonly string[], expiresOn: string | null) =>
    app.service.db.transaction((tx) =>
      importCodes(
        tx,
        app.service.vault,
        { offerUid, environment: 'sandbox' },
        codes.map((code) => ({ code, expiresOn })),
        new Date(),
      ),
    )
  await fill('offer-codes', ['LONG-A1', 'LONG-B2', 'LONG-C3'], null)
  await fill('offer-short', ['SHORT-A1', 'SHORT-B2'], TODAY)
})

after(() => app.close())

async function user(publisher_user_id: string): Promise<void> {
  assert.equal((await app.call('POST', '/users', { publisher_user_id })).status, 200)
  assert.equal((await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })).status, 200)
}

const handOut = async (publisher_user_id: string, offerUid = 'offer-codes') =>
  (await app.call('POST', `/offers/${offerUid}/voucher-code`, { publisher_user_id })).body.voucher_code as string

const report = async (publisher_user_id: string, external_id: string, more: object) =>
  (await app.call('POST', '/transactions', { publisher_user_id, external_id, source: 'VOUCHER', amount: 20, ...more }))
    .body

async function readCodes(name: string) {
  const { status, body } = await app.call('GET', `/users/${name}/voucher-codes`)
  assert.equal(status, 200)
  return body.content
}

async function pool(offerUid: string) {
  const { status, body } = await app.operator('GET', `/operator/voucher-pools/${offerUid}`)
  assert.equal(status, 200)
  const { environment, ...counts } = body.pools[1]
  assert.equal(environment, 'sandbox')
  return counts
}

const NONE = { free: 0, assigned: 0, reported: 0, redeemed: 0, returned: 0, expired: 0 }

test('a code is assigned, then reported by a hold, redeemed by its clearing, and returned by a refund', async () => {
  await user('ann')
  assert.deepEqual(await readCodes('ann'), [])
  const voucher_code = await handOut('ann')
  const [assigned] = await readCodes('ann')
  assert.match(assigned.voucher_code_id, /^vcd_/)
  assert.deepEqual([assigned.status, assigned.offer_uid, assigned.transaction_uid], ['assigned', 'offer-codes', null])
  assert.ok(!JSON.stringify(assigned).includes(voucher_code))
  assert.deepEqual(await pool('offer-codes'), { ...NONE, free: 2, assigned: 1 })

  const { transaction_uid } = await report('ann', 'hold', { kind: 'AUTHORIZATION', voucher_code })
  const [reported] = await readCodes('ann')
  assert.deepEqual([reported.status, reported.transaction_uid], ['reported', transaction_uid])
  assert.deepEqual(await pool('offer-codes'), { ...NONE, free: 2, reported: 1 })

  await report('ann', 'cleared', { original_external_id: 'hold', voucher_code })
  assert.equal((await readCodes('ann'))[0].status, 'redeemed')
  assert.deepEqual(await pool('offer-codes'), { ...NONE, free: 2, redeemed: 1 })

  await report('ann', 'back', { kind: 'REFUND', original_external_id: 'hold' })
  const [returned] = await readCodes('ann')
  assert.deepEqual([returned.status, returned.transaction_uid], ['returned', transaction_uid])
  assert.deepEqual(await pool('offer-codes'), { ...NONE, free: 2, returned: 1 })
  assert.equal(await handOut('ann'), voucher_code)
  await report('ann', 'again', { voucher_code })
  assert.equal((await readCodes('ann'))[0].status, 'redeemed')
})

test('a code reported for a purchase that earns nothing can be used again', async () => {
  await user('bob')
  const voucher_code = await handOut('bob')
  const small = await report('bob', 'small', { voucher_code, amount: 5 })
  assert.equal(small.status_reason, 'below_min_spend')
  assert.equal((await readCodes('bob'))[0].status, 'returned')
})

test('a code reported by another user earns nothing for a distinct reason and remains assigned', async () => {
  await user('cleo')
  await user('thief')
  const voucher_code = await handOut('cleo')
  const stolen = await report('thief', 'stolen', { voucher_code })
  assert.deepEqual([stolen.status, stolen.status_reason], ['CANCELLED', 'voucher_code_mismatch'])
  assert.deepEqual(await readCodes('thief'), [])
  assert.equal((await readCodes('cleo'))[0].status, 'assigned')
})

test('an unused code expires, whether assigned or free', async () => {
  await user('dora')
  await handOut('dora', 'offer-short')
  assert.deepEqual(await pool('offer-short'), { ...NONE, free: 1, assigned: 1 })
  await app.service.db.transaction(
    (tx) => tx`update voucher_codes set expires_on = expires_on - 3 where offer_uid = 'offer-short'`,
  )
  assert.equal((await readCodes('dora'))[0].status, 'expired')
  assert.deepEqual(await pool('offer-short'), { ...NONE, expired: 2 })
  assert.deepEqual(await pool('offer-none'), NONE)
})

test("the codes of an unknown user or of another publisher's user are not found", async () => {
  await user('eve')
  assert.equal((await app.call('GET', '/users/nobody/voucher-codes')).status, 404)
  const { call } = await app.tenant()
  assert.equal((await call('GET', '/users/eve/voucher-codes')).status, 404)
})
