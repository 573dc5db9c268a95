import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, openShelf, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'
import { applyRematch, previewRematch, undoRematch } from './service.ts'

// Re-matches that change the allowances of matured purchases, with refund periods of ten days.
const { offersNow, offerWith, change } = openShelf()

const { db, world } = await openTestWorld('rematch_matured', { offersNow })
const deps = { db, catalog: { ...world.catalog, refresh: () => world.catalog.current() } }
const at = (day: number): Date => new Date(START.getTime() + day * DAY_MS)

type Bought = { readonly id: string; readonly day: number; readonly amount: bigint; readonly of?: string }

/** Creates a publisher whose users buy at this brand. */
async function openShop(brandUid: string) {
  const publisher = await world.publisher()
  const filter = { brandUid, template: null, since: null, until: null }
  return {
    newUser: async (): Promise<UserId> => (await world.user(publisher)).userId,
    report: (userId: UserId, kind: SourceEventInput['kind'], { id, day, amount, of }: Bought) => {
      const externalId = `${userId} ${id}`
      const originalExternalId = of === undefined ? null : `${userId} ${of}`
      const facts = { brandUid }
      const event = { userId, source: 'CARD', kind, externalId, originalExternalId, amount, facts } as const
      return world.report(publisher, [{ ...event, currency: 'USD', occurredAt: at(day), dateOnly: false }], at(day))
    },
    mature: (day: number) => world.fallDue(publisher, at(day)),
    preview: (day: number) => previewRematch(deps, publisher, filter, at(day)),
    apply: async (day: number, expected: string | null) =>
      applyRematch(deps, publisher, { filter, by: 'Ana', reason: 'corrected', expected }, at(day)),
    undo: (undone: Parameters<typeof undoRematch>[2]['undone'], day: number) =>
      undoRematch(deps, publisher, { undone, by: 'Ben' }, at(day)),
    differences: () => world.differences([publisher]),

    /** Returns each purchase with its status, offer, and commission including adjustments. */
    shown: async (): Promise<string[]> => {
      const rows = await db.reader<{ text: string }[]>`
        select concat_ws(' ', split_part(t.external_id, ' ', 2), t.status, t.status_reason, t.offer_uid,
          t.gross + coalesce(sum(a.gross), 0)) as text
        from transactions t left join transactions a on a.user_id = t.user_id and a.adjusts = t.transaction_id
        where t.publisher_id = ${publisher.id} and t.adjusts is null
        group by t.user_id, t.transaction_id
        order by 1`
      return rows.map(({ text }) => text)
    },
  }
}

for (const users of [1, 2])
  test(`budget that a matured purchase gives back is spent only once (${users} users)`, async () => {
    const budget = { budgets: [{ period: 'LIFETIME', amount: 1_000n } as const] }
    const scarce = offerWith(budget, { rewardType: 'CASHBACK_DOLLAR', groups: [group(null, 1_000n)] })
    const { offerUid: other } = offerWith({}, { brandUid: scarce.brandUid, groups: [group(50_000, null)] })
    const shop = await openShop(scarce.brandUid)
    const one = await shop.newUser()
    const two = users === 1 ? one : await shop.newUser()
    await shop.report(one, 'CLEARING', { id: 'small', day: 2, amount: 5_000n })
    await shop.report(one, 'CLEARING', { id: 'early', day: 1, amount: 10_000n })
    await shop.report(two, 'CLEARING', { id: 'late', day: 3, amount: 10_000n })
    await shop.mature(20)
    const before = [`early EARNED ${other} 500`, `late EARNED ${other} 500`, `small EARNED ${scarce.offerUid} 1000`]
    assert.deepEqual(await shop.shown(), before)
    change(scarce, { minSpend: 6_000n })
    const { hash } = await shop.preview(20)
    const rematch = await shop.apply(20, hash)
    assert.deepEqual(await shop.shown(), [
      `early EARNED ${scarce.offerUid} 1000`,
      `late EARNED ${other} 500`,
      `small EARNED ${other} 250`,
    ])
    assert.deepEqual((await shop.preview(20)).changes, [])
    await shop.undo(rematch, 20)
    assert.deepEqual(await shop.shown(), before)
    assert.deepEqual(await shop.differences(), [])
  })

test('an undo restores nothing to a matured purchase that had lost its use', async () => {
  const { offerUid: once, brandUid } = offerWith({}, { oneTimeUse: true })
  const { offerUid: other } = offerWith({}, { brandUid, groups: [group(50_000, null)] })
  const shop = await openShop(brandUid)
  const user = await shop.newUser()
  await shop.report(user, 'CLEARING', { id: 'first', day: 1, amount: 10_000n })
  await shop.mature(15)
  await shop.report(user, 'REFUND', { id: 'back', day: 16, amount: 10_000n, of: 'first' })
  await shop.report(user, 'CLEARING', { id: 'next', day: 17, amount: 10_000n })
  await shop.mature(30)
  await shop.report(user, 'REVERSAL', { id: 'again', day: 31, amount: 10_000n, of: 'back' })
  const before = [`first EARNED ${once} 0`, `next EARNED ${once} 1000`]
  assert.deepEqual(await shop.shown(), before)
  const rematch = await shop.apply(32, null)
  assert.deepEqual(await shop.shown(), [`first EARNED ${other} 500`, `next EARNED ${once} 1000`])
  await shop.undo(rematch, 32)
  assert.deepEqual(await shop.shown(), before)
  assert.deepEqual(await shop.differences(), [])
})
