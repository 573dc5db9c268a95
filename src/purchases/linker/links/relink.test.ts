import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import {
  addUser,
  atSimulator,
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
import { syncPublisher } from '../loops.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_relink')
  client = await createClient(world)
})
after(() => world.close())

const BANK = 'ins_109508'
const NO_DIGITS_BANK = 'ins_810006'

async function linkCount(userId: string): Promise<number> {
  const rows = await world.db.reader`select 1 from links where user_id = ${userId} and unlinked_at is null`
  return rows.length
}

async function readCardIds(userId: string): Promise<string[]> {
  const rows = await world.db.reader<{ id: string }[]>`
    select card_id as id from cards where user_id = ${userId} and unlinked_at is null order by card_id`
  return rows.map(({ id }) => id)
}

test('a login relinked while its old feed is read continues with the new item; no purchase is repeated', async () => {
  const user = await addUser(world, 'swift')
  await link(world, client, 'swift')
  await work(world)
  const cards = await readCardIds(user.userId)
  const old = (await simulatedItems(world)).at(-1)?.item_id
  await atSimulator(world, '/_sim/purchases', { item_id: old, merchant: 'Blue Kettle', amount: 42.5 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = world.door.calls.length
  world.door.holds = { path: '/transactions/sync', until: promise }
  const reading = syncPublisher(world.deps, world.publisher)
  await until(async () => world.door.calls.slice(asked).includes('/transactions/sync'))
  assert.equal((await link(world, client, 'swift')).status, 200)
  world.door.holds = null
  resolve()
  await reading
  await waitForWebhooks(world)
  // The bank also shows the purchase under the new item, with another id.
  await syncPublisher(world.deps, world.publisher)
  assert.deepEqual(
    (await sourceEvents(world, user.userId)).map(({ amount }) => amount),
    [4250n],
  )
  assert.deepEqual(await readCardIds(user.userId), cards)
  await work(world)
  assert(!(await simulatedItems(world)).some((item) => item.item_id === old))
})

test("linking again after the exchange's response was lost creates no duplicates", async () => {
  const user = await addUser(world, 'unheard')
  const body = { public_token: await publicToken(world, 'unheard'), institution_id: BANK, institution_name: 'Bank' }
  world.door.losesAnswerOf = '/item/public_token/exchange'
  const lost = await client('POST', '/linker/public-token/unheard', body, 'key')
  world.door.losesAnswerOf = null
  assert.deepEqual([lost.status, lost.body['code']], [503, 'linker_unavailable'])
  assert.match(String(lost.body['detail']), /Repeat the call.*let the user link again/)
  const repeat = await client('POST', '/linker/public-token/unheard', body, 'key')
  assert.deepEqual([repeat.status, repeat.body['code']], [422, 'linker_token_rejected'])
  assert.equal(await linkCount(user.userId), 0)
  const { status, body: linked } = await link(world, client, 'unheard')
  assert.equal(status, 200)
  const types = (await readEvents(world, user.userId))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('card.'))
  assert.deepEqual(
    types,
    (linked['linked_cards'] as unknown[]).map(() => 'card.linked'),
  )
})

test('an error before the exchange leaves the public token valid, even under the same idempotency key', async () => {
  await addUser(world, 'patient')
  const body = { public_token: await publicToken(world, 'patient'), institution_id: BANK, institution_name: 'Bank' }
  world.door.shutFor = '/item/public_token/exchange'
  assert.equal((await client('POST', '/linker/public-token/patient', body, 'again')).status, 503)
  world.door.shutFor = null
  await until(async () => (await client('POST', '/linker/public-token/patient', body, 'again')).status === 200)
})

test('at a bank without masks, relinking a login keeps its link, and a different login gets its own', async () => {
  const user = await addUser(world, 'digitless')
  await link(world, client, 'digitless', 'digitless-a', NO_DIGITS_BANK)
  const cards = await readCardIds(user.userId)
  const again = await link(world, client, 'digitless', 'digitless-a', NO_DIGITS_BANK)
  assert.deepEqual(
    (again.body['linked_cards'] as { mask: unknown }[]).map(({ mask }) => mask),
    cards.map(() => null),
  )
  assert.deepEqual(await readCardIds(user.userId), cards)
  await link(world, client, 'digitless', 'digitless-b', NO_DIGITS_BANK)
  assert.equal(await linkCount(user.userId), 2)
  const other = await addUser(world, 'digitless-too')
  assert.equal((await link(world, client, 'digitless-too', 'digitless-a', NO_DIGITS_BANK)).status, 200)
  assert.equal(await linkCount(other.userId), 1)
})

type Choice = { readonly bank: string; readonly oauth: boolean; readonly choose: (index: number) => boolean }

/** Signs in once more as the user and shares the chosen accounts. */
async function linkSome(name: string, { bank, ...choice }: Choice) {
  const { body } = await client('GET', `/linker/link-token/${name}`)
  const walk = { username: name, bank, ...choice }
  const public_token = await completeLinkPage(world.simulator.url, body['link_token'], walk)
  const sent = { public_token, institution_id: bank, institution_name: 'Bank' }
  const answer = await client('POST', `/linker/public-token/${name}`, sent)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await waitForWebhooks(world)
  await work(world)
  return answer.body['linked_cards'] as { name: string; mask: string; error: string | null }[]
}

type ShownCard = { readonly card_id: string; readonly account_id: string; readonly error: string | null }

async function shownCards(name: string): Promise<ShownCard[]> {
  const { body } = await client('GET', `/linker/linked-cards/${name}`)
  return (body['linked_institutions'] as { linked_cards: ShownCard[] }[]).flatMap(({ linked_cards }) => linked_cards)
}

for (const [what, bank, oauth] of [
  ['a bank that keeps older logins', BANK, false],
  ["a bank that ends a client's older logins", 'ins_810012', true],
  ["a bank that ends all clients' older logins", 'ins_810013', true],
  ['a bank that ends logins with other accounts', 'ins_810014', true],
] as const) {
  test(`at ${what}, the newest login takes over each card whose account it shows, and older logins end`, async () => {
    const name = `split-${bank}`
    const user = await addUser(world, name)
    const before = (await simulatedItems(world)).map(({ item_id }) => item_id)
    await linkSome(name, { bank, oauth, choose: (index) => index === 0 })
    await linkSome(name, { bank, oauth, choose: (index) => index === 1 })
    assert.equal(await linkCount(user.userId), 2)
    const cards = await readCardIds(user.userId)
    const [_first, second] = await shownCards(name)
    await atSimulator(world, '/_sim/purchases', {
      account_id: second?.account_id,
      merchant: 'Blue Kettle',
      amount: 42.5,
    })
    await syncPublisher(world.deps, world.publisher)

    for (const choose of [() => true, () => true, (index: number) => index < 2]) {
      const linked = await linkSome(name, { bank, oauth, choose })
      assert.deepEqual(new Set(linked.map(({ error }) => error)), new Set([null]))
      assert.equal(new Set(linked.map((card) => `${card.name} ${card.mask}`)).size, linked.length, 'none twice')
      assert.deepEqual(new Set((await shownCards(name)).map(({ error }) => error)), new Set([null]))
      assert.equal(await linkCount(user.userId), 1)
      for (const card of cards) assert.ok((await readCardIds(user.userId)).includes(card), 'cards stay what they were')
      const left = (await simulatedItems(world)).filter(({ item_id }) => !before.includes(item_id))
      assert.equal(left.length, 1, 'older items are removed at the provider')
    }
    const data = (await readEvents(world, user.userId))
      .filter(({ type }) => type === 'card.linked')
      .map((one) => one.data)
    assert.ok(data.every(({ error }) => error === null))

    // The earlier purchase is already recorded, and a purchase with a moved card counts for that card.
    const moved = (await shownCards(name)).find(({ card_id }) => card_id === second?.card_id)
    await atSimulator(world, '/_sim/purchases', { account_id: moved?.account_id, merchant: 'Blue Kettle', amount: 9 })
    await syncPublisher(world.deps, world.publisher)
    assert.deepEqual(
      (await sourceEvents(world, user.userId)).map(({ amount }) => amount),
      [4250n, 900n],
    )
  })
}
