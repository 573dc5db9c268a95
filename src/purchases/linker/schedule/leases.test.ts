import assert from 'node:assert/strict'
import { after, afterEach, before, mock, test } from 'node:test'
import {
  addUser,
  atSimulator,
  createClient,
  link,
  openWorld,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { type LeasedWork, workOff } from '../../../platform/queue/leased-work.ts'
import { createChecks } from '../check-logins.ts'
import type { LinkerDeps } from '../deps.ts'
import { createSyncs } from '../feed/sync.ts'
import { createRemovals } from '../links/unlink.ts'
import { syncPublisher } from '../loops.ts'
import { claimSyncs, renewLeases } from './run-queries.ts'

// Leases while work is slow or its process dies. The provider delays its responses, and the test advances time.

let world: World
before(async () => {
  world = await openWorld('linker_leases')
})
after(() => world.close())
afterEach(() => mock.timers.reset())

/** Links a login with a purchase that has not been read yet. */
async function bought(name: string) {
  const { userId } = await addUser(world, name)
  const client = await createClient(world)
  assert.equal((await link(world, client, name, name)).status, 200)
  await work(world)
  const item = (await simulatedItems(world)).at(-1)
  assert(item !== undefined)
  await atSimulator(world, '/_sim/purchases', { item_id: item.item_id, merchant: 'Blue Kettle', amount: 5 })
  return { userId, client, itemId: item.item_id }
}

async function makeDue(userId: string): Promise<void> {
  const now = world.clock.now()
  await world.db.reader`update linker_items set sync_due_at = ${now}, check_due_at = ${now} where user_id = ${userId}`
}

/** Begins work that waits for the provider. Returns a function that lets it finish. */
async function begin(path: string, create: Create, answered = false): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = world.door.calls.length
  world.door.holds = { path, until: promise, answered }
  let working: Promise<unknown> | null = null
  await until(async () => {
    // A webhook may hold the row at that moment. This pass then ends without doing anything, and another one begins.
    working ??= workOff(create(world.deps, null)).finally(() => {
      working = null
    })
    return world.door.calls.slice(asked).includes(path)
  })
  world.door.holds = null
  return async () => {
    resolve()
    await working
  }
}

async function row(userId: string) {
  const [found] = await world.db.reader<{ lease: string | null; requests: number }[]>`
    select sync_lease as lease, sync_requests as requests from linker_items where user_id = ${userId}`
  assert(found !== undefined)
  return found
}

type Create = (deps: LinkerDeps, publisherId: null) => LeasedWork
type Kind = readonly [name: string, path: string, create: Create, lease: () => Promise<Date | null>]
const readLease = async (rows: Promise<readonly { until: Date | null }[]>) => (await rows)[0]?.until ?? null

test('a long-running job keeps its lease, and no other process repeats it', async () => {
  const { userId, client } = await bought('long')
  const { reader } = world.db
  const kinds: readonly Kind[] = [
    [
      'check',
      '/item/get',
      createChecks,
      () => readLease(reader`select check_lease_until as until from linker_items where user_id = ${userId}`),
    ],
    [
      'sync',
      '/transactions/sync',
      createSyncs,
      () => readLease(reader`select sync_lease_until as until from linker_items where user_id = ${userId}`),
    ],
    [
      'removal',
      '/item/remove',
      createRemovals,
      () => readLease(reader`select lease_until as until from item_removals where user_id = ${userId}`),
    ],
  ]
  for (const [name, path, create, lease] of kinds) {
    if (name === 'removal') assert.equal((await client('DELETE', '/linker/access-token/long/ins_109508')).status, 200)
    else await makeDue(userId)
    mock.timers.enable({ apis: ['setInterval'] })
    const finish = await begin(path, create)
    const asked = world.door.calls.length
    // Twice as long as a lease. Each step leaves half a lease as slack for a busy machine.
    for (let count = 0; count < 4; count++) {
      const before = await lease()
      assert(before !== null, name)
      world.clock.offsetMs += 15_000
      // A webhook may hold the row at that moment. The lease is then renewed on the next attempt.
      await until(async () => {
        mock.timers.tick(10_000)
        return Number(await lease()) > Number(before)
      })
      await workOff(create(world.deps, null))
    }
    mock.timers.reset()
    assert(!world.door.calls.slice(asked).includes(path), name)
    await finish()
    assert.equal(await lease(), null, name)
  }
  assert.equal((await sourceEvents(world, userId)).length, 1)
})

test('a renewal that arrives after a newer one does not shorten the lease', async () => {
  const { userId } = await bought('renewed')
  // Claims and renewals skip a locked row, such as one locked by the webhook of this purchase.
  await waitForWebhooks(world)
  await makeDue(userId)
  const now = world.clock.now()
  const leasedUntil = new Date(now.getTime() + 30_000)
  const room = { free: 10, held: new Map(), perPublisher: 10, now, leasedUntil }
  const runs = (await claimSyncs(world.db.reader, null, room)).filter((run) => run.userId === userId)
  assert.equal(runs.length, 1)
  const until = async () => {
    const [found] = await world.db.reader<{ until: Date }[]>`
      select sync_lease_until as until from linker_items where user_id = ${userId}`
    return found?.until.getTime()
  }
  const [earlier, later] = [40_000, 50_000].map((ms) => new Date(now.getTime() + ms)) as [Date, Date]
  for (const renewal of [later, earlier]) {
    await renewLeases(world.db.reader, 'sync', runs, renewal)
    assert.equal(await until(), later.getTime())
  }
  await world.db.reader`update linker_items set sync_lease_until = null where user_id = ${userId}`
})

test("a dead process's work is taken over after 30 s, and a process that was merely slow stores nothing", async () => {
  const { userId } = await bought('died')
  // The dead process's timers no longer fire.
  mock.timers.enable({ apis: ['setInterval'] })
  await makeDue(userId)
  const goOn = await begin('/transactions/sync', createSyncs)
  await makeDue(userId)
  world.clock.offsetMs += 15_000
  await workOff(createSyncs(world.deps, null))
  assert.equal((await sourceEvents(world, userId)).length, 0)
  world.clock.offsetMs += 16_000
  const takeOver = await begin('/transactions/sync', createSyncs)
  await goOn()
  assert.equal((await sourceEvents(world, userId)).length, 0)
  await takeOver()
  assert.equal((await sourceEvents(world, userId)).length, 1)
  mock.timers.reset()
})

test('a job that hangs eventually loses its lease', async () => {
  const { userId } = await bought('hangs')
  mock.timers.enable({ apis: ['setInterval'] })
  await makeDue(userId)
  const finish = await begin('/transactions/sync', createSyncs)
  world.clock.offsetMs += 6 * 60_000
  mock.timers.tick(20_000)
  await makeDue(userId)
  await until(async () => {
    await workOff(createSyncs(world.deps, null))
    return (await sourceEvents(world, userId)).length === 1
  })
  mock.timers.reset()
  await finish()
  assert.equal((await sourceEvents(world, userId)).length, 1)
})

test('reading all feeds of a sandbox on request includes purchases made while a feed was being read', async () => {
  const { userId, itemId } = await bought('meanwhile')
  await makeDue(userId)
  // The provider has answered, but its response is delayed.
  const finish = await begin('/transactions/sync', createSyncs, true)
  await until(async () => !!(await row(userId)).lease)
  await atSimulator(world, '/_sim/purchases', { item_id: itemId, merchant: 'Blue Kettle', amount: 7 })
  const { requests } = await row(userId)
  // Long enough for even a slow machine.
  const asking = syncPublisher(world.deps, world.publisher, 60_000)
  await until(async () => (await row(userId)).requests > requests)
  await finish()
  assert.deepEqual(await asking, { unreadFeeds: 0 })
  assert.deepEqual(
    (await sourceEvents(world, userId)).map(({ amount }) => amount),
    [500n, 700n],
  )
})

test('a feed that another process is slow to read is waited for briefly, then counted as unread', async () => {
  const { userId } = await bought('stuck')
  await makeDue(userId)
  const finish = await begin('/transactions/sync', createSyncs)
  await waitForWebhooks(world)
  assert.deepEqual(await syncPublisher(world.deps, world.publisher, 300), { unreadFeeds: 1 })
  await finish()
  await waitForWebhooks(world)
  assert.deepEqual(await syncPublisher(world.deps, world.publisher), { unreadFeeds: 0 })
})

test('feeds count as unread while the provider is down or the login is broken', async () => {
  const { userId, itemId } = await bought('unread')
  await waitForWebhooks(world)
  world.door.mode = 'shut'
  const { unreadFeeds } = await syncPublisher(world.deps, world.publisher)
  world.door.mode = 'open'
  const [counted] = await world.db.reader<[{ items: number }]>`
    select count(*)::integer as items from linker_items where publisher_id = ${world.publisher.id}`
  assert.equal(unreadFeeds, counted.items)
  await until(async () => (await syncPublisher(world.deps, world.publisher)).unreadFeeds === 0)
  assert.equal((await sourceEvents(world, userId)).length, 1)
  await atSimulator(world, `/_sim/items/${itemId}/break`)
  await waitForWebhooks(world)
  assert.deepEqual(await syncPublisher(world.deps, world.publisher), { unreadFeeds: 1 })
})
