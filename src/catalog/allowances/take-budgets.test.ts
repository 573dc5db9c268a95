import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import type { UserId } from '../../platform/ids.ts'
import { listBudgets } from './budget-queries.ts'
import { takeFromBudgets } from './take-budgets.ts'

const db = await openTestDatabase('take_budgets', { connections: 2 })

const KEY = { offerUid: 'off_lowered', environment: 'production', period: 'DAY', startsOn: '2026-01-10' } as const
const makeUserId = (number: number): UserId => `00000000-0000-8000-8000-${String(number).padStart(12, '0')}` as UserId

test('amounts returned to any slot of an overspent budget first cover the overspending', async () => {
  const take = async (user: number, amount: bigint, [budget, offerVersion]: readonly [bigint, number]) => {
    const states = await listBudgets(db.reader, [KEY])
    const takes = [{ ...KEY, userId: makeUserId(user), amount, budget, offerVersion }]
    return db.transaction((tx) => takeFromBudgets(tx, takes, states))
  }
  const unspent = async () => (await listBudgets(db.reader, [KEY]))[0]?.unspent
  const [first, lowered] = [
    [64_000n, 1],
    [10_000n, 2],
  ] as const
  for (let user = 0; user < 24; user++) assert(await take(user, 1_000n, first))
  assert.equal(await unspent(), 40_000n)
  // Returned by a process that has loaded the lowered budget.
  assert(await take(0, -1_000n, lowered))
  assert.equal(await unspent(), -13_000n)
  for (let user = 1; user < 13; user++) {
    assert(await take(user, -1_000n, first))
    assert.equal(await take(user, 10n, lowered), false, `user ${user} takes what only fills the hole`)
  }
  assert(await take(13, -1_500n, first))
  assert.equal(await unspent(), 500n)
  assert.equal(await take(14, 501n, lowered), false)
  assert(await take(14, 500n, lowered))
  assert.equal(await unspent(), 0n)
})
