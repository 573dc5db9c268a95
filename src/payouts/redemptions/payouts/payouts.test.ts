import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../../../../test/support/redemptions.ts'
import { verifyLedger } from '../../../ledger/index.ts'
import { verifyRedemptions } from '../verify-queries.ts'

// The last digits of the account number select how the simulated bank behaves (simulator/README.md).

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})

after(async () => {
  const { reader } = app.service.db
  assert.deepEqual([...(await verifyLedger(reader)), ...(await verifyRedemptions(reader))], [])
  await app.close()
})

/** Creates a user and requests a payout of the full balance to an account ending in these digits. */
async function payTo(ending: string, redeemer: Redeemer, name = 'ada'): Promise<string> {
  await redeemer.user(name, 4)
  return payUserTo(ending, redeemer, name)
}

async function payUserTo(ending: string, redeemer: Redeemer, name: string): Promise<string> {
  const account = { ...CHECKING, account_number: `4400123${ending}` }
  await redeemer.call('PUT', `/users/${name}/payout-destination`, account)
  const { status, body } = await redeemer.redeem(name, { method: 'simulated' })
  assert.equal(status, 200, JSON.stringify(body))
  return body.redemption_id
}

async function controls(path: string, body: object): Promise<void> {
  const answer = await fetch(`${app.simulatorUrl}/_sim/payouts${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.text())
}

test('the bank pays on its own schedule, and its outcomes are applied as the clock advances', async () => {
  const redeemer = await openRedeemer(app)
  const id = await payTo('00', redeemer)
  await eventually(async () => (await redeemer.readStatus(id)) === 'sent')
  assert.deepEqual(await redeemer.balances('ada'), { available: 0, redeemed: 0, debt: 0 })
  await redeemer.days(2)
  assert.equal(await redeemer.readStatus(id), 'paid')
  assert.deepEqual(await redeemer.balances('ada'), { available: 0, redeemed: 4, debt: 0 })
})

test('every bank behavior maps to the right status and reason', async () => {
  const cases: readonly [ending: string, days: number, status: string, reason: string | null, available: number][] = [
    ['01', 0, 'failed', 'destination_invalid', 4],
    ['02', 2, 'failed', 'destination_invalid', 4],
    ['03', 2, 'paid', null, 0],
    ['04', 2, 'sent', null, 0],
    ['05', 2, 'paid', null, 0],
    ['03', 5, 'returned', 'destination_invalid', 4],
    ['04', 6, 'paid', null, 0],
  ]
  const redeemer = await openRedeemer(app)
  const endings = new Set(cases.map(([ending]) => ending))
  // All users are added before any of them redeems, because adding a user moves the clock.
  for (const ending of endings) await redeemer.user(`payee-${ending}`, 4)
  const ids = new Map<string, string>()
  for (const ending of endings) ids.set(ending, await payUserTo(ending, redeemer, `payee-${ending}`))
  // Waits until the bank has received every payout. A call whose answer was lost is retried after a few seconds of real
  // time.
  await eventually(async () => (await countQueued(redeemer)) === 0)
  let passed = 0
  for (const [ending, days, status, reason, available] of cases) {
    const label = `${ending} after ${days} days`
    if (days > passed) await redeemer.days(days - passed)
    passed = days
    const { body } = await redeemer.call('GET', `/redemptions/${ids.get(ending)}`)
    assert.deepEqual([body.status, body.reason], [status, reason], label)
    assert.equal((await redeemer.balances(`payee-${ending}`)).available, available, label)
    const destination = await redeemer.call('GET', `/users/payee-${ending}/payout-destination`)
    assert.equal(destination.status, reason === 'destination_invalid' ? 404 : 200, label)
  }
})

async function countQueued({ publisher }: Redeemer): Promise<number> {
  const [row] = await app.owner.reader<{ count: number }[]>`
    select count(*)::int as count from payout_queue where publisher_id = ${publisher.id}`
  return row?.count ?? 0
}

type ListedPayout = { readonly reference: string; readonly accepted_at: string }

async function listPayouts(): Promise<readonly ListedPayout[]> {
  const answer = await fetch(`${app.simulatorUrl}/_sim/payouts`)
  return ((await answer.json()) as { payouts: readonly ListedPayout[] }).payouts
}

async function listSentTimes({ publisher }: Redeemer): Promise<readonly string[]> {
  const rows = await app.owner.reader<{ updatedAt: Date }[]>`
    select updated_at from redemptions where publisher_id = ${publisher.id} and status = 'sent'`
  return rows.map(({ updatedAt }) => updatedAt.toISOString())
}

test('each payout is paid exactly once, as of when it was sent, no matter how calls to the bank fail', async () => {
  const redeemer = await openRedeemer(app)
  for (const fault of ['unavailable', 'lost_answer', 'unreadable'] as const) {
    await controls('/faults', { calls: 2, fault })
    const id = await payTo('00', redeemer, fault)
    await eventually(async () => (await redeemer.readStatus(id)) === 'sent' && (await countQueued(redeemer)) === 0)
    const accepted = (await listPayouts()).map((payout) => payout.accepted_at)
    const [sentAt = ''] = await listSentTimes(redeemer)
    assert.ok(accepted.includes(sentAt), fault)
    await controls('/faults', { calls: 2, fault })
    await redeemer.days(1)
    await eventually(async () => {
      await redeemer.days(1)
      return (await redeemer.readStatus(id)) === 'paid'
    })
    assert.equal((await redeemer.balances(fault)).redeemed, 4, fault)
  }
  const payouts = await listPayouts()
  assert.equal(new Set(payouts.map(({ reference }) => reference)).size, payouts.length)
})

test('a redemption awaiting approval can be canceled before the bank receives it', async () => {
  const redeemer = await openRedeemer(app, { redemptionReviewAbove: 0n })
  const id = await payTo('00', redeemer)
  assert.equal(await redeemer.readStatus(id), 'requested')
  await redeemer.days(3)
  assert.equal((await redeemer.call('POST', `/redemptions/${id}/cancel`)).body.status, 'cancelled')
  await redeemer.days(3)
  assert.deepEqual(await redeemer.balances('ada'), { available: 4, redeemed: 0, debt: 0 })
})
