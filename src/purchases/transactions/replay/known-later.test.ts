import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, openShelf, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { PurchaseFacts, SourceEventInput } from '../event.ts'
import { applyRematch, undoRematch } from '../rematch/service.ts'

// Facts learned later about one purchase affect the others as if known from the start. The offers in these tests give
// the user 7% unless stated otherwise.
const { offersNow, offerWith, change } = openShelf()

const { db, world } = await openTestWorld('known_later', { connections: 6, offersNow })
const publisher = await world.publisher()

const at = (day: number): Date => new Date(START.getTime() + day * DAY_MS)

type Event = Pick<SourceEventInput, 'kind' | 'amount'> & {
  readonly id: string
  readonly day: number
  readonly source?: SourceEventInput['source']
  readonly of?: string
  readonly currency?: string
  readonly facts: PurchaseFacts
}

/**
 * Creates a user, with functions that report events and list the user's purchases: id, reason, brand, reward in minor
 * units.
 */
async function newUser() {
  const { userId } = await world.user(publisher)
  const makeInput = ({ id, of, day, source = 'CARD', currency = 'USD', ...event }: Event): SourceEventInput => ({
    ...event,
    userId,
    source,
    currency,
    dateOnly: false,
    occurredAt: at(day),
    externalId: `${userId} ${id}`,
    originalExternalId: of === undefined ? null : `${userId} ${of}`,
  })
  return {
    report: (day: number, ...events: Event[]) => world.report(publisher, events.map(makeInput), at(day)),
    purchases: () => readPurchases(userId),
  }
}

async function readPurchases(userId: UserId): Promise<unknown[][]> {
  const rows = await db.reader<{ id: string; reason: string | null; brand: string; reward: number }[]>`
    select split_part(t.external_id, ' ', 2) as id, t.status_reason as reason, t.brand_uid as brand,
      (t.user_amount + coalesce((
        select sum(a.user_amount) from transactions a where a.user_id = t.user_id and a.adjusts = t.transaction_id
      ), 0))::int4 as reward
    from transactions t
    where t.user_id = ${userId} and t.adjusts is null and t.status_reason is distinct from 'merged'
    order by id`
  return rows.map(({ id, reason, brand, reward }) => [id, reason, brand, reward])
}

test('a customer whose only hold earned nothing and never cleared is still new, in any arrival order', async () => {
  const { brandUid } = offerWith({}, { newCustomerOnly: true, newCustomerDays: 365, minSpend: 2_000n })
  const hold: Event = { id: 'hold', kind: 'AUTHORIZATION', amount: 100n, day: 1, facts: { brandUid } }
  const bought: Event = { id: 'bought', kind: 'CLEARING', amount: 10_000n, day: 20, facts: { brandUid } }
  const [first, last, together] = [await newUser(), await newUser(), await newUser()]
  await first.report(1, hold)
  await world.fallDue(publisher, at(19))
  await first.report(20, bought)
  await last.report(20, bought)
  await last.report(20, hold)
  await together.report(20, hold, bought)
  for (const user of [first, last, together])
    assert.deepEqual(await user.purchases(), [
      ['bought', null, brandUid, 700],
      ['hold', 'authorization_expired', brandUid, 0],
    ])
})

test("a purchase whose hold and clearing differ in brand gets the hold's brand, in any arrival order", async () => {
  const { brandUid } = offerWith({})
  const other = offerWith({}, { groups: [group(50_000, null)] })
  const facts = { merchantName: brandUid, merchantDescriptor: brandUid }
  const hold: Event = { id: 'hold', kind: 'AUTHORIZATION', amount: 10_000n, day: 1, facts }
  const named = { brandUid: other.brandUid }
  const clearing: Event = { id: 'clearing', of: 'hold', kind: 'CLEARING', amount: 10_000n, day: 2, facts: named }
  for (const calls of [[[hold], [clearing]], [[clearing], [hold]], [[hold, clearing]]]) {
    const user = await newUser()
    for (const events of calls) await user.report(3, ...events)
    assert.deepEqual(await user.purchases(), [['hold', null, brandUid, 700]])
  }
})

test('a decline in another currency that arrives first does not block its purchase', async () => {
  const { brandUid } = offerWith({})
  const user = await newUser()
  const decline: Event = {
    id: 'no',
    of: 'a',
    kind: 'DECLINE',
    amount: 100n,
    currency: 'EUR',
    day: 2,
    facts: { brandUid },
  }
  await user.report(3, decline)
  await user.report(3, { id: 'a', kind: 'CLEARING', amount: 10_000n, day: 1, facts: { brandUid } })
  assert.deepEqual(await user.purchases(), [['a', null, brandUid, 700]])
})

test('a use freed by a matured purchase goes to the earlier purchase refused for lack of it', async () => {
  const { brandUid } = offerWith({}, { oneTimeUse: true })
  const user = await newUser()
  await user.report(5, { id: 'second', kind: 'CLEARING', amount: 10_000n, day: 5, facts: { brandUid } })
  await world.fallDue(publisher, at(20))
  await user.report(20, { id: 'first', kind: 'CLEARING', amount: 10_000n, day: 1, facts: { brandUid } })
  assert.deepEqual((await user.purchases())[0], ['first', 'offer_already_used', brandUid, 0])
  await user.report(21, { id: 'back', of: 'second', kind: 'REFUND', amount: 10_000n, day: 21, facts: { brandUid } })
  assert.deepEqual(await user.purchases(), [
    ['first', null, brandUid, 700],
    ['second', null, brandUid, 0],
  ])
})

test('reward limit freed by a matured purchase goes to the earlier purchase refused for lack of it', async () => {
  const { brandUid } = offerWith({ userLimits: [{ period: 'LIFETIME', uses: null, reward: 700n }] })
  const user = await newUser()
  await user.report(5, { id: 'second', kind: 'CLEARING', amount: 10_000n, day: 5, facts: { brandUid } })
  await world.fallDue(publisher, at(20))
  await user.report(20, { id: 'first', kind: 'CLEARING', amount: 10_000n, day: 1, facts: { brandUid } })
  assert.deepEqual((await user.purchases())[0], ['first', 'user_limit_reached', brandUid, 0])
  await user.report(21, { id: 'back', of: 'second', kind: 'REFUND', amount: 4_000n, day: 21, facts: { brandUid } })
  assert.deepEqual(await user.purchases(), [
    ['first', null, brandUid, 280],
    ['second', null, brandUid, 420],
  ])
})

test('a refused new-customer reward is paid once the earlier purchase is voided, even if the offer changed', async () => {
  const offer = offerWith({}, { newCustomerOnly: true, newCustomerDays: 365, minSpend: 2_000n })
  const facts = { brandUid: offer.brandUid }
  const hold: Event = { id: 'hold', kind: 'AUTHORIZATION', amount: 100n, day: 1, facts }
  const bought: Event = { id: 'bought', kind: 'CLEARING', amount: 10_000n, day: 2, facts }
  const voided: Event = { id: 'void', of: 'hold', kind: 'REVERSAL', amount: 100n, day: 3, facts }
  const user = await newUser()
  await user.report(4, hold, bought)
  assert.deepEqual((await user.purchases())[0], ['bought', 'not_a_new_customer', offer.brandUid, 0])
  change(offer, { newCustomerOnly: false, minSpend: 50_000n })
  await user.report(4, voided)
  assert.deepEqual(await user.purchases(), [
    ['bought', null, offer.brandUid, 700],
    ['hold', 'reversed', offer.brandUid, 0],
  ])
})

test('undoing a re-match of the paid report in a pair pays the pair once', async () => {
  const { brandUid } = offerWith({})
  const link = offerWith({}, { brandUid, offerType: 'AFFILIATE', groups: [group(120_000, null)] })
  const user = await newUser()
  const purchase: Event = { id: 'card', kind: 'CLEARING', amount: 10_000n, day: 1, facts: { brandUid } }
  await user.report(2, purchase)
  await user.report(2, { ...purchase, id: 'sale', source: 'AFFILIATE' })
  const before = [
    ['card', 'stacked', brandUid, 0],
    ['sale', null, brandUid, 840],
  ]
  assert.deepEqual(await user.purchases(), before)
  change(link, { groups: [group(110_000, null)] })
  const deps = { db, catalog: { ...world.catalog, refresh: () => world.catalog.current() } }
  const filter = { brandUid, template: null, since: null, until: null }
  const order = { filter, by: 'Ana', reason: 'commission', expected: null }
  const undone = await applyRematch(deps, publisher, order, at(3))
  assert.deepEqual((await user.purchases())[1], ['sale', null, brandUid, 770])
  await undoRematch(deps, publisher, { undone, by: 'Ana' }, at(3))
  assert.deepEqual(await user.purchases(), before)
  await user.report(4, { id: 'more', of: 'card', kind: 'CLEARING', amount: 1_000n, day: 1, facts: { brandUid } })
  assert.deepEqual((await user.purchases())[0], ['card', 'stacked', brandUid, 0])
})
