import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Line, makeEvent, permutations, toNoon, undoneBy } from '../../../../test/support/folding.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { EventKind, Source } from '../event.ts'
import { foldEvents } from './fold.ts'

type Expected = {
  readonly amount: bigint
  readonly refunded: bigint
  readonly clearedOn: string | null
  readonly emptyReason: string | null
}
type Case = {
  readonly name: string
  readonly events: readonly Line[]
  readonly at?: number
  readonly expected: Expected
}

const cleared = (amount: bigint, day: number, refunded = 0n, emptyReason: string | null = null): Expected => ({
  amount,
  refunded,
  clearedOn: `2026-03-${String(day).padStart(2, '0')}`,
  emptyReason,
})
const open = (amount: bigint, emptyReason: string | null = null, refunded = 0n): Expected => ({
  amount,
  refunded,
  clearedOn: null,
  emptyReason,
})

const CASES: readonly Case[] = [
  {
    name: 'an authorization states the amount that may be charged',
    events: [[1, 'a', 'AUTHORIZATION', 100n]],
    expected: open(100n),
  },
  {
    name: 'an authorization without a clearing lapses after ten days',
    events: [[1, 'a', 'AUTHORIZATION', 100n]],
    at: 11,
    expected: open(100n, 'authorization_expired'),
  },
  {
    name: 'reversing a reversal restores exactly what it took back',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 100n, 'c'],
      [3, 'r', 'REFUND', 30n, 'c'],
      [4, 'w', 'REVERSAL', 100n, 'v'],
    ],
    expected: cleared(100n, 1, 30n),
  },
  {
    name: 'reversing a reversal for a larger amount restores only what it took back and leaves refunds alone',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 20n, 'c'],
      [3, 'r', 'REFUND', 30n, 'c'],
      [4, 'w', 'REVERSAL', 90n, 'v'],
    ],
    expected: cleared(100n, 1, 30n),
  },
  {
    name: 'a late clearing reopens a lapsed authorization',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [20, 'c', 'CLEARING', 90n, 'a'],
    ],
    at: 21,
    expected: cleared(90n, 20),
  },
  {
    name: 'a clearing replaces the authorization, so a tip counts',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [3, 'c', 'CLEARING', 120n, 'a'],
    ],
    expected: cleared(120n, 3),
  },
  {
    name: 'several clearings add up, and the last one sets the clearing day',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [3, 'c', 'CLEARING', 60n, 'a'],
      [5, 'd', 'CLEARING', 40n, 'a'],
    ],
    expected: cleared(100n, 5),
  },
  {
    name: 'an amendment states the new total, and a later clearing adds to it',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'm', 'AMENDMENT', 80n, 'c'],
      [3, 'd', 'CLEARING', 20n, 'c'],
    ],
    expected: cleared(100n, 3),
  },
  {
    name: 'an amended authorization is replaced by its clearing',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'm', 'AMENDMENT', 80n, 'a'],
      [3, 'c', 'CLEARING', 75n, 'a'],
    ],
    expected: cleared(75n, 3),
  },
  {
    name: 'partial refunds add up',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 30n, 'c'],
      [3, 's', 'REFUND', 20n, 'c'],
    ],
    expected: cleared(100n, 1, 50n),
  },
  {
    name: 'a full refund leaves nothing',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 100n, 'c'],
    ],
    expected: cleared(100n, 1, 100n, 'refunded'),
  },
  {
    name: 'refunds never exceed the amount charged',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 150n, 'c'],
    ],
    expected: cleared(100n, 1, 100n, 'refunded'),
  },
  {
    name: 'a reversed refund restores the amount it took',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 40n, 'c'],
      [3, 'v', 'REVERSAL', 40n, 'r'],
    ],
    expected: cleared(100n, 1, 0n),
  },
  {
    name: 'a reversal of a clearing takes the clearing back',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 100n, 'c'],
    ],
    expected: cleared(100n, 1, 100n, 'reversed'),
  },
  {
    name: 'a reversal reduces an authorization before it clears, and the clearing still counts in full',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'v', 'REVERSAL', 40n, 'a'],
      [3, 'c', 'CLEARING', 60n, 'a'],
    ],
    expected: cleared(60n, 3),
  },
  {
    name: 'the uncleared part of an authorization can be released even after the clearing',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 60n, 'a'],
      [3, 'v', 'REVERSAL', 40n, 'a'],
    ],
    expected: cleared(60n, 2),
  },
  {
    name: 'a reversal that references the authorization of a cleared purchase takes the purchase back',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 100n, 'a'],
      [3, 'v', 'REVERSAL', 100n, 'a'],
    ],
    expected: cleared(100n, 2, 100n, 'reversed'),
  },
  {
    name: 'a reversed authorization earns nothing',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'v', 'REVERSAL', 100n, 'a'],
    ],
    expected: open(0n, 'reversed'),
  },
  {
    name: 'a decline cancels an authorization',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [1, 'd', 'DECLINE', 100n, 'a'],
    ],
    expected: open(100n, 'declined'),
  },
  {
    name: 'a refund of an unknown purchase waits for it',
    events: [[2, 'r', 'REFUND', 40n, 'c']],
    expected: open(0n, 'original_unknown', 40n),
  },
  {
    name: 'reversals of one refund never restore more than it took, so later refunds still count',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 60n, 'c'],
      [3, 'v', 'REVERSAL', 60n, 'r'],
      [3, 'w', 'REVERSAL', 60n, 'r'],
      [4, 's', 'REFUND', 60n, 'c'],
      [5, 't', 'REFUND', 40n, 'c'],
    ],
    expected: cleared(100n, 1, 100n, 'refunded'),
  },
  {
    name: 'a reversal larger than its refund leaves no credit',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 10n, 'c'],
      [3, 'v', 'REVERSAL', 100n, 'r'],
      [4, 's', 'REFUND', 100n, 'c'],
    ],
    expected: cleared(100n, 1, 100n, 'refunded'),
  },
  {
    name: 'reversing the reversal of a refund reinstates the refund',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 60n, 'c'],
      [3, 'v', 'REVERSAL', 60n, 'r'],
      [4, 'w', 'REVERSAL', 60n, 'v'],
    ],
    expected: cleared(100n, 1, 60n),
  },
  {
    name: 'reversals count at any depth, each at most for what still stands of the reversal it references',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 60n, 'c'],
      [3, 'v', 'REVERSAL', 60n, 'r'],
      [4, 'w', 'REVERSAL', 50n, 'v'],
      [5, 'x', 'REVERSAL', 90n, 'w'],
      [5, 'y', 'REVERSAL', 30n, 'x'],
    ],
    // 60 of x remains, more than all of w, so w has no effect. All of v therefore counts, and the refund is undone.
    expected: cleared(100n, 1, 0n),
  },
  {
    name: 'reversing the reversal of a hold restores the hold',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'v', 'REVERSAL', 100n, 'a'],
      [3, 'w', 'REVERSAL', 100n, 'v'],
    ],
    expected: open(100n),
  },
  {
    name: 'a reversed decline has no effect, and the clearing pays',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [1, 'd', 'DECLINE', 100n, 'a'],
      [2, 'v', 'REVERSAL', 100n, 'd'],
      [3, 'c', 'CLEARING', 100n, 'a'],
    ],
    expected: cleared(100n, 3),
  },
  {
    name: 'a hold is open again once its decline is reversed',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [1, 'd', 'DECLINE', 100n, 'a'],
      [2, 'v', 'REVERSAL', 100n, 'd'],
    ],
    expected: open(100n),
  },
  {
    name: 'a reversal of one of two clearings takes back only that one, even if it is reversed twice',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 60n, 'a'],
      [2, 'd', 'CLEARING', 40n, 'a'],
      [3, 'v', 'REVERSAL', 60n, 'c'],
      [4, 'w', 'REVERSAL', 60n, 'c'],
    ],
    expected: cleared(100n, 2, 60n),
  },
  {
    name: 'a reversal of a clearing also takes back clearings that reference it',
    events: [
      [1, 'c', 'CLEARING', 60n],
      [2, 'd', 'CLEARING', 40n, 'c'],
      [3, 'v', 'REVERSAL', 100n, 'c'],
    ],
    expected: cleared(100n, 2, 100n, 'reversed'),
  },
  {
    name: 'a refund applies to the purchase, whichever of its clearings it references',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 60n, 'a'],
      [2, 'd', 'CLEARING', 40n, 'a'],
      [3, 'r', 'REFUND', 100n, 'd'],
    ],
    expected: cleared(100n, 2, 100n, 'refunded'),
  },
  {
    name: 'a reversal of an amended purchase takes back the amended total',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'm', 'AMENDMENT', 120n, 'c'],
      [3, 'v', 'REVERSAL', 120n, 'c'],
    ],
    expected: cleared(120n, 1, 120n, 'reversed'),
  },
  {
    name: 'a reversal of an amended hold is deducted from the amended amount',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'm', 'AMENDMENT', 80n, 'a'],
      [3, 'v', 'REVERSAL', 30n, 'a'],
    ],
    expected: open(50n),
  },
  {
    name: 'reversals that reference one another undo no refund',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 60n, 'c'],
      [3, 'v', 'REVERSAL', 60n, 'w'],
      [3, 'w', 'REVERSAL', 60n, 'v'],
    ],
    expected: cleared(100n, 1, 60n),
  },
]

for (const { name, events, at = 6, expected } of CASES) {
  test(`fold: ${name}, in any arrival order`, () => {
    for (const order of permutations(events)) {
      const { amount, refunded, clearedOn, emptyReason } = foldEvents(
        order.map((line) => makeEvent(line)),
        'UTC',
        toNoon(at),
      )
      assert.deepEqual({ amount, refunded, clearedOn, emptyReason }, expected)
    }
  })
}

test("a publisher's own sale waits for the longest lock period, while other holds lapse like card holds", () => {
  const lapses = (source: Source) =>
    foldEvents([{ ...makeEvent([1, 'a', 'AUTHORIZATION', 1n]), source }], 'UTC', toNoon(2))
  assert.deepEqual([lapses('AFFILIATE').clearsOn, lapses('AFFILIATE').lapsesAt], ['2026-05-30', toNoon(121)])
  for (const source of ['CARD', 'GIFT_CARD', 'VOUCHER', 'OTHER'] as const)
    assert.deepEqual([lapses(source).clearsOn, lapses(source).lapsesAt], ['2026-03-01', toNoon(11)])
})

test("the clearing day is in the publisher's time zone", () => {
  const event = { ...makeEvent([1, 'c', 'CLEARING', 1n]), occurredAt: new Date('2026-03-02T03:00:00Z') }
  assert.equal(foldEvents([event], 'America/New_York', toNoon(6)).clearedOn, '2026-03-01')
})

test("the first event's facts take precedence, and later events fill the gaps", () => {
  const first = { ...makeEvent([1, 'a', 'AUTHORIZATION', 1n]), facts: { merchantDescriptor: 'SHOP 1' } }
  const second = {
    ...makeEvent([2, 'c', 'CLEARING', 1n, 'a']),
    facts: { merchantDescriptor: 'SHOP', merchantName: 'The Shop' },
  }
  assert.deepEqual(foldEvents([second, first], 'UTC', toNoon(6)).facts, {
    merchantDescriptor: 'SHOP 1',
    merchantName: 'The Shop',
  })
})

test('posted facts come from the clearing first, and exist only if there are both a hold and a clearing', () => {
  const named = (line: Line, merchantName: string) => ({
    ...makeEvent(line),
    facts: { merchantName, city: merchantName },
  })
  const hold = named([1, 'a', 'AUTHORIZATION', 1n], 'Held')
  const corrected = named([2, 'm', 'AMENDMENT', 1n, 'a'], 'Corrected')
  const posted = { ...makeEvent([3, 'c', 'CLEARING', 1n, 'a']), facts: { merchantName: 'Posted' } }
  const again = named([4, 'd', 'CLEARING', 1n, 'a'], 'Posted once more')
  for (const events of permutations([hold, corrected, posted, again])) {
    const { facts, postedFacts } = foldEvents(events, 'UTC', toNoon(6))
    assert.deepEqual(facts, { merchantName: 'Held', city: 'Held' })
    assert.deepEqual(postedFacts, { merchantName: 'Posted', city: 'Posted once more' })
  }
  for (const events of [[hold], [hold, corrected], [posted, again]])
    assert.equal(foldEvents(events, 'UTC', toNoon(6)).postedFacts, null)
})

test('an amendment can supply the merchant, even after the clearing', () => {
  const first = { ...makeEvent([1, 'c', 'CLEARING', 1n]), facts: { merchantDescriptor: 'SHOP 1' } }
  const second = {
    ...makeEvent([1, 'm', 'AMENDMENT', 1n, 'c']),
    facts: { merchantDescriptor: 'SHOP', merchantName: 'The Shop' },
  }
  assert.deepEqual(foldEvents([second, first], 'UTC', toNoon(6)).facts, {
    merchantDescriptor: 'SHOP 1',
    merchantName: 'The Shop',
  })
})

test('a refund in another currency is ignored, even if it arrives first', () => {
  const foreign = { ...makeEvent([1, 'r', 'REFUND', 40n, 'c']), currency: 'EUR' }
  const purchase = makeEvent([2, 'c', 'CLEARING', 100n])
  for (const order of permutations([foreign, purchase])) {
    const { amount, refunded, currency } = foldEvents(order, 'UTC', toNoon(6))
    assert.deepEqual({ amount, refunded, currency }, { amount: 100n, refunded: 0n, currency: 'USD' })
  }
})

test('a hold that is declined or reversed, or lapses before it clears, is not a purchase', () => {
  const hold: Line = [1, 'a', 'AUTHORIZATION', 100n]
  const clearing: Line = [2, 'c', 'CLEARING', 100n, 'a']
  const cases: [string, readonly Line[], day: number, wasMade: boolean][] = [
    ['open', [hold], 6, true],
    ['lapsed', [hold], 11, false],
    ['declined', [hold, [1, 'd', 'DECLINE', 100n, 'a']], 6, false],
    ['voided', [hold, [2, 'v', 'REVERSAL', 100n, 'a']], 6, false],
    ['reduced', [hold, [2, 'v', 'REVERSAL', 40n, 'a']], 6, true],
    ['declined, then cleared', [hold, [1, 'd', 'DECLINE', 100n, 'a'], clearing], 6, true],
    ['cleared after it lapsed', [hold, [20, 'c', 'CLEARING', 100n, 'a']], 21, true],
    ['cleared and refunded', [hold, clearing, [3, 'r', 'REFUND', 100n, 'c']], 6, true],
    ['only a refund', [[3, 'r', 'REFUND', 100n, 'c']], 6, false],
  ]
  for (const [name, lines, day, wasMade] of cases) {
    const folded = foldEvents(
      lines.map((line) => makeEvent(line)),
      'UTC',
      toNoon(day),
    )
    assert.equal(folded.wasMade, wasMade, name)
  }
})

test('a chain of 100,000 reversals can be folded', () => {
  const chain = Array.from(
    { length: 100_000 },
    (_, index): Line => [...([3, `v${index}`, 'REVERSAL', 40n] as const), index === 0 ? 'r' : `v${index - 1}`],
  )
  const purchase: Line[] = [
    [1, 'c', 'CLEARING', 100n],
    [2, 'r', 'REFUND', 40n, 'c'],
  ]
  // An even number of reversals of reversals leaves the refund as it was.
  const events = [...purchase, ...chain].map((line) => makeEvent(line))
  assert.equal(foldEvents(events, 'UTC', toNoon(6)).refunded, 40n)
})

const KINDS: readonly EventKind[] = ['AUTHORIZATION', 'CLEARING', 'AMENDMENT', 'REFUND', 'REVERSAL', 'DECLINE']
const history = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...KINDS, 'REVERSAL' as const),
      day: fc.integer({ min: 1, max: 5 }),
      amount: fc.bigInt({ min: 1n, max: 100n }),
      original: fc.nat({ max: 9 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((events) =>
    events.map(({ kind, day, amount, original }, index) => makeEvent([day, `e${index}`, kind, amount, `e${original}`])),
  )

test('the arrival order does not affect the folded state', () => {
  const shuffled = history.chain((events) =>
    fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
  )
  fc.assert(
    fc.property(shuffled, ([events, arrived]) => {
      assert.deepEqual(foldEvents(arrived, 'UTC', toNoon(6)), foldEvents(events, 'UTC', toNoon(6)))
    }),
    { numRuns: runs(2_000) },
  )
})

test('refunds stay between zero and the purchase amount, and a reversal undoes at most its event', () => {
  fc.assert(
    fc.property(history, fc.nat({ max: 9 }), fc.bigInt({ min: 1n, max: 200n }), (events, index, amount) => {
      const named = events[index % events.length]
      const before = foldEvents(events, 'UTC', toNoon(6))
      const reversal = makeEvent([6, 'last', 'REVERSAL', amount, named?.externalId ?? ''])
      const after = foldEvents([...events, reversal], 'UTC', toNoon(6))
      for (const { isPurchase, amount: bought, refunded } of [before, after])
        assert.ok(!isPurchase || (refunded >= 0n && refunded <= bought))
      // The rest of a hold's reversal may equal the uncleared remainder, and then it takes nothing back.
      if (named?.kind === 'REVERSAL' && undoneBy(named, events)?.kind === 'AUTHORIZATION') return
      const undoes = named?.kind === 'REFUND' || named?.kind === 'REVERSAL'
      // Once the reversals of a hold add up to the uncleared remainder, none of them takes anything back.
      const released = named?.kind === 'AUTHORIZATION' ? before.refunded : 0n
      const change = after.amount - after.refunded - (before.amount - before.refunded)
      // Before the clearing, a reversal reduces the hold. Afterwards it takes back part of the purchase.
      const most = undoes && named.amount < amount ? named.amount : amount
      assert.ok(change <= (undoes ? most : released), `${change} given back`)
      assert.ok(-change <= most, `${-change} taken`)
    }),
    { numRuns: runs(5_000) },
  )
})
