import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedStep, KETTLE, play, providerRow as row } from '../../../../../test/support/feed-plan.ts'

/** Some banks name the merchant differently when a hold posts. */

const PENDING = { pending: true, date: '2026-03-03' }
const AUTHORIZED = { authorizedDate: '2026-03-03' }
const OTHER_NAME = { name: 'BK HOLDINGS LLC', facts: {} }

const histories: readonly [what: string, steps: readonly FeedStep[], recorded: readonly (readonly string[])[]][] = [
  [
    'a posting under another name takes the only hold with its card, day and amount',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('a', 10, { ...AUTHORIZED, ...OTHER_NAME })], removed: ['p'] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1000 @03-05']],
  ],
  [
    'a posting under another name does not take a hold that the bank still shows',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 10, { ...AUTHORIZED, ...OTHER_NAME })] },
      { rows: [row('b', 10, { ...AUTHORIZED, pendingRowId: 'p' })], removed: ['p'] },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03'],
      ['AUTHORIZATION authorized:a 1000 @03-03', 'CLEARING a of authorized:a 1000 @03-05'],
      ['CLEARING b of p 1000 @03-05'],
    ],
  ],
  [
    'a posting under another name takes no hold of another day, amount or known merchant',
    [
      { rows: [row('p', 10, { ...PENDING, facts: { ...KETTLE, providerMerchantId: 'kettle' } })] },
      { rows: [row('a', 10, { date: '2026-03-04', ...OTHER_NAME })], removed: ['p'] },
      { rows: [row('b', 11, { date: '2026-03-03', ...OTHER_NAME })] },
      {
        rows: [
          row('c', 10, {
            date: '2026-03-03',
            ...OTHER_NAME,
            facts: { merchantName: 'Lantern', providerMerchantId: 'lantern' },
          }),
        ],
      },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03'],
      ['CLEARING a 1000 @03-04'],
      ['CLEARING b 1100 @03-03'],
      ['CLEARING c 1000 @03-03'],
    ],
  ],
  [
    'a posting under another name takes no hold if two holds or two postings fit',
    [
      { rows: [row('p', 10, PENDING), row('q', 10, { ...PENDING, name: 'QUICK MART', facts: {} })] },
      { rows: [row('a', 10, { date: '2026-03-03', ...OTHER_NAME })], removed: ['p', 'q'] },
      { rows: [row('r', 20, PENDING)] },
      {
        rows: [
          row('b', 20, { date: '2026-03-03', ...OTHER_NAME }),
          row('c', 20, { date: '2026-03-03', name: 'THIRD', facts: {} }),
        ],
        removed: ['r'],
      },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03', 'AUTHORIZATION q 1000 @03-03'],
      ['CLEARING a 1000 @03-03'],
      ['AUTHORIZATION r 2000 @03-03'],
      ['CLEARING b 2000 @03-03', 'CLEARING c 2000 @03-03'],
    ],
  ],
  [
    'a posting under another name, with a tip, takes the hold of its brand',
    [
      {
        rows: [
          row('p', 10, { ...PENDING, facts: { brandUid: 'kettle' } }),
          row('q', 12, { ...PENDING, name: 'LANTERN', facts: { brandUid: 'lantern' } }),
        ],
      },
      { rows: [row('a', 12, { ...AUTHORIZED, ...OTHER_NAME, facts: { brandUid: 'kettle' } })], removed: ['p', 'q'] },
    ],
    [['AUTHORIZATION p 1000 @03-03', 'AUTHORIZATION q 1200 @03-03'], ['CLEARING a of p 1200 @03-05']],
  ],
]

for (const [what, steps, recorded] of histories) test(what, () => assert.deepEqual(play(...steps), recorded))
