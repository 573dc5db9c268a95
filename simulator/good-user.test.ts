import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFeed, type Row } from './feed-support.ts'

const DAY_MS = 86_400_000
const daysOld = (date: string) => Math.floor((Date.now() - Date.parse(date)) / DAY_MS)
const READ = { username: 'user_good', daysRequested: 730 }

/** Picks the facts that survive relinking, unlike ids. */
const pickFacts = ({ amount, date, pending, merchant_name }: Row) => ({ amount, date, pending, merchant_name })

test("the provider's test user has up to two years of history, read in steps and pages", async (t) => {
  const feed = await openFeed(t, READ)
  const first = await feed.read()
  assert.deepEqual([first.status, first.added, feed.cursor()], ['NOT_READY', [], ''])
  const second = await feed.read()
  assert.equal(second.status, 'INITIAL_UPDATE_COMPLETE')
  assert.ok([...feed.copy.values()].every(({ date }) => daysOld(date) <= 31))
  const third = await feed.read(100)
  assert.equal(third.status, 'HISTORICAL_UPDATE_COMPLETE')
  assert.ok(third.added.length > 4 * 100, 'several pages')
  const ages = [...feed.copy.values()].map(({ date }) => daysOld(date))
  assert.equal(Math.min(...ages), 2, 'nothing on the day of the link, in any time zone')
  assert.ok(Math.max(...ages) <= 730 && Math.max(...ages) > 725)
  for (const [daysRequested, oldest] of [
    [undefined, 90],
    [180, 180],
  ] as const) {
    const short = await openFeed(t, { username: 'user_good', ...(daysRequested && { daysRequested }) })
    for (let call = 0; call < 3; call++) await short.read()
    const shorter = [...short.copy.values()].map(({ date }) => daysOld(date))
    assert.ok(Math.max(...shorter) <= oldest && Math.max(...shorter) > oldest - 5)
  }
})

test('every link of the test user gets the same months of history under new ids', async (t) => {
  const [one, other] = [await openFeed(t, READ), await openFeed(t, READ)]
  for (const feed of [one, other]) for (let call = 0; call < 3; call++) await feed.read()
  const [rows, others] = [[...one.copy.values()], [...other.copy.values()]]
  assert.deepEqual(rows.map(pickFacts), others.map(pickFacts))
  assert.ok(!rows.some(({ transaction_id }) => other.copy.has(transaction_id)))
  const recurring = rows.filter(({ merchant_name }) => merchant_name === 'Netflix').map(({ date }) => daysOld(date))
  const months = Array.from({ length: 25 }, (_, month) => 7 + 30 * month)
  assert.deepEqual(
    recurring.toSorted((one, other) => one - other),
    months,
  )
})

test('the history contains posted and pending purchases, a refund, wages, and card and loan payments', async (t) => {
  const feed = await openFeed(t, { ...READ, daysRequested: 90 })
  for (let call = 0; call < 3; call++) await feed.read()
  const rows = [...feed.copy.values()]
  const categories = new Set(rows.map((row) => row.personal_finance_category?.primary))
  for (const category of ['INCOME', 'LOAN_PAYMENTS', 'TRANSFER_OUT', 'BANK_FEES', 'FOOD_AND_DRINK', 'TRAVEL'])
    assert.ok(categories.has(category), category)
  const flights = rows.filter(({ merchant_name }) => merchant_name === 'United Airlines').map(({ amount }) => amount)
  assert.deepEqual(new Set(flights), new Set([312.4, -312.4]))
  const pending = rows.filter((row) => row.pending)
  assert.deepEqual(pending.map(({ merchant_name }) => merchant_name).toSorted(), ['Starbucks', 'Uber'])
  const quiet = await openFeed(t, { ...READ, institution: 'ins_810002' })
  for (let call = 0; call < 3; call++) await quiet.read()
  assert.ok(
    [...quiet.copy.values()].every((row) => !row.pending),
    'this bank shows no pending rows',
  )
})

test('a pending row in the history is replaced when it posts, and a correction modifies the posted row', async (t) => {
  const feed = await openFeed(t, READ)
  for (let call = 0; call < 3; call++) await feed.read()
  const held = [...feed.copy.values()].find(({ pending }) => pending)
  assert.ok(held !== undefined)
  const posted = await feed.simulator.control<{ transaction_id: string }>(`purchases/${held.transaction_id}/post`, {})
  const { transaction_id } = posted.body
  const update = await feed.read()
  assert.deepEqual([update.added, update.modified, update.removed], [[transaction_id], [], [held.transaction_id]])
  assert.equal(feed.copy.get(transaction_id)?.pending_transaction_id, held.transaction_id)
  await feed.simulator.control(`purchases/${transaction_id}/change`, { amount: 9 })
  assert.deepEqual((await feed.read()).modified, [transaction_id])
})
