import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  type Client,
  createClient,
  depsWith,
  link,
  openWorld,
  type RecordedEvent,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { workOff } from '../../../platform/queue/leased-work.ts'
import { registry } from '../../../platform/telemetry/metrics.ts'
import { listCardSpans } from '../../../sources/cards/index.ts'
import { type Provider, ProviderFault } from '../provider.ts'
import { createSyncs } from './sync.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_feed')
  client = await createClient(world)
})
after(() => world.close())

/** Links a login and reads its feed once, so the provider announces later changes. */
async function linked(name: string, username = name, bank?: string) {
  const user = await addUser(world, name)
  const { body } = await link(world, client, name, username, bank)
  await work(world)
  const item = (await simulatedItems(world)).at(-1)
  assert(item !== undefined)
  return { user, item, cards: body['linked_cards'] as { account_id: string }[] }
}

function buy(itemId: string, purchase: object = {}) {
  return atSimulator(world, '/_sim/purchases', { item_id: itemId, merchant: 'Blue Kettle', amount: 42.5, ...purchase })
}

/** Waits for the provider's webhook and works until there are this many source events. */
async function recorded(userId: string, count: number): Promise<RecordedEvent[]> {
  await until(async () => {
    await work(world)
    return (await sourceEvents(world, userId)).length >= count
  })
  await work(world)
  return sourceEvents(world, userId)
}

test('a purchase is recorded once, even if the feed is read repeatedly and concurrently', async () => {
  const { user, item } = await linked('once')
  const row = await buy(item.item_id)
  await recorded(user.userId, 1)
  for (let count = 0; count < 3; count++) {
    await world.db
      .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second', cursor = null where user_id = ${user.userId}`
    await Promise.all([
      workOff(createSyncs(world.deps, null)),
      workOff(createSyncs(world.deps, null)),
      workOff(createSyncs(world.deps, null)),
    ])
  }
  assert.deepEqual(await sourceEvents(world, user.userId), [
    { kind: 'CLEARING', externalId: row['transaction_id'], originalExternalId: null, amount: 4250n },
  ])
})

test('a purchase records its card, merchant and location', async () => {
  const { user, item } = await linked('facts')
  const place = { address: '1 Main St', city: 'Troy', region: 'NY', postal_code: '12180', store_number: '77' }
  await buy(item.item_id, { website: 'bluekettle.example', mcc: '5814', location: place })
  await recorded(user.userId, 1)
  const [event] = await world.db.reader<{ facts: Record<string, unknown>; occurred_at: Date }[]>`
    select facts, occurred_at from source_events where user_id = ${user.userId}`
  const { accountId, website, mcc, city, zipCode, storeNumber, dateOnly } = event?.facts ?? {}
  assert.deepEqual(
    { website, mcc, city, zipCode, storeNumber, dateOnly },
    { website: 'bluekettle.example', mcc: '5814', city: 'Troy', zipCode: '12180', storeNumber: '77', dateOnly: true },
  )
  const spans = await listCardSpans(world.db.reader, world.publisher.id, [user.userId])
  assert(spans.some((span) => span.accountId === accountId))
})

test('a pending purchase that posts with a tip is one purchase', async () => {
  const { user, item } = await linked('tip')
  const pending = await buy(item.item_id, { pending: true })
  await recorded(user.userId, 1)
  const posted = await atSimulator(world, `/_sim/purchases/${pending['transaction_id']}/post`, { amount: 50 })
  const [first, second, ...rest] = await recorded(user.userId, 2)
  assert.deepEqual(rest, [])
  assert.deepEqual([first?.kind, first?.externalId, first?.amount], ['AUTHORIZATION', pending['transaction_id'], 4250n])
  assert.deepEqual(second, {
    kind: 'CLEARING',
    externalId: posted['transaction_id'],
    originalExternalId: pending['transaction_id'],
    amount: 5000n,
  })
})

test('a refund references its purchase if only one matches', async () => {
  const { user, item } = await linked('refund')
  const row = await buy(item.item_id)
  await buy(item.item_id, { merchant: 'Red Lantern' })
  await recorded(user.userId, 2)
  await atSimulator(world, `/_sim/purchases/${row['transaction_id']}/refund`, { amount: 10 })
  const refund = (await recorded(user.userId, 3)).find((event) => event.kind === 'REFUND')
  assert.deepEqual([refund?.originalExternalId, refund?.amount], [row['transaction_id'], 1000n])
})

test('a run that fails on a page changes nothing, and the next run reads the entire update', async () => {
  const { user, item } = await linked('flaky')
  await buy(item.item_id)
  await buy(item.item_id, { amount: 7 })
  world.door.shutFor = '/transactions/sync'
  await world.db
    .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second' where user_id = ${user.userId}`
  await workOff(createSyncs(world.deps, null))
  world.door.shutFor = null
  assert.deepEqual(await sourceEvents(world, user.userId), [])
  await world.db
    .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second' where user_id = ${user.userId}`
  assert.equal((await recorded(user.userId, 2)).length, 2)
})

test('the run of a dead process is taken over when its lease expires', async () => {
  const { user, item } = await linked('died')
  await buy(item.item_id)
  await world.db.reader`
    update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second', sync_lease = gen_random_uuid(), sync_lease_until = now() + interval '4 minutes'
    where user_id = ${user.userId}`
  await work(world)
  assert.deepEqual(await sourceEvents(world, user.userId), [])
  await world.db.reader`update linker_items set sync_lease_until = now() where user_id = ${user.userId}`
  assert.equal((await recorded(user.userId, 1)).length, 1)
})

test('linking the same login again keeps the cards, removes the old item, and duplicates nothing', async () => {
  const { user, item, cards } = await linked('again')
  const before = await cardIds(user.userId)
  await buy(item.item_id)
  await recorded(user.userId, 1)
  const answer = await link(world, client, 'again', 'again')
  await work(world)
  assert.equal(answer.status, 200)
  assert.deepEqual(await cardIds(user.userId), before)
  const items = (await simulatedItems(world)).map((one) => one.item_id)
  assert(!items.includes(item.item_id), 'the old item is gone at the provider')
  const now = answer.body['linked_cards'] as { account_id: string }[]
  assert.equal(now.length, cards.length)
  assert.notDeepEqual(now, cards)
  // The bank shows the same purchase again under a new id.
  await buy(items.at(-1) ?? '', { amount: 9 })
  assert.deepEqual(
    (await recorded(user.userId, 2)).map((event) => event.amount),
    [4250n, 900n],
  )
  const spans = await listCardSpans(world.db.reader, world.publisher.id, [user.userId])
  for (const { account_id } of [...cards, ...now]) assert(spans.some((span) => span.accountId === account_id))
})

test('two logins at one bank become two links', async () => {
  const { cards } = await linked('couple', 'partner_one')
  const { body } = await link(world, client, 'couple', 'partner_two')
  assert((body['linked_cards'] as unknown[]).length > cards.length)
})

test('an update that changes while it is read is restarted, and only its last version is stored', async () => {
  const { user, item } = await linked('moving')
  await buy(item.item_id)
  await buy(item.item_id, { amount: 3 })
  const asked: (string | null)[] = []
  const readFeed: Provider['readFeed'] = async (token, cursor) => {
    asked.push(cursor)
    const page = await world.deps.providers.sandbox.readFeed(token, asked.length === 2 ? (asked[0] ?? null) : cursor)
    if (asked.length === 2)
      throw new ProviderFault('refused', 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION', 'transactions/sync', null)
    return asked.length === 1 ? { ...page, hasMore: true, nextCursor: 'in the middle' } : page
  }
  const before = await readCursor(user.userId)
  await waitForWebhooks(world)
  // Only this feed is due. Late webhooks for other tests' items would cause reads that are counted here.
  await world.db.reader`
    update linker_items set sync_paced_until = null, sync_due_at = case when user_id = ${user.userId} then now() - interval '1 second' else now() + interval '1 day' end`
  await workOff(createSyncs(depsWith(world, { readFeed }), world.publisher.id))
  assert.deepEqual(asked, [before, 'in the middle', before])
  assert.equal((await sourceEvents(world, user.userId)).length, 2)
  assert.notEqual(await readCursor(user.userId), before)
})

test('if the provider no longer accepts a cursor, the feed is read from the beginning', async () => {
  const { user, item } = await linked('lost')
  await buy(item.item_id)
  await recorded(user.userId, 1)
  await world.db
    .reader`update linker_items set cursor = 'foreign', sync_paced_until = null, sync_due_at = now() - interval '1 second' where user_id = ${user.userId}`
  await buy(item.item_id, { amount: 3 })
  assert.deepEqual(
    (await recorded(user.userId, 2)).map((event) => event.amount),
    [4250n, 300n],
  )
})

test('a feed stuck at its cursor is read from the beginning and reported to operators', async () => {
  const { user, item } = await linked('stuck')
  await buy(item.item_id)
  await recorded(user.userId, 1)
  const stuckAt = await readCursor(user.userId)
  await buy(item.item_id, { amount: 3 })
  const readFeed: Provider['readFeed'] = async (token, cursor) => {
    if (cursor !== null && cursor === stuckAt)
      throw new ProviderFault('refused', 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION', 'transactions/sync', null)
    return world.deps.providers.sandbox.readFeed(token, cursor)
  }
  await waitForWebhooks(world)
  await world.db.reader`
    update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second' where user_id = ${user.userId}`
  await workOff(createSyncs(depsWith(world, { readFeed }), world.publisher.id))
  assert.deepEqual(
    (await sourceEvents(world, user.userId)).map((event) => event.amount),
    [4250n, 300n],
  )
  assert.match(
    await registry.metrics(),
    /^laurel_linker_cursors_given_up_total\{code="TRANSACTIONS_SYNC_MUTATION\w+"\} 1$/m,
  )
  assert(world.logged.some((line) => line.includes('was read from the beginning')))
})

test('a request that arrives while a feed is read makes the feed due again', async () => {
  const { user } = await linked('asked')
  const readFeed: Provider['readFeed'] = async (token, cursor) => {
    await world.db.reader`update linker_items set sync_requests = sync_requests + 1 where user_id = ${user.userId}`
    return world.deps.providers.sandbox.readFeed(token, cursor)
  }
  await waitForWebhooks(world)
  await world.db
    .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second' where user_id = ${user.userId}`
  await workOff(createSyncs(depsWith(world, { readFeed }), world.publisher.id))
  const due = await world.db
    .reader`select 1 from linker_items where user_id = ${user.userId} and sync_due_at <= now() + interval '1 second'`
  assert.equal(due.length, 1)
})

async function readCursor(userId: string): Promise<string | null> {
  const [row] = await world.db.reader<{ cursor: string | null }[]>`
    select cursor from linker_items where user_id = ${userId}`
  return row?.cursor ?? null
}

async function cardIds(userId: string): Promise<string[]> {
  const rows = await world.db.reader<{ id: string }[]>`
    select card_id as id from cards where user_id = ${userId} and unlinked_at is null order by card_id`
  return rows.map((row) => row.id)
}
