import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import {
  type Bought,
  BRANDS,
  later,
  openRematchWorld,
  type RematchWorld,
} from '../../../../test/support/rematch-world.ts'
import type { Database, Reader } from '../../../platform/db/database.ts'
import { expireAuthorizations } from '../intake/expire.ts'
import { applyRematch, previewRematch, undoRematch } from './service.ts'

const db = await openTestDatabase('rematch', { connections: 6 })
const world = await openRematchWorld(db)

const KIOSK = { brandUid: null, template: 'zorble kiosk', since: null, until: null }
const everything = { ...KIOSK, template: null, since: later(-1) }
const NOW = later(60)
const order = { filter: KIOSK, by: 'Ana', reason: 'the kiosk is another shop’s', expected: null }

type Case = {
  readonly name: string
  /** The brand that the kiosk is aliased to, and its real brand. */
  readonly from: string | null
  readonly to: string | null
  readonly bought: readonly Bought[]
  /** The day on which due rewards matured before the re-match; unset if none did. */
  readonly maturedOn?: number
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly balances: string
}

const bought = { id: 'a', amount: 10_000, day: 0 }
const halfBack: Bought = { id: 'b', amount: 5_000, day: 3, kind: 'REFUND', of: 'a' }

const CASES: readonly Case[] = [
  {
    name: 'a pending reward moves to the right brand',
    from: 'five',
    to: 'ten',
    bought: [bought],
    before: ['PENDING five offer-five 350'],
    after: ['PENDING ten offer-ten 700'],
    balances: 'pending 700 available 0 debt 0',
  },
  {
    name: 'a pending reward is lost if the merchant turns out to be no brand',
    from: 'five',
    to: null,
    bought: [bought],
    before: ['PENDING five offer-five 350'],
    after: ['CANCELLED unmatched 0'],
    balances: 'pending 0 available 0 debt 0',
  },
  {
    name: 'a pending reward is lost if the right brand has no offer, and the brand is shown',
    from: 'five',
    to: 'bare',
    bought: [bought],
    before: ['PENDING five offer-five 350'],
    after: ['CANCELLED no_offer bare 0'],
    balances: 'pending 0 available 0 debt 0',
  },
  {
    name: 'an unmatched purchase earns a reward once it is matched',
    from: null,
    to: 'five',
    bought: [bought],
    before: ['CANCELLED unmatched 0'],
    after: ['PENDING five offer-five 350'],
    balances: 'pending 350 available 0 debt 0',
  },
  {
    name: 'an uncleared hold is decided again like any other purchase',
    from: 'five',
    to: 'ten',
    bought: [{ ...bought, day: 58, kind: 'AUTHORIZATION' }],
    before: ['PENDING five offer-five 350'],
    after: ['PENDING ten offer-ten 700'],
    balances: 'pending 700 available 0 debt 0',
  },
  {
    name: 'a refunded amount stays refunded',
    from: 'five',
    to: 'ten',
    bought: [bought, halfBack],
    before: ['PENDING five offer-five 175'],
    after: ['PENDING ten offer-ten 350'],
    balances: 'pending 350 available 0 debt 0',
  },
  {
    name: 'a matured reward keeps what it earned, and the increase waits for its refund period',
    from: 'five',
    to: 'ten',
    bought: [bought],
    maturedOn: 40,
    before: ['EARNED five offer-five 350'],
    after: ['EARNED ten offer-ten 350', '+PENDING ten offer-ten 350'],
    balances: 'pending 350 available 350 debt 0',
  },
  {
    name: 'the excess of a matured reward that was too high is taken back immediately',
    from: 'five',
    to: 'two',
    bought: [bought],
    maturedOn: 40,
    before: ['EARNED five offer-five 350'],
    after: ['EARNED two offer-two 350', '+EARNED adjusted two offer-two -210'],
    balances: 'pending 0 available 140 debt 0',
  },
  {
    name: 'a matured reward is taken back if its purchase has no brand',
    from: 'five',
    to: null,
    bought: [bought],
    maturedOn: 40,
    before: ['EARNED five offer-five 350'],
    after: ['EARNED 350', '+EARNED unmatched -350'],
    balances: 'pending 0 available 0 debt 0',
  },
  {
    name: 'a partly clawed back reward ends up at the right amount',
    from: 'five',
    to: 'two',
    bought: [bought, { ...halfBack, day: 50 }],
    maturedOn: 40,
    before: ['EARNED five offer-five 350', '+EARNED refunded five offer-five -175'],
    after: ['EARNED two offer-two 350', '+EARNED refunded five offer-five -175', '+EARNED refunded two offer-two -105'],
    balances: 'pending 0 available 70 debt 0',
  },
]

for (const { name, from, to, bought, maturedOn, before, after, balances } of CASES)
  test(`${name}, and an undo restores everything`, async () => {
    const publisher = await world.publisher()
    const userId = await world.user(publisher)
    await world.say(publisher, 'zorble kiosk', from)
    const [early, late] = [bought.filter(isEarly), bought.filter((one) => !isEarly(one))]
    function isEarly({ day }: Bought): boolean {
      return maturedOn === undefined || day < maturedOn
    }
    await world.report(publisher, userId, early)
    if (maturedOn !== undefined) await world.mature(publisher, later(maturedOn))
    if (late.length > 0) await world.report(publisher, userId, late)
    assert.deepEqual(await world.shown(publisher, userId), before)
    const had = await world.balances(publisher, userId)
    const owed = await owedByAll(publisher)

    await world.say(publisher, 'zorble kiosk', to)
    const preview = await previewRematch(world.deps, publisher, KIOSK, NOW)
    assert.deepEqual(await world.shown(publisher, userId), before, 'a preview changes nothing')
    const rematch = await applyRematch(world.deps, publisher, { ...order, expected: preview.hash }, NOW)
    assert.deepEqual(await world.shown(publisher, userId), after)
    assert.equal(await world.balances(publisher, userId), balances)
    assert.deepEqual(rematch.sums, preview.sums)
    assert.equal(rematch.changed, 1)
    assert.deepEqual(await world.differences(publisher), [])
    // The right brand owes the entire commission.
    for (const brand of BRANDS)
      if (brand.brand_uid !== to) assert.equal(await world.owedBy(publisher, brand.brand_uid), 0n, brand.brand_uid)

    const again = await applyRematch(world.deps, publisher, order, NOW)
    assert.equal(again.changed, 0, 'twice applied changes nothing')

    const undone = await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
    assert.deepEqual([undone.changed, undone.kept, undone.undoes], [1, 0, rematch.rematchId])
    assert.deepEqual(undone.sums['USD'], { before: rematch.sums['USD']?.after, after: rematch.sums['USD']?.before })
    // A part of a matured reward that was clawed back waits out its refund period again, which is over by now.
    if (maturedOn === undefined) assert.deepEqual(await world.shown(publisher, userId), before)
    else await world.mature(publisher, NOW)
    assert.equal(await world.balances(publisher, userId), had)
    assert.deepEqual(await owedByAll(publisher), owed)
    assert.deepEqual(await world.differences(publisher), [])
  })

async function owedByAll(publisher: Parameters<RematchWorld['owedBy']>[0]): Promise<bigint[]> {
  return Promise.all(BRANDS.map((brand) => world.owedBy(publisher, brand.brand_uid)))
}

test('a one-time offer is freed for the next purchase when the first turns out to be at another brand', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.say(publisher, 'zorble kiosk', 'once')
  await world.say(publisher, 'real saltmarsh', 'once')
  await world.report(publisher, userId, [{ id: 'a', amount: 5_000, day: 0 }])
  await world.report(publisher, userId, [{ id: 'b', amount: 5_000, day: 1, shop: 'REAL SALTMARSH' }])
  const before = ['PENDING once offer-once 280', 'CANCELLED offer_already_used once 0']
  assert.deepEqual(await world.shown(publisher, userId), before)
  await world.say(publisher, 'zorble kiosk', 'five')
  const rematch = await applyRematch(world.deps, publisher, { ...order, filter: everything }, NOW)
  assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 175', 'PENDING once offer-once 280'])
  assert.deepEqual(await world.differences(publisher), [])
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
  assert.deepEqual(await world.shown(publisher, userId), before)
  assert.deepEqual(await world.differences(publisher), [])
})

test('a one-time offer is not paid twice when a second purchase turns out to be at its brand', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.say(publisher, 'real saltmarsh', 'once')
  await world.report(publisher, userId, [
    { id: 'a', amount: 5_000, day: 0 },
    { id: 'b', amount: 5_000, day: 1, shop: 'REAL SALTMARSH' },
  ])
  await world.say(publisher, 'zorble kiosk', 'once')
  await applyRematch(world.deps, publisher, order, NOW)
  assert.deepEqual(await world.shown(publisher, userId), [
    'PENDING once offer-once 280',
    'CANCELLED offer_already_used once 0',
  ])
  assert.deepEqual(await world.differences(publisher), [])
})

test('moving a purchase to a brand makes the user a returning customer there, until undone', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.say(publisher, 'tallow', 'newcomer')
  await world.report(publisher, userId, [
    { id: 'a', amount: 10_000, day: 0 },
    { id: 'b', amount: 10_000, day: 5, shop: 'TALLOW' },
  ])
  const before = ['CANCELLED unmatched 0', 'PENDING newcomer offer-newcomer 560']
  assert.deepEqual(await world.shown(publisher, userId), before)
  await world.say(publisher, 'zorble kiosk', 'newcomer')
  const preview = await previewRematch(world.deps, publisher, KIOSK, NOW)
  assert.deepEqual([preview.examined, preview.changes.length], [1, 2])
  const rematch = await applyRematch(world.deps, publisher, { ...order, expected: preview.hash }, NOW)
  assert.deepEqual(await world.shown(publisher, userId), [
    'PENDING newcomer offer-newcomer 560',
    'CANCELLED not_a_new_customer newcomer 0',
  ])
  assert.deepEqual(await world.differences(publisher), [])
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
  assert.deepEqual(await world.shown(publisher, userId), before)
  assert.deepEqual(await world.differences(publisher), [])
})

test('a corrected offer changes earlier rewards only in a re-match', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.say(publisher, 'zorble kiosk', 'five')
  await world.report(publisher, userId, [bought])
  try {
    const corrected = {
      ...BRANDS[0],
      offers: [{ ...(BRANDS[0] as { offers: object[] }).offers[0], commission: { rate: 6 } }],
    }
    await world.load([corrected, ...BRANDS.slice(1)])
    await world.catalog.refresh()
    await world.report(publisher, userId, [halfBack])
    assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 175'])
    const filter = { ...everything, brandUid: 'five' }
    const rematch = await applyRematch(world.deps, publisher, { ...order, filter }, NOW)
    assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 210'])
    await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
    assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 175'])
    assert.deepEqual(await world.differences(publisher), [])
  } finally {
    await world.load(BRANDS)
  }
})

test('a re-match with a preview hash is refused and changes nothing if the result differs', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.report(publisher, userId, [bought])
  await world.say(publisher, 'zorble kiosk', 'five')
  const { hash } = await previewRematch(world.deps, publisher, KIOSK, NOW)
  await world.report(publisher, userId, [{ ...halfBack, kind: 'AUTHORIZATION', id: 'c' }])
  await world.say(publisher, 'zorble kiosk', 'ten')
  const refused = applyRematch(world.deps, publisher, { ...order, expected: hash }, NOW)
  await assert.rejects(refused, { code: 'rematch_differs' })
  const [row] = await db.reader`select count(*)::int as count from rematches where publisher_id = ${publisher.id}`
  assert.equal(row?.['count'], 0)
})

test('an undo restores only purchases that have not been decided again since', async () => {
  const publisher = await world.publisher()
  const users = [await world.user(publisher), await world.user(publisher)] as const
  for (const userId of users) await world.report(publisher, userId, [bought])
  await world.say(publisher, 'zorble kiosk', 'five')
  const first = await applyRematch(world.deps, publisher, order, NOW)
  assert.equal(first.changed, 2)
  // A second re-match, limited to a later period in which only one of the two users bought.
  await world.report(publisher, users[0], [{ id: 'c', amount: 10_000, day: 10 }])
  await world.say(publisher, 'zorble kiosk', 'ten')
  const filter = { ...KIOSK, until: later(-1) }
  assert.equal((await applyRematch(world.deps, publisher, { ...order, filter }, NOW)).changed, 0)
  await applyRematch(world.deps, publisher, { ...order, filter: { ...KIOSK, since: later(9) } }, NOW)
  const undone = await undoRematch(world.deps, publisher, { undone: first, by: 'Ben' }, NOW)
  assert.deepEqual([undone.changed, undone.kept], [2, 0])
  // An undo can be undone, except for purchases decided since then.
  await applyRematch(world.deps, publisher, { ...order, filter: { ...KIOSK, until: later(1) } }, NOW)
  const redone = await undoRematch(world.deps, publisher, { undone, by: 'Ben' }, NOW)
  assert.deepEqual([redone.changed, redone.kept], [0, 2])
  assert.deepEqual(await world.shown(publisher, users[1]), ['PENDING ten offer-ten 700'])
  assert.deepEqual(await world.differences(publisher), [])
})

const COME_BACK: readonly (readonly [what: string, reason: string, lost: Bought, back: Bought])[] = [
  ['lapsed', 'authorization_expired', { ...bought, kind: 'AUTHORIZATION' }, { ...bought, id: 'c', day: 14, of: 'a' }],
  [
    'refunded',
    'refunded',
    { ...bought, id: 'b', kind: 'REFUND', of: 'a' },
    { ...bought, id: 'c', day: 14, kind: 'REVERSAL', of: 'b' },
  ],
]
for (const [what, reason, lost, back] of COME_BACK)
  test(`an undo uses the former terms for a purchase that was ${what} before and has been revived since`, async () => {
    const publisher = await world.publisher()
    const userId = await world.user(publisher)
    await world.say(publisher, 'zorble kiosk', 'five')
    await world.report(publisher, userId, lost.of === undefined ? [lost] : [bought, lost])
    while (await db.transaction((tx) => expireAuthorizations(tx, world, publisher, later(12)))) {}
    assert.deepEqual(await world.shown(publisher, userId), [`CANCELLED ${reason} five offer-five 0`])
    await world.say(publisher, 'zorble kiosk', 'ten')
    const rematch = await applyRematch(world.deps, publisher, order, later(13))
    await world.report(publisher, userId, [back])
    assert.deepEqual(await world.shown(publisher, userId), ['PENDING ten offer-ten 700'])
    await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
    assert.deepEqual(await world.shown(publisher, userId), ['PENDING five offer-five 350'])
    assert.deepEqual(await world.differences(publisher), [])
  })

test('a preview reads a single snapshot, even if a reward grows in the meantime', async () => {
  const publisher = await world.publisher()
  const userId = await world.user(publisher)
  await world.say(publisher, 'zorble kiosk', 'five')
  await world.report(publisher, userId, [{ ...bought, amount: 1_000 }])
  await world.say(publisher, 'zorble kiosk', 'bare')
  const grow = () =>
    world.report(publisher, userId, [{ id: 'more', amount: 50_000, day: 1, kind: 'AMENDMENT', of: 'a' }])
  const { changes } = await previewRematch({ ...world.deps, db: interruptedBy(grow) }, publisher, KIOSK, NOW)
  assert.deepEqual(
    changes.map(({ before, after }) => [before.amounts.user, after.amounts.user]),
    [['35', '0']],
  )
})

/** Returns a database that runs `event` before it reads the transactions of a re-match. */
function interruptedBy(event: () => Promise<unknown>): Database {
  const interrupted = <Connection extends Reader>(reader: Connection): Connection =>
    new Proxy(reader, {
      apply: (target, self, parameters) => {
        const run = () => Reflect.apply(target, self, parameters)
        return String(parameters[0]?.raw).includes('t.adjusts = any') ? event().then(run) : run()
      },
    })
  const snapshot: Database['snapshot'] = (work) => db.snapshot((tx) => work(interrupted(tx)))
  return { ...db, reader: interrupted(db.reader), snapshot }
}

test('a filter that is empty or selects too many purchases is rejected', async () => {
  const publisher = await world.publisher()
  const nothing = { brandUid: null, template: null, since: null, until: null }
  await assert.rejects(previewRematch(world.deps, publisher, nothing, NOW), { code: 'rematch_unbounded' })
  const userId = await world.user(publisher)
  await world.report(publisher, userId, [bought, { ...bought, id: 'z' }])
  await assert.rejects(previewRematch(world.deps, publisher, everything, NOW, 1), { code: 'rematch_too_large' })
})

test('purchases reported during a re-match are neither lost nor decided twice', async () => {
  const publisher = await world.publisher()
  const users = await Promise.all(Array.from({ length: 24 }, () => world.user(publisher)))
  await world.say(publisher, 'zorble kiosk', 'five')
  for (const userId of users) await world.report(publisher, userId, [bought, { ...bought, id: 'z', day: 1 }])
  await world.say(publisher, 'zorble kiosk', 'ten')
  const reports = users.map((userId, index) =>
    world.report(publisher, userId, [
      { ...halfBack, day: 4 },
      { id: 'n', amount: 1_000 + index, day: 5 },
    ]),
  )
  const [rematch] = await Promise.all([
    applyRematch(world.deps, publisher, order, NOW),
    applyRematch(world.deps, publisher, order, NOW),
    ...reports,
  ])
  assert.equal(rematch.finishedAt?.getTime(), NOW.getTime())
  for (const [index, userId] of users.entries()) {
    const fresh = Math.round((1_000 + index) / 10)
    const user = fresh - Math.floor(fresh / 10) - Math.floor(fresh / 5)
    assert.deepEqual(await world.shown(publisher, userId), [
      'PENDING ten offer-ten 350',
      'PENDING ten offer-ten 700',
      `PENDING ten offer-ten ${user}`,
    ])
  }
  assert.deepEqual(await world.differences(publisher), [])
  assert.equal((await applyRematch(world.deps, publisher, order, NOW)).changed, 0)
})
