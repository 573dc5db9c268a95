import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { insertCard, insertFeedRows } from '../../../test/support/feed-rows.ts'
import { openRedeemer, type Redeemer } from '../../../test/support/redemptions.ts'
import { toUserId } from '../../platform/ids.ts'
import { ingestEvents, type SourceEventInput } from '../transactions/index.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

async function claimant(settings: Parameters<typeof openRedeemer>[1] = {}): Promise<Redeemer> {
  const redeemer = await openRedeemer(app, settings)
  await redeemer.user('ada', 0)
  return redeemer
}

async function readDetail({ call }: Redeemer, more: object) {
  const claim = { publisher_user_id: 'ada', external_ref: randomUUID(), kind: 'missing', amount: 50, ...more }
  const { status, body } = await call('POST', '/claims', claim)
  assert.equal(status, 200, JSON.stringify(body))
  return (await app.operator('GET', `/operator/claims/${body.claim_id}`)).body
}

const earns = (amount: number) => ({ amount, currency: 'USD', status_reason: null })

test('the estimate is the best reward the purchase could earn, or null if the claim lacks details', async () => {
  const redeemer = await claimant({ ownCardFeed: true })
  const known = await readDetail(redeemer, { brand_uid: 'brand-market' })
  assert.deepEqual([known.would_earn, known.brand_name], [earns(2.5), 'Corner Market'])
  const byName = await readDetail(redeemer, { merchant: 'Corner Market' })
  assert.deepEqual(byName.would_earn, earns(2.5))
  const tooLittle = await readDetail(redeemer, { brand_uid: 'brand-market', amount: 9 })
  assert.deepEqual(tooLittle.would_earn, { ...earns(0), status_reason: 'below_min_spend' })
  for (const [offer_uid, reward] of Object.entries({ once: 10, link: 4, gift: 2, code: 3 })) {
    const { would_earn } = await readDetail(redeemer, { offer_uid: `offer-gadgets-${offer_uid}` })
    assert.deepEqual(would_earn, earns(reward), offer_uid)
  }
  assert.deepEqual((await readDetail(redeemer, { brand_uid: 'brand-gadgets' })).would_earn, earns(10))
  assert.equal((await readDetail(redeemer, {})).would_earn, null)
})

test("without a linked card, a claim's estimate ignores card offers", async () => {
  const redeemer = await claimant()
  const { would_earn } = await readDetail(redeemer, { brand_uid: 'brand-market' })
  assert.deepEqual(would_earn, { ...earns(0), status_reason: 'card_not_linked' })
  assert.deepEqual((await readDetail(redeemer, { brand_uid: 'brand-gadgets' })).would_earn, earns(4))
})

test('a claim about a reported purchase is estimated as if the purchase had not been reported yet', async () => {
  const redeemer = await claimant({ ownCardFeed: true })
  const estimate = async (purchase: object, more: object = {}) => {
    const reported = { publisher_user_id: 'ada', external_id: randomUUID(), ...purchase }
    const { transaction_uid } = (await redeemer.call('POST', '/transactions', reported)).body
    const { would_earn, transaction } = await readDetail(redeemer, { kind: 'incorrect', transaction_uid, ...more })
    return [transaction.user_cashback + transaction.user_discount, would_earn]
  }
  assert.deepEqual(await estimate({ brand_uid: 'brand-market', amount: 20 }), [1, earns(2.5)])
  const byGiftCard = { source: 'GIFT_CARD', offer_uid: 'offer-gadgets-gift', amount: 25 }
  assert.deepEqual(await estimate(byGiftCard), [1, earns(2)])
  const withCode = { source: 'VOUCHER', brand_uid: 'brand-gadgets', voucher_code: 'SAVE3', amount: 50 }
  assert.deepEqual(await estimate(withCode), [3, earns(3)])
  // The offer was already used by the purchase itself.
  const once = { brand_uid: 'brand-gadgets', amount: 60 }
  assert.deepEqual(await estimate(once, { amount: 70 }), [10, earns(10)])
  assert.deepEqual(await estimate(once, { amount: 70 }), [0, { ...earns(0), status_reason: 'offer_already_used' }])
})

test('a matured purchase is estimated even though reporting it again would earn nothing', async () => {
  const redeemer = await claimant()
  const { publisher } = redeemer
  const userId = toUserId(publisher.id, 'ada')
  const occurredAt = new Date()
  const purchase: SourceEventInput = {
    userId,
    source: 'CARD',
    externalId: 'row',
    kind: 'CLEARING',
    originalExternalId: null,
    isFeed: true,
    amount: 5_000n,
    currency: 'USD',
    occurredAt,
    dateOnly: true,
    facts: { brandUid: 'brand-market', accountId: 'account' },
  }
  await app.service.db.transaction(async (tx) => {
    await insertCard(tx, publisher, userId, ['account'])
    await insertFeedRows(tx, publisher, [purchase])
    await ingestEvents(tx, app.service, publisher, [purchase], occurredAt)
  })
  await redeemer.days(60)
  const found = await redeemer.call('GET', '/transactions?publisher_user_id=ada')
  const [{ transaction_uid, user_cashback }] = found.body.content
  const again = { publisher_user_id: 'ada', brand_uid: 'brand-market', account_id: 'account', amount: 50 }
  const { body: evaluated } = await redeemer.call('POST', '/transactions/evaluate', {
    ...again,
    transaction_date_time: occurredAt.toISOString(),
  })
  assert.deepEqual([user_cashback, evaluated.status_reason], [2.5, 'stacked'])
  const { would_earn } = await readDetail(redeemer, { kind: 'incorrect', transaction_uid })
  assert.deepEqual(would_earn, earns(2.5))
})

test('the refunded part of a purchase earns nothing, regardless of the amount in the claim', async () => {
  const redeemer = await claimant({ ownCardFeed: true })
  const reported = { publisher_user_id: 'ada', external_id: randomUUID(), brand_uid: 'brand-market', amount: 100 }
  const { transaction_uid } = (await redeemer.call('POST', '/transactions', reported)).body
  const refund = async (amount: number) => {
    const event = { kind: 'REFUND', original_external_id: reported.external_id, external_id: randomUUID(), amount }
    const { status } = await redeemer.call('POST', '/transactions', { publisher_user_id: 'ada', ...event })
    assert.equal(status, 200)
  }
  await refund(60)
  for (const amount of [100, undefined]) {
    const { would_earn, transaction } = await readDetail(redeemer, { kind: 'incorrect', transaction_uid, amount })
    assert.deepEqual([transaction.user_cashback, would_earn], [2, earns(2)])
  }
  await refund(40)
  assert.equal((await readDetail(redeemer, { kind: 'incorrect', transaction_uid })).would_earn, null)
})
