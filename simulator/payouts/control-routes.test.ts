import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { day, openBank, request } from './test-support.ts'

type Bank = Awaited<ReturnType<typeof openBank>>

async function paid(bank: Bank, reference: string, ending = '00'): Promise<string> {
  return (await bank.pay(request(reference, ending))).body.payout_id
}

test('payouts are listed newest first, with their plan and only the last four digits of the account', async (t) => {
  const bank = await openBank(t)
  const [first, second] = [await paid(bank, 'first', '03'), await paid(bank, 'second')]
  const list = await bank.payouts()
  assert.deepEqual(
    list.map(({ payout_id }) => payout_id),
    [second, first],
  )
  assert.deepEqual(list[1], {
    payout_id: first,
    account: 'acct-a',
    reference: 'first',
    amount: '12.34',
    currency: 'USD',
    destination: { type: 'us_bank_account', holder_name: 'Ann Example', last4: '6703' },
    status: 'accepted',
    accepted_at: day(0),
    planned: [
      { type: 'paid', code: null, due_at: day(1) },
      { type: 'returned', code: 'R02', due_at: day(4) },
    ],
  })
  assert.ok(!JSON.stringify(list).includes('123456'))
  const { payouts } = await bank.ask<{ payouts: { payout_id: string }[] }>('payouts?account=acct-a&reference=first')
  assert.deepEqual(
    payouts.map(({ payout_id }) => payout_id),
    [first],
  )
})

test('an outcome set by the controls takes effect at the next call and replaces the rest of the plan', async (t) => {
  const bank = await openBank(t)
  const [kept, failed, returned] = [
    await paid(bank, 'kept', '03'),
    await paid(bank, 'failed'),
    await paid(bank, 'returned'),
  ]
  await bank.control(`payouts/${kept}`, { outcome: 'paid' })
  const { status, body } = await bank.control<object>(`payouts/${failed}`, { outcome: 'failed', code: 'R04' })
  assert.equal(status, 200)
  assert.deepEqual({ ...body }, (await bank.payouts())[1])
  // Both outcomes take effect between two calls.
  for (const outcome of ['paid', 'returned']) await bank.control(`payouts/${returned}`, { outcome })
  const expected = [
    ...['1 kept paid - 0.25', '2 failed failed R04 0.25'],
    ...['3 returned paid - 0.25', '4 returned returned R02 0.25'],
  ]
  assert.deepEqual(await bank.events(0.25), expected)
  assert.deepEqual(await bank.events(30), expected)
  const statuses = (await bank.payouts()).map((payout) => [payout.status, payout.planned])
  assert.deepEqual(statuses, [
    ['returned', []],
    ['failed', []],
    ['paid', []],
  ])
})

test('a payout that was reported as paid can still be returned', async (t) => {
  const bank = await openBank(t)
  const payoutId = await paid(bank, 'ref')
  assert.deepEqual(await bank.events(1), ['1 ref paid - 1'])
  assert.equal((await bank.control(`payouts/${payoutId}`, { outcome: 'returned', code: 'R16' })).status, 200)
  assert.deepEqual(await bank.events(2), ['1 ref paid - 1', '2 ref returned R16 2'])
})

test('an outcome that cannot follow the current one is rejected', async (t) => {
  const bank = await openBank(t)
  const payoutId = await paid(bank, 'ref', '03')
  const set = async (outcome: string) => {
    const { status, body } = await bank.control(`payouts/${payoutId}`, { outcome })
    return status === 200 ? 200 : `${status} ${body.error_code}`
  }
  assert.equal(await set('returned'), '409 OUTCOME_IMPOSSIBLE')
  await bank.events(1)
  for (const outcome of ['paid', 'failed']) assert.equal(await set(outcome), '409 OUTCOME_IMPOSSIBLE')
  assert.equal(await set('returned'), 200)
  for (const outcome of ['paid', 'failed', 'returned']) assert.equal(await set(outcome), '409 OUTCOME_IMPOSSIBLE')
  assert.deepEqual(await bank.events(2), ['1 ref paid - 1', '2 ref returned R02 2'])
})

test('invalid control calls are rejected', async (t) => {
  const bank = await openBank(t)
  const payoutId = await paid(bank, 'ref')
  for (const [path, body, status] of [
    ['payouts/pay_nowhere', { outcome: 'paid' }, 404],
    [`payouts/${payoutId}`, {}, 400],
    [`payouts/${payoutId}`, { outcome: 'lost' }, 400],
    [`payouts/${payoutId}`, { outcome: 'paid', code: 'R01' }, 400],
    [`payouts/${payoutId}`, { outcome: 'failed', code: 'no code' }, 400],
    ['payouts/faults', { calls: -1, fault: 'slow' }, 400],
    ['payouts/faults', { calls: 1, fault: 'rain' }, 400],
    ['payouts/faults', { calls: 1 }, 400],
  ] as const) {
    const answer = await bank.control(path, body)
    assert.equal(answer.status, status)
    assert.ok(answer.body.error_message.length > 0)
  }
})

test('while the bank is unavailable, calls fail and change nothing', async (t) => {
  const bank = await openBank(t)
  const { body } = await bank.control<object>('payouts/faults', { calls: 2, fault: 'unavailable' })
  assert.deepEqual(body, { fault: 'unavailable', calls: 2 })
  const refused = await bank.pay(request('ref'))
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'unavailable'])
  assert.deepEqual(await bank.payouts(), [])
  assert.equal((await bank.askEvents({ account: 'acct-a', at: day(1) })).status, 503)
  assert.deepEqual(await bank.ask('payouts/faults'), { fault: null, calls: 0 })
  assert.equal((await bank.pay(request('ref'))).status, 200)
})

for (const fault of ['lost_answer', 'unreadable']) {
  test(`a call with the fault ${fault} is executed, and a repeat returns its result`, async (t) => {
    const bank = await openBank(t)
    await bank.control('payouts/faults', { calls: 1, fault })
    const failure = await bank.pay(request('ref')).catch((error: unknown) => error)
    assert.ok(failure instanceof (fault === 'unreadable' ? SyntaxError : TypeError))
    const [recorded] = await bank.payouts()
    const repeated = await bank.pay(request('ref'))
    assert.deepEqual([repeated.status, repeated.body.payout_id], [200, recorded?.payout_id])
    assert.deepEqual(await bank.events(1), ['1 ref paid - 1'])
  })
}

test('a slow call is delayed', async (t) => {
  const slowPayoutMs = 300
  const bank = await openBank(t, { slowPayoutMs })
  await bank.control('payouts/faults', { calls: 1, fault: 'slow' })
  const begun = performance.now()
  assert.equal((await bank.pay(request('ref'))).status, 200)
  // A timer might fire slightly early.
  assert.ok(performance.now() - begun > slowPayoutMs - 20)
})

test('deleting a fault ends it, and a call without a token does not use it up', async (t) => {
  const bank = await openBank(t)
  await bank.control('payouts/faults', { calls: 1, fault: 'unavailable' })
  assert.equal((await fetch(`${bank.url}/payouts/v1/events`)).status, 401)
  assert.deepEqual(await bank.ask('payouts/faults'), { fault: 'unavailable', calls: 1 })
  await fetch(`${bank.url}/_sim/payouts/faults`, { method: 'DELETE' })
  assert.equal((await bank.pay(request('ref'))).status, 200)
  await bank.control('payouts/faults', { calls: 3, fault: 'unavailable' })
  await bank.control('payouts/faults', { calls: 0, fault: 'unavailable' })
  assert.equal((await bank.pay(request('ref'))).status, 200)
})
