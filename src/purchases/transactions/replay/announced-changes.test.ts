import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeStore } from '../../../../test/support/catalog.ts'
import { openShelf, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'

// The events emitted for a purchase that changes.
const shelf = openShelf()

const { db, world } = await openTestWorld('announced_changes', { offersNow: shelf.offersNow })
const publisher = await world.publisher()

const at = (day: number): Date => new Date(START.getTime() + day * DAY_MS)
const report = (userId: UserId, day: number, event: Pick<SourceEventInput, 'kind' | 'amount' | 'facts'>, id = 'a') =>
  world.report(
    publisher,
    [
      {
        userId,
        source: 'CARD',
        currency: 'USD',
        occurredAt: at(day),
        dateOnly: false,
        externalId: `${userId} ${id}`,
        originalExternalId: id === 'a' ? null : `${userId} a`,
        ...event,
      },
    ],
    at(day),
  )

test("an event's previous values cover every changed member, including the merchant", async () => {
  const { brandUid } = shelf.offerWith({})
  const { userId } = await world.user(publisher)
  await report(userId, 0, { kind: 'AUTHORIZATION', amount: 5_000n, facts: { accountId: 'acc_1' } })
  const posted = { brandUid, merchantName: 'Blue Kettle', merchantDescriptor: 'BLUE KETTLE 12', orderId: 'A-7' }
  await report(userId, 1, { kind: 'CLEARING', amount: 6_000n, facts: posted }, 'b')
  const [event] = await db.reader<{ previous: object }[]>`
    select previous from events where user_id = ${userId} and type = 'transaction.updated'`
  assert.partialDeepStrictEqual(event?.previous, {
    brand_uid: null,
    merchant_name: null,
    merchant_descriptor: null,
    order_id: null,
    amount: 50,
    cleared_on: null,
    offer_uid: null,
    status: 'CANCELLED',
    status_reason: 'unmatched',
    user_cashback: 0,
    publisher_share: 0,
  })
})

test('a refund or clearing that leaves a matured reward unchanged becomes an adjustment without a reward', async () => {
  const { brandUid } = shelf.offerWith({}, { maxSpend: 4_000n })
  const { userId } = await world.user(publisher)
  await report(userId, 0, { kind: 'CLEARING', amount: 10_000n, facts: { brandUid } })
  await world.fallDue(publisher, at(20))
  const refund = { kind: 'REFUND', amount: 1_000n, facts: {} } as const
  await report(userId, 21, refund, 'back')
  await report(userId, 22, { ...refund, kind: 'CLEARING', amount: 500n }, 'more')
  await report(userId, 22, refund, 'back')
  const rows = await db.reader<{ text: string }[]>`
    select concat_ws(' ', status, status_reason, amount, refunded, gross) as text from transactions
    where user_id = ${userId} order by created_at`
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['EARNED 10000 0 400', 'EARNED refunded -1000 0 0', 'EARNED adjusted 500 0 0'],
  )
  assert.deepEqual(await world.differences([publisher]), [])
})

test('a purchase is canceled if its store is not confirmed within 60 days, and paid once it is', async () => {
  const store = makeStore({ storeNumber: '42', city: 'Austin', state: 'TX' })
  const { brandUid } = shelf.offerWith({}, { stores: [store], location: 'IN_STORE' })
  const { userId } = await world.user(publisher)
  const state = async () => {
    const [row] = await db.reader<{ text: string }[]>`
      select concat_ws(' ', status, status_reason, gross) as text from transactions where user_id = ${userId}`
    return row?.text
  }
  await report(userId, 0, { kind: 'CLEARING', amount: 1_000n, facts: { brandUid, channel: 'IN_STORE' } })
  await world.fallDue(publisher, at(59))
  assert.equal(await state(), 'PENDING location_unconfirmed 0')
  await world.fallDue(publisher, at(60))
  assert.equal(await state(), 'CANCELLED location_unconfirmed 0')
  await report(userId, 61, { kind: 'AMENDMENT', amount: 1_000n, facts: { storeNumber: '42' } }, 'place')
  assert.equal(await state(), 'PENDING 100')
})
