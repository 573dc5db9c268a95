import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  createClient,
  link,
  openWorld,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import type { UserId } from '../../../platform/ids.ts'
import { createHints, mergeHints } from './hints.ts'
import { type Hint, storeHints } from './queries.ts'

// Hints from webhooks on their way into the database.

const END = new Date('2099-01-01T00:00:00Z')
const LATER_END = new Date('2099-02-01T00:00:00Z')
let world: World

before(async () => {
  world = await openWorld('linker_hints')
})
after(() => world.close())

type Known = { readonly userId: UserId; readonly hint: Hint }

/** Links an item and creates an empty hint for it. */
async function linked(name: string): Promise<Known> {
  const { userId } = await addUser(world, name)
  assert.equal((await link(world, await createClient(world), name, name)).status, 200)
  await work(world)
  const [row] = await world.db.reader<{ fingerprint: Buffer }[]>`
    select item_fingerprint as fingerprint from linker_items where user_id = ${userId}`
  assert(row !== undefined)
  const none = {
    environment: 'sandbox' as const,
    asksCheck: false,
    repaired: false,
    settles: null,
    disconnectsAt: null,
    newAccounts: false,
    revokedAccounts: [],
  }
  return { userId, hint: { ...row, ...none } }
}

async function readStored({ userId }: Known) {
  const [row] = await world.db.reader`
    select disconnects_at, disconnect_settled_at, new_accounts_hinted, check_due_at is not null as is_checked
    from linker_items where user_id = ${userId}`
  return row
}

const hasEnd = async (known: Known) => (await readStored(known))?.['disconnectsAt']?.getTime() === END.getTime()

/** Locks the table of items while the work runs. */
function whileSlow(slow: () => Promise<void>): Promise<void> {
  return world.db.transaction(async (tx) => {
    await tx`lock table linker_items in access exclusive mode`
    await slow()
  })
}

test('hints that arrive while the database is slow are merged per item and stored once it responds', async () => {
  const [one, other] = [await linked('slow-one'), await linked('slow-other')]
  const hints = createHints(world.deps)
  const stored: (Promise<void> | null)[] = []
  await whileSlow(async () => {
    stored.push(hints.add({ ...other.hint, asksCheck: true }))
    for (let count = 0; count < 100; count++) stored.push(hints.add({ ...one.hint, asksCheck: count === 50 }))
    stored.push(hints.add({ ...one.hint, disconnectsAt: END }))
  })
  assert(!stored.includes(null))
  await Promise.all(stored)
  assert(await hasEnd(one))
  assert.deepEqual([(await readStored(one))?.['isChecked'], (await readStored(other))?.['isChecked']], [true, true])
  const [row] = await world.db.reader<{ requests: number }[]>`
    select sync_requests as requests from linker_items where user_id = ${one.userId}`
  assert((row?.requests ?? 0) < 10, 'a hundred hints are no hundred updates')
})

test('hints that the database rejects are retried until they are stored', async () => {
  const known = await linked('refused')
  const hints = createHints(world.deps)
  await world.db.reader`alter table linker_items rename to linker_items_away`
  const stored = hints.add({ ...known.hint, disconnectsAt: END })
  await until(async () => world.logged.join('').includes('webhook hints could not be stored yet'))
  await world.db.reader`alter table linker_items_away rename to linker_items`
  await stored
  assert(await hasEnd(known))
})

test('a locked item does not delay hints for other items', async () => {
  const [held, free] = [await linked('held'), await linked('free')]
  const hints = createHints(world.deps)
  const waits = await world.db.transaction(async (tx) => {
    await tx`select 1 from linker_items where user_id = ${held.userId} for update`
    const stored = hints.add({ ...held.hint, disconnectsAt: END })
    await hints.add({ ...free.hint, disconnectsAt: END })
    assert(await hasEnd(free))
    assert(!(await hasEnd(held)))
    return { stored }
  })
  await waits.stored
  assert(await hasEnd(held))
})

test('hints for too many items are refused, but another hint for a waiting item is accepted', async () => {
  const [one, two, three] = [await linked('first'), await linked('second'), await linked('third')]
  const hints = createHints(world.deps, 2)
  const stored: (Promise<void> | null)[] = []
  await whileSlow(async () => {
    stored.push(hints.add(one.hint), hints.add(two.hint), hints.add({ ...two.hint, disconnectsAt: END }))
    assert.equal(hints.add(three.hint), null)
  })
  assert(!stored.includes(null))
  await Promise.all(stored)
  assert(await hasEnd(two))
  assert.notEqual(hints.add(three.hint), null)
})

test('a process that is shutting down stores its hints first', async () => {
  const known = await linked('drained')
  const hints = createHints(world.deps)
  let drained: Promise<void> | undefined
  await world.db.transaction(async (tx) => {
    await tx`select 1 from linker_items where user_id = ${known.userId} for update`
    hints.add({ ...known.hint, disconnectsAt: END })
    let hasEnded = false
    drained = hints.drain().then(() => {
      hasEnded = true
    })
    // A drain that did not wait would have finished by then.
    let looks = 0
    await until(async () => hasEnded || ++looks > 10)
    assert(!hasEnded)
  })
  await drained
  assert(await hasEnd(known))
})

test('merged hints have the same effect as hints stored one by one', async () => {
  const repaired = { asksCheck: true, repaired: true }
  const ends = { asksCheck: true, disconnectsAt: END }
  const endsLater = { asksCheck: true, disconnectsAt: LATER_END }
  const cases: readonly (readonly Partial<Hint>[])[] = [
    [ends, repaired],
    [repaired, ends],
    [ends, repaired, ends],
    [ends, repaired, endsLater],
    [endsLater, repaired, ends],
    [ends, endsLater],
    [ends, { newAccounts: true }],
    [repaired, { newAccounts: true }, ends, repaired],
    [{}, { asksCheck: true }],
  ]
  for (const [number, parts] of cases.entries()) {
    const [byOne, atOnce] = [await linked(`case-${number}`), await linked(`case-${number}-at-once`)]
    for (const part of parts) await storeHints(world.db.reader, [{ ...byOne.hint, ...part }], world.clock.now())
    const folded = parts.map((part) => ({ ...atOnce.hint, ...part })).reduce(mergeHints)
    await storeHints(world.db.reader, [folded], world.clock.now())
    assert.deepEqual(await readStored(atOnce), await readStored(byOne), JSON.stringify(parts))
  }
})
