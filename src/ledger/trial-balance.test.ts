import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeCaller, startTestApp, type Tenant } from '../../test/support/app.ts'
import { encodeId, newUuid, toUserId, type UserId } from '../platform/ids.ts'
import { createOperator } from '../tenants/access/index.ts'
import { toLocalActor } from '../tenants/accounts/index.ts'
import { accrue, type Book, closeBook, holdForRedemption, mature, openBook, reassign } from './book.ts'

const app = await startTestApp()
const { db, url } = app.service
after(() => app.close())

const split = { user: 70_00n, publisher: 20_00n, fee: 10_00n }

async function addUser({ publisher, call }: Tenant, publisher_user_id: string): Promise<UserId> {
  assert.equal((await call('POST', '/users', { publisher_user_id })).status, 200)
  return toUserId(publisher.id, publisher_user_id)
}

async function book({ publisher }: Tenant, userId: UserId, work: (book: Book) => void): Promise<void> {
  await db.transaction(async (tx) => {
    const opened = await openBook(tx, publisher, [userId])
    work(opened)
    await closeBook(tx, opened)
  })
}

const cause = (effectiveAt = '2026-01-10T12:00:00Z') => ({
  id: newUuid(),
  version: 1,
  currency: 'USD',
  effectiveAt: new Date(effectiveAt),
})

async function trialBalance({ publisher }: Tenant, query = '') {
  const path = `/operator/trial-balance?publisher_id=${encodeId('pub', publisher.id)}${query}`
  const { status, body } = await app.operator('GET', path)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

type Row = { account: string; owner: string | null; debits: number; credits: number; balance: number }
const toRows = (content: Row[]) => content.map((row) => [row.account, row.owner, row.debits, row.credits, row.balance])

/**
 * Books the same entries for two users: a reward that matures and is partly held for a redemption, and one that is
 * reassigned to another brand.
 */
async function withBooks(): Promise<Tenant & { readonly users: readonly UserId[] }> {
  const tenant = await app.tenant()
  const users = [await addUser(tenant, 'ada'), await addUser(tenant, 'ben')]
  for (const userId of users)
    await book(tenant, userId, (opened) => {
      const reward = cause()
      accrue(opened, userId, reward, 'brand-one', split)
      mature(opened, userId, reward, split)
      holdForRedemption(opened, userId, cause(), 5_00n)
      accrue(opened, userId, cause(), 'brand-one', split)
      reassign(opened, userId, cause(), { from: 'brand-one', to: 'brand-two' }, split)
    })
  return { ...tenant, users }
}

test('accounts are summed across all users, and debits equal credits', async () => {
  const tenant = await withBooks()
  const { content, totals, balanced, publisher_id } = await trialBalance(tenant)
  assert.deepEqual(toRows(content), [
    ['advertiser_receivable', null, 600, 200, 400],
    ['user_pending', null, 140, 280, -140],
    ['user_available', null, 10, 140, -130],
    ['user_held', null, 0, 10, -10],
    ['publisher_pending', null, 40, 80, -40],
    ['publisher_payable', null, 0, 40, -40],
    ['fee_pending', null, 20, 40, -20],
    ['fee_earned', null, 0, 20, -20],
  ])
  assert.deepEqual(totals, [{ currency: 'USD', debits: 810, credits: 810 }])
  assert.deepEqual([balanced, publisher_id], [true, encodeId('pub', tenant.publisher.id)])
})

test('receivables are broken down by brand on request', async () => {
  const tenant = await withBooks()
  const { content, totals } = await trialBalance(tenant, '&by_owner=true')
  assert.deepEqual(toRows(content).slice(0, 3), [
    ['advertiser_receivable', 'brand-one', 400, 200, 200],
    ['advertiser_receivable', 'brand-two', 200, 0, 200],
    ['user_pending', null, 140, 280, -140],
  ])
  assert.deepEqual(totals, (await trialBalance(tenant)).totals)
})

test('later bookings never change an earlier trial balance, regardless of when they take effect', async () => {
  const tenant = await withBooks()
  const [userId] = tenant.users
  assert(userId)
  const first = await trialBalance(tenant)
  assert.match(first.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  await book(tenant, userId, (opened) => {
    accrue(opened, userId, cause('2020-01-01T00:00:00Z'), 'brand-one', split)
    accrue(opened, userId, cause('2099-01-01T00:00:00Z'), 'brand-one', split)
  })
  assert.deepEqual(await trialBalance(tenant, `&at=${first.at}`), first)
  const now = await trialBalance(tenant)
  assert.deepEqual(toRows(now.content)[0], ['advertiser_receivable', null, 800, 200, 600])
  assert.deepEqual(await trialBalance(tenant, `&at=${now.at}`), now)
  const nothing = await trialBalance(tenant, '&at=2026-01-01T00:00:00%2B02:00')
  assert.deepEqual(nothing, { ...nothing, at: '2025-12-31T22:00:00.000000Z', content: [], totals: [], balanced: true })
})

test('an instant in the future is treated as now', async () => {
  const tenant = await withBooks()
  const { at, content } = await trialBalance(tenant, '&at=2999-12-31T00:00:00Z')
  assert(at < '2999')
  assert.equal(content.length, 8)
})

test('sums beyond the range of an amount are exact, and an imbalance is reported', async () => {
  const tenant = await app.tenant()
  const userId = await addUser(tenant, 'rich')
  const most = 2n ** 62n
  await app.owner.transaction(async (tx) => {
    for (const amounts of [
      [most, -most],
      [most, -most],
      [most, -most],
      [most + 1n, -most - 1n],
    ])
      await tx`
        insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, currency, accounts,
          owners, amounts)
        values (${userId}, ${newUuid()}, ${tenant.publisher.id}, 'accrual', ${newUuid()}, 1, now(), 'USD',
          '{advertiser_receivable,user_pending}', '{brand,""}', ${amounts.map(String)}::int8[])`
  })
  const { totals, balanced } = await trialBalance(tenant)
  assert.deepEqual(
    [totals, balanced],
    [[{ currency: 'USD', debits: Number('184467440737095516.17'), credits: Number('184467440737095516.17') }], true],
  )
  await app.owner.transaction(async (tx) => {
    await tx`alter table journals disable trigger user`
    await tx`update journals set amounts = array[amounts[1] - 1, amounts[2]] where user_id = ${userId}`
    await tx`alter table journals enable trigger user`
  })
  assert.equal((await trialBalance(tenant)).balanced, false)
})

test("the support role can see one publisher's trial balance, but the catalog role cannot", async () => {
  const tenant = await withBooks()
  assert.deepEqual((await trialBalance(await app.tenant())).content, [])
  const path = `/operator/trial-balance?publisher_id=${encodeId('pub', tenant.publisher.id)}`
  for (const [role, status] of [
    ['support', 200],
    ['catalog', 403],
  ] as const) {
    const { key } = await db.transaction((tx) =>
      createOperator(tx, { name: role, role, by: toLocalActor('tests') }, new Date()),
    )
    assert.equal((await makeCaller(url, key)('GET', path)).status, status, role)
  }
  assert.equal((await tenant.call('GET', path)).status, 401)
  for (const id of ['nobody', encodeId('pub', newUuid())]) {
    const { status, body } = await app.operator('GET', `/operator/trial-balance?publisher_id=${id}`)
    assert.deepEqual([status, body.code], [404, 'publisher_not_found'])
  }
  for (const at of ['yesterday', '0000-01-01T00:00:00Z', '2026-01-01']) {
    const { status, body } = await app.operator('GET', `${path}&at=${at}`)
    assert.deepEqual([status, body.errors?.[0].field], [400, 'at'], at)
  }
})
