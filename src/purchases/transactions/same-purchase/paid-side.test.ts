import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { later, openStackingWorld, type Reported } from '../../../../test/support/same-purchase-world.ts'

const db = await openTestDatabase('paid_side')
const world = await openStackingWorld(db)

const posted: Reported = { id: 'posted', source: 'AFFILIATE', kind: 'CLEARING', amount: 9_000n, order: 'a77' }
const network: Reported = { ...posted, id: 'network', isFromClick: true, order: '#A-77', hours: -1 }
const card: Reported = { id: 'card', source: 'CARD', kind: 'CLEARING', amount: 10_000n }
const feed: Reported = { ...card, id: 'feed', isFeed: true }

for (const reports of [[card], [card, feed]])
  test(`a matured posted sale shows as paid when a network report and ${reports.length} card reports follow`, async () => {
    const publisher = await world.publisher('AFFILIATE')
    const one = await world.user(publisher)
    await one.report([posted], later(6))
    await one.fallDue(later(40))
    await one.report([network, ...reports], later(41))
    for (const { trace, paid } of await one.decisions(later(41))) {
      const chosen = trace.candidates.find(({ offer_uid }) => offer_uid === trace.chosen)
      assert.equal(chosen?.eligible, paid.user > 0n)
    }
    assert.deepEqual(await world.differences(publisher), [])
  })

const lapsed: Reported = { ...feed, kind: 'AUTHORIZATION' }
const voided: Reported = { ...feed, id: 'void', kind: 'REVERSAL', of: 'feed', hours: 5 }
for (const [name, reports] of [
  ["the feed's hold has lapsed", [card, lapsed, network]],
  ["the feed's report was voided", [card, feed, voided, network]],
] as const)
  test(`an undo leaves the card unpaid if its sale was paid before, even though ${name}`, async () => {
    const publisher = await world.publisher('AFFILIATE')
    const one = await world.user(publisher)
    await one.report(reports, later(20))
    await one.fallDue(later(20))
    const before = await one.shown()
    const changed = await world.setPolicy(publisher, 'BOTH')
    const rematch = await world.rematch(changed, later(20))
    assert.notEqual(await one.shown(), before)
    await world.undo(changed, rematch, later(20))
    assert.equal(await one.shown(), before)
  })

const hold: Reported = { ...card, kind: 'AUTHORIZATION' }
const part = (id: string, amount: bigint, hours: number): Reported => ({ ...card, id, of: 'card', amount, hours })
const row = (id: string, amount: bigint, hours: number): Reported => ({ ...feed, id, amount, hours })
const further = [row('row2', 7_000n, 24), part('second', 7_000n, 24)]
for (const reports of [further, further.toReversed()])
  test(`a part that clears after its report matured is not a new purchase if ${reports[0]?.id} arrives first`, async () => {
    const publisher = await world.publisher('CARD')
    const one = await world.user(publisher)
    await one.report([hold, part('first', 3_000n, 2), row('row1', 3_000n, 2)], later(5))
    await one.fallDue(later(40))
    for (const report of reports) await one.report([report], later(41))
    assert.equal(await one.shown(), 'card 700 EARNED, row1 stacked, row2 stacked')
    assert.deepEqual(await world.differences(publisher), [])
  })
