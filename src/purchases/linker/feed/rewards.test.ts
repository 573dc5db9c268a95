import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFeedWorld } from '../../../../test/support/feed-world.ts'
import {
  atSimulator,
  link,
  readEvents,
  simulatedItems,
  sourceEvents,
  until,
  work,
} from '../../../../test/support/linker-world.ts'
import { readPages } from '../../../../test/support/operator-lists.ts'
import { addDays, type Day, toDay } from '../../../platform/calendar.ts'
import { encodeId, type UserId } from '../../../platform/ids.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import { readList } from '../../../tenants/access/index.ts'
import { rescan } from '../loops.ts'
import { expireHolds } from './expiry.ts'
import { assignOrphan, dismissOrphan } from './orphan-refunds.ts'
import { listUnmatchedByUser, UNMATCHED_REFUNDS } from './unmatched-queries.ts'

/** Rewards while the bank changes its rows, tested from the simulator down to the ledger. */

const { world, client, linked, buy, does, standings, read, shows, waiting, later, mature, differences } =
  await openFeedWorld('feed_rewards')
const today = toDay(new Date(), 'UTC')
const assign = (decision: Parameters<typeof assignOrphan>[2]) =>
  world.db.transaction((tx) => assignOrphan(tx, world.deps, decision))
const dismiss = (decision: Parameters<typeof dismissOrphan>[2]) =>
  world.db.transaction((tx) => dismissOrphan(tx, world.deps, decision))
const listUnmatched = (userId: UserId) =>
  listUnmatchedByUser(world.db.reader, world.publisher.id, {
    userId,
    day: today,
    from: addDays(today, -30),
    until: addDays(today, 30),
    limit: 100,
  })

after(() => world.close())

test('a vanished hold stays pending until its authorization lapses, and a later posting still counts', async () => {
  const { userId, itemId } = await linked('vanishes')
  const hold = await buy(itemId, { pending: true })
  await read(userId, shows(userId, 'PENDING 5000'))
  await does(hold, 'post', { early_removal: true })
  await read(userId, waiting(userId, 1))
  assert.deepEqual(await standings(userId), [{ status: 'PENDING', reason: null, user: 500, left: 5000 }])
  await expireHolds(later(9), null)
  assert.equal((await standings(userId))[0]?.status, 'PENDING')
  await expireHolds(later(10), null)
  assert.deepEqual(await standings(userId), [{ status: 'CANCELLED', reason: 'reversed', user: 0, left: 0 }])
  await does(hold, 'post', { linked: false })
  await read(userId, shows(userId, 'PENDING 5000'))
})

test('a hold and a posting under another name, matched by brand or as sole candidates, count once', async () => {
  const { userId, itemId } = await linked('otherwise-named')
  const restaurant = { category: 'FOOD_AND_DRINK' }
  await buy(itemId, { pending: true, merchant: 'TST* BLUE KETTLE 0042', with_enrichment: false, amount: 20 })
  const holdings = { pending: true, merchant: 'RL HOLDINGS LLC', with_enrichment: false, amount: 70 }
  const unknown = await buy(itemId, holdings)
  await read(userId, shows(userId, 'PENDING 2000', 'CANCELLED 7000'))
  // Once a tip is added, only the brand still identifies the hold.
  await buy(itemId, { ...restaurant, amount: 24 })
  await does(unknown, 'void')
  await buy(itemId, { ...restaurant, merchant: 'Red Lantern', amount: 70 })
  await read(userId, shows(userId, 'PENDING 2400', 'PENDING 7000'))
  assert.deepEqual(
    (await standings(userId)).map(({ user }) => user),
    [240, 700],
  )
})

test('a posting without a pending id continues its hold, whenever the hold vanishes', async () => {
  const { userId, itemId } = await linked('untied')
  const holds = [
    await buy(itemId, { pending: true, amount: 20, category: 'FOOD_AND_DRINK' }),
    await buy(itemId, { pending: true, amount: 40, category: 'FOOD_AND_DRINK' }),
    await buy(itemId, { pending: true, amount: 80, category: 'FOOD_AND_DRINK' }),
  ]
  await read(userId, shows(userId, 'PENDING 2000', 'PENDING 4000', 'PENDING 8000'))
  const [early = {}, together = {}, late = {}] = holds
  await does(early, 'post', { early_removal: true })
  await read(userId, waiting(userId, 1))
  await does(early, 'post', { linked: false, amount: 22 })
  await does(together, 'post', { linked: false, amount: 46 })
  await does(late, 'post', { linked: false, amount: 88, late_removal: true })
  await read(userId, shows(userId, 'PENDING 2200', 'PENDING 4600', 'PENDING 8800'))
  await buy(itemId, { amount: 1 })
  await read(userId, shows(userId, 'PENDING 2200', 'PENDING 4600', 'PENDING 8800', 'PENDING 100'))
  assert(await waiting(userId, 0)())
})

test('a reward does not mature while its row is missing, and matures once the row returns', async () => {
  const { userId, itemId } = await linked('withheld')
  const row = await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  await does(row, 'remove')
  await read(userId, waiting(userId, 1))
  await mature(2)
  assert.equal((await standings(userId))[0]?.status, 'PENDING')
  await does(row, 'bring-back')
  await read(userId, waiting(userId, 0))
  await mature(2)
  assert.deepEqual(await standings(userId), [{ status: 'EARNED', reason: null, user: 500, left: 5000 }])
})

test('a row that stays missing is reversed once, after three days, and restored if it returns', async () => {
  const { userId, itemId } = await linked('gone')
  const row = await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  await does(row, 'remove')
  await read(userId, waiting(userId, 1))
  await expireHolds(later(2.9), null)
  assert.equal((await standings(userId))[0]?.status, 'PENDING')
  await expireHolds(later(3.1), null)
  await expireHolds(later(3.2), null)
  assert.deepEqual(await standings(userId), [{ status: 'CANCELLED', reason: 'reversed', user: 0, left: 0 }])
  assert.equal((await readEvents(world, userId)).filter((event) => event.type === 'reward.reversed').length, 1)
  await does(row, 'bring-back')
  await read(userId, shows(userId, 'PENDING 5000'))
  const [found] = await world.db.reader<{ amount: bigint; refunded: bigint }[]>`
    select amount, refunded from transactions where user_id = ${userId}`
  assert.deepEqual([found?.amount, found?.refunded], [5000n, 0n])
})

test('a bank that changes every id of a login causes no further announcement, cancellation or reward', async () => {
  const { userId, itemId } = await linked('renamed')
  const row = await buy(itemId)
  await buy(itemId, { pending: true, amount: 30 })
  await does(row, 'refund', { amount: 10 })
  await read(userId, shows(userId, 'PENDING 3000', 'PENDING 4000'))
  const recorded = await sourceEvents(world, userId)
  await atSimulator(world, `/_sim/items/${itemId}/change-ids`)
  await buy(itemId, { amount: 7 })
  await read(userId, shows(userId, 'PENDING 3000', 'PENDING 4000', 'PENDING 700'))
  assert.equal((await sourceEvents(world, userId)).length, recorded.length + 1)
  assert(await waiting(userId, 0)())
})

test('purchases with a card that is unlinked and linked again are rewarded only once', async () => {
  const { userId, itemId, name } = await linked('leaves_and_returns')
  await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  assert.equal((await client('DELETE', `/linker/access-token/${name}/ins_109508`)).status, 200)
  await work(world)
  assert.equal((await link(world, client, name, name)).status, 200)
  await work(world)
  const again = (await simulatedItems(world)).at(-1)?.item_id ?? ''
  assert.notEqual(again, itemId)
  await buy(again, { amount: 60 })
  await read(userId, shows(userId, 'PENDING 5000', 'PENDING 6000'))
  const repeated = await world.db.reader`select 1 from feed_rows where user_id = ${userId} and replaced_by is not null`
  assert.equal(repeated.length, 1, 'the bank has shown the first purchase again')
})

test('purchases keep their rewards when their account is closed later', async () => {
  const { userId, itemId } = await linked('closes')
  const row = await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  await atSimulator(world, `/_sim/items/${itemId}/close-account`, { account_id: row['account_id'] })
  const isClosed = async () => {
    const cards = await world.db.reader`select 1 from cards where user_id = ${userId} and unlinked_at is not null`
    return cards.length === 1
  }
  await read(userId, async () => (await waiting(userId, 1)()) && (await isClosed()))
  await mature(2)
  assert.equal((await standings(userId))[0]?.status, 'PENDING')
  await expireHolds(later(4), null)
  await mature(4)
  assert.deepEqual(await standings(userId), [{ status: 'EARNED', reason: null, user: 500, left: 5000 }])
})

test('purchases keep their rewards when all accounts of their login are closed later', async () => {
  const { userId, itemId } = await linked('closes_all')
  await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  const item = (await simulatedItems(world)).find(({ item_id }) => item_id === itemId)
  for (const { account_id } of item?.accounts ?? [])
    await atSimulator(world, `/_sim/items/${itemId}/close-account`, { account_id })
  await until(async () => {
    await work(world)
    return (await world.db.reader`select 1 from linker_items where user_id = ${userId}`).length === 0
  })
  await mature(2)
  await expireHolds(later(4), null)
  await mature(4)
  assert.deepEqual(await standings(userId), [{ status: 'EARNED', reason: null, user: 500, left: 5000 }])
})

test('a read from the beginning finds missed changes and changes nothing else', async () => {
  const { userId, itemId, name } = await linked('lost_cursor')
  await buy(itemId)
  const gone = await buy(itemId, { amount: 70 })
  await read(userId, shows(userId, 'PENDING 5000', 'PENDING 7000'))
  const recorded = await sourceEvents(world, userId)
  await does(gone, 'remove')
  assert.equal(await rescan(world.deps, world.publisher, userId, 'ins_unknown'), 0)
  assert.equal(await rescan(world.deps, world.publisher, userId, null), 1)
  await read(userId, waiting(userId, 1))
  assert.deepEqual(await sourceEvents(world, userId), recorded)
  await expireHolds(later(4), null)
  assert(await shows(userId, 'PENDING 5000', 'CANCELLED 0')(), name)
})

test('an empty feed after relinking removes nothing until its first rows show what is missing', async () => {
  const { userId, itemId, name } = await linked('empty_again')
  const row = await buy(itemId)
  await read(userId, shows(userId, 'PENDING 5000'))
  await does(row, 'remove')
  assert.equal((await link(world, client, name, name)).status, 200)
  await work(world)
  assert(await waiting(userId, 0)())
  const again = (await simulatedItems(world)).at(-1)?.item_id ?? ''
  await buy(again, { amount: 60 })
  await read(
    userId,
    async () => (await waiting(userId, 1)()) && (await shows(userId, 'PENDING 5000', 'PENDING 6000')()),
  )
  await expireHolds(later(4), null)
  assert(await shows(userId, 'CANCELLED 0', 'PENDING 6000')())
})

for (const how of ['from the beginning', 'of a new login'] as const)
  test(`a read ${how} removes no rows from the history's oldest day, which may be incomplete`, async () => {
    const { userId, itemId, name } = await linked(`begins_${how.replaceAll(' ', '_')}`)
    const [cut, gone] = [addDays(today, -40), addDays(today, -39)]
    const left = [await buy(itemId, { date: cut, amount: 20 }), await buy(itemId, { date: gone, amount: 40 })]
    await buy(itemId, { date: cut, amount: 30 })
    await buy(itemId, { date: gone, amount: 50 })
    await read(userId, async () => (await standings(userId)).length === 4)
    for (const row of left) await does(row, 'remove')
    if (how === 'of a new login') assert.equal((await link(world, client, name, name)).status, 200)
    else await rescan(world.deps, world.publisher, userId, null)
    await read(userId, async () => !(await waiting(userId, 0)()))
    const waits = await world.db.reader`
      select bought_on::text as day, amount::int from feed_rows where user_id = ${userId} and waits_until is not null`
    assert.deepEqual([...waits], [{ day: gone, amount: 4000 }])
  })

test('a purchase that the bank changes during relinking is rewarded in its final state', async () => {
  for (const relinks of [1, 2]) {
    const { userId, itemId, name } = await linked(`changes_and_returns_${relinks}`)
    await buy(itemId, { merchant: 'Red Lantern', amount: 12, date: addDays(today, -60) })
    await buy(itemId, { amount: 117.6 })
    await read(userId, shows(userId, 'CANCELLED 1200', 'PENDING 11760'))
    for (let count = 0; count < relinks; count++) assert.equal((await link(world, client, name, name)).status, 200)
    const again = (await simulatedItems(world)).at(-1)?.item_id ?? ''
    const shown = await fetch(`${world.simulator.url}/_sim/purchases?item_id=${again}`)
    const { purchases } = (await shown.json()) as { purchases: { amount: number; transaction_id: string }[] }
    const row = purchases.find(({ amount }) => amount === 117.6)
    assert(row !== undefined)
    await does(row, 'change', { amount: 22 })
    await read(userId, shows(userId, 'CANCELLED 1200', 'PENDING 11760', 'PENDING 2200'))
    await expireHolds(later(4), null)
    assert(await shows(userId, 'CANCELLED 1200', 'CANCELLED 0', 'PENDING 2200')())
  }
})

test('purchases made before the card was linked are stored but neither rewarded nor announced', async () => {
  const { userId, itemId } = await linked('past')
  const past = (days: number): Day => addDays(today, -days)
  const row = await buy(itemId, { merchant: 'Red Lantern', date: past(20) })
  await does(row, 'refund', { amount: 5, date: past(10) })
  await buy(itemId, { merchant: 'Nobody in particular', date: past(3) })
  await buy(itemId, { merchant: 'Red Lantern', amount: 60 })
  await read(userId, async () => (await standings(userId)).length === 3)
  const shown = (await standings(userId)).map(({ status, reason, user }) => `${status} ${reason} ${user}`)
  assert.deepEqual(shown.toSorted(), [
    'CANCELLED before_card_linked 0',
    'CANCELLED before_card_linked 0',
    'CANCELLED not_a_new_customer 0',
  ])
  const events = (await readEvents(world, userId)).filter((event) => event.type.startsWith('transaction.'))
  assert.deepEqual(
    events.map(({ type, data }) => [type, data['status_reason']]),
    [['transaction.created', 'not_a_new_customer']],
  )
  assert.equal((await listUnmatched(userId)).length, 0)
})

test('a history that arrives in pieces is stored once, emits no events and earns nothing', async () => {
  const { userId, itemId } = await linked('with_a_past', 'user_history')
  const past = async () => {
    const answer = await fetch(`${world.simulator.url}/_sim/purchases?item_id=${itemId}`)
    return ((await answer.json()) as { purchases: unknown[] }).purchases.length
  }
  await until(async () => {
    await atSimulator(world, `/_sim/items/${itemId}/collect`)
    return (await past()) > 10
  })
  const count = await past()
  await read(userId, async () => (await standings(userId)).length === count)
  await rescan(world.deps, world.publisher, userId, null)
  await buy(itemId)
  await read(userId, async () => (await standings(userId)).length === count + 1)
  assert(await waiting(userId, 0)())
  const shown = (await standings(userId)).map(({ status, reason, user }) => `${status} ${reason} ${user}`)
  assert.equal(shown.filter((line) => line === 'CANCELLED before_card_linked 0').length, count)
  assert(shown.includes('PENDING null 500'))
  const events = (await readEvents(world, userId)).filter((event) => event.type.startsWith('transaction.'))
  assert.deepEqual(
    events.map(({ type, data }) => [type, data['status']]),
    [['transaction.created', 'PENDING']],
  )
})

test('unmatched refunds from feeds and reports form one sorted list, even if they began on the same day', async () => {
  const { userId, itemId } = await linked('paged')
  for (const amount of [11, 12, 13])
    await atSimulator(world, '/_sim/refunds', { item_id: itemId, merchant: 'Blue Kettle', amount })
  await read(userId, shows(userId, 'CANCELLED -1100', 'CANCELLED -1200', 'CANCELLED -1300'))
  // The same refunds, as reported by the publisher: a day before the feed's refund, on the same day, and a day after.
  await world.db.reader`
    insert into open_refunds (user_id, transaction_id, publisher_id, since)
    select user_id, transaction_id, publisher_id, ${today}::date + (row_number() over (order by amount))::int - 2
    from transactions where user_id = ${userId}`
  const publisher = { publisher_id: encodeId('pub', world.publisher.id) }
  const whole = (await readList(world.db.reader, UNMATCHED_REFUNDS, publisher, 'since')).rows
  assert.equal(whole.filter((refund) => refund.userId === userId).length, 6)
  const paged = await readPages(world.db.reader, UNMATCHED_REFUNDS, publisher, 'since')
  assert.deepEqual(paged, whole)
  const own = paged.filter((refund) => refund.userId === userId)
  assert.deepEqual([own.at(0)?.isReported, own.at(-1)?.isReported], [true, true])
  await world.db.reader`delete from open_refunds where user_id = ${userId}`
})

test('a refund without a purchase waits for an operator, who can assign it only once', async () => {
  const { userId, itemId } = await linked('orphan')
  for (const amount of [50, 60]) await buy(itemId, { amount })
  await read(userId, shows(userId, 'PENDING 5000', 'PENDING 6000'))
  const refund = await atSimulator(world, '/_sim/refunds', { item_id: itemId, merchant: 'Blue Kettle', amount: 20 })
  const refundId = String(refund['transaction_id'])
  await read(userId, shows(userId, 'PENDING 5000', 'PENDING 6000', 'CANCELLED -2000'))
  const open = await listUnmatched(userId)
  assert.deepEqual(
    open.map((orphan) => [orphan.refundId, orphan.amount]),
    [[refundId, 2000n]],
  )
  const uids = await world.db.reader<{ id: string; amount: number }[]>`
    select transaction_id as id, amount::int from transactions where user_id = ${userId} and amount > 0`
  const findUid = (amount: number) => encodeId('txn', uids.find((one) => one.amount === amount)?.id ?? '')
  const decision = { refundId, by: 'ada', reason: 'receipt seen' }
  const refusedAs = (code: string) => (error: Refusal) => error.code === code
  const stranger = await linked('stranger')
  await buy(stranger.itemId, { amount: 90 })
  await read(stranger.userId, shows(stranger.userId, 'PENDING 9000'))
  const [foreign] = await world.db.reader<{ id: string }[]>`
    select transaction_id as id from transactions where user_id = ${stranger.userId}`
  for (const purchaseUid of [encodeId('txn', foreign?.id ?? ''), 'txn_none'])
    await assert.rejects(assign({ ...decision, purchaseUid }), refusedAs('refund_mismatch'))
  const results = await Promise.allSettled([
    assign({ ...decision, purchaseUid: findUid(6000) }),
    assign({ ...decision, purchaseUid: findUid(6000) }),
  ])
  assert.deepEqual(results.map((result) => result.status).toSorted(), ['fulfilled', 'rejected'])
  await assert.rejects(assign({ ...decision, purchaseUid: findUid(6000) }), refusedAs('refund_settled'))
  await assert.rejects(dismiss({ ...decision, refundId: 'none' }), refusedAs('refund_not_found'))
  const standing = (await standings(userId)).filter(({ status }) => status === 'PENDING')
  assert.deepEqual(standing.map(({ user, left }) => [user, left]).toSorted(), [
    [400, 4000],
    [500, 5000],
  ])
  const kept = await world.db.reader`select decided_by, reason from orphan_decisions where user_id = ${userId}`
  assert.deepEqual([...kept], [{ decidedBy: 'ada', reason: 'receipt seen' }])
})

test('an operator cannot assign a refund that exceeds what is left of the purchase, but can dismiss it', async () => {
  const { userId, itemId } = await linked('dismissed')
  await buy(itemId, { amount: 50 })
  await read(userId, shows(userId, 'PENDING 5000'))
  const refund = await atSimulator(world, '/_sim/refunds', { item_id: itemId, merchant: 'Blue Kettle', amount: 51 })
  await read(userId, shows(userId, 'PENDING 5000', 'CANCELLED -5100'))
  const [purchase] = await world.db.reader<{ id: string }[]>`
    select transaction_id as id from transactions where user_id = ${userId} and amount = 5000`
  const decision = { refundId: String(refund['transaction_id']), by: 'ada', reason: null }
  const purchaseUid = encodeId('txn', purchase?.id ?? '')
  await assert.rejects(assign({ ...decision, purchaseUid }), { code: 'refund_mismatch' })
  await dismiss(decision)
  await assert.rejects(dismiss(decision), { code: 'refund_settled' })
  // A matching purchase arrives later, but the decision stands.
  await buy(itemId, { amount: 51 })
  await read(userId, shows(userId, 'PENDING 5000', 'PENDING 5100', 'CANCELLED -5100'))
})

test('a dismissed refund stays dismissed when the bank removes it and adds it again', async () => {
  const { userId, itemId } = await linked('dismissed_again')
  const refund = await atSimulator(world, '/_sim/refunds', { item_id: itemId, merchant: 'Blue Kettle', amount: 20 })
  await read(userId, shows(userId, 'CANCELLED -2000'))
  const decision = { refundId: String(refund['transaction_id']), by: 'ada', reason: null }
  await dismiss(decision)
  await does(refund, 'remove')
  await read(userId, waiting(userId, 1))
  await expireHolds(later(4), null)
  await does(refund, 'bring-back')
  await read(userId, async () => (await sourceEvents(world, userId)).length === 3)
  assert.equal((await listUnmatched(userId)).length, 0)
  await assert.rejects(dismiss(decision), { code: 'refund_settled' })
})

test('an in-store offer does not reward a purchase that the provider reports as online', async () => {
  const { userId, itemId } = await linked('channels')
  const teapot = { merchant: 'Violet Teapot', website: 'https://violetteapot.example' }
  await buy(itemId, { ...teapot, amount: 20, location: { city: 'Reno' } })
  await buy(itemId, { ...teapot, amount: 30 })
  await buy(itemId, { merchant: 'Violet Teapot', amount: 40 })
  // An unknown channel counts in the user's favor.
  await read(userId, shows(userId, 'PENDING 2000', 'CANCELLED 3000', 'PENDING 4000'))
  const refused = (await standings(userId)).find(({ status }) => status === 'CANCELLED')
  assert.equal(refused?.reason, 'channel_not_eligible')
})

test('the books balance at the end', async () => {
  assert.deepEqual(await differences(), [])
})
