import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { later, openRematchWorld } from '../../../../test/support/rematch-world.ts'
import { differencesIn } from '../../../../test/support/reward-world.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { Rematch } from './rematch.ts'
import { applyRematch, undoRematch } from './service.ts'

// Random histories of a user at a shop that is mapped first to one brand, then to another. After re-matches, undos,
// refunds and maturing, each advertiser owes what its own purchases earn.
const HISTORIES = runs(14)

const played: Publisher[] = []

const db = await openTestDatabase('who_owes')
const world = await openRematchWorld(db)

type Step =
  | { readonly do: 'buy' | 'authorize'; readonly purchase: number; readonly amount: number; readonly day: number }
  | { readonly do: 'clear' | 'refund'; readonly purchase: number; readonly amount: number }
  | { readonly do: 'say'; readonly brand: string | null }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'rematch' | 'undo' }

const purchase = fc.integer({ min: 0, max: 3 })
const amount = fc.integer({ min: 10, max: 30_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('buy', 'buy', 'authorize'), purchase, amount, day: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ do: fc.constantFrom('clear', 'refund', 'refund'), purchase, amount }),
  fc.record({ do: fc.constant('say'), brand: fc.constantFrom('five', 'ten', 'once', 'newcomer', 'bare', null) }),
  fc.record({ do: fc.constant('wait'), days: fc.constantFrom(1, 32) }),
  fc.record({ do: fc.constantFrom('rematch', 'rematch', 'undo') }),
)
const KINDS = { buy: 'CLEARING', authorize: 'AUTHORIZATION', clear: 'CLEARING', refund: 'REFUND' } as const

async function play(steps: readonly Step[]): Promise<void> {
  const publisher = await world.publisher()
  played.push(publisher)
  const user = await world.user(publisher)
  await world.say(publisher, 'zorble kiosk', 'five')
  const done: Rematch[] = []
  const known = new Set<number>()
  let day = 6
  for (const [nth, one] of steps.entries()) {
    const order = {
      by: 'Ana',
      reason: 'corrected',
      expected: null,
      filter: { brandUid: null, template: null, since: later(-1), until: null },
    }
    if (one.do === 'say') await world.say(publisher, 'zorble kiosk', one.brand, later(day))
    if (one.do === 'wait') {
      day += one.days
      await world.mature(publisher, later(day))
    }
    if (one.do === 'rematch') done.push(await applyRematch(world.deps, publisher, order, later(day)))
    const undone = one.do === 'undo' ? done.pop() : undefined
    if (undone !== undefined) await undoRematch(world.deps, publisher, { undone, by: 'Ben' }, later(day))
    if (!('purchase' in one)) continue
    const begins = one.do === 'buy' || one.do === 'authorize'
    if (begins === known.has(one.purchase)) continue
    known.add(one.purchase)
    const root = `p${one.purchase}`
    const reported = { amount: one.amount, kind: KINDS[one.do], day: begins ? one.day : day }
    await world.report(publisher, user, [
      begins ? { ...reported, id: root } : { ...reported, id: `${root} ${nth}`, of: root },
    ])
  }
  assert.deepEqual(await oweOtherwise(publisher.id), [])
}

/** Returns the balances of advertisers that differ from what their purchases earn. */
async function oweOtherwise(publisherId: string): Promise<string[]> {
  const rows = await db.reader<{ text: string }[]>`
    with owed as (
      select owner, sum(amount) as total from postings
      where publisher_id = ${publisherId} and account = 'advertiser_receivable' group by owner
    ), earned as (
      select coalesce(r.terms ->> 'brandUid', r.brand_uid) as owner, sum(t.user_amount + t.publisher_amount + t.fee_amount) as total
      from transactions t
      join transactions r on r.user_id = t.user_id and r.transaction_id = coalesce(t.adjusts, t.transaction_id)
      where t.publisher_id = ${publisherId} group by 1
    )
    select concat_ws(' ', owner, 'owes', coalesce(owed.total, 0), 'for', coalesce(earned.total, 0)) as text
    from owed full join earned using (owner) where coalesce(owed.total, 0) <> coalesce(earned.total, 0)`
  return rows.map(({ text }) => text)
}

test('after re-matches and undos, each advertiser owes what its own purchases earn', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16, size: 'max' }), play), {
    numRuns: HISTORIES,
    endOnFailure: true,
  })
  assert.deepEqual(await differencesIn(db, played), [])
})
