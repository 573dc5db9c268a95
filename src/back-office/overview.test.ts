import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CATALOG, startTestApp, type Tenant } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { encodeId } from '../platform/ids.ts'

const app = await startTestApp()
await app.catalog(CATALOG)
after(() => app.close())

const toId = (tenant: Tenant) => encodeId('pub', tenant.publisher.id)
const readOverview = async (tenant: Tenant) => {
  const { status, body } = await app.operator('GET', `/operator/overview?publisher_id=${toId(tenant)}`)
  assert.equal(status, 200)
  return body
}

async function join(tenant: Tenant): Promise<void> {
  await tenant.call('POST', '/users', { publisher_user_id: 'ada' })
  await tenant.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
}

async function buy(tenant: Tenant, external_id: string, more: object = {}): Promise<void> {
  const body = { publisher_user_id: 'ada', external_id, source: 'GIFT_CARD', amount: 50, ...more }
  assert.equal((await tenant.call('POST', '/transactions', body)).status, 200)
}

test('a reward is pending on its first day and available on the day it matures', async () => {
  const tenant = await app.tenant()
  await join(tenant)
  await buy(tenant, 'g-1', { offer_uid: 'offer-gadgets-gift' })
  const pending = await eventually(async () => {
    const { money } = await readOverview(tenant)
    return money[0]?.pending
  })
  assert.equal((await tenant.call('POST', '/sandbox/clock', { advance_days: 70 })).status, 200)
  const { money, days, publishers } = await eventually(async () => {
    const overview = await readOverview(tenant)
    return overview.money[0].available > 0 && overview
  })
  assert.deepEqual([money[0].pending, money[0].available, publishers.length, days.length], [0, pending, 1, 2])
  assert.deepEqual(days[0].began, { count: 1, amount: pending })
  assert.deepEqual(days[1].matured, { count: 1, amount: pending })
})

test('purchases are counted by day, along with the number matched to a brand', async () => {
  const tenant = await app.tenant()
  await join(tenant)
  await buy(tenant, 'g-1', { offer_uid: 'offer-gadgets-gift' })
  await buy(tenant, 'g-2', { source: 'CARD', merchant_descriptor: 'ZZYZX NOWHERE 1' })
  const { intake, matching, feeds, webhooks } = await readOverview(tenant)
  assert.equal(intake.length, 84)
  const { day, ...today } = intake.at(-1)
  assert.deepEqual(today, { transactions: 2, pending: 1, earned: 0, cancelled: 1 }, day)
  assert.deepEqual([matching.examined, matching.matched, matching.unmatched], [2, 1, 1])
  assert.deepEqual(feeds, { linked: 0, read_lately: 0, never_read: 0, oldest_read_at: null })
  assert.equal(webhooks.endpoints, 0)
})

test('an unknown publisher returns 404', async () => {
  const { status } = await app.operator('GET', '/operator/overview?publisher_id=pub_01kbjyt5v3f4nvj5yq5yfypr9v')
  assert.equal(status, 404)
})
