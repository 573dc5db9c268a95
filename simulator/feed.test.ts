import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../test/support/runs.ts'
import { drop, put, readFeed } from './feed.ts'
import { draftItem } from './linking.ts'
import type { Item, Transaction } from './state.ts'
import { openStore } from './store.ts'
import { describe } from './transactions.ts'
import { openWorld } from './world.ts'

const world = openWorld(await openStore(undefined))

function newItem(): Item {
  return draftItem(world, {
    clientId: null,
    clientUserId: 'user-1',
    institutionId: 'ins_109508',
    username: 'user_plain',
    products: ['transactions'],
    webhook: null,
    accountFilters: null,
  })
}

function row(item: Item, id: string, amount: number): Transaction {
  return {
    ...describe({ merchant: 'Fern Foods' }),
    transaction_id: id,
    account_id: item.accounts[0]?.accountId ?? '',
    amount,
    unofficial_currency_code: null,
    iso_currency_code: 'USD',
    date: '2026-03-01',
    datetime: null,
    authorized_date: null,
    authorized_datetime: null,
    pending: false,
    pending_transaction_id: null,
  }
}

/** Updates a client's copy as a client should: applies the entire update, then stores the last cursor. */
function readAll(item: Item, cursor: string, count: number, copy: Map<string, number>): string {
  let at = cursor
  for (;;) {
    const page = readFeed(item, at, count, null)
    for (const { transaction_id, amount } of page.added) {
      assert.ok(!copy.has(transaction_id), 'added means new')
      copy.set(transaction_id, amount)
    }
    for (const { transaction_id, amount } of page.modified) {
      assert.ok(copy.has(transaction_id), 'modified means known')
      copy.set(transaction_id, amount)
    }
    for (const { transaction_id } of page.removed) assert.ok(copy.delete(transaction_id), 'removed means known')
    at = page.nextCursor
    if (!page.hasMore) return at
  }
}

const Step = fc.record({
  id: fc.integer({ min: 0, max: 5 }),
  amount: fc.integer({ min: 1, max: 99 }),
  verb: fc.constantFrom('put', 'put', 'drop', 'read'),
})

test('reads at any time, in pages of any size, converge on the current rows', () => {
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (steps, count) => {
      const item = newItem()
      const copy = new Map<string, number>()
      let cursor = ''
      for (const { id, amount, verb } of steps) {
        const known = item.transactions[`t${id}`]
        if (verb === 'put') put(item, { row: row(item, `t${id}`, amount), refundOf: null })
        else if (verb === 'drop' && known !== undefined) drop(item, known)
        else if (verb === 'read') cursor = readAll(item, cursor, count, copy)
      }
      readAll(item, cursor, count, copy)
      const truth = Object.values(item.transactions).map((stored) => [stored.row.transaction_id, stored.row.amount])
      assert.deepEqual([...copy].sort(), truth.sort())
    }),
    { numRuns: runs(500) },
  )
})

test('after a change between two pages, the next page is rejected, but the first cursor still works', () => {
  const item = newItem()
  for (const id of ['a', 'b', 'c']) put(item, { row: row(item, id, 1), refundOf: null })
  const first = readFeed(item, '', 2, null)
  assert.equal(first.hasMore, true)
  put(item, { row: row(item, 'a', 2), refundOf: null })
  assert.throws(() => readFeed(item, first.nextCursor, 2, null), {
    code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
  })
  const copy = new Map<string, number>()
  readAll(item, '', 2, copy)
  assert.deepEqual([...copy].sort(), [
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ])
})

test('a cursor from another item or account, or a made-up one, is rejected', () => {
  const [item, other] = [newItem(), newItem()]
  put(other, { row: row(other, 'a', 1), refundOf: null })
  const foreign = readFeed(other, '', 10, null).nextCursor
  const refused = { code: 'INVALID_FIELD', message: 'cursor not associated with access_token' }
  assert.throws(() => readFeed(item, foreign, 10, null), refused)
  assert.throws(() => readFeed(other, foreign, 10, 'account'), refused)
  for (const text of [
    'x',
    'bnVsbA==',
    'W10=',
    Buffer.from(JSON.stringify([item.itemId, null, 1.5, null, 0])).toString('base64'),
  ]) {
    assert.throws(() => readFeed(item, text, 10, null), refused)
  }
})

test('the cursor "now" skips the history', () => {
  const item = newItem()
  put(item, { row: row(item, 'a', 1), refundOf: null })
  const start = readFeed(item, 'now', 10, null)
  assert.deepEqual([start.added.length, start.hasMore], [0, false])
  put(item, { row: row(item, 'b', 1), refundOf: null })
  const { added } = readFeed(item, start.nextCursor, 10, null)
  assert.deepEqual(
    added.map(({ transaction_id }) => transaction_id),
    ['b'],
  )
})

test('a cursor fits in the 256 characters that the provider allows', () => {
  const item = newItem()
  const account = item.accounts[0]?.accountId ?? ''
  for (let index = 0; index < 1000; index++) put(item, { row: row(item, `t${index}`, 1), refundOf: null })
  assert.ok(readFeed(item, '', 999, account).nextCursor.length <= 256)
})
