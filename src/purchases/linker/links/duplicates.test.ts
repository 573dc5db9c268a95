import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import {
  addUser,
  atSimulator,
  CLIENT,
  type Client,
  createClient,
  link,
  moveToNoon,
  openWorld,
  publicToken,
  readEvents,
  simulatedItems,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { createPublisher } from '../../../tenants/publishers/index.ts'
import { setAccount } from '../accounts/provider-accounts.ts'
import { linkPublicToken } from './link.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_duplicates')
  client = await createClient(world)
})
after(() => world.close())

const BANK = 'ins_109508'
// A bank without OAuth. Its accounts, except cards, have permanent ids.
const PERMANENT_IDS_BANK = 'ins_810004'

type Shown = { account_id: string; name: string; mask: string | null }

async function readDuplicates(userId: string): Promise<Record<string, unknown>[]> {
  const events = await readEvents(world, userId)
  return events.filter(({ type }) => type === 'card.duplicate_detected').map(({ data }) => data)
}

async function readCards(name: string): Promise<Shown[]> {
  const { body } = await client('GET', `/linker/linked-cards/${name}`)
  return (body['linked_institutions'] as { linked_cards: Shown[] }[]).flatMap((one) => one.linked_cards)
}

/** Chooses accounts on the link page, in update mode for a repair. Returns the request that links them. */
async function linkChosen(
  name: string,
  username: string,
  bank: string,
  choose: (index: number) => boolean,
  repair = false,
) {
  const address = repair ? `/linker/auth-token/${bank}/${name}` : `/linker/link-token/${name}`
  const { body } = await client('GET', address)
  const public_token = await completeLinkPage(world.simulator.url, body['link_token'], { username, bank, choose })
  return { public_token, institution_id: bank, institution_name: 'Bank' }
}

async function leftBehind(userId: string): Promise<unknown[]> {
  const rows = await world.db.reader`
    select 'link' as what from links where user_id = ${userId}
    union all select 'item' from linker_items where user_id = ${userId}
    union all select 'removal' from item_removals where user_id = ${userId}
    union all select 'token' from public_tokens where user_id = ${userId} and refused_accounts is null`
  return [...rows]
}

test("linking another user's account fails, names it, is announced once, and works once it is unlinked", async () => {
  await addUser(world, 'holder')
  const second = await addUser(world, 'second')
  const held = (await link(world, client, 'holder', 'shared')).body['linked_cards'] as Shown[]
  const items = await simulatedItems(world)
  const public_token = await publicToken(world, 'shared')
  const again = () =>
    client('POST', '/linker/public-token/second', { public_token, institution_id: BANK, institution_name: 'Bank' })
  const refused = await again()
  assert.deepEqual([refused.status, refused.body['code']], [409, 'account_already_linked'])
  const named = held.map(({ name, mask }) => ({ name, mask }))
  assert.deepEqual(refused.body['accounts'], named)
  for (const { name, mask } of named) assert(String(refused.body['detail']).includes(`${name} ${mask}`))
  const events = await readDuplicates(second.userId)
  assert.deepEqual(
    events.map(({ publisher_user_id, card_id, certain, name, mask }) => ({
      publisher_user_id,
      card_id,
      certain,
      name,
      mask,
    })),
    named.map((one) => ({ publisher_user_id: 'second', card_id: null, certain: true, ...one })),
  )
  assert(!JSON.stringify([refused.body, events]).includes('holder'), 'the holder of the account must not be revealed')
  const repeated = await again()
  assert.deepEqual([repeated.status, repeated.body['detail']], [409, refused.body['detail']])
  assert.equal((await readDuplicates(second.userId)).length, events.length)
  for (const { account_id } of held) assert(!JSON.stringify(events).includes(account_id))
  await work(world)
  assert.deepEqual(await simulatedItems(world), items, 'the new item is gone at the provider')
  assert.deepEqual(await leftBehind(second.userId), [])
  assert.deepEqual(await readCards('second'), [])
  await client('DELETE', `/linker/access-token/holder/${BANK}`)
  assert.equal((await link(world, client, 'second', 'shared')).status, 200)
})

test('repeated duplicate attempts are announced once a day per account', async () => {
  await addUser(world, 'first')
  const keen = await addUser(world, 'keen')
  moveToNoon(world)
  const held = (await link(world, client, 'first', 'wanted')).body['linked_cards'] as Shown[]
  for (let count = 0; count < 3; count++) assert.equal((await link(world, client, 'keen', 'wanted')).status, 409)
  const named = held.map(({ name, mask }) => [name, mask])
  const announced = async () => (await readDuplicates(keen.userId)).map(({ name, mask }) => [name, mask])
  assert.deepEqual(await announced(), named)
  // Longer than the longest day.
  world.clock.offsetMs += 26 * 3_600_000
  for (let count = 0; count < 2; count++) assert.equal((await link(world, client, 'keen', 'wanted')).status, 409)
  assert.deepEqual(await announced(), [...named, ...named])
  // Accounts at another bank are different accounts.
  await link(world, client, 'first', 'wanted', PERMANENT_IDS_BANK)
  assert.equal((await link(world, client, 'keen', 'wanted', PERMANENT_IDS_BANK)).status, 409)
  assert((await announced()).length > 2 * named.length)
})

test('the same login can be linked by users of two publishers', async () => {
  const publisher = await world.db.transaction((tx) =>
    createPublisher(tx, { name: 'Two', environment: 'sandbox' }, world.clock.now()),
  )
  const user = await addUser(world, 'elsewhere', publisher)
  await addUser(world, 'here')
  assert.equal((await link(world, client, 'here', 'everywhere')).status, 200)
  assert.equal((await link(world, await createClient(world, publisher), 'elsewhere', 'everywhere')).status, 200)
  assert.deepEqual(await readDuplicates(user.userId), [])
})

test('an access token linked by another user is refused, even if its login is broken; the item is kept', async () => {
  await world.db.transaction((tx) =>
    setAccount(tx, world.deps.vault, world.publisher.id, { ...CLIENT, by: 'test', force: false }, world.clock.now()),
  )
  await addUser(world, 'owner')
  const copy = await addUser(world, 'copy')
  const token = await publicToken(world, 'handed over')
  const { access_token, item_id } = await atSimulator(world, '/item/public_token/exchange', { public_token: token })
  const body = { institution_id: BANK, institution_name: 'Bank', provider_access_token: access_token }
  const give = (publisher_user_id: string) => client('POST', '/linker/access-token', { ...body, publisher_user_id })
  assert.equal((await give('owner')).status, 200)
  const count = (await readCards('owner')).length
  assert.equal((await give('copy')).status, 409)
  assert.equal((await readDuplicates(copy.userId)).length, count)
  await atSimulator(world, `/_sim/items/${item_id}/break`)
  assert.equal((await give('copy')).status, 409)
  assert.deepEqual((await readDuplicates(copy.userId)).at(-1)?.['account_id'], null)
  assert.equal((await give('owner')).status, 200, 'the one who has it may give it again')
  await work(world)
  assert((await simulatedItems(world)).some((one) => one.item_id === item_id))
  assert.deepEqual(await leftBehind(copy.userId), [])
})

test('when users link one login concurrently, in several processes, exactly one succeeds', async (t) => {
  const other = { ...world.deps, db: openDatabase(world.db.url) }
  t.after(() => other.db.close())
  for (let round = 0; round < 4; round++) {
    const names = [0, 1, 2, 3].map((index) => `race-${round}-${index}`)
    const tries = await Promise.all(
      names.map(async (name) => {
        await addUser(world, name)
        return { publisherUserId: name, publicToken: await publicToken(world, `race ${round}`) }
      }),
    )
    const answers = await Promise.all(
      tries.map((one, index) =>
        linkPublicToken(
          index % 2 === 0 ? world.deps : other,
          world.publisher,
          { ...one, institution: { id: BANK, name: 'Bank' } },
          async () => 'linked',
        ).catch((error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error))),
      ),
    )
    assert.deepEqual(answers.toSorted(), [...Array(3).fill('account_already_linked'), 'linked'])
  }
})

test('a look-alike is linked and announced as a possible duplicate, but refused if a permanent id matches', async () => {
  await addUser(world, 'whole')
  const part = await addUser(world, 'part')
  assert.equal((await link(world, client, 'whole', 'common', PERMANENT_IDS_BANK)).status, 200)
  const alike = await linkChosen('part', 'common', PERMANENT_IDS_BANK, (index) => index === 0)
  const linked = await client('POST', '/linker/public-token/part', alike)
  assert.equal(linked.status, 200)
  const [card] = linked.body['linked_cards'] as Shown[]
  const [announced, ...more] = await readDuplicates(part.userId)
  assert.deepEqual([announced?.['certain'], announced?.['account_id'], more.length], [false, card?.account_id, 0])
  assert.match(String(announced?.['card_id']), /^crd_/)
  const certain = await addUser(world, 'certain')
  const lasting = await linkChosen('certain', 'common', PERMANENT_IDS_BANK, (index) => index === 1)
  assert.equal((await client('POST', '/linker/public-token/certain', lasting)).status, 409)
  assert.deepEqual(
    (await readDuplicates(certain.userId)).map((event) => event['certain']),
    [true],
  )
})

for (const how of ['handed over by the publisher', 'found by a check'] as const) {
  test(`another user's account added in update mode is announced once, and linked after they unlink: ${how}`, async () => {
    const [mine, theirs] = [`late ${how}`, `early ${how}`].map((name) => name.replaceAll(' ', '-')) as [string, string]
    const user = await addUser(world, mine)
    await addUser(world, theirs)
    const all = (await link(world, client, theirs, how)).body['linked_cards'] as Shown[]
    const one = await linkChosen(mine, how, BANK, (index) => index === 0)
    assert.equal((await client('POST', `/linker/public-token/${mine}`, one)).status, 200)
    const check = async () => {
      await world.db
        .reader`update linker_items set check_due_at = now() - interval '1 minute' where user_id = ${user.userId}`
      await work(world)
    }
    const added = await linkChosen(mine, how, BANK, () => true, true)
    if (how === 'handed over by the publisher')
      assert.equal((await client('POST', `/linker/public-token/${mine}`, added)).status, 200)
    for (let count = 0; count < 2; count++) await check()
    assert.equal((await readCards(mine)).length, 1)
    const certain = (await readDuplicates(user.userId)).filter((event) => event['certain'])
    assert.deepEqual(
      certain.map((event) => [event['card_id'], event['name'], event['mask']]),
      all.slice(1).map(({ name, mask }) => [null, name, mask]),
    )
    await client('DELETE', `/linker/access-token/${theirs}/${BANK}`)
    await check()
    assert.deepEqual(
      (await readCards(mine)).map(({ name, mask }) => ({ name, mask })),
      all.map(({ name, mask }) => ({ name, mask })),
    )
  })
}
