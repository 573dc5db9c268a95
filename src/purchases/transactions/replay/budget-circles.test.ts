import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, offerBase, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'
import { ingestEvents } from '../intake/intake.ts'

// When the best offer's budget is spent, many transactions open the next offer's budget concurrently.
let offers: readonly Offer[] = []

const { db, world } = await openTestWorld('budget_circles', { connections: 16, offersNow: () => offers })
const publisher = await world.publisher()

const ROUNDS = 2
const USERS = 24
const EACH = 3
const LIFETIME = 4_000n

/** Better offers have later names, so the next budget to lock sorts before those already locked. */
function makeOffers(brandUid: string): Offer[] {
  return ['d', 'c', 'b', 'a'].map((name, index) => ({
    ...offerBase,
    offerUid: `${name} ${brandUid}`,
    brandUid,
    rewardType: 'CASHBACK_PERCENTAGE',
    groups: [group(100_000 - index * 10_000, null)],
    refundPeriodDays: 3,
    ordinal: index + 1,
    conditions: {
      ...noConditions,
      budgets: [
        { period: 'DAY', amount: 3_000n },
        { period: 'LIFETIME', amount: LIFETIME },
      ],
    },
  }))
}

test('purchases that race for the budgets of several offers never deadlock', async () => {
  const users = await Promise.all(Array.from({ length: USERS }, async () => (await world.user(publisher)).userId))
  let tries = 0
  for (let round = 0; round < ROUNDS; round++) {
    offers = makeOffers(`brand ${round}`)
    const makeEvent = (batch: number, nth: number): SourceEventInput => ({
      userId: users[(batch * 7 + nth * 13) % USERS] as UserId,
      source: 'CARD',
      kind: 'CLEARING',
      externalId: `${round} ${batch} ${nth}`,
      originalExternalId: null,
      amount: 3_000n,
      currency: 'USD',
      occurredAt: new Date(START.getTime() + (nth % 2) * DAY_MS),
      dateOnly: false,
      facts: { brandUid: `brand ${round}` },
    })
    await Promise.all(
      users.map((_user, batch) => {
        const events = Array.from({ length: EACH }, (_, nth) => makeEvent(batch, nth))
        return db.transaction((tx) => {
          tries += 1
          return ingestEvents(tx, world, publisher, events, new Date(START.getTime() + 2 * DAY_MS))
        })
      }),
    )
  }
  assert.equal(tries, ROUNDS * USERS, 'a deadlock was found and its batch tried again')
  const spent = await db.reader<{ gross: bigint }[]>`
    select sum(gross)::int8 as gross from transactions where offer_uid is not null group by offer_uid`
  assert.equal(spent.length, ROUNDS * makeOffers('').length)
  for (const { gross } of spent) assert(gross <= LIFETIME, `${gross} was spent`)
  assert.deepEqual(await world.differences([publisher]), [])
})
