import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { toUserId } from '../../platform/ids.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

async function buyer(publisher_user_id: string) {
  assert.equal((await app.call('POST', '/users', { publisher_user_id })).status, 200)
  const purchase = { publisher_user_id, external_id: `of ${publisher_user_id}`, source: 'OTHER', amount: 5 }
  assert.equal((await app.call('POST', '/transactions', purchase)).status, 200)
  return toUserId(app.publisher.id, publisher_user_id)
}

const erase = (name: string) => app.call('POST', `/users/${name}/erase`, { confirm: name })

async function isDone(userId: string): Promise<boolean> {
  const rows = await app.owner.reader`select from erasures where user_id = ${userId} and done_at is not null`
  return rows.length === 1
}

test('a failing erasure is retried and does not block others', async () => {
  const [failing, passing] = [await buyer('bob'), await buyer('cleo')]
  await app.owner.reader.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before update on transactions for each row
      when (old.user_id = '${failing}') execute function refuse()`)
  for (const name of ['bob', 'cleo']) assert.equal((await erase(name)).status, 200)
  await eventually(() => isDone(passing))
  assert.equal(await isDone(failing), false)
  await app.owner.reader.unsafe('drop trigger refuse on transactions')
  await eventually(async () => {
    await app.owner.reader`update erasures set due_at = now() where user_id = ${failing} and done_at is null`
    return isDone(failing)
  })
})

test('concurrent requests create a single erasure', async () => {
  const userId = await buyer('dora')
  const answers = await app.owner.transaction(async (tx) => {
    await tx`select from users where user_id = ${userId} for update`
    // One request waits for the row lock, and the others wait behind it.
    const asked = Array.from({ length: 3 }, () => erase('dora'))
    await eventually(async () => {
      const waiting = await app.owner.reader`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length >= 1
    })
    return asked
  })
  const erasures = new Set((await Promise.all(answers)).map(({ status, body }) => `${status} ${body.erasure_id}`))
  assert.equal(erasures.size, 1)
  assert.match([...erasures].join(), /^200 era_/)
})

test("an erasure waits for a login to end at the provider, but destroys the login's token within a day", async () => {
  const userId = await buyer('eve')
  const { reader } = app.owner
  await reader`
    insert into item_removals (user_id, removal_id, publisher_id, link_id, sealed_token, item_fingerprint, due_at)
    values (${userId}, gen_random_uuid(), ${app.publisher.id}, gen_random_uuid(), '\\x00', '\\x00', 'infinity')`
  assert.equal((await erase('eve')).status, 200)
  await eventually(async () => {
    const rows = await reader`select from erasures where user_id = ${userId} and due_at > now() and salt is not null`
    return rows.length === 1
  })
  assert.equal(await isDone(userId), false)
  await reader`
    update erasures set recorded_at = recorded_at - interval '23 hours', due_at = now() where user_id = ${userId}`
  await eventually(() => isDone(userId))
  assert.equal((await reader`select from item_removals where user_id = ${userId}`).length, 0)
})
