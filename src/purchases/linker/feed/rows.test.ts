import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerRow as row } from '../../../../test/support/feed-plan.ts'
import { foldPages } from './rows.ts'

test('a modified row that was never added is treated as added, and the last state of each row applies', () => {
  const page = { added: [], modified: [], removed: [], leftOut: 0, nextCursor: 'c', hasMore: true, isComplete: true }
  const update = foldPages([
    { ...page, added: [row('a', 1), row('b', 1)], removed: ['c', 'd'] },
    { ...page, modified: [row('b', 2), row('m', 3)], removed: ['a'] },
    { ...page, added: [row('c', 4)] },
  ])
  assert.deepEqual(
    update.rows.map((one) => [one.rowId, one.amount]),
    [
      ['b', 2],
      ['m', 3],
      ['c', 4],
    ],
  )
  assert.deepEqual(update.removed, ['d', 'a'])
})
