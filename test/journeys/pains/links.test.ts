import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../support/app.ts'
import {
  ask,
  bank,
  behave,
  buy,
  control,
  countEvents,
  expectEnd,
  expectError,
  expectRows,
  expectRowsPolling,
  expectValue,
  linkAgain,
  login,
  look,
  type Person,
  personIn,
  readCards,
  readTransactions,
  signInAgain,
} from './person.ts'

// Logins that are linked, relinked, given new IDs by their bank and unlinked, and what happens to the rewards in the
// meantime.

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

/** Returns this username's logins that exist at the provider and are billed. */
async function readItems({ user }: Person): Promise<string[]> {
  const { items } = await ask(app, `items?client_user_id=sandbox:${user}`)
  return items.map((one: { item_id: string }) => one.item_id)
}

const named = (cards: readonly { name: string; mask: string }[]) => cards.map(({ name, mask }) => `${name} ${mask}`)

// 8. Linking the same login twice doubled the bill, every account and every purchase, and at some banks broke the first
// link.
test('relinking a login replaces the previous link and duplicates nothing', async () => {
  const person = await personIn(app, 'again')
  const row = await buy(person, 80)
  await buy(person, 100, { pending: true })
  await expectRows(person, 'PENDING 80 4', 'PENDING 100 5')
  await bank(person, row, 'refund', { amount: 20 })
  await expectRows(person, 'PENDING 60 3', 'PENDING 100 5')
  const [cards, uids, old] = [await readCards(person), await readUids(person), person.itemId]
  assert.deepEqual(named(await linkAgain(person)), named(cards))
  // Some banks allow only one link per login, so the first link breaks.
  await control(app, `items/${old}/break`).catch(() => undefined)
  await expectValue(() => readItems(person), [person.itemId])
  const { purchases } = await ask(app, `purchases?item_id=${person.itemId}`)
  assert.equal(purchases.length, 3, 'the bank shows all of it again, under new ids')
  await bank(
    person,
    purchases.find((one: { pending: boolean }) => one.pending),
    'post',
  )
  await buy(person, 40)
  await expectRowsPolling(person, 'PENDING 40 2', 'PENDING 60 3', 'PENDING 100 5')
  await expectError(person, null)
  for (const uid of uids) assert((await readUids(person)).includes(uid))
  await expectEnd(person, 10)
  const announced = await countEvents(person)
  assert.deepEqual(
    [announced['card.linked'], announced['card.unlinked'], announced['transaction.created']],
    [cards.length, undefined, 3],
  )
})

// 9. A bank migrated to another system, every ID changed, and years of purchases were imported again.
test('if a bank changes every account and row ID, nothing is duplicated or canceled', async () => {
  const person = await personIn(app, 'renamed')
  const bought = await buy(person, 80)
  await buy(person, 100, { pending: true })
  await expectRows(person, 'PENDING 80 4', 'PENDING 100 5')
  await bank(person, bought, 'refund', { amount: 20 })
  await expectRows(person, 'PENDING 60 3', 'PENDING 100 5')
  const [uids, before] = [await readUids(person), await readCards(person)]
  await login(person, 'change-ids')
  await look(person)
  const { purchases } = await ask(app, `purchases?item_id=${person.itemId}`)
  const hold = purchases.find((one: { pending: boolean }) => one.pending)
  assert.equal(purchases.length, 3)
  assert(!JSON.stringify(purchases).includes(bought.transaction_id))
  await bank(person, hold, 'post', { linked: false })
  await expectRowsPolling(person, 'PENDING 60 3', 'PENDING 100 5')
  await login(person, 'change-ids')
  await buy(person, 40)
  await expectRowsPolling(person, 'PENDING 40 2', 'PENDING 60 3', 'PENDING 100 5')
  for (const uid of uids) assert((await readUids(person)).includes(uid))
  const now = await readCards(person)
  assert.deepEqual(named(now), named(before))
  assert.equal(now.filter(({ account_id }) => before.some((one) => one.account_id === account_id)).length, 0)
  await expectEnd(person, 10)
  assert.equal((await countEvents(person))['transaction.created'], 3)
})

// 9. Everything combined: rows with new IDs and without links, from a new login, read from the beginning.
test('identical purchases stay separate, and a removed hold stays one purchase, whichever IDs change', async () => {
  const person = await personIn(app, 'much moved')
  const hold = await buy(person, 100, { pending: true })
  for (const _twice of [1, 2]) await buy(person, 80)
  await expectRows(person, 'PENDING 80 4', 'PENDING 80 4', 'PENDING 100 5')
  await bank(person, hold, 'post', { early_removal: true })
  await look(person)
  await bank(person, hold, 'post', { linked: false })
  await login(person, 'change-ids')
  await look(person)
  await linkAgain(person)
  await look(person)
  await login(person, 'change-ids')
  await login(person, 'forget-cursors')
  await expectRowsPolling(person, 'PENDING 80 4', 'PENDING 80 4', 'PENDING 100 5')
  const { purchases } = await ask(app, `purchases?item_id=${person.itemId}`)
  await bank(
    person,
    purchases.find((one: { amount: number }) => one.amount === 80),
    'refund',
  )
  await expectRowsPolling(person, 'CANCELLED 0 0', 'PENDING 80 4', 'PENDING 100 5')
  await expectEnd(person, 9, { takenBack: 1 })
  assert.equal((await countEvents(person))['transaction.created'], 3)
})

// 9. The same, but the migration creates a new institution, so everyone must relink.
test('a bank that moved to another institution resends its history, and nothing is rewarded twice', async () => {
  const person = await personIn(app, 'moved')
  const row = await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  await look(person, 5)
  const there = { ...person, bank: 'ins_810001' }
  await linkAgain(there)
  await buy(there, 80, { date: row.date })
  await buy(there, 40)
  await expectRowsPolling(person, 'CANCELLED 80 0', 'PENDING 40 2', 'PENDING 80 4')
  const again = (await readTransactions(person)).find((one) => one.status === 'CANCELLED')
  assert.equal(again?.status_reason, 'before_card_linked')
  await expectEnd(person, 6)
})

// 15. A client that deleted its token first could never remove the login and kept paying for it. A client that waited
//     for the provider got stuck once the provider no longer knew the login.
test('a login is unlinked immediately even if the provider is down, and removed there later', async () => {
  const person = await personIn(app, 'leaving')
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  const path = `/linker/access-token/${person.user}/${person.bank}`
  await control(app, 'faults', { kind: 'server_error', path: '/item/remove', times: 0 })
  assert.equal((await person.tenant.call('DELETE', path)).status, 200)
  assert.deepEqual(await readCards(person), [])
  assert.equal((await person.tenant.call('DELETE', path)).status, 404)
  await expectValue(async () => (await ask(app, 'faults')).faults[0].struck > 0, true)
  assert.deepEqual(await readItems(person), [person.itemId])
  await behave(app)
  // The removal succeeds but the response is lost. The retry finds no login, which counts as success.
  await control(app, 'faults', { kind: 'lost_answer', path: '/item/remove' })
  await expectValue(() => readItems(person), [])
  await expectValue(
    async () =>
      (await app.service.db.reader`select 1 from item_removals where publisher_id = ${person.tenant.publisher.id}`)
        .length,
    0,
  )
  await expectEnd(person, 4)
  assert.equal((await countEvents(person))['reward.available'], 1)
})

// 15. Unlinking one account ended all of a user's logins, because the wrong ID was looked up.
test('unlinking at one bank affects neither other banks nor other users', async () => {
  const person = await personIn(app, 'two banks')
  const other = await personIn(app, 'other', { tenant: person.tenant })
  const there = { ...person, bank: 'ins_810001' }
  await linkAgain(there)
  const count = (await readCards(person)).length
  const { status, body } = await person.tenant.call('DELETE', `/linker/access-token/two%20banks/${person.bank}`)
  assert.equal(status, 200)
  await expectValue(() => readItems(person), [there.itemId])
  assert.equal((await readCards(person)).length, count - body.unlinked_cards)
  for (const one of [there, other]) {
    await buy(one, 80)
    await expectRowsPolling(one, 'PENDING 80 4')
  }
  await expectEnd(there, 4)
  await expectEnd(other, 4)
})

// 15. Users who unlinked and then changed their minds got everything twice or lost what was pending.
test('a user who unlinks and relinks days later has each purchase once, and open holds still post', async () => {
  const person = await personIn(app, 'back')
  await buy(person, 80)
  await buy(person, 60, { pending: true })
  await expectRows(person, 'PENDING 60 3', 'PENDING 80 4')
  const uids = await readUids(person)
  const unlinked = await person.tenant.call('DELETE', `/linker/access-token/${person.user}/${person.bank}`)
  assert.equal(unlinked.status, 200)
  await look(person, 2)
  await linkAgain(person)
  await look(person)
  const { purchases } = await ask(app, `purchases?item_id=${person.itemId}`)
  const hold = purchases.find((one: { pending: boolean }) => one.pending)
  await bank(person, hold, 'post')
  await look(person)
  assert.deepEqual(await readUids(person), uids)
  await expectEnd(person, 7)
})

// 15. A user deleted here remained at the provider, and their accounts stayed blocked for others.
test("a deleted user's items are removed once the provider is up, and others can link the cards", async () => {
  const person = await personIn(app, 'deleted', { username: 'shared' })
  const { tenant } = person
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  await control(app, 'faults', { kind: 'bad_gateway', path: '/item/remove', times: 0 })
  assert.equal((await tenant.call('DELETE', '/users/deleted')).status, 200)
  const { itemId } = person
  const isThere = async () => (await ask(app, `items?item_id=${itemId}`)).items.length
  await expectValue(async () => (await ask(app, 'faults')).faults[0].struck > 0, true)
  assert.equal(await isThere(), 1)
  await behave(app)
  await expectValue(isThere, 0)
  // The card is linked on the same day. That day's purchases have no time, so they may already have been rewarded to
  // the previous user.
  const other = await personIn(app, 'heir', { tenant, username: 'shared' })
  await expectRowsPolling(other, 'CANCELLED 80 0')
  await look(other, 1)
  await buy(other, 40)
  await expectRowsPolling(other, 'CANCELLED 80 0', 'PENDING 40 2')
  await expectEnd(other, 2)
})

// Also: an account opened after linking was never read, and users could not add it.
test('a newly opened card account is read once the user shares it, and no existing card is lost', async () => {
  const person = await personIn(app, 'opener')
  const before = await readCards(person)
  await buy(person, 20)
  const { opened } = await login(person, 'open-account')
  const early = await buy(person, 60, { account_id: opened.account_id }).catch(() => null)
  await expectRowsPolling(person, 'PENDING 20 1')
  assert.equal(early, null, 'a card that is not shared shows nothing')
  const shown = await signInAgain(person)
  assert.equal(shown.length, before.length + 1)
  assert(shown.some(({ account_id }) => account_id === opened.account_id))
  await buy(person, 80, { account_id: opened.account_id })
  await expectRowsPolling(person, 'PENDING 20 1', 'PENDING 80 4')
  await expectEnd(person, 5)
  assert.equal((await countEvents(person))['card.linked'], shown.length)
})

async function readUids(person: Person): Promise<string[]> {
  return (await readTransactions(person)).map((one) => one.transaction_uid).toSorted()
}
