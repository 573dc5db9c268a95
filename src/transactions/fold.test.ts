import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf, type Line, noonOf, permutations } from '../../test/support/folding.ts'
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
    name: 'an authorization states what may be charged',
    events: [[1, 'a', 'AUTHORIZATION', 100n]],
    expected: open(100n),
  },
  {
    name: 'without a clearing it lapses on the tenth day',
    events: [[1, 'a', 'AUTHORIZATION', 100n]],
    at: 11,
    expected: open(100n, 'authorization_expired'),
  },
  {
    name: 'a reversal of a reversal gives back what that one took, and no more',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 100n, 'c'],
      [3, 'r', 'REFUND', 30n, 'c'],
      [4, 'w', 'REVERSAL', 100n, 'v'],
    ],
    expected: cleared(100n, 1, 30n),
  },
  {
    name: 'a reversal of a reversal that says more than was taken gives back no more, also of a refund',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 20n, 'c'],
      [3, 'r', 'REFUND', 30n, 'c'],
      [4, 'w', 'REVERSAL', 90n, 'v'],
    ],
    expected: cleared(100n, 1, 30n),
  },
  {
    name: 'a late clearing reopens it',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [20, 'c', 'CLEARING', 90n, 'a'],
    ],
    at: 21,
    expected: cleared(90n, 20),
  },
  {
    name: 'a clearing replaces the authorization: a tip counts',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [3, 'c', 'CLEARING', 120n, 'a'],
    ],
    expected: cleared(120n, 3),
  },
  {
    name: 'several clearings add up, the last one is the clearing day',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [3, 'c', 'CLEARING', 60n, 'a'],
      [5, 'd', 'CLEARING', 40n, 'a'],
    ],
    expected: cleared(100n, 5),
  },
  {
    name: 'an amendment states the new total, a clearing after it adds',
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
    name: 'no more is given back than was charged',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 150n, 'c'],
    ],
    expected: cleared(100n, 1, 100n, 'refunded'),
  },
  {
    name: 'a reversed refund gives back what it took',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 40n, 'c'],
      [3, 'v', 'REVERSAL', 40n, 'r'],
    ],
    expected: cleared(100n, 1, 0n),
  },
  {
    name: 'a reversal of a clearing takes it back',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 100n, 'c'],
    ],
    expected: cleared(100n, 1, 100n, 'reversed'),
  },
  {
    name: 'a reversal shrinks an authorization that has not cleared, and the clearing still counts whole',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'v', 'REVERSAL', 40n, 'a'],
      [3, 'c', 'CLEARING', 60n, 'a'],
    ],
    expected: cleared(60n, 3),
  },
  {
    name: 'the part of an authorization that was not cleared is released, also after the clearing',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 60n, 'a'],
      [3, 'v', 'REVERSAL', 40n, 'a'],
    ],
    expected: cleared(60n, 2),
  },
  {
    name: 'a reversal that names the authorization of a cleared purchase takes it back',
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
    name: 'a decline ends an authorization',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [1, 'd', 'DECLINE', 100n, 'a'],
    ],
    expected: open(100n, 'declined'),
  },
  {
    name: 'a refund whose purchase is unknown waits',
    events: [[2, 'r', 'REFUND', 40n, 'c']],
    expected: open(0n, 'original_unknown', 40n),
  },
]

for (const { name, events, at = 6, expected } of CASES) {
  test(`fold: ${name}, in whatever order the events arrive`, () => {
    for (const order of permutations(events)) {
      const { amount, refunded, clearedOn, emptyReason } = foldEvents(
        order.map((line) => eventOf(line)),
        'UTC',
        noonOf(at),
      )
      assert.deepEqual({ amount, refunded, clearedOn, emptyReason }, expected)
    }
  })
}

test('the clearing day is the day in the time zone of the publisher', () => {
  const event = { ...eventOf([1, 'c', 'CLEARING', 1n]), occurredAt: new Date('2026-03-02T03:00:00Z') }
  assert.equal(foldEvents([event], 'America/New_York', noonOf(6)).clearedOn, '2026-03-01')
})

test('what the first event knows of the merchant stands, later ones fill what it left open', () => {
  const first = { ...eventOf([1, 'a', 'AUTHORIZATION', 1n]), facts: { merchantDescriptor: 'SHOP 1' } }
  const second = {
    ...eventOf([2, 'c', 'CLEARING', 1n, 'a']),
    facts: { merchantDescriptor: 'SHOP', merchantName: 'The Shop' },
  }
  assert.deepEqual(foldEvents([second, first], 'UTC', noonOf(6)).facts, {
    merchantDescriptor: 'SHOP 1',
    merchantName: 'The Shop',
  })
})

test('what the posting knows goes before what the hold and a correction do, where both are told', () => {
  const named = (line: Line, merchantName: string) => ({
    ...eventOf(line),
    facts: { merchantName, city: merchantName },
  })
  const hold = named([1, 'a', 'AUTHORIZATION', 1n], 'Held')
  const corrected = named([2, 'm', 'AMENDMENT', 1n, 'a'], 'Corrected')
  const posted = { ...eventOf([3, 'c', 'CLEARING', 1n, 'a']), facts: { merchantName: 'Posted' } }
  const again = named([4, 'd', 'CLEARING', 1n, 'a'], 'Posted once more')
  for (const events of permutations([hold, corrected, posted, again])) {
    const { facts, postedFacts } = foldEvents(events, 'UTC', noonOf(6))
    assert.deepEqual(facts, { merchantName: 'Held', city: 'Held' })
    assert.deepEqual(postedFacts, { merchantName: 'Posted', city: 'Posted once more' })
  }
  for (const events of [[hold], [hold, corrected], [posted, again]])
    assert.equal(foldEvents(events, 'UTC', noonOf(6)).postedFacts, null)
})

test('a merchant that is known only later is told by the amendment, also of a purchase that has cleared', () => {
  const first = { ...eventOf([1, 'c', 'CLEARING', 1n]), facts: { merchantDescriptor: 'SHOP 1' } }
  const second = {
    ...eventOf([1, 'm', 'AMENDMENT', 1n, 'c']),
    facts: { merchantDescriptor: 'SHOP', merchantName: 'The Shop' },
  }
  assert.deepEqual(foldEvents([second, first], 'UTC', noonOf(6)).facts, {
    merchantDescriptor: 'SHOP 1',
    merchantName: 'The Shop',
  })
})
