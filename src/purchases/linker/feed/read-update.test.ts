import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoRoom } from '../health/failures.ts'
import { type FeedPage, ProviderFault } from '../provider.ts'
import { openEffort, readUpdate } from './read-update.ts'

/** Fakes a feed whose pages have this many removed rows each. */
function fakeFeed(sizes: readonly number[]) {
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
  readUpdate(fakeFeed(sizes), { token: 'token', cursor: null, effort })

test("all pages of an update are read, and the last page's cursor is returned", async () => {
  const effort = openEffort()
  const update = await read([2, 3, 1], effort)
  assert.deepEqual([update.pages.length, update.cursor, update.fromStart, effort.calls], [3, '3', true, 3])
})

test('while a large update is held in memory, another large one is postponed, but small ones are not', async () => {
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

/** Reads a feed that changes whenever it is read from one of these cursors. */
async function readChanging(isChanging: (cursor: string | null) => boolean, cursor: string | null) {
  const asked: (string | null)[] = []
  const feed = fakeFeed([1])
  const readFeed = (token: string, from: string | null): Promise<FeedPage> => {
    asked.push(from)
    if (!isChanging(from)) return feed.readFeed(token, from)
    throw new ProviderFault('refused', 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION', 'transactions/sync', null)
  }
  const effort = { calls: 0, turn: async () => undefined, hold: () => undefined, close: () => undefined }
  const outcome = await readUpdate({ readFeed }, { token: 'token', cursor, effort }).catch((error: unknown) => error)
  return { asked, outcome }
}

test('a feed that changes on every read from its cursor is read from the beginning after three tries', async () => {
  const { asked, outcome } = await readChanging((from) => from === 'stuck', 'stuck')
  assert.deepEqual(asked, ['stuck', 'stuck', 'stuck', null])
  const { fromStart, cursor, gaveUpFor } = outcome as Awaited<ReturnType<typeof readUpdate>>
  assert.deepEqual([fromStart, cursor, gaveUpFor], [true, '1', 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION'])
})

test('an update that keeps changing while it is read is restarted at most five times', async () => {
  for (const [cursor, fromCursor] of [
    ['begun', 3],
    [null, 6],
  ] as const) {
    const { asked, outcome } = await readChanging(() => true, cursor)
    assert(outcome instanceof ProviderFault)
    assert.deepEqual([asked.length, asked.filter((from) => from === cursor).length], [6, fromCursor])
  }
})
