import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openRoutes } from '../../../../test/support/affiliate-world.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import { readFirstRows } from '../../../tenants/access/index.ts'
import { setNetworkSecret, setWindowDays } from '../networks.ts'
import { savePrograms } from '../service.ts'
import { assignReport } from './unmatched.ts'
import { UNKNOWN_POSTBACKS } from './unmatched-queries.ts'

const place = await openRoutes('attribution')
const { ask, db, clock, links } = place
const { publisher } = await place.tenant()
const SECRET = 'a-secret-of-awin-0001'
const start = clock.at
let users = 0
let user = await place.addUser(publisher, 'first')

await db.transaction(async (tx) => {
  const dates = { currency: 'USD', firstDay: null, lastDay: null }
  await savePrograms(tx, [{ offerUid: 'off_a', network: 'awin', addressTemplate: 'https://shop.example/', ...dates }])
  await setNetworkSecret(tx, place.vault, 'awin', SECRET, clock.at)
})

beforeEach(async () => {
  user = await place.addUser(publisher, `user-${++users}`)
  clock.at = start
})

const after = (days: number): Date => new Date(start.getTime() + days * DAY_MS)

async function click(days: number): Promise<string> {
  clock.at = after(days)
  const { headers } = await ask(new URL(links.forUser(user)('off_a')).pathname)
  return /[0-9a-f]{32}/.exec(String(headers.location))?.[0] ?? ''
}

/** Reports a sale. Returns true if it is credited. */
async function report(sub_id: string, receivedDays: number, more: Readonly<Record<string, string>>): Promise<boolean> {
  clock.at = after(receivedDays)
  const sale = { sub_id, order_id: `order-${users}`, amount: '5', status: 'pending', secret: SECRET, ...more }
  assert.equal((await ask(`/postbacks/awin?${new URLSearchParams(sale)}`)).status, 200)
  const [row] = await db.reader<{ isCredited: boolean }[]>`
    select user_id is not null as is_credited from postbacks where sub_id = ${sub_id} order by received_at desc, postback_id desc limit 1`
  return row?.isCredited === true
}
const soldOn = (days: number) => ({ date: after(days).toISOString() })
const newestUnknown = () => readFirstRows(db.reader, UNKNOWN_POSTBACKS, {}, { sort: '-received_at', limit: 1 })
const reasons = async () => (await newestUnknown()).map(({ reason }) => reason)

test('a sale is credited to a click in the 30 days before it, but not to an older one', async () => {
  const subId = await click(0)
  assert.equal(await report(subId, 60, soldOn(30)), true)
  assert.equal(await report(subId, 60, { ...soldOn(30.01), order_id: 'late' }), false)
  assert.deepEqual(await reasons(), ['outside_window'])
  const dayAfter = after(31).toISOString().slice(0, 10)
  assert.equal(await report(subId, 60, { date: dayAfter, order_id: 'later' }), false)
})

test('a sale without a date is dated by its first report', async () => {
  const subId = await click(0)
  assert.equal(await report(subId, 29, {}), true)
  assert.equal(await report(subId, 80, { status: 'approved' }), true)
  assert.equal(await report(subId, 80, { status: 'approved', order_id: 'other' }), false)
})

test('a click outside the window is credited only if the same user has clicked on the offer again', async () => {
  const subId = await click(0)
  const mine = user
  user = await place.addUser(publisher, 'other')
  await click(40)
  user = mine
  assert.equal(await report(subId, 60, { ...soldOn(45), order_id: 'before' }), false)
  await click(40)
  assert.equal(await report(subId, 60, soldOn(45)), true)
  assert.equal(await report(subId, 60, { ...soldOn(39), order_id: 'too early' }), false)
})

test("a network's window can be set from 1 to 90 days", async () => {
  const set = (network: string, days: number) => db.transaction((tx) => setWindowDays(tx, network, days, clock.at))
  const subId = await click(0)
  await set('awin', 45)
  assert.equal(await report(subId, 60, soldOn(44)), true)
  for (const days of [0, 91, 1.5])
    await assert.rejects(set('awin', days), { code: 'network_invalid', field: 'window_days' })
  await assert.rejects(set('nobody', 45), { code: 'network_invalid', field: 'network' })
})

test('an assigned sale remains with its click, regardless of the dates in its later reports', async () => {
  const subId = await click(0)
  assert.equal(await report(subId, 100, {}), false)
  const other = `other-${users}`
  user = await place.addUser(publisher, other)
  const chosen = await click(50)
  clock.at = after(101)
  const [one] = await newestUnknown()
  const assignment = { publisher, publisherUserId: other, offerUid: 'off_a', by: 'ann', reason: 'a receipt' }
  await db.transaction((tx) => assignReport(tx, { ...assignment, postbackId: one?.postbackId ?? '' }, clock.at))
  await report(subId, 102, { ...soldOn(20), status: 'approved' })
  const rows = await db.reader`
    select distinct sub_id from postbacks where order_id = ${`order-${users}`} and user_id is not null`
  assert.deepEqual(
    rows.map((row) => row['subId']),
    [chosen],
  )
})
