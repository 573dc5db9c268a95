import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  type Client,
  createClient,
  link,
  openWorld,
  until,
  type World,
} from '../../../../test/support/linker-world.ts'
import { getInstitution } from './institutions.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_institutions')
  client = await createClient(world)
})
after(() => world.close())

const ASKING = '/institutions/get_by_id'
const asked = (): number => world.door.calls.filter((path) => path === ASKING).length

async function shown(name: string): Promise<Record<string, unknown>> {
  const { body } = await client('GET', `/linker/linked-cards/${name}`)
  const [first] = body['linked_institutions'] as Record<string, unknown>[]
  assert(first !== undefined)
  return first
}

test('a bank whose data is unavailable is linked without its logo and color, which are fetched later', async () => {
  await addUser(world, 'plain')
  world.door.shutFor = ASKING
  const { status, body } = await link(world, client, 'plain', 'plain', 'ins_810001')
  world.door.shutFor = null
  assert.equal(status, 200)
  assert.deepEqual([body['logo'], body['logo_url'], body['color']], [null, null, null])
  assert.notEqual(body['institution_name'], 'ins_810001')
  world.clock.offsetMs += 61_000
  await until(async () => (await shown('plain'))['logo_url'] !== null)
})

test('many concurrent users of one bank cause only one call to the provider', async () => {
  const before = asked()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => getInstitution(world.deps, world.publisher, 'ins_810002')),
  )
  assert.equal(asked(), before + 1)
  assert.equal(new Set(answers.map((one) => one?.name)).size, 1)
  assert.notEqual(answers[0], null)
})

test('a request that races the first fetch of a bank gets the fetched data', async () => {
  const [hasRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = new Proxy(world.deps.db.reader, {
    apply: async (reader, self, query) => {
      const rows = await Reflect.apply(reader, self, query)
      hasRead.resolve()
      await mayGoOn.promise
      return rows
    },
  })
  const looking = getInstitution(
    { ...world.deps, db: { ...world.deps.db, reader: slow } },
    world.publisher,
    'ins_810003',
  )
  await hasRead.promise
  const fetched = await getInstitution(world.deps, world.publisher, 'ins_810003')
  mayGoOn.resolve()
  assert.notEqual(fetched, null)
  assert.equal((await looking)?.name, fetched?.name)
})

test('stale data is returned immediately and then refreshed, and fresh data is not fetched again', async () => {
  await addUser(world, 'aged')
  await link(world, client, 'aged')
  const name = (await shown('aged'))['institution_name']
  const before = asked()
  assert.equal((await shown('aged'))['institution_name'], name)
  assert.equal(asked(), before)
  await world.db.reader`
    update provider_institutions set name = 'Former name', fetched_at = fetched_at - interval '8 days'
    where institution_id = 'ins_109508'`
  world.clock.offsetMs += 61_000
  assert.equal((await shown('aged'))['institution_name'], 'Former name')
  await until(async () => (await shown('aged'))['institution_name'] === name)
  assert.equal(asked(), before + 1)
})

test('an unknown institution is fetched at most once a minute, not on every request', async () => {
  const before = asked()
  for (let count = 0; count < 5; count++)
    assert.equal(await getInstitution(world.deps, world.publisher, 'ins_nowhere'), null)
  assert.equal(asked(), before + 1)
})
