import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DAY_MS } from '../../src/platform/calendar.ts'
import { CATALOG, startTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

let aheadMs = 0
let [hostAheadMs, looks] = [60_000, 0]
const app = await startTestApp({
  clock: { now: () => new Date(Date.now() + aheadMs) },
  hostClock: {
    now: () => {
      looks++
      return new Date(Date.now() + hostAheadMs)
    },
  },
})
after(() => app.close())

test("nothing matures or is dropped while a worker's host clock differs from the database's", async () => {
  await app.catalog(CATALOG)
  await app.call('POST', '/users', { publisher_user_id: 'ada' }, { 'Idempotency-Key': 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  const gift = { publisher_user_id: 'ada', external_id: 'gift', source: 'GIFT_CARD', amount: 50 }
  const { body } = await app.call('POST', '/transactions', { ...gift, offer_uid: 'offer-gadgets-gift' })
  const status = async () => (await app.call('GET', `/transactions/${body.transaction_uid}`)).body.status
  const answersKept = async () => (await app.service.db.reader`select 1 from idempotency_keys`).length
  assert.equal(await status(), 'PENDING')
  aheadMs = 3 * DAY_MS
  // A clock check reads the host clock twice. After eight more readings, the maturing loop, which checks every second,
  // has almost certainly made a pass since the reward came due. The retention loops, which check every ten seconds, may
  // not have.
  const before = looks
  await eventually(async () => looks >= before + 8)
  assert.equal(await status(), 'PENDING')
  assert.equal(await answersKept(), 1)
  hostAheadMs = 0
  await eventually(async () => (await status()) === 'EARNED')
  await eventually(async () => (await answersKept()) === 0)
})
