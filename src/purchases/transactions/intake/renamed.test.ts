import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { MINUTE_MS } from '../../../platform/calendar.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { EventKind, SourceEventInput } from '../event.ts'

// A purchase's merchant name may change between hold and posting. Any arrival order leads to the same merchant.

const publishers: Publisher[] = []

const { db, world } = await openTestWorld('renamed', { connections: 2 })

type Reported = readonly [kind: EventKind, merchantName: string | null]
type Case = { readonly name: string; readonly reported: readonly Reported[]; readonly shown: string }

const CASES: readonly Case[] = [
  {
    name: 'the name at posting is used if the name on the hold matches no brand',
    reported: [
      ['AUTHORIZATION', 'Some Other'],
      ['CLEARING', 'capped'],
    ],
    shown: 'PENDING capped capped 140',
  },
  {
    name: "a reward promised on the hold stands if the posting's name matches no brand",
    reported: [
      ['AUTHORIZATION', 'capped'],
      ['CLEARING', 'Some Other'],
    ],
    shown: 'PENDING capped capped 140',
  },
  {
    name: "a reward promised on the hold stands if the purchase posts under another brand's name",
    reported: [
      ['AUTHORIZATION', 'capped'],
      ['CLEARING', 'percent'],
    ],
    shown: 'PENDING capped capped 140',
  },
  {
    name: 'a purchase that matches no brand has the name under which it posted',
    reported: [
      ['AUTHORIZATION', 'Some Other'],
      ['CLEARING', 'Yet Another'],
    ],
    shown: 'CANCELLED null Yet Another 0',
  },
  {
    name: 'a correction only fills in what hold and posting left open',
    reported: [
      ['AUTHORIZATION', 'Some Other'],
      ['CLEARING', 'capped'],
      ['AMENDMENT', 'percent'],
    ],
    shown: 'PENDING capped capped 140',
  },
  {
    name: 'a hold without a name takes its name from the posting',
    reported: [
      ['AUTHORIZATION', null],
      ['CLEARING', 'capped'],
      ['REFUND', 'Some Other'],
    ],
    shown: 'PENDING capped capped 70',
  },
]

for (const { name, reported, shown } of CASES)
  test(`${name}, in any arrival order`, async () => {
    for (const order of permutations(reported.map((_, index) => index)))
      assert.equal(await deliver(reported, order), shown)
  })

test('afterward, every reward matches its events and frozen terms', async () => {
  assert.deepEqual(await world.differences(publishers), [])
})

/** Reports events dated a minute apart in the given order. Returns the stored transaction as text. */
async function deliver(reported: readonly Reported[], order: readonly number[]): Promise<string> {
  const publisher = await world.publisher()
  publishers.push(publisher)
  const { userId } = await world.user(publisher)
  const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS)
  const events = reported.map(
    ([kind, merchantName], index): SourceEventInput => ({
      userId,
      source: 'CARD',
      externalId: `${userId} ${index}`,
      kind,
      originalExternalId: index === 0 ? null : `${userId} 0`,
      amount: kind === 'REFUND' ? 1_000n : 2_000n,
      currency: 'USD',
      occurredAt: at(index),
      dateOnly: false,
      facts: merchantName === null ? {} : { merchantName },
    }),
  )
  for (const [turn, index] of order.entries()) {
    const event = events[index]
    if (event !== undefined) await world.report(publisher, [event], at(10 + turn))
  }
  const rows = await db.reader<{ status: string; brand: string | null; name: string | null; user: number }[]>`
    select status, brand_uid as brand, merchant_name as name, user_amount::int as user
    from transactions where user_id = ${userId} and publisher_id = ${publisher.id} and status_reason is distinct from 'merged'`
  return rows.map((row) => `${row.status} ${row.brand} ${row.name} ${row.user}`).join()
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
