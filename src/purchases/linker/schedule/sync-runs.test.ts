import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  CLIENT,
  createClient,
  link,
  openWorld,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { workOff } from '../../../platform/queue/leased-work.ts'
import { renderMetrics } from '../../../platform/telemetry/metrics.ts'
import { createPublisher, type Publisher } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { createSyncs } from '../feed/sync.ts'
import { showItems } from '../metrics.ts'
import { openPlaid } from '../plaid/provider.ts'
import { storeHints } from '../webhooks/queries.ts'
import { createPacing } from './pacing-queries.ts'
import { claimSyncs } from './run-queries.ts'

// Tests which feeds are read, when and by how many workers, and how an unreadable feed affects the others.

let world: World
before(async () => {
  world = await openWorld('linker_runs')
})
after(() => world.close())

async function linked(name: string) {
  const user = await addUser(world, name)
  const answer = await link(world, await createClient(world), name, name)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await work(world)
  const item = (await simulatedItems(world)).at(-1)
  assert(item !== undefined)
  return { userId: user.userId, itemId: item.item_id }
}

const buy = (item_id: string) => atSimulator(world, '/_sim/purchases', { item_id, merchant: 'Blue Kettle', amount: 5 })
const forgetFaults = () => fetch(`${world.simulator.url}/_sim/faults`, { method: 'DELETE' })

type Row = {
  readonly lease: string | null
  readonly failures: number
  readonly dueInS: number
}

async function readRow(userId: string): Promise<Row> {
  const [row] = await world.db.reader<Row[]>`
    select sync_lease as lease, sync_failures as failures,
      extract(epoch from sync_due_at - ${world.clock.now()}::timestamptz)::float8 as "dueInS"
    from linker_items where user_id = ${userId}`
  assert(row !== undefined)
  return row
}

async function makeDue(userIds: readonly string[]): Promise<void> {
  const now = world.clock.now()
  await world.db.reader`
    update linker_items set sync_due_at = case when user_id = any(${userIds as string[]}::uuid[]) then ${now}::timestamptz
      else ${new Date(now.getTime() + 86_400_000)}::timestamptz end, sync_paced_until = null`
}

test('a slow item delays no other item, even one that becomes due in the meantime', async () => {
  const [slow, quick] = [await linked('slow'), await linked('quick')]
  await makeDue([slow.userId])
  const path = '/transactions/sync'
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = world.door.calls.length
  world.door.holds = { path, until: promise }
  const running = workOff(createSyncs(world.deps, null))
  await until(async () => world.door.calls.slice(asked).includes(path))
  world.door.holds = null
  await buy(quick.itemId)
  await until(async () => (await sourceEvents(world, quick.userId)).length === 1)
  assert.notEqual((await readRow(slow.userId)).lease, null)
  resolve()
  await running
  assert.equal((await readRow(slow.userId)).lease, null)
})

test('several workers share the due feeds and read each one once', async () => {
  const logins = []
  for (let count = 0; count < 6; count++) logins.push(await linked(`shared-${count}`))
  await makeDue(logins.map(({ userId }) => userId))
  await fetch(`${world.simulator.url}/_sim/calls`, { method: 'DELETE' })
  await Promise.all([1, 2, 3].map(() => workOff(createSyncs(world.deps, null))))
  const { calls } = (await (await fetch(`${world.simulator.url}/_sim/calls`)).json()) as { calls: object }
  assert.deepEqual(calls, { '/transactions/sync': 6 })
})

test('a run whose process died is taken over once its lease expires', async () => {
  const { userId, itemId } = await linked('orphaned')
  await buy(itemId)
  const until = new Date(world.clock.now().getTime() + 5 * 60_000)
  await makeDue([userId])
  await world.db.reader`
    update linker_items set sync_lease = ${randomUUID()}, sync_lease_until = ${until} where user_id = ${userId}`
  await work(world)
  assert.equal((await sourceEvents(world, userId)).length, 0)
  world.clock.offsetMs += 6 * 60_000
  await work(world)
  assert.equal((await sourceEvents(world, userId)).length, 1)
})

test('a provider outage does not count against items, and all items are read soon after it ends', async () => {
  const logins = [await linked('spared-1'), await linked('spared-2')]
  await makeDue(logins.map(({ userId }) => userId))
  const breaker = { failuresMax: 1, firstPauseMs: 3_600_000 }
  const options = {
    address: world.door.url,
    ...CLIENT,
    isSimulator: true,
    environment: 'sandbox' as const,
    breaker,
  }
  const deps: LinkerDeps = { ...world.deps, providers: { sandbox: openPlaid(options), production: null } }
  world.door.mode = 'shut'
  for (let count = 0; count < 3; count++) {
    await workOff(createSyncs(deps, null))
    for (const { userId } of logins) {
      const { failures, dueInS } = await readRow(userId)
      assert.equal(failures, 0)
      assert(dueInS > 0 && dueInS < 7_200, String(dueInS))
    }
    world.clock.offsetMs += 7_200_000
  }
  world.door.mode = 'open'
  for (const { itemId } of logins) await buy(itemId)
  await workOff(createSyncs(world.deps, null))
  for (const { userId } of logins) assert.equal((await sourceEvents(world, userId)).length, 1)
})

test('a rate-limited item is postponed without counting a failure or stopping other items', async () => {
  const [limited, other] = [await linked('limited'), await linked('unlimited')]
  const fault = { kind: 'rate_limited', item_id: limited.itemId, times: 0 }
  for (const retry_after of [400, undefined]) {
    await atSimulator(world, '/_sim/faults', { ...fault, ...(retry_after === undefined ? {} : { retry_after }) })
    await makeDue([limited.userId])
    await work(world)
    const { failures, dueInS } = await readRow(limited.userId)
    assert.equal(failures, 0)
    assert(dueInS > 30, String(dueInS))
    await buy(other.itemId)
    await makeDue([limited.userId, other.userId])
    await work(world)
    await forgetFaults()
  }
  assert.equal((await sourceEvents(world, other.userId)).length, 2)
})

test('a failing item is retried with backoff, and its failures are counted by code', async () => {
  const { userId, itemId } = await linked('failing')
  await atSimulator(world, '/_sim/faults', { kind: 'error', item_id: itemId, error_code: 'INVALID_REQUEST', times: 0 })
  for (let failures = 1; failures <= 4; failures++) {
    await makeDue([userId])
    await work(world)
    assert.equal((await readRow(userId)).failures, failures)
  }
  assert((await readRow(userId)).dueInS > 10)
  await makeDue([])
  await showItems(world.db.reader, world.clock.now())
  const { text } = await renderMetrics()
  assert.match(text, /laurel_linker_faults_total\{code="INVALID_REQUEST"\} 4/)
  assert.match(text, /laurel_linker_items_at_fault\{code="INVALID_REQUEST"\} 1/)
  assert.match(text, /laurel_linker_items_due 0/)
  assert.match(text, /laurel_linker_most_overdue_seconds 0/)
  await forgetFaults()
  await makeDue([userId])
  world.clock.offsetMs += 30_000
  await showItems(world.db.reader, world.clock.now())
  const overdue = /^laurel_linker_most_overdue_seconds (\S+)/m.exec((await renderMetrics()).text)?.[1]
  assert(Number(overdue) >= 30 && Number(overdue) < 60, overdue)
  await work(world)
  assert.equal((await readRow(userId)).failures, 0)
})

test('a scrape during a metrics update shows the previous values', async () => {
  const { userId } = await linked('scraped')
  const { reader } = world.db
  await reader`update linker_items set fault = 'SCRAPED', fault_since = now() where user_id = ${userId}`
  await showItems(reader, world.clock.now())
  const scrapes: ReturnType<typeof renderMetrics>[] = []
  const scraping = new Proxy(reader, {
    apply: (statement, self, values) => {
      scrapes.push(renderMetrics())
      return Reflect.apply(statement, self, values)
    },
  })
  await showItems(scraping, world.clock.now())
  assert.ok(scrapes.length > 1)
  for (const { text } of await Promise.all(scrapes)) assert.match(text, /items_at_fault\{code="SCRAPED"\} 1/)
  await reader`update linker_items set fault = null, fault_since = null where user_id = ${userId}`
})

test("syncs in a storm of webhooks stay within the provider's limits per item and miss no purchase", async () => {
  // Webhooks are signed in real time.
  world.clock.offsetMs = 0
  const { userId, itemId } = await linked('stormy')
  await atSimulator(world, '/_sim/limits', { enforced: true })
  await fetch(`${world.simulator.url}/_sim/calls`, { method: 'DELETE' })
  await buy(itemId)
  for (let count = 0; count < 70; count++) {
    await atSimulator(world, '/_sim/webhooks/replay', { item_id: itemId, count: 3 })
    await work(world)
  }
  await buy(itemId)
  await until(async () => {
    await work(world)
    return (await sourceEvents(world, userId)).length === 2
  })
  const counted = (await (await fetch(`${world.simulator.url}/_sim/calls`)).json()) as { refused: object }
  assert.deepEqual(counted.refused, {})
  await atSimulator(world, '/_sim/limits', { enforced: false })
})

test('three webhooks for one update cause at most two syncs', async () => {
  const { userId } = await linked('thrice')
  world.clock.offsetMs += 2_000
  await makeDue([])
  const [row] = await world.db.reader<{ fingerprint: Buffer }[]>`
    select item_fingerprint as fingerprint from linker_items where user_id = ${userId}`
  assert(row !== undefined)
  const hint = {
    ...row,
    environment: 'sandbox' as const,
    asksCheck: false,
    disconnectsAt: null,
    repaired: false,
    settles: null,
    newAccounts: false,
    revokedAccounts: [],
  }
  // Time stands still, so the three webhooks arrive almost simultaneously.
  const still = world.clock.now()
  const deps = { ...world.deps, clock: { now: () => still } }
  await fetch(`${world.simulator.url}/_sim/calls`, { method: 'DELETE' })
  for (let count = 0; count < 3; count++) {
    await storeHints(world.db.reader, [hint], still)
    await workOff(createSyncs(deps, null))
  }
  await workOff(createSyncs(deps, null))
  world.clock.offsetMs += 2_000
  await workOff(createSyncs(world.deps, null))
  const { calls } = (await (await fetch(`${world.simulator.url}/_sim/calls`)).json()) as { calls: object }
  assert.deepEqual(calls, { '/transactions/sync': 2 })
})

/** Stores due links directly. They are only claimed, never read. */
async function dueLinks(name: string, count: number, { asked }: { readonly asked: number }): Promise<Publisher> {
  const now = world.clock.now()
  const publisher = await world.db.transaction((tx) => createPublisher(tx, { name, environment: 'sandbox' }, now))
  const { userId } = await addUser(world, name, publisher)
  await world.db.reader`
    with made as (
      insert into links (user_id, link_id, publisher_id, institution_id, institution_name, linked_at)
      select ${userId}, gen_random_uuid(), ${publisher.id}, 'ins_109508', 'Bank', ${now} from generate_series(1, ${count})
      returning link_id
    )
    insert into linker_items (user_id, link_id, publisher_id, owner, sealed_token, item_fingerprint, sync_due_at, sync_asked)
    select ${userId}, link_id, ${publisher.id}, 'service', '', '', ${now}::timestamptz - n * interval '1 minute', n <= ${asked}
    from (select link_id, row_number() over () as n from made) numbered`
  return publisher
}

test('publishers share capacity, requests precede polls, and paced items and accounts are not claimed', async () => {
  await makeDue([])
  const large = await dueLinks('large', 60, { asked: 3 })
  const small = await dueLinks('small', 2, { asked: 0 })
  const { reader } = world.db
  const claim = async (room: Partial<Parameters<typeof claimSyncs>[2]>) => {
    const now = world.clock.now()
    const leasedUntil = new Date(now.getTime() + 60_000)
    const whole = { free: 10, held: new Map(), perPublisher: 24, now, leasedUntil, ...room }
    const runs = await claimSyncs(reader, null, whole)
    const of = ({ id }: Publisher) => runs.filter((run) => run.publisherId === id)
    return { large: of(large).length, small: of(small).length, asked: runs.filter((run) => run.asked).length }
  }
  const release = () => reader`update linker_items set sync_lease_until = null`
  assert.deepEqual(await claim({}), { large: 8, small: 2, asked: 3 })
  await release()
  // The large publisher's share is already running.
  assert.deepEqual(await claim({ held: new Map([[large.id, 23]]) }), { large: 1, small: 2, asked: 1 })
  await release()
  assert.deepEqual(await claim({ held: new Map([[large.id, 1]]), free: 3 }), { large: 1, small: 2, asked: 1 })
  await release()
  // The provider is down or refuses this operation for longer than a run would wait.
  for (const operation of ['*', 'transactions/sync']) {
    await createPacing(reader).postpone('sandbox', operation, 60_000)
    assert.deepEqual(await claim({}), { large: 0, small: 0, asked: 0 })
    await reader`delete from provider_pacing`
  }
  await createPacing(reader).postpone('sandbox', 'transactions/sync', 2_000)
  await createPacing(reader).postpone('sandbox', 'item/get', 60_000)
  await createPacing(reader).postpone(large.id, '*', 60_000)
  const later = new Date(world.clock.now().getTime() + 60_000)
  await reader`update linker_items set sync_paced_until = ${later} where publisher_id = ${small.id}`
  assert.deepEqual(await claim({}), { large: 10, small: 0, asked: 3 })
  await reader`delete from provider_pacing`
  await reader`update linker_items set sync_paced_until = null`
  await release()
  // Two concurrent workers claim different links, and no more in total than there are.
  const both = await Promise.all([claim({ free: 24 }), claim({ free: 24 })])
  assert(both.reduce((sum, one) => sum + one.large + one.small, 0) <= 48)
  assert.equal(
    both.reduce((sum, one) => sum + one.small, 0),
    2,
  )
  await reader`delete from linker_items where publisher_id in (${large.id}, ${small.id})`
})
