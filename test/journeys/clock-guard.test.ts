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

test('a worker whose host differs from the database’s clock matures nothing until it agrees again', async () => {
  await app.catalog(CATALOG)
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  const gift = { publisher_user_id: 'ada', external_id: 'gift', source: 'GIFT_CARD', amount: 50 }
  const { body } = await app.call('POST', '/transactions', { ...gift, offer_uid: 'offer-gadgets-gift' })
  const status = async () => (await app.call('GET', `/transactions/${body.transaction_uid}`)).body.status
  assert.equal(await status(), 'PENDING')
  aheadMs = 3 * DAY_MS
  // Two looks a pass: by the sixth, a whole pass has ended since the reward became due.
  const before = looks
  await eventually(async () => looks >= before + 6)
  assert.equal(await status(), 'PENDING')
  hostAheadMs = 0
  await eventually(async () => (await status()) === 'EARNED')
})
