import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../support/app.ts'
import {
  bank,
  behave,
  buy,
  control,
  countEvents,
  expectEnd,
  expectRows,
  expectRowsPolling,
  expectValue,
  look,
  type Person,
  personIn,
  readTransactions,
} from './person.ts'

// Banks rewrite the rows of their feeds in many ways, while the publisher must see one purchase and one reward. The
// comments above most tests say what went wrong in other clients.

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

// Where customers tip, a purchase may post for more than its hold.
const DINNER = { category: 'FOOD_AND_DRINK' }

async function readDecision(person: Person, shown: { readonly transaction_uid: string } | undefined) {
  const { status, body } = await person.tenant.call('GET', `/transactions/${shown?.transaction_uid}/decision`)
  assert.equal(status, 200)
  return body
}

async function readUids(person: Person): Promise<string[]> {
  return (await readTransactions(person)).map((one) => one.transaction_uid).toSorted()
}

// 1. Other clients rewarded both the hold and its posting, most often when the bank did not link the two.
test('a hold and its posting earn one reward for the posted amount, with or without a pending ID', async () => {
  const person = await personIn(app, 'diner')
  const tied = await buy(person, 40, { pending: true, ...DINNER })
  const untied = await buy(person, 80, { pending: true, ...DINNER })
  const late = await buy(person, 20, { pending: true, ...DINNER })
  await buy(person, 100)
  await expectRows(person, 'PENDING 20 1', 'PENDING 40 2', 'PENDING 80 4', 'PENDING 100 5')
  const uids = await readUids(person)
  await bank(person, tied, 'post', { amount: 46 })
  await bank(person, untied, 'post', { amount: 88, linked: false })
  await bank(person, late, 'post', { amount: 22, linked: false, late_removal: true })
  await expectRows(person, 'PENDING 22 1.1', 'PENDING 46 2.3', 'PENDING 88 4.4', 'PENDING 100 5')
  assert.deepEqual(await readUids(person), uids)
  await expectEnd(person, 12.8)
  assert.equal((await countEvents(person))['transaction.created'], 4)
})

// 1. With two equal holds, nobody knows which one posted. Other clients rewarded both or neither.
test('if one of two equal holds posts without a pending ID and the other is voided, one reward is earned', async () => {
  const person = await personIn(app, 'twice')
  const [voided, posted] = [await buy(person, 80, { pending: true }), await buy(person, 80, { pending: true })]
  await expectRows(person, 'PENDING 80 4', 'PENDING 80 4')
  await bank(person, posted, 'post', { linked: false, late_removal: true })
  await look(person)
  await bank(person, voided, 'void')
  await look(person)
  await look(person, 11)
  await expectRowsPolling(person, 'CANCELLED 0 0', 'PENDING 80 4')
  await expectEnd(person, 4, { takenBack: 1 })
})

// 1. Some banks never report pending rows, so clients that waited for a hold never rewarded these purchases.
test('a purchase that the bank shows only once it has posted earns one reward', async () => {
  const person = await personIn(app, 'no holds', { bank: 'ins_810002' })
  await buy(person, 60)
  await expectRows(person, 'PENDING 60 3')
  await expectEnd(person, 3)
})

// 2. Other clients stored their notes on the pending row and lost them when it was removed before the posting arrived.
test('a purchase keeps its reward when the bank removes its hold days before it posts', async () => {
  const person = await personIn(app, 'patient')
  const hold = await buy(person, 80, { pending: true })
  await expectRows(person, 'PENDING 80 4')
  const [before] = await readTransactions(person)
  await bank(person, hold, 'post', { early_removal: true })
  await look(person, 3)
  await expectRows(person, 'PENDING 80 4')
  await bank(person, hold, 'post', { linked: false })
  await expectValue(async () => (await countEvents(person))['transaction.updated'] ?? 0, 1)
  const [now, ...others] = await readTransactions(person)
  assert.deepEqual([others, now?.transaction_uid, now?.status], [[], before?.transaction_uid, 'PENDING'])
  const { chosen, arithmetic } = await readDecision(person, now)
  assert.deepEqual([chosen, arithmetic.user_reward], ['offer-market', '4.00'])
  await expectEnd(person, 4)
})

// 3. Other clients ignored the list of removed rows or looked them up by the wrong column, and rewarded reversed
//    purchases.
test('a removed row loses its reward once, and regains it when the bank restores the row', async () => {
  const person = await personIn(app, 'undone')
  const other = await personIn(app, 'neighbour', { tenant: person.tenant })
  const [gone] = [await buy(person, 80), await buy(person, 50), await buy(other, 80)]
  await expectRows(person, 'PENDING 50 2.5', 'PENDING 80 4')
  await expectRows(other, 'PENDING 80 4')
  const uids = await readUids(person)
  await bank(person, gone, 'remove')
  await look(person)
  await look(person, 4)
  await expectRowsPolling(person, 'CANCELLED 0 0', 'PENDING 50 2.5')
  await bank(person, gone, 'bring-back')
  await expectRowsPolling(person, 'PENDING 50 2.5', 'PENDING 80 4')
  assert.deepEqual(await readUids(person), uids)
  await expectEnd(person, 6.5, { takenBack: 1 })
  await expectRows(other, 'EARNED 80 4')
})

// 3. A voided hold is the same case, only earlier.
test('a hold that never posts is canceled once, after it has lapsed', async () => {
  const person = await personIn(app, 'void')
  const hold = await buy(person, 80, { pending: true })
  await expectRows(person, 'PENDING 80 4')
  await bank(person, hold, 'void')
  await look(person, 9)
  await expectRows(person, 'PENDING 80 4')
  await look(person, 2)
  await expectRowsPolling(person, 'CANCELLED 0 0')
  await expectEnd(person, 0, { takenBack: 1 })
})

// 3. Once the user has earned the reward, removing the row adds a transaction that takes it back, and restoring the row
// adds one that returns it.
test('removing a row whose reward was earned takes the reward back once; restoring the row returns it once', async () => {
  const person = await personIn(app, 'much later')
  const row = await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  await look(person, 40)
  await expectRowsPolling(person, 'EARNED 80 4')
  await bank(person, row, 'remove')
  await look(person)
  await look(person, 4)
  await expectRowsPolling(person, 'EARNED -80 -4', 'EARNED 80 4')
  await bank(person, row, 'bring-back')
  await expectRowsPolling(person, 'EARNED -80 -4', 'EARNED 80 4', 'EARNED 80 4')
  await expectEnd(person, 4, { takenBack: 1 })
})

// 3. When the bank removes a refund, the full purchase earns a reward again.
test('if the bank removes a refund, its part of the reward is restored', async () => {
  const person = await personIn(app, 'kept it')
  const refund = await bank(person, await buy(person, 80), 'refund', { amount: 20 })
  await expectRows(person, 'PENDING 60 3')
  await bank(person, refund, 'remove')
  await look(person)
  await look(person, 4)
  await expectRowsPolling(person, 'PENDING 80 4')
  await bank(person, refund, 'bring-back')
  await expectRowsPolling(person, 'PENDING 60 3')
  await expectEnd(person, 3)
})

// 4. Other clients inserted every modified row a second time.
test('a correction by the bank changes the existing purchase instead of adding another', async () => {
  const person = await personIn(app, 'corrected')
  const row = await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  const uids = await readUids(person)
  for (const amount of [60, 120, 100]) await bank(person, row, 'change', { amount })
  await expectRows(person, 'PENDING 100 5')
  await bank(person, row, 'change', { original_description: 'CRNR MKT 0042 SPRINGFIELD' })
  await bank(person, row, 'refund', { amount: 40 })
  await expectRows(person, 'PENDING 60 3')
  assert.deepEqual(await readUids(person), uids)
  await expectEnd(person, 3)
})

// Also: a client that read only rows since the last sync missed rows with an earlier date.
test('a row dated days before the last sync is rewarded, and its refund deducted, like any other row', async () => {
  const person = await personIn(app, 'backdated')
  await look(person, 10)
  const today = await buy(person, 20)
  await expectRows(person, 'PENDING 20 1')
  const date = new Date(Date.parse(today.date) - 6 * 86_400_000).toISOString().slice(0, 10)
  const back = await buy(person, 80, { date })
  await expectRows(person, 'PENDING 20 1', 'PENDING 80 4')
  await bank(person, back, 'refund', { amount: 20, date })
  await expectRows(person, 'PENDING 20 1', 'PENDING 60 3')
  await expectEnd(person, 4)
})

// Also: many rows start with only the bank's descriptor and get their merchant hours later. Other clients ignored the
// update.
test('a purchase whose merchant the provider identifies later is rewarded at that point', async () => {
  const person = await personIn(app, 'nameless')
  const row = await buy(person, 80, { merchant: 'XK 0042', with_enrichment: false })
  await expectRows(person, 'CANCELLED 80 0')
  await bank(person, row, 'change', { merchant: 'Corner Market', with_enrichment: true })
  await expectRows(person, 'PENDING 80 4')
  await expectEnd(person, 4)
})

// Also: a hold carries the payment processor's name, and the merchant's name arrives with the posting.
test("a hold whose name changes at posting is rewarded if either name is the brand's", async () => {
  const person = await personIn(app, 'two names')
  const unknown = await buy(person, 80, { pending: true, merchant: 'Some Other' })
  const known = await buy(person, 60, { pending: true })
  await expectRows(person, 'CANCELLED 80 0', 'PENDING 60 3')
  const uids = await readUids(person)
  // Each posts under its other name before the next sync.
  await control(app, 'faults', { kind: 'bad_gateway', path: '/transactions/sync', times: 0 })
  await bank(person, await bank(person, unknown, 'post'), 'change', { merchant: 'Corner Market' })
  await bank(person, await bank(person, known, 'post'), 'change', { merchant: 'Some Other' })
  await behave(app)
  await expectRowsPolling(person, 'PENDING 60 3', 'PENDING 80 4')
  assert.deepEqual(await readUids(person), uids)
  await expectEnd(person, 7)
})

// Also: a rent payment was mistaken for a purchase at a restaurant chain because the payee had a similar name.
test('a payment to a payee whose name only resembles a brand earns nothing, and the decision says so', async () => {
  const person = await personIn(app, 'lodger')
  await buy(person, 80, { merchant: 'TO CORNER MARKETT ROSS', with_enrichment: false })
  await buy(person, 90, { merchant: 'Corner Market', category: 'TRANSFER_OUT' })
  await buy(person, 20)
  await expectRows(person, 'CANCELLED 80 0', 'PENDING 20 1')
  const shown = (await readTransactions(person)).find((one) => one.amount === 80)
  assert.equal(shown?.status_reason, 'unmatched')
  assert.deepEqual([(await readDecision(person, shown)).matching.brand_uid], [null])
  await expectEnd(person, 1)
})

test('for a misidentified merchant, the decision shows the words that matched the brand', async () => {
  const person = await personIn(app, 'misnamed')
  await buy(person, 80, { original_description: 'TO ROSS 0042' })
  await expectRows(person, 'PENDING 80 4')
  const [shown] = await readTransactions(person)
  const { matching } = await readDecision(person, shown)
  assert.equal(matching.brand_uid, 'brand-market')
  const evidence: { field: string; value: string }[] = matching.evidence
  assert.deepEqual(
    evidence.map(({ field, value }) => [field, value]),
    [['merchant_name', 'Corner Market']],
  )
  await expectEnd(person, 4)
})
