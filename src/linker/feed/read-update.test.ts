import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedPage, ProviderFault } from '../provider.ts'
import { NoRoom, openEffort, readUpdate } from './read-update.ts'

/** A feed whose pages have this many removed rows each. */
function feedOf(sizes: readonly number[]) {
  const asked: (string | null)[] = []
  const readFeed = async (_token: string, cursor: string | null): Promise<FeedPage> => {
    asked.push(cursor)
    const index = Number(cursor ?? 0)
    const removed = Array.from({ length: sizes[index] ?? 0 }, (_, row) => `${index}-${row}`)
    const hasMore = index + 1 < sizes.length
    return { added: [], modified: [], removed, leftOut: 0, nextCursor: String(index + 1), hasMore, isComplete: true }
  }
  return { readFeed, asked }
}

const read = (sizes: readonly number[], effort = openEffort()) =>
  readUpdate(feedOf(sizes), { token: 'token', cursor: null, effort })

test('the pages of an update are read to the end, and its cursor is the last', async () => {
  const effort = openEffort()
  const update = await read([2, 3, 1], effort)
  assert.deepEqual([update.pages.length, update.cursor, update.fromStart, effort.calls], [3, '3', true, 3])
})

test('one large update is held at a time; another is postponed, small ones are not', async () => {
  const first = openEffort()
  await read([3_000, 3_000], first)
  await assert.rejects(read([3_000, 3_000]), NoRoom)
  await read([3_000])
  first.close()
  const second = openEffort()
  await read([3_000, 3_000], second)
  second.close()
})

test("an update larger than any login's feed is abandoned", async () => {
  const effort = openEffort()
  await assert.rejects(read([30_000, 30_000], effort), /more than 50000 rows/)
  effort.close()
})

test('an update that changes while it is read is restarted from its first cursor, a few times at most', async () => {
  let calls = 0
  const readFeed = async (): Promise<FeedPage> => {
    calls++
    throw new ProviderFault('refused', 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION', 'transactions/sync', null)
  }
  const turns: number[] = []
  const effort = {
    calls: 0,
    turn: async () => void turns.push(calls),
    hold: () => undefined,
    close: () => undefined,
  }
  await assert.rejects(readUpdate({ readFeed }, { token: 'token', cursor: 'begun', effort }), ProviderFault)
  assert.equal(calls, 6)
  assert.equal(turns.length, 6)
})
