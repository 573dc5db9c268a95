import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { CHECKING, openRedeemer } from '../../../test/support/redemptions.ts'
import { registry } from '../../platform/telemetry/metrics.ts'
import { showRedemptions } from './metrics.ts'

let app: TestApp

before(async () => {
  // Nothing listens on this port, so the bank is unreachable.
  app = await startTestApp({ settings: { LAUREL_PAYOUT_BANK_URL: 'http://127.0.0.1:9' } })
  await app.catalog(CATALOG)
})

after(() => app.close())

test('gauges report the age of open redemptions by status, and the number of payouts that await a response', async () => {
  const { user, redeem, call, readStatus } = await openRedeemer(app)
  const ada = await user('ada', 4)
  await call('PUT', `/users/${ada}/payout-destination`, CHECKING)
  const { redemption_id } = (await redeem(ada, { method: 'simulated' })).body
  await eventually(async () => {
    await showRedemptions(app.service.db.reader, new Date(Date.now() + 90 * 86_400_000))
    return (await figure('laurel_payouts_unanswered')) === 1
  })
  assert.equal(await readStatus(redemption_id), 'sent')
  assert((await figure('laurel_redemptions_oldest_seconds', { environment: 'sandbox', status: 'sent' })) > 86_400)
  assert.equal(await figure('laurel_redemptions_oldest_seconds', { environment: 'production', status: 'sent' }), 0)
  assert.equal(await figure('laurel_redemptions_oldest_seconds', { environment: 'sandbox', status: 'approved' }), 0)
})

async function figure(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const found = (await registry.getSingleMetric(name)?.get())?.values.find((one) =>
    Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )
  return found?.value ?? Number.NaN
}
