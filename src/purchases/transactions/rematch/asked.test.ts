import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPages } from '../../../../test/support/operator-lists.ts'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { later, openRematchWorld } from '../../../../test/support/rematch-world.ts'
import type { Database } from '../../../platform/db/database.ts'
import { encodeId } from '../../../platform/ids.ts'
import { readList } from '../../../tenants/access/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { CHANGE_LIST, changedBy, listChanges, REMATCH_LIST } from './queries.ts'
import { REMATCH } from './rematch.ts'
import { parseDayFilter } from './schema.ts'
import { applyRematch, previewRematch, undoRematch } from './service.ts'

// The filter of a re-match is refused if invalid, and otherwise stored with the record.

const db = await openTestDatabase('rematch_asked')
const world = await openRematchWorld(db)

const NOW = later(60)
const nothing = { brandUid: null, template: null, since: null, until: null }

const listRematches = async ({ id }: Publisher) =>
  (await readList(db.reader, REMATCH_LIST, { publisher_id: encodeId('pub', id) }, '-started_at')).rows

test('an invalid filter is rejected with its field, and nothing is stored', async () => {
  const publisher = await world.publisher()
  const rows = [
    { filter: nothing, code: 'rematch_unbounded', field: 'brand_uid' },
    { filter: { ...nothing, brandUid: 'nope' }, code: 'brand_unknown', field: 'brand_uid' },
    { filter: { ...nothing, since: later(3), until: later(3) }, code: 'date_invalid', field: 'since' },
    { filter: { ...nothing, since: later(4), until: later(3) }, code: 'date_invalid', field: 'since' },
  ]
  for (const { filter, ...refusal } of rows) {
    await assert.rejects(previewRematch(world.deps, publisher, filter, NOW), refusal)
    const order = { filter, by: 'Ana', reason: 'asked', expected: null }
    await assert.rejects(applyRematch(world.deps, publisher, order, NOW), refusal)
  }
  assert.deepEqual(await listRematches(publisher), [])
})

test("a re-match's record contains the filter and the hash of the preview", async () => {
  const publisher = { ...(await world.publisher()), timeZone: 'America/New_York' }
  const userId = await world.user(publisher)
  await world.report(publisher, userId, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.say(publisher, 'zorble kiosk', 'five')
  const asked = { brand_uid: 'five', template: 'zorble kiosk', since: '2026-01-01', until: '2026-03-08' }
  const filter = parseDayFilter(publisher, asked)
  const { hash } = await previewRematch(world.deps, publisher, filter, NOW)
  const order = { filter, by: 'Ana', reason: 'corrected', expected: hash }
  const done = REMATCH.present(await applyRematch(world.deps, publisher, order, NOW))
  assert.deepEqual([done.changed, done.filter, done.hash], [1, asked, hash])
  const unseen = await applyRematch(world.deps, publisher, { ...order, expected: null }, NOW)
  assert.equal(REMATCH.present(unseen).hash, null)
})

test('a re-match can be undone once, and the undo can be undone as well', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.report(publisher, userId, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.say(publisher, 'zorble kiosk', 'five')
  const filter = { ...nothing, brandUid: 'five' }
  const order = { filter, by: 'Ana', reason: 'corrected', expected: null }
  const undone = await applyRematch(world.deps, publisher, order, NOW)
  const undo = await undoRematch(world.deps, publisher, { undone, by: 'Ben' }, NOW)
  assert.deepEqual([undo.changed, REMATCH.present(undo).filter], [1, null])
  await assert.rejects(undoRematch(world.deps, publisher, { undone, by: 'Ben' }, NOW), { code: 'rematch_undone' })
  assert.equal((await undoRematch(world.deps, publisher, { undone: undo, by: 'Ben' }, NOW)).changed, 1)
  assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 350'])
  assert.equal((await listRematches(publisher)).length, 3)
})

test('re-matches and their changes can be paged through in any order, even if they began simultaneously', async () => {
  const publisher = await world.publisher()
  const users = [await world.user(publisher), await world.user(publisher)]
  for (const userId of users)
    await world.report(
      publisher,
      userId,
      ['a', 'b'].map((id) => ({ id: `${userId} ${id}`, amount: 10_000, day: 0 })),
    )
  await world.say(publisher, 'zorble kiosk', 'five')
  const order = { filter: { ...nothing, brandUid: 'five' }, by: 'Ana', reason: 'corrected', expected: null }
  const done = await applyRematch(world.deps, publisher, order, NOW)
  for (let count = 0; count < 2; count++) await applyRematch(world.deps, publisher, order, NOW)
  const query = { publisher_id: encodeId('pub', publisher.id) }
  const newest = await listRematches(publisher)
  assert.equal(newest.length, 3)
  assert.deepEqual(await readPages(db.reader, REMATCH_LIST, query, '-started_at'), newest)
  assert.deepEqual(await readPages(db.reader, REMATCH_LIST, query, 'started_at'), newest.toReversed())
  const changes = await readPages(db.reader, { ...CHANGE_LIST, ...changedBy(done) }, {}, 'user_id')
  const whole = await listChanges(db.reader, publisher.id, done.rematchId)
  assert.deepEqual(
    [whole.length, changes.map(({ transactionId }) => transactionId)],
    [4, whole.map(({ transactionId }) => transactionId)],
  )
})

test('an interrupted undo can be retried', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.report(publisher, userId, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.say(publisher, 'zorble kiosk', 'five')
  const order = { filter: { ...nothing, brandUid: 'five' }, by: 'Ana', reason: 'corrected', expected: null }
  const undone = await applyRematch(world.deps, publisher, order, NOW)
  const broken = { ...world.deps, db: failingAfter(db, 1) }
  await assert.rejects(undoRematch(broken, publisher, { undone, by: 'Ben' }, NOW), /broken off/)
  assert.equal((await undoRematch(world.deps, publisher, { undone, by: 'Ben' }, NOW)).changed, 1)
})

test('a re-match records the real time, even if the sandbox clock was moved', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.report(publisher, userId, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.say(publisher, 'zorble kiosk', 'five')
  const at = later(1)
  const order = { filter: { ...nothing, brandUid: 'five' }, by: 'Ana', reason: 'corrected', expected: null, at }
  const undone = await applyRematch(world.deps, publisher, order, NOW)
  const undo = await undoRematch(world.deps, publisher, { undone, by: 'Ben', at }, NOW)
  for (const { startedAt, finishedAt } of [undone, undo]) assert.deepEqual([startedAt, finishedAt], [at, at])
})

/** Returns a database that fails after this many transactions. */
function failingAfter(real: Database, count: number): Database {
  let left = count
  return {
    ...real,
    transaction: async (work) => {
      if (left-- === 0) throw new Error('broken off')
      return real.transaction(work)
    },
  }
}
