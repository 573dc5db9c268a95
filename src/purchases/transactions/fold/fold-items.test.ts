import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeEvent, permutations, toNoon } from '../../../../test/support/folding.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { EventKind, LineItem, SourceEvent } from '../event.ts'
import { foldEvents } from './fold.ts'

// Items are written as "group:amount" or "group/sku:amount". Each line is one event: day, id, kind, amount, items,
// original.
type ItemLine = readonly [day: number, id: string, kind: EventKind, amount: bigint, items: string, original?: string]
type Case = { readonly name: string; readonly events: readonly ItemLine[]; readonly left: string }

/** `left` lists the amount of each item and how much of it was refunded. */
const CASES: readonly Case[] = [
  {
    name: 'a purchase without items has none',
    events: [[1, 'c', 'CLEARING', 100n, '']],
    left: '',
  },
  {
    name: 'items with the same name are merged',
    events: [[1, 'c', 'CLEARING', 100n, 'hats:10 Hats :20 socks:5 hats/7:1']],
    left: 'hats/7:1-0 hats:30-0 socks:5-0',
  },
  {
    name: 'items without a name count toward the rest',
    events: [[1, 'c', 'CLEARING', 100n, 'hats:10 :20']],
    left: 'hats:10-0',
  },
  {
    name: 'clearings add up, item by item',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:60'],
      [2, 'd', 'CLEARING', 50n, 'hats:10 socks:40', 'c'],
    ],
    left: 'hats:70-0 socks:40-0',
  },
  {
    name: 'a clearing that names different items than its hold replaces the items of the hold',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n, 'hats:100'],
      [2, 'c', 'CLEARING', 100n, 'socks:80', 'a'],
    ],
    left: 'socks:80-0',
  },
  {
    name: 'if no clearing names items, the items of the hold are used, in proportion to the amount charged',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n, 'hats:60 socks:40'],
      [2, 'c', 'CLEARING', 120n, '', 'a'],
    ],
    left: 'hats:72-0 socks:48-0',
  },
  {
    name: 'several clearings share the items that their hold named',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n, 'hats:60 socks:40'],
      [2, 'c', 'CLEARING', 50n, '', 'a'],
      [3, 'd', 'CLEARING', 25n, '', 'a'],
    ],
    left: 'hats:45-0 socks:30-0',
  },
  {
    name: 'an amendment of the hold sets the items of its clearing',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n, 'hats:100'],
      [2, 'm', 'AMENDMENT', 80n, 'socks:80', 'a'],
      [3, 'c', 'CLEARING', 80n, '', 'a'],
    ],
    left: 'socks:80-0',
  },
  {
    name: 'an amendment with items replaces the earlier ones',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:100'],
      [2, 'm', 'AMENDMENT', 90n, 'hats:50 socks:30', 'c'],
    ],
    left: 'hats:50-0 socks:30-0',
  },
  {
    name: 'an amendment without items scales all items and the rest in proportion',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:25'],
      [2, 'm', 'AMENDMENT', 60n, '', 'c'],
    ],
    left: 'hats:30-0 socks:15-0',
  },
  {
    name: 'a clearing after an amendment adds its items to those of the amendment',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:100'],
      [2, 'm', 'AMENDMENT', 50n, '', 'c'],
      [3, 'd', 'CLEARING', 10n, 'socks:10', 'c'],
    ],
    left: 'hats:50-0 socks:10-0',
  },
  {
    name: 'the items of a hold shrink with it in proportion',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n, 'hats:60 socks:40'],
      [2, 'v', 'REVERSAL', 50n, '', 'a'],
    ],
    left: 'hats:30-0 socks:20-0',
  },
  {
    name: 'a refund without items is spread over everything bought, including the rest',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:25'],
      [2, 'r', 'REFUND', 20n, '', 'c'],
    ],
    left: 'hats:50-10 socks:25-5',
  },
  {
    name: 'what an uneven division leaves over goes to the item with the largest remainder',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:34 socks:33 ties:33'],
      [2, 'r', 'REFUND', 10n, '', 'c'],
    ],
    left: 'hats:34-4 socks:33-3 ties:33-3',
  },
  {
    name: 'equal remainders go to the first item by name, whatever the order of the items',
    events: [
      [1, 'c', 'CLEARING', 100n, 'socks:50 hats:50'],
      [2, 'r', 'REFUND', 25n, '', 'c'],
    ],
    left: 'hats:50-13 socks:50-12',
  },
  {
    name: 'an item that an amendment reduces to zero is dropped',
    events: [
      [1, 'c', 'CLEARING', 100n, 'socks:1 hats:99'],
      [2, 'm', 'AMENDMENT', 10n, '', 'c'],
    ],
    left: 'hats:10-0',
  },
  {
    name: 'a refund by SKU is deducted before a refund by group',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats/1:50 hats/2:50'],
      [2, 'r', 'REFUND', 50n, 'hats:50', 'c'],
      [3, 's', 'REFUND', 50n, '/1:50', 'c'],
    ],
    left: 'hats/1:50-50 hats/2:50-50',
  },
  {
    name: 'a refund of an item is deducted from that item',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:25'],
      [2, 'r', 'REFUND', 20n, 'socks:20', 'c'],
    ],
    left: 'hats:50-0 socks:25-20',
  },
  {
    name: 'a refund that is only partly itemized spreads the remainder over what is left',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:50'],
      [2, 'r', 'REFUND', 60n, 'socks:40', 'c'],
    ],
    left: 'hats:50-17 socks:50-43',
  },
  {
    name: 'a refund of a group is spread over its items',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats/1:40 hats/2:20 socks:40'],
      [2, 'r', 'REFUND', 30n, 'hats:30', 'c'],
    ],
    left: 'hats/1:40-20 hats/2:20-10 socks:40-0',
  },
  {
    name: 'a refund with only a SKU is deducted from the item with that SKU',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats/1:40 hats/2:60'],
      [2, 'r', 'REFUND', 30n, '/2:30', 'c'],
    ],
    left: 'hats/1:40-0 hats/2:60-30',
  },
  {
    name: 'a refund of an exact item is deducted before a refund of its group',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats/1:50 hats/2:50'],
      [2, 'r', 'REFUND', 30n, 'hats:30', 'c'],
      [3, 's', 'REFUND', 50n, 'hats/1:50', 'c'],
    ],
    left: 'hats/1:50-50 hats/2:50-30',
  },
  {
    name: "a refund beyond an item's amount, or of an item not bought, is spread over the other items",
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:20'],
      [2, 'r', 'REFUND', 36n, 'socks:28 ties:8', 'c'],
    ],
    left: 'hats:50-10 socks:20-20',
  },
  {
    name: 'a full refund leaves nothing of any item',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:25'],
      [2, 'r', 'REFUND', 70n, 'hats:10', 'c'],
      [3, 's', 'REFUND', 70n, '', 'c'],
    ],
    left: 'hats:50-50 socks:25-25',
  },
  {
    name: 'reversing a refund restores its items',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:50'],
      [2, 'r', 'REFUND', 50n, 'socks:40 hats:10', 'c'],
      [3, 'v', 'REVERSAL', 50n, '', 'r'],
    ],
    left: 'hats:50-0 socks:50-0',
  },
  {
    name: 'reversing part of a refund restores its items in proportion',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:50'],
      [2, 'r', 'REFUND', 50n, 'socks:40 hats:10', 'c'],
      [3, 'v', 'REVERSAL', 25n, '', 'r'],
    ],
    left: 'hats:50-5 socks:50-20',
  },
  {
    name: 'an itemized reversal of a refund restores the items it lists',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:50'],
      [2, 'r', 'REFUND', 50n, 'socks:40 hats:10', 'c'],
      [3, 'v', 'REVERSAL', 20n, 'socks:20', 'r'],
    ],
    left: 'hats:50-10 socks:50-20',
  },
  {
    name: 'a reversal of a purchase takes its items back, and reversing that reversal restores them',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:50'],
      [2, 'v', 'REVERSAL', 30n, 'socks:30', 'c'],
      [3, 'w', 'REVERSAL', 10n, '', 'v'],
    ],
    left: 'hats:50-0 socks:50-20',
  },
  {
    name: 'a reversal of a refund that lists another item reduces the refund of the items actually refunded',
    events: [
      [1, 'c', 'CLEARING', 100n, 'hats:50 socks:50'],
      [2, 'r', 'REFUND', 40n, 'socks:40', 'c'],
      [3, 'v', 'REVERSAL', 30n, 'hats:30', 'r'],
    ],
    left: 'hats:50-0 socks:50-10',
  },
  {
    name: 'a refund of an unknown purchase has no items',
    events: [[2, 'r', 'REFUND', 40n, 'hats:40', 'c']],
    left: '',
  },
]

for (const { name, events, left } of CASES) {
  test(`fold: ${name}, in any arrival order`, () => {
    for (const order of permutations(events)) assert.equal(describeLeft(order.map(lineEvent)), left)
  })
}

const named = fc.constantFrom('hats', 'socks', 'hats/1', 'hats/2', '/1', 'ties', '')
const items = fc
  .array(fc.tuple(named, fc.integer({ min: 1, max: 5_000 })), { maxLength: 5 })
  .map((lines) => lines.map(([name, amount]) => `${name}:${amount}`).join(' '))
const addUp = (text: string): bigint =>
  text === '' ? 0n : text.split(' ').reduce((sum, one) => sum + BigInt(one.split(':')[1] ?? 0), 0n)

test('splitting or reordering partial refunds does not change what remains of each item', () => {
  const parts = fc.array(fc.tuple(items, fc.bigInt({ min: 0n, max: 3_000n })), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(items, fc.bigInt({ min: 1n, max: 9_000n }), parts, fc.nat(), (bought, rest, refunds, seed) => {
      const purchase: ItemLine = [1, 'c', 'CLEARING', addUp(bought) + rest, bought]
      const reported = refunds.filter(([text, more]) => addUp(text) + more > 0n)
      const whole = reported.map(([text]) => text).filter((text) => text !== '')
      const total = reported.reduce((sum, [text, more]) => sum + addUp(text) + more, 0n)
      const once: ItemLine[] = total === 0n ? [] : [[2, 'r', 'REFUND', total, whole.join(' '), 'c']]
      const many = reported.map(
        ([text, more], index): ItemLine => [
          2 + ((index + seed) % 5),
          `r${index}`,
          'REFUND',
          addUp(text) + more,
          text,
          'c',
        ],
      )
      assert.equal(describeLeft([purchase, ...many].map(lineEvent)), describeLeft([purchase, ...once].map(lineEvent)))
    }),
    { numRuns: runs(2_000) },
  )
})

test('items never add up to more than the purchase, nor item refunds to more than its refunds', () => {
  const event = fc.record({
    kind: fc.constantFrom<EventKind[]>('AUTHORIZATION', 'CLEARING', 'AMENDMENT', 'REFUND', 'REVERSAL'),
    day: fc.integer({ min: 1, max: 5 }),
    original: fc.nat({ max: 6 }),
    items,
    rest: fc.bigInt({ min: 1n, max: 3_000n }),
  })
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 7 }), (events) => {
      const reported = events.map(({ kind, day, original, items: text, rest }, index) =>
        lineEvent([day, `e${index}`, kind, addUp(text) + rest, text, `e${original}`]),
      )
      const { amount, refunded, items: left, isPurchase } = foldEvents(reported, 'UTC', toNoon(6))
      const sum = (pick: (one: (typeof left)[number]) => bigint): bigint =>
        left.reduce((all, one) => all + pick(one), 0n)
      const [bought, back] = [sum((one) => one.amount), sum((one) => one.refunded)]
      assert.ok(isPurchase || left.length === 0)
      assert.ok(left.every((one) => one.amount >= 0n && one.refunded >= 0n && one.refunded <= one.amount))
      assert.ok(bought <= amount)
      assert.ok(left.length === 0 || (back <= refunded && amount - bought >= refunded - back))
    }),
    { numRuns: runs(5_000) },
  )
})

function describeLeft(events: readonly SourceEvent[]): string {
  return foldEvents(events, 'UTC', toNoon(6))
    .items.map(({ sku, productGroup, amount, refunded }) => {
      const name = `${productGroup?.trim().toLowerCase() ?? ''}${sku === null ? '' : `/${sku}`}`
      return `${name}:${amount}-${refunded}`
    })
    .sort()
    .join(' ')
}

function parseItems(text: string): LineItem[] {
  return [...text.matchAll(/([A-Za-z]*)(?:\/(\d+))? ?:(\d+)/g)].map(([, productGroup, sku, amount = '0']) => ({
    ...(productGroup ? { productGroup } : {}),
    ...(sku === undefined ? {} : { sku }),
    amount,
  }))
}

function lineEvent([day, externalId, kind, amount, items, original]: ItemLine): SourceEvent {
  const facts = items === '' ? {} : { items: parseItems(items) }
  const line = [day, externalId, kind, amount] as const
  return makeEvent(original === undefined ? line : [...line, original], facts)
}
