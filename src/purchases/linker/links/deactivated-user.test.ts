import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  type Client,
  createClient,
  link,
  openWorld,
  simulatedItems,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { publishTerms } from '../../../users/terms/index.ts'
import { acceptTerms, deactivateUser } from '../../../users/users/index.ts'
import { unlinkUser } from './unlink.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_farewell')
  client = await createClient(world)
})
after(() => world.close())

test('a user deactivated while linking ends up without a link', async () => {
  const user = await addUser(world, 'leaving')
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const terms = await publishTerms(tx, { url: 'https://terms.example', revision: '1', requiredFrom: now }, now)
    await acceptTerms(tx, world.publisher, 'leaving', terms.documentId, now)
  })
  const hold = Promise.withResolvers<void>()
  world.door.holds = { path: '/accounts/get', until: hold.promise }
  const linking = link(world, client, 'leaving')
  await until(async () => world.door.calls.includes('/accounts/get'))
  await world.db.transaction((tx) => deactivateUser(tx, world.publisher, 'leaving', world.clock.now()))
  await world.db.transaction((tx) => unlinkUser(tx, world.deps, world.publisher, user.userId))
  hold.resolve()
  const answer = await linking
  assert.deepEqual([answer.status, answer.body['code']], [409, 'user_not_active'])
  const left = await world.db.reader`
    select 1 from linker_items where user_id = ${user.userId}
    union all select 1 from links where user_id = ${user.userId}`
  assert.equal(left.length, 0)
  world.clock.offsetMs += 16 * 60_000
  await work(world)
  assert.deepEqual(await simulatedItems(world), [])
})

test("a deactivated user's cards are hidden, even before they are unlinked", async () => {
  await addUser(world, 'hidden')
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const terms = await publishTerms(tx, { url: 'https://terms.example', revision: '2', requiredFrom: now }, now)
    await acceptTerms(tx, world.publisher, 'hidden', terms.documentId, now)
  })
  assert.equal((await link(world, client, 'hidden')).status, 200)
  await world.db.transaction((tx) => deactivateUser(tx, world.publisher, 'hidden', world.clock.now()))
  assert.deepEqual((await client('GET', '/linker/linked-cards/hidden')).body, { linked_institutions: [] })
  const there = await client('GET', '/linker/linked-cards/hidden/ins_109508')
  assert.deepEqual([there.status, there.body['code']], [404, 'link_not_found'])
  const repair = await client('GET', '/linker/auth-token/ins_109508/hidden')
  assert.deepEqual([repair.status, repair.body['code']], [409, 'user_not_active'])
})
