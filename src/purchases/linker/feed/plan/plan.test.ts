import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedStep, KETTLE, play, providerRow as row } from '../../../../../test/support/feed-plan.ts'

const PENDING = { pending: true, date: '2026-03-03' }
const AUTHORIZED = { authorizedDate: '2026-03-03' }

const histories: readonly [what: string, steps: readonly FeedStep[], recorded: readonly (readonly string[])[]][] = [
  ['a posted purchase is a clearing', [{ rows: [row('a', 10)] }], [['CLEARING a 1000 @03-05']]],
  [
    'a purchase without a pending row that posts on a later day gets an authorization first',
    [{ rows: [row('a', 10, AUTHORIZED)] }],
    [['AUTHORIZATION authorized:a 1000 @03-03', 'CLEARING a of authorized:a 1000 @03-05']],
  ],
  [
    'a hold changes, posts with a tip and is corrected',
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
    'the pending row is removed in an update after its posting',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('a', 10, { pendingRowId: 'p' })] }, { removed: ['p'] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1000 @03-05'], []],
  ],
  [
    'the pending row is removed in an update before its posting',
    [{ rows: [row('p', 10, PENDING)] }, { removed: ['p'] }, { rows: [row('a', 10, { pendingRowId: 'p' })] }],
    [['AUTHORIZATION p 1000 @03-03'], [], ['CLEARING a of p 1000 @03-05']],
  ],
  [
    'a pending row posts under its own id',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('p', 10)] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING p:0001 of p 1000 @03-05']],
  ],
  [
    'a row that is removed, restored and removed again changes nothing yet',
    [{ rows: [row('a', 10)] }, { removed: ['a'] }, { rows: [row('a', 10)] }, { removed: ['a'] }],
    [['CLEARING a 1000 @03-05'], [], [], []],
  ],
  [
    'a row is reversed three days after its removal and restored when it returns',
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
    'closing an account reverses its holds and keeps its purchases and refunds',
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
    'a removed row may return under another id in the same update, later, or after its reversal',
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
    'a removed row is not continued by another purchase at the same merchant',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 14), row('c', 10, { date: '2026-03-06' })], removed: ['a'] }],
    [['CLEARING a 1000 @03-05'], ['CLEARING b 1400 @03-05', 'CLEARING c 1000 @03-06']],
  ],
  [
    'a removed row is continued by the new row with the closer amount',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 12), row('c', 9.5)], removed: ['a'] }],
    [['CLEARING a 1000 @03-05'], ['CLEARING b 1200 @03-05', 'AMENDMENT c:0001 of a 950 @03-05']],
  ],
  [
    'a correction under another id continues the purchase even if a hold of that amount also goes',
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
    'a row that returns in the update that posts its hold makes two purchases',
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
    'a row that returns next to its replacement makes two purchases',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 10)], removed: ['a'] }, { rows: [row('a', 10)] }],
    [['CLEARING a 1000 @03-05'], [], ['CLEARING a:0001 1000 @03-05']],
  ],
  [
    'a replaced row may return under its old id',
    [{ rows: [row('a', 10)] }, { rows: [row('b', 10)], removed: ['a'] }, { rows: [row('a', 10)], removed: ['b'] }],
    [['CLEARING a 1000 @03-05'], [], []],
  ],
  [
    'cards and rows stay the same when all ids of a login change',
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
    'a card that is linked again keeps its earlier purchases under new ids',
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
    'rows stay the same when all ids change, even if the old ones are removed later',
    [
      { rows: [row('a', 10), row('b', 10)] },
      { rows: [row('a2', 10, { accountId: 'acc-new' }), row('b2', 10, { accountId: 'acc-new' })] },
      { removed: ['a', 'b'] },
    ],
    [['CLEARING a 1000 @03-05', 'CLEARING b 1000 @03-05'], [], []],
  ],
  [
    'a posting that names no hold finds it',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('a', 12, AUTHORIZED)], removed: ['p'] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1200 @03-05']],
  ],
  [
    'a posting finds a hold that was removed earlier',
    [{ rows: [row('p', 10, PENDING)] }, { removed: ['p'] }, { rows: [row('a', 12, AUTHORIZED)], day: 2 }],
    [['AUTHORIZATION p 1000 @03-03'], [], ['CLEARING a of p 1200 @03-05']],
  ],
  [
    'a posting finds a hold that is still shown, and its later removal changes nothing',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 12, AUTHORIZED)] },
      { rows: [row('p', 10.5, PENDING)] },
      { removed: ['p'] },
    ],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1200 @03-05'], [], []],
  ],
  [
    'a hold without a posting is reversed when it lapses, and a late posting still counts',
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
    'a lapsed hold is reversed as soon as it is removed, and counts again if it returns',
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
    'the second posting that names a hold is a separate purchase',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 10, { pendingRowId: 'p' }), row('b', 10, { pendingRowId: 'p' })], removed: ['p'] },
    ],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1000 @03-05', 'CLEARING b 1000 @03-05']],
  ],
  [
    'a posting that names a hold already taken is a separate purchase',
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
    'a posting may be replaced by another that names the same hold',
    [
      { rows: [row('p', 10, PENDING)] },
      { rows: [row('a', 10, { pendingRowId: 'p' })], removed: ['p'] },
      { rows: [row('b', 12, { pendingRowId: 'p' })], removed: ['a'] },
    ],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING a of p 1000 @03-05'], ['AMENDMENT b:0001 of a 1200 @03-05']],
  ],
  [
    'a posting may name a hold that appears later',
    [{ rows: [row('a', 12, { pendingRowId: 'p' })] }, { rows: [row('p', 10, PENDING)] }, { removed: ['p'] }],
    [['CLEARING a of p 1200 @03-05'], [], []],
  ],
  [
    'of two identical holds, the older is taken and the other waits for its posting',
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
    'of two holds, the one removed in this update is taken',
    [{ rows: [row('p', 10, PENDING), row('q', 10, PENDING)] }, { rows: [row('a', 12, AUTHORIZED)], removed: ['q'] }],
    [['AUTHORIZATION p 1000 @03-03', 'AUTHORIZATION q 1000 @03-03'], ['CLEARING a of q 1200 @03-05']],
  ],
  [
    'of two postings, the one with the closer amount takes the hold',
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
    'no hold fits if its card, merchant, currency, day or amount differs, or it is too old',
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
    'a refund waits for a purchase that arrives later',
    [{ rows: [row('r', -4)] }, { rows: [row('b', 10, { date: '2026-03-06' })] }, { rows: [row('a', 10)] }],
    [
      ['REFUND r 400 @03-05'],
      ['CLEARING b 1000 @03-06'],
      ['CLEARING a 1000 @03-05', 'REVERSAL removed:r of r 400 @03-10', 'REFUND r:0001 of a 400 @03-05'],
    ],
  ],
  [
    'a refund finds its purchase by any merchant detail they share',
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
    'a removed refund stays in effect until its deadline passes without a replacement',
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
    'purchases from before the card was linked are history',
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
  [
    'an unchanged row is recorded once',
    [{ rows: [row('a', 10)] }, { rows: [row('a', 10)] }],
    [['CLEARING a 1000 @03-05'], []],
  ],
  ['removing an unknown row changes nothing', [{ removed: ['x'] }], [[]]],
  [
    'transfers, fees, zero amounts, unknown currencies and pending refunds are ignored',
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
    'a purchase recategorized as a transfer is reversed, and restored if it changes back',
    [{ rows: [row('a', 10)] }, { rows: [row('a', 10, { category: 'TRANSFER_OUT' })] }, { rows: [row('a', 10)] }],
    [
      ['CLEARING a 1000 @03-05'],
      ['REVERSAL removed:a of a 1000 @03-10'],
      ['REVERSAL restored:a of removed:a 1000 @03-10'],
    ],
  ],
  [
    'a hold of zero counts once its amount grows',
    [{ rows: [row('p', 0, PENDING)] }, { rows: [row('p', 10, PENDING)] }],
    [[], ['AUTHORIZATION p 1000 @03-03']],
  ],
  [
    'a refund finds its purchase in the same update, unless it exceeds what is left',
    [{ rows: [row('r', -4), row('a', 10)] }, { rows: [row('s', -7, { date: '2026-03-06' })] }],
    [['CLEARING a 1000 @03-05', 'REFUND r of a 400 @03-05'], ['REFUND s 700 @03-06']],
  ],
  [
    'an ambiguous refund waits until one purchase has its exact amount or is the only one left',
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
    'a refund whose amount changes is reversed and recorded again',
    [{ rows: [row('a', 10)] }, { rows: [row('r', -4)] }, { rows: [row('r', -5)] }],
    [
      ['CLEARING a 1000 @03-05'],
      ['REFUND r of a 400 @03-05'],
      ['REVERSAL removed:r of r 400 @03-10', 'REFUND r:0001 of a 500 @03-05'],
    ],
  ],
  [
    'rows keep their identity under new ids after the same login is linked again',
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
