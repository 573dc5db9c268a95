import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../test/support/postgres.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { later, openRematchWorld, type RematchWorld } from '../transactions/rematch/testing.ts'
import { applyRematchAs, listAudit, localActor } from './index.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
let world: RematchWorld

before(async () => {
  database = await testDatabase('rematches')
  db = openDatabase(database.url, { connections: 4 })
  world = await openRematchWorld(db)
})
after(async () => {
  await db.close()
  await database.drop()
})

test('who began a re-match is written down, also where it breaks off before its end', async () => {
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
  const applied = applyRematchAs({ db, catalog: world.catalog }, publisher, order, localActor('ana'), {
    nowOf: () => later(60),
  })
  await assert.rejects(applied, /broken off/)
  const deeds = await listAudit(db.reader, { subject: null, actor: 'local:ana', limit: 10 })
  assert.deepEqual(
    deeds.map(({ action }) => action),
    ['rematch.begun'],
  )
  assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 350'])
})
