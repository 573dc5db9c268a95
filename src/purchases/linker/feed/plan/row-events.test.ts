import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeBaseline, NOW, providerRow as row } from '../../../../../test/support/feed-plan.ts'
import { runs } from '../../../../../test/support/runs.ts'
import type { SourceEvent } from '../../../transactions/event.ts'
import { foldEvents } from '../../../transactions/fold/fold.ts'
import type { SourceEventInput } from '../../../transactions/index.ts'
import { joinPurchase, openPurchaseKeys, toKeyName } from '../../../transactions/intake/purchase-keys.ts'
import type { ProviderRow } from '../../provider.ts'
import type { FeedRow } from '../rows.ts'
import { parseUpdate } from './parse-row.ts'
import { planExpiry, planUpdate } from './plan.ts'

/**
 * Every planned event must be accepted. Intake refuses an event that reuses an id with different content or has a
 * different currency than its purchase. In the end, the last state that the bank showed counts, regardless of its rows'
 * ids.
 */

type Step = {
  readonly rows?: readonly ProviderRow[]
  readonly removed?: readonly string[]
  readonly generation?: number
  readonly day?: number
  readonly expire?: boolean
}
type Recorded = { readonly rows: ReadonlyMap<string, FeedRow>; readonly events: readonly SourceEventInput[]; now: Date }

/** Applies updates one after another, storing rows as the database would. */
function record(steps: readonly Step[]): Recorded {
  const stored = new Map<string, FeedRow>()
  const events: SourceEventInput[] = []
  let now = NOW
  for (const { rows = [], removed = [], generation = 1, day = 0, expire = false } of steps) {
    now = new Date(NOW.getTime() + day * 86_400_000)
    const baseline = makeBaseline([...stored.values()], now, generation)
    const plan = expire ? planExpiry(baseline, new Set()) : planUpdate(baseline, parseUpdate({ rows, removed }, 'UTC'))
    for (const one of plan.rows) stored.set(one.rowId, one)
    events.push(...plan.events)
  }
  return { rows: stored, events, now }
}

/** Returns what remains of each posted row's purchase. */
function standing({ rows, events, now }: Recorded): Map<string, string> {
  const taken = events.map((event, index): SourceEvent => {
    const occurredAt = event.occurredAt ?? now
    return { ...event, occurredAt, eventId: String(index), receivedAt: now, inputHash: Buffer.alloc(0) }
  })
  const threads = openPurchaseKeys([])
  for (const event of taken) joinPurchase(threads, event)
  const purchases = Map.groupBy(taken, (event) => threads.keys.get(toKeyName(event, event.externalId)))
  const posted = [...rows.values()].filter((one) => one.handedAs === 'CLEARING' && one.replacedBy === null)
  return new Map(
    posted.map((one) => {
      const name = toKeyName({ userId: makeBaseline([], now, 1).userId, source: 'CARD' }, one.externalId)
      const { amount, refunded, currency } = foldEvents(purchases.get(threads.keys.get(name)) ?? [], 'UTC', now)
      return [one.rowId, `${amount - refunded} ${currency}`]
    }),
  )
}

function expected({ rows }: Recorded): Map<string, string> {
  const posted = [...rows.values()].filter((one) => one.handedAs === 'CLEARING' && one.replacedBy === null)
  return new Map(posted.map((one) => [one.rowId, `${one.removed ? 0n : one.amount} ${one.currency}`]))
}

function repeated({ events }: Recorded): string[] {
  const ids = events.map((event) => event.externalId)
  return ids.filter((id, index) => ids.indexOf(id) < index)
}

test('a hold that posts in another currency is reversed and becomes a purchase in that currency', () => {
  const hold = row('p', 10, { pending: true, currency: 'EUR' })
  const posted = row('a', 11, { pendingRowId: 'p' })
  for (const steps of [
    [{ rows: [hold] }, { rows: [posted], removed: ['p'] }],
    [{ rows: [hold] }, { removed: ['p'] }, { rows: [posted] }],
    [{ rows: [hold] }, { removed: ['p'] }, { expire: true, day: 15 }, { rows: [posted], day: 15 }],
  ]) {
    const recorded = record(steps)
    assert.deepEqual(standing(recorded), new Map([['a', '1100 USD']]))
    const held = recorded.events.filter((event) => event.currency === 'EUR').map((event) => event.kind)
    assert.deepEqual(held, ['AUTHORIZATION', 'REVERSAL'])
    assert(
      recorded.events.filter((event) => event.kind === 'CLEARING').every((event) => event.originalExternalId === null),
    )
  }
})

test('a posted row whose currency is corrected is recorded again in the right currency', () => {
  const recorded = record([{ rows: [row('a', 10, { currency: 'EUR' })] }, { rows: [row('a', 11)] }])
  assert.deepEqual(standing(recorded), new Map([['a', '1100 USD']]))
})

test("the later of two corrections takes effect, even if the row's id has changed by then", () => {
  const recorded = record([
    { rows: [row('z', 40)] },
    { rows: [row('z', 44)] },
    { rows: [row('b', 44)], removed: ['z'] },
    { rows: [row('b', 50)] },
  ])
  assert.deepEqual(standing(recorded), new Map([['b', '5000 USD']]))
})

test('a row that replaces its own replacement gets new event ids', () => {
  const recorded = record([
    { rows: [row('a', 10, { pending: true })] },
    { rows: [row('a', 11, { pending: true })] },
    { rows: [row('b', 11)] },
    { rows: [row('a', 11)], removed: ['b'] },
    { rows: [row('a', 12)] },
  ])
  assert.deepEqual(repeated(recorded), [])
  assert.deepEqual(standing(recorded), new Map([['a', '1200 USD']]))
})

test("a purchase equal to one already shown under the login's new ids counts separately", () => {
  const moved = { accountId: 'acc-new' }
  const first = { rows: [row('a', 5)] }
  const ofNewAccount = record([first, { rows: [row('a', 5, moved)] }, { rows: [row('b', 5, moved)] }])
  assert.deepEqual([...standing(ofNewAccount).values()], ['500 USD', '500 USD'])
  const ofNewItem = record([first, { ...first, generation: 2 }, { rows: [row('b', 5)], generation: 2 }])
  assert.deepEqual([...standing(ofNewItem).values()], ['500 USD', '500 USD'])
})

test('a row that moves to another card of the user belongs to that card for refunds and pairing', () => {
  const moved = [{ rows: [row('a', 5)] }, { rows: [row('a', 5, { accountId: 'other' })] }]
  const refunded = record([...moved, { rows: [row('r', -5, { accountId: 'other' })] }])
  assert.deepEqual(standing(refunded), new Map([['a', '0 USD']]))
  const alike = record([...moved, { rows: [row('b', 5)] }])
  assert.deepEqual([...standing(alike).values()], ['500 USD', '500 USD'])
})

const IDS = ['a', 'b', 'c', 'd']
const arbitraryRow = fc.record({
  amount: fc.constantFrom(10, 10, 11, 12),
  pending: fc.boolean(),
  pendingRowId: fc.constantFrom(null, null, ...IDS),
  accountId: fc.constantFrom('acc', 'acc', 'acc-new', 'acc-former'),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  date: fc.constantFrom('2026-03-05', '2026-03-05', '2026-03-06'),
  authorizedDate: fc.constantFrom(null, null, '2026-03-05'),
})
const arbitraryStep = fc.record({
  said: fc.tuple(...IDS.map(() => fc.oneof(fc.constant('nothing'), fc.constant('removed'), arbitraryRow))),
  order: fc.shuffledSubarray(IDS, { minLength: IDS.length }),
  days: fc.constantFrom(0, 0, 1, 4),
  isNewItem: fc.constantFrom(false, false, false, true),
  expire: fc.constantFrom(false, false, false, true),
})

test('after row changes in any order, event ids are unique and the last state of each row applies', () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { minLength: 2, maxLength: 8 }), (given) => {
      const posted = new Set<string>()
      let [day, generation] = [0, 1]
      const steps = given.map(({ said, order, days, isNewItem, expire }): Step => {
        day += days
        generation += isNewItem ? 1 : 0
        const rows: ProviderRow[] = []
        const removed: string[] = []
        for (const id of expire ? [] : order) {
          const word = said[IDS.indexOf(id)]
          if (word === 'removed') removed.push(id)
          if (typeof word !== 'object') continue
          // A posted row does not become a hold again under the same id.
          const pending = word.pending && !posted.has(id)
          if (!pending) posted.add(id)
          const pendingRowId = pending || word.pendingRowId === id ? null : word.pendingRowId
          rows.push(row(id, word.amount, { ...word, pending, pendingRowId }))
        }
        return { rows, removed, day, generation, expire }
      })
      for (let count = 1; count <= steps.length; count++) {
        const recorded = record(steps.slice(0, count))
        assert.deepEqual(repeated(recorded), [])
        assert.deepEqual(standing(recorded), expected(recorded))
      }
    }),
    { numRuns: runs(1_500) },
  )
})

test('a clearing on the same day sorts after its authorization and every amendment of the hold', () => {
  const at = (rows: readonly ProviderRow[], known: readonly FeedRow[]) => {
    return planUpdate(makeBaseline(known, NOW, 1), parseUpdate({ rows, removed: [] }, 'UTC'))
  }
  const hold = row('p', 10, { pending: true, datetime: '2026-03-05T15:00:00Z' })
  const held = at([hold], [])
  const posted = at([row('a', 12, { pendingRowId: 'p' })], held.rows)
  assert.equal(held.events[0]?.occurredAt?.toISOString(), '2026-03-05T15:00:00.000Z')
  assert.equal(posted.events[0]?.occurredAt?.toISOString(), '2026-03-05T15:00:00.001Z')
})
