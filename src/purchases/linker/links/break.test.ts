import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  type Client,
  createClient,
  link,
  openWorld,
  readEvents,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { createPublisher } from '../../../tenants/publishers/index.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_break')
  client = await createClient(world)
})
after(() => world.close())

const BANK = 'ins_109508'
const getErrors = ({ body }: Awaited<ReturnType<Client>>) =>
  (body['linked_cards'] as { error: unknown }[]).map(({ error }) => error)

test('breaking a sandbox login breaks its item at the provider, marks its cards and is announced once', async () => {
  const { userId } = await addUser(world, 'ada')
  assert.equal((await link(world, client, 'ada', 'ada')).status, 200)
  await work(world)
  const broken = await client('POST', `/sandbox/links/ada/${BANK}/break`)
  assert.deepEqual([broken.status, [...new Set(getErrors(broken))]], [200, ['NEED_AUTHENTICATION']])
  assert.deepEqual(await client('POST', `/sandbox/links/ada/${BANK}/break`).then(getErrors), getErrors(broken))
  // The provider confirms the break.
  await work(world)
  assert.deepEqual(await client('GET', `/linker/linked-cards/ada/${BANK}`).then(getErrors), getErrors(broken))
  const announced = (await readEvents(world, userId)).filter(({ type }) => type === 'card.reauthentication_required')
  assert.equal(announced.length, getErrors(broken).length)
})

test('a login cannot be broken in production, for an unknown user or without a link', async () => {
  const live = await world.db.transaction((tx) =>
    createPublisher(tx, { name: 'Live', environment: 'production' }, world.clock.now()),
  )
  const other = await world.db.transaction((tx) =>
    createPublisher(tx, { name: 'Other', environment: 'sandbox' }, world.clock.now()),
  )
  await addUser(world, 'grace')
  for (const [status, code, by, user] of [
    [403, 'sandbox_only', await createClient(world, live), 'grace'],
    [404, 'user_not_found', await createClient(world, other), 'grace'],
    [404, 'user_not_found', client, 'nobody'],
    [404, 'link_not_found', client, 'grace'],
  ] as const) {
    const answer = await by('POST', `/sandbox/links/${user}/${BANK}/break`)
    assert.deepEqual([answer.status, answer.body['code']], [status, code])
  }
})
