import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { later, openRematchWorld } from '../../../test/support/rematch-world.ts'
import { DAY_MS } from '../../platform/calendar.ts'
import { encodeId } from '../../platform/ids.ts'
import { listAudit, toLocalActor } from '../../tenants/accounts/index.ts'
import { previewRematch } from './rematch/service.ts'
import { applyRematchAs, undoRematchAs } from './rematch-by-operator.ts'

const db = await openTestDatabase('rematches')
const world = await openRematchWorld(db)

test('the audit log records the real time of a re-match request, even if the sandbox clock is ahead', async () => {
  const publisher = { ...(await world.publisher()), clockOffsetMs: 450 * DAY_MS }
  const deps = { db, catalog: world.catalog }
  const asked = { brandUid: 'five', template: null, since: later(-10), until: null }
  const { hash } = await previewRematch(deps, publisher, asked, later(460))
  const order = { filter: asked, by: 'Ana', reason: 'another kiosk', expected: hash }
  const now = later(10)
  const done = await applyRematchAs(deps, publisher, order, toLocalActor('eve'), { clock: { now: () => now } })
  const uid = encodeId('rmt', done.rematchId)
  const undone = await undoRematchAs(deps, uid, 'Eve', toLocalActor('eve'), { clock: { now: () => now } })
  for (const { startedAt, finishedAt } of [done, undone]) assert.deepEqual([startedAt, finishedAt], [now, now])
  const deeds = await listAudit(db.reader, { subject: null, actor: 'local:eve', limit: 10 })
  assert.deepEqual(
    deeds.map(({ action, at }) => [action, at]),
    ['rematch.undone', 'rematch.begun', 'rematch.applied', 'rematch.begun'].map((action) => [action, now]),
  )
  const filter = { brand_uid: 'five', template: null, since: '2025-12-31', until: null }
  for (const deed of deeds.slice(2)) {
    const audited = deed.after as { filter: unknown; hash: unknown }
    assert.deepEqual([audited.filter, audited.hash], [filter, hash])
  }
})

test('the start of a re-match is recorded in the audit log even if the re-match is interrupted', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.say(publisher, 'zorble kiosk', 'five')
  await world.report(publisher, userId, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.say(publisher, 'zorble kiosk', 'ten')
  await db.transaction(async (tx) => {
    await tx`
      create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$`
    await tx`create trigger refuse_change before insert on rematch_changes execute function refuse_change()`
  })
  const filter = { brandUid: 'five', template: null, since: null, until: null }
  const order = { filter, by: 'Ana', reason: 'the kiosk is another', expected: null }
  const applied = applyRematchAs({ db, catalog: world.catalog }, publisher, order, toLocalActor('ana'), {
    clock: { now: () => later(60) },
  })
  await assert.rejects(applied, /broken off/)
  const deeds = await listAudit(db.reader, { subject: null, actor: 'local:ana', limit: 10 })
  assert.deepEqual(
    deeds.map(({ action }) => action),
    ['rematch.begun'],
  )
  assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 350'])
})
