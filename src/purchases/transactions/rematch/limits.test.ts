import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { BRANDS, brand, later, openRematchWorld } from '../../../../test/support/rematch-world.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { applyRematch, undoRematch } from './service.ts'

// Re-matches with budgets and limits. Offers pay 5%, and the user gets 70% of that.
let brands: object[] = [...BRANDS]

const db = await openTestDatabase('rematch_limits', { connections: 6 })
const world = await openRematchWorld(db)

const NOW = later(60)
const everything = { brandUid: null, template: null, since: later(-1), until: null }
const order = { filter: everything, by: 'Ana', reason: 'corrected', expected: null }

/** Adds or replaces a brand. Its purchases are reported with REAL and its name as the merchant. */
async function limited(name: string, more: object): Promise<void> {
  brands = [
    ...brands.filter((one) => (one as { brand_uid: string }).brand_uid !== name),
    brand(name, `Ember ${name}`, more),
  ]
  await world.load(brands)
  await world.catalog.refresh()
}

async function openShop(name: string, more: object): Promise<{ publisher: Publisher; user: UserId; shop: string }> {
  await limited(name, { commission: { rate: 5 }, ...more })
  const publisher = await world.publisher()
  await world.say(publisher, 'zorble kiosk', name)
  await world.say(publisher, `real ${name}`, name)
  return { publisher, user: await world.user(publisher), shop: `REAL ${name.toUpperCase()}` }
}

const ONE_PURCHASE = { budgets: [{ period: 'LIFETIME', amount: 5 }] }
const REWARD = { user_limits: [{ period: 'LIFETIME', reward: 10 }] }
const ONE_USE = { user_limits: [{ period: 'LIFETIME', uses: 1 }] }

test('a restored purchase gets only what others left of the budget', async () => {
  const { publisher, user, shop } = await openShop('spent', ONE_PURCHASE)
  const other = await world.user(publisher)
  await world.report(publisher, user, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.say(publisher, 'zorble kiosk', 'two')
  const rematch = await applyRematch(world.deps, publisher, order, NOW)
  await world.report(publisher, other, [{ id: 'b', amount: 8_000, day: 1, shop }])
  const undo = await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
  assert.deepEqual([rematch.sums['USD']?.before.user, undo.sums['USD']?.after.user], [350n, 70n])
  assert.deepEqual(await world.shown(publisher, other), ['PENDING spent offer-spent 280'])
  assert.deepEqual(await world.shown(publisher, user), ['PENDING spent offer-spent 70'])
  assert.deepEqual(await world.differences(publisher), [])
})

test('a restored purchase takes its offer use back from a later purchase', async () => {
  const { publisher, user, shop } = await openShop('used', ONE_USE)
  await world.report(publisher, user, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.say(publisher, 'zorble kiosk', 'two')
  const rematch = await applyRematch(world.deps, publisher, order, NOW)
  await world.report(publisher, user, [{ id: 'b', amount: 10_000, day: 1, shop }])
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
  assert.deepEqual(await world.shown(publisher, user), [
    'PENDING used offer-used 350',
    'CANCELLED user_limit_reached used offer-used 0',
  ])
  assert.deepEqual(await world.differences(publisher), [])
})

for (const { name, limit, reason } of [
  { name: 'handed', limit: ONE_USE, reason: 'user_limit_reached' },
  { name: 'passed', limit: ONE_PURCHASE, reason: 'budget_exhausted' },
])
  test(`an undo returns the reward to the purchase that had it; the other purchase loses it (${reason})`, async () => {
    const { publisher, user, shop } = await openShop(name, limit)
    await world.report(publisher, user, [{ id: 'a', amount: 10_000, day: 0 }])
    await world.report(publisher, user, [{ id: 'b', amount: 10_000, day: 1, shop }])
    const before = [`PENDING ${name} offer-${name} 350`, `CANCELLED ${reason} ${name} 0`]
    assert.deepEqual(await world.shown(publisher, user), before)
    await world.say(publisher, 'zorble kiosk', 'two')
    const rematch = await applyRematch(world.deps, publisher, order, NOW)
    assert.deepEqual(await world.shown(publisher, user), [
      'PENDING two offer-two 140',
      `PENDING ${name} offer-${name} 350`,
    ])
    await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
    assert.deepEqual(await world.shown(publisher, user), before)
    assert.deepEqual(await world.differences(publisher), [])
  })

test('restored purchases get their original rewards back, regardless of arrival order', async () => {
  const { publisher, user } = await openShop('order', REWARD)
  await world.report(publisher, user, [{ id: 'late', amount: 18_228, day: 5 }])
  await world.report(publisher, user, [{ id: 'early', amount: 30_000, day: 1 }])
  const before = ['PENDING order offer-order 1000', 'CANCELLED user_limit_reached order 0']
  assert.deepEqual(await world.shown(publisher, user), before)
  await world.say(publisher, 'zorble kiosk', 'two')
  const rematch = await applyRematch(world.deps, publisher, order, NOW)
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW, 1)
  assert.deepEqual(await world.shown(publisher, user), before)
  assert.deepEqual(await world.differences(publisher), [])
})

test('a restored purchase gets its former reward before another restored purchase takes more', async () => {
  const { publisher, user } = await openShop('growing', REWARD)
  await world.report(publisher, user, [{ id: 'a', amount: 10_000, day: 0 }])
  await world.report(publisher, user, [{ id: 'b', amount: 30_000, day: 1 }])
  const before = ['PENDING growing offer-growing 350', 'PENDING growing offer-growing 650']
  assert.deepEqual(await world.shown(publisher, user), before)
  await world.say(publisher, 'zorble kiosk', 'two')
  const rematch = await applyRematch(world.deps, publisher, order, NOW)
  await world.report(publisher, user, [{ id: 'more', amount: 20_000, day: 2, of: 'a' }])
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
  assert.deepEqual(await world.shown(publisher, user), before)
  assert.deepEqual(await world.differences(publisher), [])
})

for (const { name, limit } of [
  { name: 'lent', limit: REWARD },
  { name: 'shared', limit: { budgets: [{ period: 'LIFETIME', amount: 15 }] } },
])
  test(`an undo returns freed ${Object.keys(limit)} to the purchase that held them`, async () => {
    const { publisher, user, shop } = await openShop(name, limit)
    await world.report(publisher, user, [{ id: 'a', amount: 20_000, day: 0 }])
    await world.report(publisher, user, [{ id: 'b', amount: 10_000, day: 1, shop }])
    await world.report(publisher, user, [{ id: 'more', amount: 10_000, day: 1, of: 'b', shop }])
    const before = await world.shown(publisher, user)
    await world.say(publisher, 'zorble kiosk', 'two')
    const rematch = await applyRematch(world.deps, publisher, order, NOW)
    assert.deepEqual((await world.shown(publisher, user))[1], `PENDING ${name} offer-${name} 700`)
    assert.notDeepEqual(before[1], `PENDING ${name} offer-${name} 700`)
    await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
    assert.deepEqual(await world.shown(publisher, user), before)
    assert.deepEqual(await world.differences(publisher), [])
  })

test('a use that a re-match moved within an offer returns to its former purchase', async () => {
  const { publisher, user, shop } = await openShop('again', ONE_USE)
  await world.report(publisher, user, [{ id: 'a', amount: 10_000, day: 2 }])
  await world.say(publisher, 'zorble kiosk', 'two')
  const first = await applyRematch(world.deps, publisher, order, NOW)
  await world.report(publisher, user, [{ id: 'b', amount: 10_000, day: 1, shop }])
  await undoRematch(world.deps, publisher, { undone: first, by: 'Ben' }, NOW)
  const before = ['PENDING again offer-again 350', 'CANCELLED user_limit_reached again offer-again 0']
  assert.deepEqual(await world.shown(publisher, user), before)
  await world.say(publisher, 'zorble kiosk', 'again')
  await world.say(publisher, 'real again', 'two')
  const second = await applyRematch(world.deps, publisher, order, NOW)
  assert.deepEqual(await world.shown(publisher, user), ['PENDING two offer-two 140', 'PENDING again offer-again 350'])
  await undoRematch(world.deps, publisher, { undone: second, by: 'Ben' }, NOW)
  assert.deepEqual(await world.shown(publisher, user), before)
  assert.deepEqual(await world.differences(publisher), [])
})

test("an undo takes back a later user's reward to restore an earlier user's reward", async () => {
  const { publisher, user, shop } = await openShop('wandering', { budgets: [{ period: 'LIFETIME', amount: 10 }] })
  const other = await world.user(publisher)
  await world.report(publisher, user, [{ id: 'a', amount: 18_000, day: 0, shop }])
  await world.report(publisher, other, [{ id: 'b', amount: 20_000, day: 1, shop }])
  const shown = async () => [await world.shown(publisher, user), await world.shown(publisher, other)].flat()
  const before = await shown()
  await limited('wandering', { commission: { rate: 5 }, budgets: [{ period: 'LIFETIME', amount: 10 }], min_spend: 190 })
  const rematch = await applyRematch(world.deps, publisher, order, NOW)
  assert.deepEqual((await shown())[1], 'PENDING wandering offer-wandering 700')
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
  assert.deepEqual(await shown(), before)
  assert.match(String(before), /^PENDING wandering offer-wandering 630,/)
  assert.deepEqual(await world.differences(publisher), [])
})

test("an undo takes back what a matured purchase gained in the re-match at an earlier one's expense", async () => {
  const budgets = [{ period: 'LIFETIME', amount: 10 }]
  const { publisher, user, shop } = await openShop('raised', {
    budgets,
    user_limits: [{ period: 'LIFETIME', reward: 3 }],
  })
  const other = await world.user(publisher)
  await world.report(publisher, user, [{ id: 'a', amount: 8_000, day: 0, shop }])
  await world.report(publisher, other, [{ id: 'b', amount: 20_000, day: 1, shop }])
  await world.mature(publisher, later(40))
  await limited('raised', { commission: { rate: 5 }, budgets, min_spend: 100 })
  const rematch = await applyRematch(world.deps, publisher, order, NOW)
  assert.deepEqual([rematch.sums['USD']?.before.user, rematch.sums['USD']?.after.user], [580n, 700n])
  const undo = await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW)
  assert.equal(undo.sums['USD']?.after.user, 580n)
  assert.equal(await world.balances(publisher, user), 'pending 280 available 0 debt 0')
  assert.deepEqual(await world.differences(publisher), [])
})

test('a re-match without a correction takes no offer use from a matured purchase', async () => {
  const publisher = await world.publisher()
  const user = await world.user(publisher)
  await world.say(publisher, 'zorble kiosk', 'once')
  await world.report(publisher, user, [{ id: 'late', amount: 10_000, day: 5 }])
  await world.mature(publisher, later(40))
  await world.report(publisher, user, [{ id: 'early', amount: 10_000, day: 1 }])
  const before = await world.shown(publisher, user)
  assert.deepEqual(before, ['CANCELLED offer_already_used once 0', 'EARNED once offer-once 280'])
  await applyRematch(world.deps, publisher, order, NOW)
  assert.deepEqual(await world.shown(publisher, user), before)
})

test('a re-match without a correction keeps a reward limited by its budget', async () => {
  const { publisher, user } = await openShop('grown', ONE_PURCHASE)
  await world.report(publisher, user, [{ id: 'a', amount: 9_000, day: 0 }])
  await world.report(publisher, user, [{ id: 'b', amount: 9_000, day: 1, of: 'a' }])
  assert.deepEqual(await world.shown(publisher, user), ['PENDING grown offer-grown 350'])
  const { changed } = await applyRematch(world.deps, publisher, order, NOW)
  assert.deepEqual([await world.shown(publisher, user), changed], [['PENDING grown offer-grown 350'], 0])
})

for (const { name, maturedOn } of [
  { name: 'returned', maturedOn: null },
  { name: 'matured', maturedOn: 40 },
])
  test(`a re-matched purchase keeps its remaining reward if others have spent what it gave back (${name})`, async () => {
    const { publisher, user, shop } = await openShop(name, ONE_PURCHASE)
    const other = await world.user(publisher)
    await world.report(publisher, user, [{ id: 'a', amount: 10_000, day: 0 }])
    if (maturedOn !== null) await world.mature(publisher, later(maturedOn))
    await world.report(publisher, user, [{ id: 'back', amount: 5_000, day: 45, kind: 'REFUND', of: 'a' }])
    await world.report(publisher, other, [{ id: 'b', amount: 5_000, day: 46, shop }])
    const before = await world.shown(publisher, user)
    const { changed } = await applyRematch(world.deps, publisher, order, NOW)
    assert.deepEqual(await world.shown(publisher, user), before)
    assert.equal(changed, 0)
    assert.deepEqual(await world.differences(publisher), [])
  })

for (const { name, maturedOn, after } of [
  { name: 'leaving', maturedOn: null, after: ['CANCELLED no_offer leaving 0'] },
  { name: 'gone', maturedOn: 40, after: ['EARNED gone 350', '+EARNED no_offer gone -350'] },
])
  test(`a re-match never rewards a purchase under a retired offer (${name})`, async () => {
    const { publisher, user } = await openShop(name, {})
    await world.report(publisher, user, [{ id: 'a', amount: 10_000, day: 0 }])
    if (maturedOn !== null) await world.mature(publisher, later(maturedOn))
    await limited(name, { commission: { rate: 5 }, retired: true })
    const { changed } = await applyRematch(world.deps, publisher, order, NOW)
    assert.deepEqual([await world.shown(publisher, user), changed], [after, 1])
    assert.deepEqual(await world.differences(publisher), [])
  })
