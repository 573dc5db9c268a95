import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CATALOG, startTestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { checkPaging } from '../../test/support/operator-lists.ts'
import { addUser, at, book, bookJanuary, close, split, toId } from '../../test/support/settlement-world.ts'
import { accrue } from './book.ts'

const app = await startTestApp()
await app.catalog(CATALOG)
const { db } = app.service
after(() => app.close())

const BRAND = 'brand-market'

async function read(address: string) {
  const { status, body } = await app.operator('GET', address)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('accounts are listed with their movements and agree with the trial balance', async () => {
  const tenant = await app.tenant()
  await bookJanuary(db, tenant, await addUser(tenant, 'ada'), BRAND)
  const balance = await read(`/operator/trial-balance?publisher_id=${toId(tenant)}`)
  const { content } = await eventually(async () => {
    const accounts = await read(`/operator/ledger/accounts?publisher_id=${toId(tenant)}`)
    return accounts.at >= balance.at && accounts
  })
  const sums = ({ account, currency, debits, credits, balance }: Record<string, unknown>) => ({
    account,
    currency,
    debits,
    credits,
    balance,
  })
  assert.deepEqual(content.map(sums), balance.content.map(sums))
  const pending = content.find(({ account }: { account: string }) => account === 'user_pending')
  assert.deepEqual(
    pending.kinds.map(({ kind }: { kind: string }) => kind),
    ['accrual', 'maturity'],
  )
  const all = await read('/operator/ledger/accounts')
  assert.equal(all.content.length >= content.length, true)
})

test('a receivable is current until its month is closed and is then aged from that month', async () => {
  const tenant = await app.tenant()
  const ada = await addUser(tenant, 'ada')
  const charge = (day: string) => book(db, tenant, ada, (opened) => accrue(opened, ada, at(day), BRAND, split))
  const owed = async () => {
    const { content, next_cursor } = await read(`/operator/receivables?publisher_id=${toId(tenant)}`)
    assert.equal(next_cursor, null)
    return content[0]
  }
  assert.equal(await owed(), undefined)
  await charge('2026-01-05')
  const none = { current: 0, days_1_30: 0, days_31_60: 0, days_61_90: 0, days_over_90: 0, credit: 0 }
  assert.deepEqual(await owed(), {
    brand_uid: BRAND,
    brand_name: 'Corner Market',
    currency: 'USD',
    balance: 100,
    ageing: { statement_month: null, since_statement: 100, ...none, current: 100 },
  })
  assert.equal((await close(app, '2026-01', tenant)).status, 200)
  assert.deepEqual((await owed()).ageing, {
    statement_month: '2026-01',
    since_statement: 0,
    ...none,
    days_over_90: 100,
  })
  await charge('2026-02-05')
  await pay(toId(tenant), 30)
  const { balance, ageing } = await owed()
  assert.deepEqual([balance, ageing.since_statement, ageing.days_over_90, ageing.current], [170, 70, 100, 70])
  await pay(toId(tenant), 100)
  assert.deepEqual([(await owed()).balance, (await owed()).ageing.days_over_90], [70, 70])
})

test('receivables can be paged through in every order, even if their amounts are equal', async () => {
  const tenant = await app.tenant()
  const ada = await addUser(tenant, 'ada')
  for (const brand of ['brand-gadgets', BRAND, BRAND, 'brand-gifts'])
    await book(db, tenant, ada, (opened) => accrue(opened, ada, at('2026-01-05'), brand, split))
  const address = `/operator/receivables?publisher_id=${toId(tenant)}`
  await checkPaging(app, address, { key: 'brand_uid', orders: ['balance', 'brand_uid'] })
})

async function pay(publisher_id: string, amount: number): Promise<void> {
  const { status } = await app.operator('POST', '/operator/payments', {
    publisher_id,
    direction: 'received',
    party: 'advertiser',
    brand_uid: BRAND,
    amount,
    currency: 'USD',
    external_ref: `wire-${amount}`,
    value_date: '2026-02-10',
  })
  assert.equal(status, 200)
}
