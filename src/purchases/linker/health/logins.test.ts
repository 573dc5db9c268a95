import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  CLIENT,
  type Client,
  createClient,
  link,
  openWorld,
  publicToken,
  readEvents,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { advanceClock, createPublisher } from '../../../tenants/publishers/index.ts'
import { setAccount } from '../accounts/provider-accounts.ts'
import { unlinkUser } from '../links/unlink.ts'
import { syncPublisher } from '../loops.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_logins')
  client = await createClient(world)
})
after(() => world.close())

async function linked(name: string) {
  const user = await addUser(world, name)
  assert.equal((await link(world, client, name, name)).status, 200)
  await work(world)
  const item = (await simulatedItems(world)).at(-1)
  assert(item !== undefined)
  return { user, item }
}

async function readErrors(name: string): Promise<unknown[]> {
  const { body } = await client('GET', `/linker/linked-cards/${name}/ins_109508`)
  return (body['linked_cards'] as { error: unknown }[]).map((card) => card.error)
}

async function readTypes(userId: string): Promise<string[]> {
  return (await readEvents(world, userId)).map((event) => event.type).filter((type) => type.startsWith('card.'))
}

test('a broken login is visible on its cards, is announced once per card, and clears when repaired', async () => {
  const { user, item } = await linked('broken')
  const cards = (await readErrors('broken')).length
  await atSimulator(world, `/_sim/items/${item.item_id}/break`)
  await until(async () => {
    await work(world)
    return (await readErrors('broken')).every((error) => error === 'NEED_AUTHENTICATION')
  })
  await world.db
    .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second', check_due_at = now() - interval '1 second' where user_id = ${user.userId}`
  await work(world)
  const reauthentications = (await readTypes(user.userId)).filter((type) => type === 'card.reauthentication_required')
  assert.equal(reauthentications.length, cards)
  const token = await client('GET', '/linker/auth-token/ins_109508/broken')
  assert.match(String(token.body['link_token']), /^link-/)
  await atSimulator(world, `/_sim/items/${item.item_id}/repair`)
  await until(async () => {
    await work(world)
    return (await readErrors('broken')).every((error) => error === null)
  })
})

test('auth-token returns a token for a new link if the item no longer exists at the provider', async () => {
  const { item } = await linked('vanished')
  world.door.shutFor = null
  await removeAtProvider(item.item_id)
  const answer = await client('GET', '/linker/auth-token/ins_109508/vanished')
  assert.equal(answer.status, 200)
  assert.equal((await client('GET', '/linker/auth-token/ins_810001/vanished')).status, 404)
})

/** Removes the item as if the user had revoked access elsewhere. Reads the token from the vault. */
async function removeAtProvider(itemId: string): Promise<void> {
  const { openToken } = await import('../sealed-tokens.ts')
  type Sealed = Parameters<typeof openToken>[1] & { readonly sealed: Buffer }
  const rows = await world.db.reader<Sealed[]>`
    select user_id, link_id, publisher_id, sealed_token as sealed from linker_items`
  for (const row of rows) {
    const token = openToken(world.deps.vault, row, row.sealed)
    if ((await world.deps.providers.sandbox.getItem(token).catch(() => null))?.itemId === itemId)
      await world.deps.providers.sandbox.removeItem(token)
  }
}

test('unlinking works while the provider is down, and the token is destroyed once the provider is back', async () => {
  const { user, item } = await linked('leaver')
  world.door.mode = 'shut'
  const answer = await client('DELETE', '/linker/access-token/leaver/ins_109508', undefined, 'bye')
  await work(world)
  assert.equal(answer.status, 200)
  assert.deepEqual((await client('GET', '/linker/linked-cards/leaver')).body, { linked_institutions: [] })
  assert.deepEqual(await client('DELETE', '/linker/access-token/leaver/ins_109508', undefined, 'bye'), answer)
  assert.equal((await client('DELETE', '/linker/access-token/leaver/ins_109508')).status, 404)
  assert((await simulatedItems(world)).some((one) => one.item_id === item.item_id))
  world.door.mode = 'open'
  world.clock.offsetMs += 60_000
  await work(world)
  assert(!(await simulatedItems(world)).some((one) => one.item_id === item.item_id))
  const [left] = await world.db.reader<{ count: bigint }[]>`
    select (select count(*) from item_removals where user_id = ${user.userId})
      + (select count(*) from linker_items where user_id = ${user.userId}) as count`
  assert.equal(left?.count, 0n)
  const types = await readTypes(user.userId)
  assert.equal(types.filter((type) => type === 'card.unlinked').length, answer.body['unlinked_cards'])
})

test('an item unknown to the provider counts as removed', async () => {
  const { user, item } = await linked('doubly')
  await removeAtProvider(item.item_id)
  await client('DELETE', '/linker/access-token/doubly/ins_109508')
  await work(world)
  const left = await world.db.reader`select 1 from item_removals where user_id = ${user.userId}`
  assert.equal(left.length, 0)
})

test('a deactivated user is unlinked everywhere', async () => {
  const { user, item } = await linked('farewell')
  await world.db.transaction((tx) => unlinkUser(tx, world.deps, world.publisher, user.userId))
  await world.db.transaction((tx) => unlinkUser(tx, world.deps, world.publisher, user.userId))
  await work(world)
  assert(!(await simulatedItems(world)).some((one) => one.item_id === item.item_id))
})

test('a link that fails after the exchange leaves no item behind', async () => {
  const user = await addUser(world, 'halfway')
  const body = {
    public_token: await publicToken(world, 'halfway'),
    institution_id: 'ins_109508',
    institution_name: 'Bank',
  }
  world.door.shutFor = '/accounts/get'
  const answer = await client('POST', '/linker/public-token/halfway', body)
  world.door.shutFor = null
  assert.equal(answer.status, 503)
  const item = (await simulatedItems(world)).at(-1)
  world.clock.offsetMs += 16 * 60_000
  await work(world)
  assert(!(await simulatedItems(world)).some((one) => one.item_id === item?.item_id))
  assert.deepEqual(await readTypes(user.userId), [])
})

test('card events identify the user and the card', async () => {
  const { user } = await linked('reported')
  const [event] = await readEvents(world, user.userId).then((all) => all.filter(({ type }) => type === 'card.linked'))
  assert.deepEqual(Object.keys(event?.data ?? {}), [
    'card_id',
    'publisher_user_id',
    'svc_user_id',
    'institution_id',
    'institution_name',
    'account_id',
    'name',
    'mask',
    'error',
    'reauthentication_deadline',
    'linked_at',
    'unlinked_at',
    'version',
  ])
  assert.match(String(event?.data['linked_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('no token or secret appears in the log, in an event or in plain text in the database', async () => {
  await linked('secretive')
  await world.db.transaction((tx) =>
    setAccount(tx, world.deps.vault, world.publisher.id, { ...CLIENT, by: 'test', force: false }, world.clock.now()),
  )
  const exchanged = await atSimulator(world, '/item/public_token/exchange', {
    public_token: await publicToken(world, 'planted'),
  })
  const planted = String(exchanged['access_token'])
  const body = { institution_id: 'ins_109508', institution_name: 'Bank' }
  await addUser(world, 'planted')
  const own = { ...body, publisher_user_id: 'planted', provider_access_token: planted }
  await client('POST', '/linker/access-token', own, 'planted')
  const marker = 'public-sandbox-planted-marker'
  world.door.mode = 'shut'
  await client('POST', '/linker/public-token/planted', { ...body, public_token: marker })
  await client('POST', '/linker/access-token', { ...own, provider_access_token: `${planted}-2` })
  await world.db
    .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second', check_due_at = now() - interval '1 second'`
  await work(world)
  world.door.mode = 'html'
  await client('POST', '/linker/public-token/planted', { ...body, public_token: marker })
  world.door.mode = 'open'
  await client('POST', '/linker/public-token/planted', { ...body, public_token: marker })
  // Calls that were skipped while the provider was down are made again soon after it is back.
  await until(async () => (await client('GET', '/linker/link-token/planted')).status === 200)
  const log = world.logged.join('')
  assert.match(log, /a feed could not be read/)
  for (const secret of [planted, marker, CLIENT.secret, 'access-sandbox-'])
    assert(!log.includes(secret), `${secret} in the log`)
  const tables = await world.db.reader<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`
  for (const { name } of tables) {
    const rows = await world.db.reader.unsafe(`select to_jsonb(t)::text as text from ${name} t`)
    for (const row of rows)
      for (const secret of ['access-sandbox-', 'public-sandbox-', CLIENT.secret])
        assert(!String(row['text']).includes(secret), `${secret} in ${name}`)
  }
})

test('an item whose clock cannot be set is still linked and read, and its clock is set later', async () => {
  const made = { name: 'Ahead', environment: 'sandbox' } as const
  const publisher = await world.db.transaction(async (tx) =>
    advanceClock(tx, await createPublisher(tx, made, world.clock.now()), 40 * 86_400_000),
  )
  const user = await addUser(world, 'untold', publisher)
  world.door.shutFor = '/_sim/item-clock'
  assert.equal((await link(world, await createClient(world, publisher), 'untold', 'untold')).status, 200)
  await work(world)
  const item_id = (await simulatedItems(world)).at(-1)?.item_id
  await atSimulator(world, '/_sim/purchases', { item_id, merchant: 'Blue Kettle', amount: 5 })
  await until(async () => {
    await syncPublisher(world.deps, publisher)
    return (await sourceEvents(world, user.userId)).length === 1
  })
  world.door.shutFor = null
  await waitForWebhooks(world)
  await syncPublisher(world.deps, publisher)
  const { date } = await atSimulator(world, '/_sim/purchases', { item_id, merchant: 'Blue Kettle', amount: 6 })
  assert((Date.parse(String(date)) - world.clock.now().getTime()) / 86_400_000 > 38.9)
})
