import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRoutes } from '../../../../test/support/affiliate-world.ts'
import type { Database } from '../../../platform/db/database.ts'
import { setNetworkSecret } from '../networks.ts'
import { assignReport } from '../sales/unmatched.ts'
import { savePrograms } from '../service.ts'
import { importReport } from './import-report.ts'
import { listNetworks } from './report-queries.ts'

const place = await openRoutes('import_report')
const { ask, db, clock, links } = place
const { publisher } = await place.tenant()
const user = await place.addUser(publisher, 'ada')
const start = clock.at

await db.transaction(async (tx) => {
  const dates = { currency: 'EUR', firstDay: null, lastDay: null }
  await savePrograms(tx, [{ offerUid: 'off_a', network: 'awin', addressTemplate: 'https://shop.example/', ...dates }])
  await setNetworkSecret(tx, place.vault, 'awin', 'a-secret-of-awin-0001', clock.at)
})

async function click(): Promise<string> {
  const { headers } = await ask(new URL(links.forUser(user)('off_a')).pathname)
  return /[0-9a-f]{32}/.exec(String(headers.location))?.[0] ?? ''
}

type Row = Readonly<Record<string, string>>
const row = (sub_id: string, order_id: string, more: Row = {}): Row => ({
  sub_id,
  order_id,
  amount: '5',
  status: 'pending',
  date: start.toISOString(),
  ...more,
})
const take = (rows: readonly Row[], { of = db, now = clock.at }: { of?: Database; now?: Date } = {}) =>
  importReport(of, 'awin', JSON.stringify(rows), now)
const unread = async () => (await listNetworks(db.reader)).find(({ network }) => network === 'awin')?.unreadRows

async function stored(prefix: string): Promise<{ orderId: string; currency: string; amount: bigint }[]> {
  return db.reader`
    select order_id, currency, amount from postbacks where order_id like ${`${prefix}%`} order by received_at, postback_id`
}

test('a large report is imported in bounded batches and resumes after the process dies', async () => {
  const subId = await click()
  const rows = Array.from({ length: 1_050 }, (_, index) => row(subId, `large-${index}`))
  let commits = 0
  const dying: Database = {
    ...db,
    transaction: async (work) => {
      if (++commits > 4) throw new Error('the process ends')
      return db.transaction(work)
    },
  }
  await assert.rejects(take(rows, { of: dying }), /the process ends/)
  assert.deepEqual([(await stored('large-')).length, await unread()], [600, 450])
  const facts = async () => Number((await db.reader`select count(*) from facts`)[0]?.['count'])
  assert.equal(await facts(), 600)
  assert.deepEqual(await take(rows), { rows: 1_050, taken: 450, unmatched: 0 })
  assert.deepEqual([(await stored('large-')).length, await unread(), await facts()], [1_050, 0, 1_050])
  assert.equal((await take(rows)).taken, 0)
})

test('successive states of a sale in one report are each recorded once, even if the import restarts', async () => {
  const subId = await click()
  const states = [row(subId, 'twice'), row(subId, 'twice', { amount: '7' })]
  const fill = Array.from({ length: 200 }, (_, index) => row(subId, `fill-${index}`))
  const late = row(subId, 'late', { date: new Date(start.getTime() + 3 * 86_400_000).toISOString() })
  const report = [...states, ...fill, late]
  for (let time = 0; time < 2; time++)
    await assert.rejects(take(report), (error: Error) => /^line 203: date must be between/.test(error.message))
  assert.deepEqual([(await stored('twice')).map(({ amount }) => amount), await unread()], [[500n, 700n], 3])
  const later = new Date(start.getTime() + 4 * 86_400_000)
  assert.equal((await take(report, { now: later })).taken, 3)
  assert.deepEqual([(await stored('twice')).length, await unread()], [2, 0])
})

test("an unreadable row is reported with its line number, and none of the report's rows are imported", async () => {
  const rows = [row('x', 'faulty-1'), row('x', 'faulty-2', { status: 'perhaps' })]
  await assert.rejects(take(rows), (error: Error) => /^line 2: status must be one of/.test(error.message))
  assert.deepEqual([(await stored('faulty')).length, await unread()], [0, 0])
})

test('two concurrent imports of one report import each row only once', async () => {
  const subId = await click()
  const rows = Array.from({ length: 450 }, (_, index) => row(subId, `both-${index}`))
  const done = await Promise.all([take(rows), take(rows)])
  assert.equal(
    done.reduce((sum, { taken }) => sum + taken, 0),
    450,
  )
})

test("a row without a currency uses that of its sale's earlier reports or, failing that, the offer's", async () => {
  const subId = await click()
  await take([row(subId, 'cur-1'), row(subId, 'cur-2', { currency: 'GBP' })])
  await take([row(subId, 'cur-1', { status: 'approved' }), row(subId, 'cur-2', { status: 'approved' })])
  assert.deepEqual(
    (await stored('cur-')).map(({ orderId, currency }) => `${orderId} ${currency}`),
    ['cur-1 EUR', 'cur-2 GBP', 'cur-1 EUR', 'cur-2 GBP'],
  )
})

test('an assigned sale keeps the currency stated in one of its reports', async () => {
  await click()
  const [named, unnamed] = [row('nobody', 'asg', { currency: 'GBP' }), row('nobody', 'asg', { status: 'approved' })]
  await take([named, unnamed])
  const [one] = await db.reader<{ postbackId: string }[]>`select postback_id from postbacks where sub_id = 'nobody'`
  const assignment = { postbackId: one?.postbackId ?? '', by: 'Ada', reason: null, publisher, publisherUserId: 'ada' }
  await db.transaction((tx) => assignReport(tx, { ...assignment, offerUid: 'off_a' }, clock.at))
  assert.deepEqual([...new Set((await stored('asg')).map(({ currency }) => currency))], ['GBP'])
})
