import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../test-support.ts'
import { day, openBank, request, usAccount } from './test-support.ts'

const ENDINGS: readonly (readonly [ending: string, statuses: readonly number[], events: readonly string[]])[] = [
  ['00', [200, 200], ['1 ref paid - 1']],
  ['99', [200, 200], ['1 ref paid - 1']],
  ['01', [422, 422], []],
  ['02', [200, 200], ['1 ref failed R03 1']],
  ['03', [200, 200], ['1 ref paid - 1', '2 ref returned R02 4']],
  ['04', [200, 200], ['1 ref paid - 5']],
  ['05', [503, 200], ['1 ref paid - 1']],
  ['06', [503, 503, 200, 200], ['1 ref paid - 1']],
]
for (const [ending, statuses, expected] of ENDINGS) {
  test(`a payout to an account ending in ${ending} behaves as documented`, async (t) => {
    const bank = await openBank(t)
    for (const status of statuses) assert.equal((await bank.pay(request('ref', ending))).status, status)
    assert.deepEqual(await bank.events(0.99), [])
    assert.deepEqual(await bank.events(30), expected)
    assert.deepEqual(await bank.events(60), expected)
  })
}

test("the README's IBANs have valid check digits and behave according to their endings", async (t) => {
  const bank = await openBank(t)
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const ibans = new Map([...readme.matchAll(/DE\d{18}(\d\d)/g)].map(([iban, ending]) => [ending, iban]))
  assert.equal(ibans.size, ENDINGS.length - 1)
  for (const [ending, statuses, expected] of ENDINGS.filter(([one]) => one !== '99')) {
    const destination = { type: 'iban', holder_name: 'Ann Example', iban: ibans.get(ending), bic: null }
    for (const status of statuses) {
      assert.equal((await bank.pay(request('ref', ending, { account: ending, destination }))).status, status)
    }
    assert.deepEqual(await bank.events(30, ending), expected)
  }
})

test('a payout to a closed account is rejected and not recorded', async (t) => {
  const bank = await openBank(t)
  const { body } = await bank.pay(request('ref', '01'))
  assert.equal(body.error.code, 'account_closed')
  assert.deepEqual(await bank.payouts(), [])
  assert.equal((await bank.pay(request('ref'))).status, 200)
})

test('a repeated call pays once and returns the first payout, but different content is rejected', async (t) => {
  const bank = await openBank(t)
  const first = await bank.pay(request('ref', '00', { amount: '5' }))
  const { payout_id } = first.body
  assert.match(payout_id, /^pay_\w+$/)
  assert.deepEqual(first.body, { payout_id, reference: 'ref', status: 'accepted' })
  // A later time or a different notation for the amount does not change the content.
  const repeats = [{ amount: '5' }, { amount: '5.00', at: day(3) }]
  for (const more of repeats) assert.deepEqual(await bank.pay(request('ref', '00', more)), first)
  const others = [
    { amount: '5.01' },
    { amount: '5', destination: usAccount('07') },
    { amount: '5', destination: usAccount('00', { holder_name: 'Ben Example' }) },
    { amount: '5', currency: 'EUR' },
  ]
  for (const more of others) {
    const { status, body } = await bank.pay(request('ref', '00', more))
    assert.deepEqual([status, body.error.code], [409, 'reference_reused'])
  }
  assert.deepEqual(await bank.events(9), ['1 ref paid - 1'])
  assert.deepEqual(await bank.pay(request('ref', '00', { amount: '5' })), first)
})

test('concurrent repeats of a call pay only once', async (t) => {
  const bank = await openBank(t)
  const answers = await Promise.all(Array.from({ length: 10 }, () => bank.pay(request('ref'))))
  assert.equal(new Set(answers.map(({ body }) => body.payout_id)).size, 1)
  assert.deepEqual(await bank.events(9), ['1 ref paid - 1'])
})

test('a payout whose response was lost is paid, whether or not the call is repeated', async (t) => {
  const bank = await openBank(t)
  const lost = await bank.pay(request('ref', '05'))
  assert.deepEqual([lost.status, lost.body.error.code], [503, 'unavailable'])
  assert.deepEqual(await bank.events(1), ['1 ref paid - 1'])
  const repeated = await bank.pay(request('ref', '05'))
  assert.equal(repeated.body.payout_id, (await bank.payouts())[0]?.payout_id)
})

test('references, sequence numbers and times are scoped to an account', async (t) => {
  const bank = await openBank(t)
  const ours = await bank.pay(request('ref'))
  const theirs = await bank.pay(request('ref', '02', { account: 'acct-b' }))
  assert.deepEqual([ours.status, theirs.status], [200, 200])
  assert.notEqual(ours.body.payout_id, theirs.body.payout_id)
  assert.deepEqual(await bank.events(30), ['1 ref paid - 1'])
  assert.deepEqual(await bank.events(0.5, 'acct-b'), [])
  assert.deepEqual(await bank.events(1, 'acct-b'), ['1 ref failed R03 1'])
  assert.deepEqual(await bank.events(30, 'acct-c'), [])
})

test('moving time forward creates due events in order of due time, and moving it back creates none', async (t) => {
  const bank = await openBank(t)
  await bank.pay(request('slow', '04'))
  await bank.pay(request('back', '03'))
  await bank.pay(request('late', '00', { at: day(2) }))
  assert.deepEqual(await bank.events(0), [])
  assert.deepEqual(await bank.events(1), ['1 back paid - 1'])
  const all = ['1 back paid - 1', '2 late paid - 3', '3 back returned R02 4', '4 slow paid - 5']
  assert.deepEqual(await bank.events(10), all)
  await bank.pay(request('early'))
  assert.deepEqual(await bank.events(9), all)
  assert.deepEqual(await bank.events(10), [...all, '5 early paid - 1'])
})

test('events are returned in pages', async (t) => {
  const bank = await openBank(t)
  for (const reference of ['one', 'two', 'three']) await bank.pay(request(reference))
  const page = async (after: string, limit: string) => {
    const { body } = await bank.askEvents({ account: 'acct-a', at: day(1), after, limit })
    return [body.events.map(({ reference }) => reference), body.next_after]
  }
  assert.deepEqual(await page('0', '2'), [['one', 'two'], 2])
  assert.deepEqual(await page('2', '2'), [['three'], 3])
  assert.deepEqual(await page('3', '2'), [[], 3])
  const { body } = await bank.askEvents({ account: 'acct-a', at: day(1), after: '2' })
  const { payout_id } = await bank.pay(request('three')).then((answer) => answer.body)
  assert.deepEqual(body.events, [
    { sequence: 3, payout_id, reference: 'three', type: 'paid', code: null, message: null, at: day(1) },
  ])
})

test('the event of a failed payout contains the reason', async (t) => {
  const bank = await openBank(t)
  await bank.pay(request('ref', '02'))
  const { body } = await bank.askEvents({ account: 'acct-a', at: day(1) })
  assert.deepEqual(body.events[0]?.message, 'there is no such account')
})

test('built-in property names and numbers work as references and accounts', async (t) => {
  const bank = await openBank(t)
  for (const reference of ['zero', '__proto__', 'constructor', '7']) {
    const { body } = await bank.pay(request(reference, '00', { account: '__proto__' }))
    assert.deepEqual(await bank.pay(request(reference, '00', { account: '__proto__' })), { status: 200, body })
  }
  const expected = ['1 zero paid - 1', '2 __proto__ paid - 1', '3 constructor paid - 1', '4 7 paid - 1']
  assert.deepEqual(await bank.events(1, '__proto__'), expected)
})

test('payouts, past and planned events, and call counts survive a restart', async (t) => {
  const dataFile = join(await temporaryFolder(t), 'simulator.json')
  const before = await openBank(t, { dataFile })
  const first = await before.pay(request('first', '03'))
  assert.equal((await before.pay(request('second', '06'))).status, 503)
  assert.deepEqual(await before.events(2), ['1 first paid - 1'])
  await before.close()

  const after = await openBank(t, { dataFile })
  assert.deepEqual(await after.events(1), ['1 first paid - 1'])
  assert.deepEqual(await after.pay(request('first', '03')), first)
  assert.equal((await after.pay(request('second', '06'))).status, 503)
  assert.equal((await after.pay(request('second', '06'))).status, 200)
  assert.deepEqual(await after.events(9), ['1 first paid - 1', '2 second paid - 1', '3 first returned R02 4'])
})
