import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { CHECKING, openRedeemer } from '../../test/support/redemptions.ts'

let app: TestApp
let answer = ''
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end(answer))
}).unref()

before(async () => {
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve)
  })
  app = await startTestApp()
  await app.catalog(CATALOG)
})

after(async () => {
  await app.close()
  receiver.close()
})

test('a publisher may answer the webhook that tells it to pay with the outcome; other answers say nothing', async () => {
  const { user, redeem, call, statusOf } = await openRedeemer(app)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await call('POST', '/webhooks/endpoints', { url, event_types: ['redemption.sent'] })
  const delivered = async (count: number) => {
    const { body } = await call('GET', '/webhooks/deliveries?status=delivered')
    return body.total_elements === count
  }
  const ada = await user('ada', 4)
  for (const [index, other] of ['', 'ok', '{"status":"lost"}', '{"status":"paid","who":1}'].entries()) {
    answer = other
    const { redemption_id } = (await redeem(ada, { amount: 0.5 })).body
    await eventually(() => delivered(index + 1))
    await eventually(async () => (await waitingFacts()) === 0)
    assert.equal(await statusOf(redemption_id), 'sent', other)
  }
  answer = JSON.stringify({ status: 'paid', payout_reference: 'wire-7' })
  const { redemption_id } = (await redeem(ada, { amount: 0.5 })).body
  await eventually(async () => (await statusOf(redemption_id)) === 'paid')
  assert.equal((await call('GET', `/redemptions/${redemption_id}`)).body.payout_reference, 'wire-7')
  await call('PUT', `/users/${ada}/payout-destination`, CHECKING)
  const byBank = (await redeem(ada, { amount: 0.5, method: 'simulated' })).body.redemption_id
  await eventually(() => delivered(6))
  await eventually(async () => (await waitingFacts()) === 0)
  assert.equal(await statusOf(byBank), 'sent', 'only the bank says what became of a payout that it makes')
  answer = JSON.stringify({ status: 'failed', reason: 'not_paid', message: 'The wallet is blocked' })
  const refused = (await redeem(ada, { amount: 0.5 })).body.redemption_id
  await eventually(async () => (await statusOf(refused)) === 'failed')
})

async function waitingFacts(): Promise<number> {
  const [row] = await app.owner.reader<{ count: number }[]>`select count(*)::int as count from facts`
  return row?.count ?? 0
}
