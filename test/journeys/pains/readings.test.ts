import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService } from '../../../src/main.ts'
import { DAY_MS } from '../../../src/platform/calendar.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
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
  login,
  look,
  type Person,
  personIn,
  readCards,
  readTransactions,
} from './person.ts'

// Everything that can happen while a feed is being read. The publisher must see each change exactly once.

const MASTER_KEY = randomBytes(32).toString('base64')
let app: TestApp

before(async () => {
  app = await startTestApp({ masterKey: MASTER_KEY })
  await app.catalog(CATALOG)
})
after(() => app.close())

// More rows than the provider returns in one page.
const MANY_ROWS = 510

/**
 * Links a login whose feed takes several pages to read, because it contains many zero-amount card checks from before
 * the login was linked.
 */
async function personWithPast(user: string): Promise<Person> {
  const transactions = Array.from({ length: MANY_ROWS }, (_, index) => {
    const day = new Date(Date.now() - (10 + (index % 60)) * DAY_MS).toISOString().slice(0, 10)
    return { date_transacted: day, date_posted: day, amount: 0, description: `Elsewhere ${index}` }
  })
  const account = { type: 'credit', subtype: 'credit card', meta: { name: user }, transactions }
  const password = JSON.stringify({ override_accounts: [account] })
  return personIn(app, user, { username: 'user_custom', password })
}

/** Fails unless every injected fault has struck. */
async function allStruck(): Promise<void> {
  const { faults } = await ask(app, 'faults')
  assert.deepEqual(faults, [])
}

// 5. Two or three webhooks announce one update, and concurrent reads inserted every row twice.
test('repeated webhooks and concurrent reads in two processes do not duplicate purchases', async (t) => {
  const settings = { DATABASE_URL: app.service.config.databaseUrl ?? '', LAUREL_MASTER_KEY: MASTER_KEY }
  const config = readConfig({ ...settings, LAUREL_ROLE: 'worker', LAUREL_LOG_LEVEL: 'silent' })
  const second = await startService(config, { linkerUrls: { sandbox: app.simulatorUrl } })
  t.after(() => second.close())
  const person = await personIn(app, 'notified twice')
  await control(app, 'webhooks', { double: 1, reorder: true, seed: 5 })
  const amounts = [20, 40, 60, 80]
  await Promise.all([
    ...amounts.map((amount) => buy(person, amount)),
    ...amounts.map(() => look(person)),
    control(app, 'webhooks/replay', { item_id: person.itemId, count: 10 }),
  ])
  const wanted = amounts.map((amount) => `PENDING ${amount} ${amount / 20}`)
  await expectRowsPolling(person, ...wanted)
  await control(app, 'webhooks/replay', { item_id: person.itemId, count: 10 })
  await Promise.all(amounts.map(() => look(person)))
  await expectRows(person, ...wanted)
  await expectEnd(person, 10)
  assert.equal((await countEvents(person))['transaction.created'], amounts.length)
})

// 6. Other clients stored the cursor of a middle page. Every later read failed, and a full read did not reveal
// removals.
test('an update that changes or fails between two pages is reread from its first cursor', async () => {
  const person = await personWithPast('paged')
  for (const amount of [80, 60]) await buy(person, amount)
  await expectRowsPolling(person, 'PENDING 60 3', 'PENDING 80 4')
  const sync = { path: '/transactions/sync', item_id: person.itemId }
  await control(app, 'faults', { kind: 'mutation', times: 2, ...sync })
  await control(app, 'faults', { kind: 'server_error', skip: 1, times: 3, ...sync })
  await control(app, 'faults', { kind: 'truncated', skip: 1, times: 1, ...sync })
  // This update has three pages, because every row is removed and added again with a different ID.
  await login(person, 'change-ids')
  await look(person)
  const { purchases } = await ask(app, `purchases?item_id=${person.itemId}`)
  const again = purchases.find(
    (one: { amount: number; name: string }) => one.name === 'Corner Market' && one.amount === 80,
  )
  await bank(person, again, 'remove')
  await buy(person, 40)
  await expectRowsPolling(person, 'PENDING 40 2', 'PENDING 60 3', 'PENDING 80 4')
  await allStruck()
  await look(person, 4)
  await expectRowsPolling(person, 'CANCELLED 0 0', 'PENDING 40 2', 'PENDING 60 3')
  await expectEnd(person, 5, { takenBack: 1 })
})

// 7. When the provider rejected a cursor, other clients' feeds ended for good, or were duplicated once an operator
//    deleted the cursor by hand.
test('a rejected cursor leads to a full read, which also finds unannounced removals', async () => {
  const person = await personIn(app, 'refused')
  const [gone] = [await buy(person, 80), await buy(person, 60)]
  await expectRows(person, 'PENDING 60 3', 'PENDING 80 4')
  const uids = (await readTransactions(person)).map((one) => one.transaction_uid).toSorted()
  await control(app, 'webhooks', { lose: 1 })
  await bank(person, gone, 'remove')
  await login(person, 'forget-cursors')
  await buy(person, 40)
  await expectRowsPolling(person, 'PENDING 40 2', 'PENDING 60 3', 'PENDING 80 4')
  await login(person, 'forget-cursors')
  await look(person, 4)
  await expectRowsPolling(person, 'CANCELLED 0 0', 'PENDING 40 2', 'PENDING 60 3')
  const now = (await readTransactions(person)).map((one) => one.transaction_uid)
  assert.equal(now.length, 3)
  for (const uid of uids) assert(now.includes(uid))
  await expectEnd(person, 5, { takenBack: 1 })
})

// Also: a call that never returned blocked everything for a quarter of an hour.
test('a feed whose read hangs delays no other feed, and is read once the provider responds again', async () => {
  const stuck = await personIn(app, 'stuck')
  const other = await personIn(app, 'other', { tenant: stuck.tenant })
  const stranger = await personIn(app, 'stranger')
  await control(app, 'faults', { kind: 'stalled', times: 0, item_id: stuck.itemId })
  await buy(stuck, 80)
  await expectValue(async () => (await ask(app, 'faults')).faults[0].struck > 0, true)
  await buy(other, 60)
  await buy(stranger, 40)
  await expectRows(other, 'PENDING 60 3')
  await expectRows(stranger, 'PENDING 40 2')
  await expectRows(stuck)
  assert.deepEqual(
    (await readCards(stuck)).map(({ error }) => error),
    (await readCards(stuck)).map(() => null),
  )
  await behave(app)
  await expectRowsPolling(stuck, 'PENDING 80 4')
  for (const [person, got] of [
    [stuck, 4],
    [other, 3],
    [stranger, 2],
  ] as const)
    await expectEnd(person, got)
})

// Also: one broken login ended the entire run, so the logins after it went unread for days.
test('neither a broken login nor one with garbled responses delays other logins', async () => {
  const broken = await personIn(app, 'broken')
  const { tenant } = broken
  const nonsense = await personIn(app, 'nonsense', { tenant })
  const sound = [await personIn(app, 'sound-1', { tenant }), await personIn(app, 'sound-2', { tenant })]
  await login(broken, 'break')
  await control(app, 'faults', { kind: 'html', times: 0, item_id: nonsense.itemId })
  for (const person of [broken, nonsense, ...sound]) await buy(person, 80)
  for (const person of sound) await expectRows(person, 'PENDING 80 4')
  await look(broken)
  await expectRows(broken)
  await expectRows(nonsense)
  await expectError(broken, 'NEED_AUTHENTICATION')
  await expectError(nonsense, null)
  await login(broken, 'repair')
  await behave(app)
  await expectRowsPolling(broken, 'PENDING 80 4')
  await expectRowsPolling(nonsense, 'PENDING 80 4')
  for (const person of [broken, nonsense, ...sound]) await expectEnd(person, 4)
})

// Also: a bank was silent for weeks, and the link never showed an error.
test('cards of a bank that is silent for a week show an error, and late purchases are rewarded', async () => {
  const person = await personIn(app, 'silent')
  await buy(person, 20)
  await expectRows(person, 'PENDING 20 1')
  await login(person, 'freeze', { frozen: true })
  await buy(person, 80)
  await look(person, 6)
  await expectError(person, null)
  await look(person, 2)
  await expectError(person, 'UNKNOWN')
  await expectRows(person, 'PENDING 20 1')
  await login(person, 'freeze', { frozen: false })
  await expectRowsPolling(person, 'PENDING 20 1', 'PENDING 80 4')
  await expectError(person, null)
  await expectEnd(person, 5)
})
