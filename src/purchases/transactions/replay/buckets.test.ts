import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, openShelf, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { SourceEventInput } from '../event.ts'

// Users may be spread over several databases, so splitting a batch by their buckets must not change the result.
const USERS = 24
const NOW = new Date(START.getTime() + 3 * DAY_MS)
const shelf = openShelf()

const { db, world } = await openTestWorld('buckets', { offersNow: shelf.offersNow })

/** Five purchases with limited offers. The second is refunded, and the last is also reported as a sale. */
function buildEvents(userId: UserId, place: number, brandUids: readonly string[]): SourceEventInput[] {
  const event = (nth: number, more: Partial<SourceEventInput> = {}): SourceEventInput => ({
    userId,
    source: 'CARD',
    kind: 'CLEARING',
    currency: 'USD',
    dateOnly: false,
    originalExternalId: null,
    amount: BigInt(1_000 * (place + nth + 1)),
    externalId: `${userId} ${nth}`,
    occurredAt: new Date(START.getTime() + (place + nth) * 3_600_000),
    facts: { brandUid: brandUids[(place + nth) % brandUids.length] ?? '' },
    ...more,
  })
  const bought = [0, 1, 2, 3, 4].map((nth) => event(nth))
  const last = bought[4] as SourceEventInput
  return [
    ...bought,
    event(1, { kind: 'REFUND', externalId: `${userId} back`, originalExternalId: `${userId} 1` }),
    { ...last, source: 'AFFILIATE', externalId: `${userId} sale` },
  ]
}

async function readStates(publisher: Publisher, userIds: readonly UserId[]): Promise<string[]> {
  const rows = await db.reader<{ userId: UserId; text: string }[]>`
    select user_id, string_agg(concat_ws(' ', source, amount, refunded, status, status_reason, brand_uid, offer_uid, gross,
      user_amount), ', ' order by authorized_at, source) as text
    from transactions where publisher_id = ${publisher.id} group by user_id`
  const texts = new Map(rows.map(({ userId, text }) => [userId, text]))
  return userIds.map((userId) => texts.get(userId) ?? '')
}

test("splitting a batch by its users' buckets does not change the result", async () => {
  shelf.offerWith({}, { oneTimeUse: true })
  const { brandUid } = shelf.offerWith({ userLimits: [{ period: 'LIFETIME', uses: 1, reward: null }] })
  shelf.offerWith({}, { brandUid, offerType: 'AFFILIATE', groups: [group(50_000, null)] })
  shelf.offerWith({}, { newCustomerOnly: true })
  const brandUids = [...new Set(shelf.offersNow().map((offer) => offer.brandUid))]
  const states: string[][] = []
  for (const buckets of [1, 16]) {
    const publisher = await world.publisher()
    const users = await Promise.all(Array.from({ length: USERS }, () => world.user(publisher)))
    const userIds = users.map(({ userId }) => userId)
    const placed = userIds.flatMap((userId, place) =>
      buildEvents(userId, place, brandUids).map((event) => ({ event, bucket: place % buckets })),
    )
    for (let bucket = 0; bucket < buckets; bucket++) {
      const own = placed.filter((one) => one.bucket === bucket).map(({ event }) => event)
      await world.report(publisher, own, NOW)
    }
    states.push(await readStates(publisher, userIds))
    assert.deepEqual(await world.differences([publisher]), [])
  }
  assert.deepEqual(states[1], states[0])
  assert.ok(states[0]?.some((text) => text.includes('stacked')) && states[0].some((text) => text.includes('PENDING')))
})
