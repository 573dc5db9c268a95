import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type SaleRecord, sumRecords } from './sum-of-records.ts'

const record = (reportId: string, amount: bigint, status: SaleRecord['status']): SaleRecord => ({
  reportId,
  amount,
  status,
})

test("an item's records sum to its remaining amount, ignoring pending raises of an approved amount", () => {
  const cases: readonly (readonly [string, readonly SaleRecord[], ReturnType<typeof sumRecords>])[] = [
    ['pending', [record('a', 100n, 'pending')], { status: 'pending', amount: 100n }],
    [
      'a pending correction counts at once if it lowers',
      [record('a', 100n, 'approved'), record('b', -30n, 'pending')],
      { status: 'approved', amount: 70n },
    ],
    [
      'and when it is approved if it raises',
      [record('a', 100n, 'approved'), record('b', 30n, 'pending')],
      { status: 'approved', amount: 100n },
    ],
    [
      'a rejected record counts for nothing',
      [record('a', 100n, 'approved'), record('b', 30n, 'rejected')],
      { status: 'approved', amount: 100n },
    ],
    [
      'nothing left',
      [record('a', 100n, 'approved'), record('b', -100n, 'approved')],
      { status: 'rejected', amount: 0n },
    ],
    ['a correction without its sale', [record('b', -30n, 'approved')], { status: 'rejected', amount: 0n }],
    [
      'the last state of a record counts, but no late pending',
      [record('a', 100n, 'pending'), record('a', 100n, 'approved'), record('a', 100n, 'pending')],
      { status: 'approved', amount: 100n },
    ],
    [
      'an amended record keeps its state',
      [record('a', 100n, 'approved'), record('a', 70n, 'amended')],
      { status: 'approved', amount: 70n },
    ],
    [
      'also if it was rejected',
      [record('a', 100n, 'rejected'), record('a', 70n, 'amended')],
      { status: 'rejected', amount: 0n },
    ],
    [
      'and counts with the rest of the item if it has none',
      [record('b', 30n, 'amended'), record('a', 100n, 'approved')],
      { status: 'approved', amount: 130n },
    ],
    ...[
      [record('b', 15n, 'pending'), record('b', 20n, 'amended')],
      [record('b', 20n, 'amended'), record('b', 15n, 'pending')],
    ].map(
      (reports) =>
        [
          'an amended correction upwards waits for its approval in either order',
          [record('a', 100n, 'approved'), ...reports],
          { status: 'approved', amount: 100n },
        ] as const,
    ),
    [
      'a correction under the number of its sale counts in addition to it',
      [record('a', 100n, 'approved'), record('a', -40n, 'approved')],
      { status: 'approved', amount: 60n },
    ],
  ]
  for (const [name, records, expected] of cases) assert.deepEqual(sumRecords(records), expected, name)
})

test('distinct records have the same sum in any order', () => {
  const records = fc.uniqueArray(
    fc.record({
      reportId: fc.integer({ max: 9, min: 0 }).map(String),
      amount: fc.bigInt({ min: -200n, max: 200n }),
      status: fc.constantFrom('pending', 'approved', 'rejected', 'amended'),
    }),
    { selector: ({ reportId }) => reportId, maxLength: 8 },
  )
  fc.assert(fc.property(records, (some) => assert.deepEqual(sumRecords(some.toReversed()), sumRecords(some))))
})
