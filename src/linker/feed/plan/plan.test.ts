import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedStep, KETTLE, play, providerRow as row } from '../../../../test/support/feed-plan.ts'

const PENDING = { pending: true, date: '2026-03-03' }
const AUTHORIZED = { authorizedDate: '2026-03-03' }

const histories: readonly [what: string, steps: readonly FeedStep[], recorded: readonly (readonly string[])[]][] = [
  ['a posted purchase', [{ rows: [row('a', 10)] }], [['CLEARING a 1000 @03-05']]],
  [
    'a purchase that posted on a later day without a pending row',
    [{ rows: [row('a', 10, AUTHORIZED)] }],
    [['AUTHORIZATION authorized:a 1000 @03-03', 'CLEARING a of authorized:a 1000 @03-05']],
  ],
  [
    'pending, changed, posted with a tip, corrected',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('p', 11, PENDING)] },
      { rows: [row('a', 13, { ...AUTHORIZED, pendingRowId: 'p' })], removed: ['p'] },
      { rows: [row('a', 12, { ...AUTHORIZED, pendingRowId: 'p' })] },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03'],
      ['AMENDMENT p:0001 of p 1100 @03-03'],
      ['CLEARING a of p 1300 @03-05'],
      ['AMENDMENT a:0001 of a 1200 @03-05'],
    ],
  ],
  [
    'the pending row goes in a later update than its replacement comes',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('a', 10, { pendingRowId: 'p' })] }, { removed: ['p'] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1000 @03-05'], []],
  ],
  [
    'the pending row goes first, and its replacement comes after all',
    [{ rows: [row('p', 10, PENDING)] }, { removed: ['p'] }, { rows: [row('a', 10, { pendingRowId: 'p' })] }],
    [['AUTHORIZATION p 1000 @03-03'], [], ['CLEARING a of p 1000 @03-05']],
  ],
  [
    'a pending row posts under its own id',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('p', 10)] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING p:0001 of p 1000 @03-05']],
  ],
  [
    'removed, brought back, removed again',
    [{ rows: [row('a', 10)] }, { removed: ['a'] }, { rows: [row('a', 10)] }, { removed: ['a'] }],
    [['CLEARING a 1000 @03-05'], [], [], []],
  ],
  [
    'removed for good, and brought back after all, with another amount',
    [
      { rows: [row('a', 10)] },
      { removed: ['a'] },
      { expire: true, day: 2 },
      { expire: true, day: 3 },
      { rows: [row('a', 10)], day: 4 },
      { removed: ['a'], day: 5 },
      { expire: true, day: 8 },
      { rows: [row('a', 11)], day: 9 },
    ],
    [
      ['CLEARING a 1000 @03-05'],
      [],
      [],
      ['REVERSAL removed:a of a 1000 @03-13'],
      ['REVERSAL restored:a of removed:a 1000 @03-14'],
      [],
      ['REVERSAL removed:a:0001 of a 1000 @03-18'],
      ['REVERSAL restored:a:0001 of removed:a:0001 1000 @03-19', 'AMENDMENT a:0003 of a 1100 @03-05'],
    ],
  ],
  [
    'an account is closed and its rows go: purchases and refunds stay, only holds end',
    [
      { rows: [row('a', 10), row('p', 20, PENDING), row('r', -4)] },
      { removed: ['a', 'p', 'r'] },
      { expire: true, closed: true, day: 4 },
      { expire: true, day: 40 },
    ],
    [
      ['CLEARING a 1000 @03-05', 'AUTHORIZATION p 2000 @03-03', 'REFUND r of a 400 @03-05'],
      [],
      ['REVERSAL removed:p of p 2000 @03-03'],
      [],
    ],
  ],
  [
    'removed and there again under another id: in the same update, in a later one, and after it was taken back',
    [
      { rows: [row('a', 10)] },
      { rows: [row('b', 10)], removed: ['a'] },
      { removed: ['b'] },
      { rows: [row('c', 10)], day: 2 },
      { removed: ['c'], day: 3 },
      { expire: true, day: 6 },
      { rows: [row('d', 10)], day: 7 },
    ],
    [
      ['CLEARING a 1000 @03-05'],
      [],
      [],
      [],
      [],
      ['REVERSAL removed:a of a 1000 @03-16'],
      ['REVERSAL restored:a of removed:a 1000 @03-17'],
    ],
  ],
  [
    'removed, and another purchase of the same merchant comes',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 14), row('c', 10, { date: '2026-03-06' })], removed: ['a'] }],
    [['CLEARING a 1000 @03-05'], ['CLEARING b 1400 @03-05', 'CLEARING c 1000 @03-06']],
  ],
  [
    'removed, and corrected under another id: of two that fit the closer one',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 12), row('c', 9.5)], removed: ['a'] }],
    [['CLEARING a 1000 @03-05'], ['CLEARING b 1200 @03-05', 'AMENDMENT c:0001 of a 950 @03-05']],
  ],
  [
    'removed, and corrected under another id while a hold of that amount goes: the purchase, not a second one',
    [
      { rows: [row('p', 10, PENDING), row('a', 10, AUTHORIZED)] },
      { rows: [row('p2', 10, PENDING), row('a2', 10, AUTHORIZED)], removed: ['p', 'a'] },
      { rows: [row('a3', 10.1, AUTHORIZED)], removed: ['p2', 'a2'] },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03', 'CLEARING a of p 1000 @03-05'],
      ['AUTHORIZATION p2 1000 @03-03'],
      ['AMENDMENT a3:0001 of a 1010 @03-05'],
    ],
  ],
  [
    'removed, and there again in the update that posts the hold it had taken: two purchases',
    [
      { rows: [row('p', 10, PENDING), row('a', 10, AUTHORIZED)] },
      { removed: ['a'] },
      { rows: [row('a', 10, AUTHORIZED), row('b', 10, { ...AUTHORIZED, pendingRowId: 'p' })] },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03', 'CLEARING a of p 1000 @03-05'],
      [],
      ['AUTHORIZATION authorized:b 1000 @03-03', 'CLEARING b of authorized:b 1000 @03-05'],
    ],
  ],
  [
    'replaced under another id, and there again beside it: two purchases',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 10)], removed: ['a'] }, { rows: [row('a', 10)] }],
    [['CLEARING a 1000 @03-05'], [], ['CLEARING a:0001 1000 @03-05']],
  ],
  [
    'replaced under another id, and back under the old one',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 10)], removed: ['a'] }, { rows: [row('a', 10)], removed: ['b'] }],
    [['CLEARING a 1000 @03-05'], [], []],
  ],
  [
    'all ids of a login change: the account is the same card, the rows are the same rows',
    [
      { rows: [row('a', 10), row('b', 10), row('p', 20, PENDING), row('r', -4)] },
      {
        rows: ['a', 'b', 'p', 'r'].map((id) =>
          row(`${id}2`, { a: 10, b: 10, p: 20, r: -4 }[id] ?? 0, {
            accountId: 'acc-new',
            ...(id === 'p' ? PENDING : {}),
          }),
        ),
        removed: ['a', 'b', 'p', 'r'],
      },
    ],
    [['CLEARING a 1000 @03-05', 'CLEARING b 1000 @03-05', 'AUTHORIZATION p 2000 @03-03', 'REFUND r 400 @03-05'], []],
  ],
  [
    'a card that is linked again shows its earlier purchases with new ids',
    [
      { rows: [row('a', 10, { accountId: 'acc-former' }), row('p', 20, { ...PENDING, accountId: 'acc-former' })] },
      { rows: [row('a2', 10), row('b2', 10), row('p2', 20, AUTHORIZED)] },
    ],
    [
      ['CLEARING a 1000 @03-05', 'AUTHORIZATION p 2000 @03-03'],
      ['CLEARING b2 1000 @03-05', 'CLEARING p2 of p 2000 @03-05'],
    ],
  ],
  [
    'all ids change, and the old rows go in a later update only',
    [
      { rows: [row('a', 10), row('b', 10)] },
      { rows: [row('a2', 10, { accountId: 'acc-new' }), row('b2', 10, { accountId: 'acc-new' })] },
      { removed: ['a', 'b'] },
    ],
    [['CLEARING a 1000 @03-05', 'CLEARING b 1000 @03-05'], [], []],
  ],
  [
    'a hold is found by its posting where the bank names none',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('a', 12, AUTHORIZED)], removed: ['p'] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1200 @03-05']],
  ],
  [
    'a hold is found also when it went before its posting came',
    [{ rows: [row('p', 10, PENDING)] }, { removed: ['p'] }, { rows: [row('a', 12, AUTHORIZED)], day: 2 }],
    [['AUTHORIZATION p 1000 @03-03'], [], ['CLEARING a of p 1200 @03-05']],
  ],
  [
    'a hold is found also when it is still shown, and its going says nothing then',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 12, AUTHORIZED)] },
      { rows: [row('p', 10.5, PENDING)] },
      { removed: ['p'] },
    ],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1200 @03-05'], [], []],
  ],
  [
    'a hold that nothing followed is taken back when its authorization lapses, and a late posting counts',
    [
      { rows: [row('p', 10, { pending: true, date: '2026-03-09' })] },
      { removed: ['p'] },
      { expire: true, day: 8 },
      { expire: true, day: 9 },
      { rows: [row('a', 10, { date: '2026-03-20', authorizedDate: '2026-03-09' })], day: 10 },
    ],
    [['AUTHORIZATION p 1000 @03-09'], [], [], ['REVERSAL removed:p of p 1000 @03-09'], ['CLEARING a of p 1000 @03-20']],
  ],
  [
    'a hold that had lapsed when it went is taken back at once, and counts again when it is shown again',
    [
      { rows: [row('p', 10, { pending: true, date: '2026-02-20' })] },
      { removed: ['p'] },
      { rows: [row('p', 11, { pending: true, date: '2026-02-20' })] },
    ],
    [
      ['AUTHORIZATION p 1000 @02-20'],
      ['REVERSAL removed:p of p 1000 @02-20'],
      ['AUTHORIZATION p:0001 of p 1100 @02-20'],
    ],
  ],
  [
    'two postings name one hold: the second is a purchase of its own',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 10, { pendingRowId: 'p' }), row('b', 10, { pendingRowId: 'p' })], removed: ['p'] },
    ],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1000 @03-05', 'CLEARING b 1000 @03-05']],
  ],
  [
    'a posting found its hold, and the one that names it comes later: both are purchases',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 10, AUTHORIZED)] },
      { rows: [row('b', 10, { ...AUTHORIZED, pendingRowId: 'p' })], removed: ['p'] },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03'],
      ['CLEARING a of p 1000 @03-05'],
      ['AUTHORIZATION authorized:b 1000 @03-03', 'CLEARING b of authorized:b 1000 @03-05'],
    ],
  ],
  [
    'a posting is replaced by another that names the same hold',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 10, { pendingRowId: 'p' })], removed: ['p'] },
      { rows: [row('b', 12, { pendingRowId: 'p' })], removed: ['a'] },
    ],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1000 @03-05'], ['AMENDMENT b:0001 of a 1200 @03-05']],
  ],
  [
    'the hold that a posting names is shown only later',
    [{ rows: [row('a', 12, { pendingRowId: 'p' })] }, { rows: [row('p', 10, PENDING)] }, { removed: ['p'] }],
    [['CLEARING a of p 1200 @03-05'], [], []],
  ],
  [
    'two like holds and one posting: the older is taken, the other waits for its own',
    [
      { rows: [row('p', 10, PENDING), row('q', 10, { pending: true, date: '2026-03-04' })] },
      { rows: [row('a', 10)] },
      { rows: [row('b', 10, { pendingRowId: 'q' })], removed: ['q', 'p'] },
    ],
    [
      ['AUTHORIZATION p 1000 @03-03', 'AUTHORIZATION q 1000 @03-04'],
      ['CLEARING a of p 1000 @03-05'],
      ['CLEARING b of q 1000 @03-05'],
    ],
  ],
  [
    'of two holds the one that went in this update is meant',
    [{ rows: [row('p', 10, PENDING), row('q', 10, PENDING)] }, { rows: [row('a', 12, AUTHORIZED)], removed: ['q'] }],
    [['AUTHORIZATION p 1000 @03-03', 'AUTHORIZATION q 1000 @03-03'], ['CLEARING a of q 1200 @03-05']],
  ],
  [
    'two postings and one hold: the closer amount has it',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('a', 12, AUTHORIZED), row('b', 10, AUTHORIZED)], removed: ['p'] }],
    [
      ['AUTHORIZATION p 1000 @03-03'],
      [
        'AUTHORIZATION authorized:a 1200 @03-03',
        'CLEARING a of authorized:a 1200 @03-05',
        'CLEARING b of p 1000 @03-05',
      ],
    ],
  ],
  [
    'no hold of another card, merchant, currency or day, none that is too old or too far off',
    [
      {
        rows: [
          row('p1', 10, { ...PENDING, accountId: 'other' }),
          row('p2', 10, { ...PENDING, name: 'RED LANTERN', facts: {} }),
          row('p3', 10, { ...PENDING, currency: 'CAD' }),
          row('p4', 10, { pending: true, date: '2026-03-06' }),
          row('p5', 10, { pending: true, date: '2026-02-18' }),
          row('p6', 14, PENDING),
        ],
      },
      { rows: [row('a', 10)], removed: ['p1', 'p2', 'p3', 'p4', 'p6'] },
    ],
    [
      [
        'AUTHORIZATION p1 1000 @03-03',
        'AUTHORIZATION p2 1000 @03-03',
        'AUTHORIZATION p3 1000 @03-03',
        'AUTHORIZATION p4 1000 @03-06',
        'AUTHORIZATION p5 1000 @02-18',
        'AUTHORIZATION p6 1400 @03-03',
      ],
      ['CLEARING a 1000 @03-05'],
    ],
  ],
  [
    'a refund before its purchase waits for it',
    [{ rows: [row('r', -4)] }, { rows: [row('b', 10, { date: '2026-03-06' })] }, { rows: [row('a', 10)] }],
    [
      ['REFUND r 400 @03-05'],
      ['CLEARING b 1000 @03-06'],
      ['CLEARING a 1000 @03-05', 'REVERSAL removed:r of r 400 @03-10', 'REFUND r:0001 of a 400 @03-05'],
    ],
  ],
  [
    'a refund finds its purchase by whatever both say of the merchant',
    [
      {
        rows: [
          row('a', 10, { facts: { ...KETTLE, website: 'www.bluekettle.example' } }),
          row('b', 20, { facts: { ...KETTLE, providerMerchantId: 'M1' } }),
        ],
      },
      {
        rows: [
          row('r', -4, { name: 'BK ONLINE', facts: { website: 'https://bluekettle.example/refunds' } }),
          row('s', -20, { name: 'BK', facts: { providerMerchantId: 'M1' } }),
          row('t', -5, { facts: { ...KETTLE, providerMerchantId: 'M2' } }),
        ],
      },
    ],
    [
      ['CLEARING a 1000 @03-05', 'CLEARING b 2000 @03-05'],
      ['REFUND r of a 400 @03-05', 'REFUND s of b 2000 @03-05', 'REFUND t of a 500 @03-05'],
    ],
  ],
  [
    'a refund that is gone counts until nothing has come in its place',
    [
      { rows: [row('a', 10), row('r', -4)] },
      { removed: ['r'] },
      { rows: [row('r2', -4)] },
      { removed: ['r2'] },
      { expire: true, day: 3 },
      { rows: [row('r2', -4)], day: 4 },
    ],
    [
      ['CLEARING a 1000 @03-05', 'REFUND r of a 400 @03-05'],
      [],
      [],
      [],
      ['REVERSAL removed:r of r 400 @03-13'],
      ['REFUND r2:0001 of a 400 @03-05'],
    ],
  ],
  [
    'what was bought before the card was linked is history',
    [
      {
        rows: [
          row('a', 10, { date: '2025-12-31', authorizedDate: '2025-12-30' }),
          row('b', 10, { date: '2026-01-01' }),
          row('c', 10, { date: '2026-01-02', authorizedDate: '2025-12-31' }),
          row('r', -5, { date: '2025-12-31' }),
        ],
      },
    ],
    [
      [
        'AUTHORIZATION authorized:a 1000 @12-30 history',
        'CLEARING a of authorized:a 1000 @12-31 history',
        'CLEARING b 1000 @01-01',
        'AUTHORIZATION authorized:c 1000 @12-31 history',
        'CLEARING c of authorized:c 1000 @01-02 history',
        'REFUND r 500 @12-31 history',
      ],
    ],
  ],
  ['the same row again', [{ rows: [row('a', 10)] }, { rows: [row('a', 10)] }], [['CLEARING a 1000 @03-05'], []]],
  ['unknown rows that are removed', [{ removed: ['x'] }], [[]]],
  [
    'money that moves without a purchase, or in no currency we know',
    [
      {
        rows: [
          row('a', 10, { category: 'TRANSFER_OUT' }),
          row('b', -10, { category: 'INCOME' }),
          row('c', -10, { category: 'LOAN_PAYMENTS' }),
          row('d', 3, { category: 'BANK_FEES' }),
          row('e', 0),
          row('f', 10, { currency: null }),
          row('g', -5, PENDING),
        ],
      },
    ],
    [[]],
  ],
  [
    'a row that turns out to be no purchase, and is one after all',
    [{ rows: [row('a', 10)] }, { rows: [row('a', 10, { category: 'TRANSFER_OUT' })] }, { rows: [row('a', 10)] }],
    [
      ['CLEARING a 1000 @03-05'],
      ['REVERSAL removed:a of a 1000 @03-10'],
      ['REVERSAL restored:a of removed:a 1000 @03-10'],
    ],
  ],
  [
    'a hold of nothing that grows',
    [{ rows: [row('p', 0, PENDING)] }, { rows: [row('p', 10, PENDING)] }],
    [[], ['AUTHORIZATION p 1000 @03-03']],
  ],
  [
    'a refund in the same update finds its purchase; a larger one than is left finds none',
    [{ rows: [row('r', -4), row('a', 10)] }, { rows: [row('s', -7, { date: '2026-03-06' })] }],
    [['CLEARING a 1000 @03-05', 'REFUND r of a 400 @03-05'], ['REFUND s 700 @03-06']],
  ],
  [
    'a refund that could belong to two purchases belongs to none, unless one has exactly its amount or alone is left',
    [
      { rows: [row('a', 10), row('b', 12)] },
      { rows: [row('r', -3, { date: '2026-03-06' })] },
      { rows: [row('s', -12, { date: '2026-03-06' })] },
    ],
    [
      ['CLEARING a 1000 @03-05', 'CLEARING b 1200 @03-05'],
      ['REFUND r 300 @03-06'],
      ['REFUND s of b 1200 @03-06', 'REVERSAL removed:r of r 300 @03-10', 'REFUND r:0001 of a 300 @03-06'],
    ],
  ],
  [
    'a refund that changes its amount is reversed and recorded again',
    [{ rows: [row('a', 10)] }, { rows: [row('r', -4)] }, { rows: [row('r', -5)] }],
    [
      ['CLEARING a 1000 @03-05'],
      ['REFUND r of a 400 @03-05'],
      ['REVERSAL removed:r of r 400 @03-10', 'REFUND r:0001 of a 500 @03-05'],
    ],
  ],
  [
    'after a new link of the same login, rows under new ids are the old ones',
    [
      { rows: [row('a', 10), row('b', 10), row('p', 20, PENDING)] },
      {
        generation: 2,
        rows: [
          row('a2', 10, { accountId: 'acc-new' }),
          row('b2', 10, { accountId: 'acc-new' }),
          row('c2', 10, { accountId: 'acc-new' }),
          row('p2', 20, { ...AUTHORIZED, accountId: 'acc-new' }),
        ],
      },
      { generation: 2, rows: [row('a2', 11, { accountId: 'acc-new' })], removed: ['b2'] },
    ],
    [
      ['CLEARING a 1000 @03-05', 'CLEARING b 1000 @03-05', 'AUTHORIZATION p 2000 @03-03'],
      ['CLEARING c2 1000 @03-05', 'CLEARING p2 of p 2000 @03-05'],
      ['AMENDMENT a2:0001 of a 1100 @03-05'],
    ],
  ],
]

for (const [what, steps, recorded] of histories) {
  test(`feed: ${what}`, () => {
    const events = play(...steps)
    assert.deepEqual(
      events.map((step) => step.toSorted()),
      recorded.map((step) => step.toSorted()),
    )
  })
}
