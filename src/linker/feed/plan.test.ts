import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardId } from '../../cards/index.ts'
import type { UserId } from '../../platform/ids.ts'
import type { ProviderRow } from '../provider.ts'
import { type Ground, planUpdate } from './plan.ts'
import { readRow } from './reading.ts'
import type { FeedRow } from './rows.ts'

const CARD = 'c0000000-0000-7000-8000-000000000001' as CardId
const NOW = new Date('2026-03-10T12:00:00Z')

function row(rowId: string, amount: number, rest: Partial<ProviderRow> = {}): ProviderRow {
  return {
    rowId,
    accountId: 'acc',
    amount,
    currency: 'USD',
    pending: false,
    pendingRowId: null,
    date: '2026-03-05',
    datetime: null,
    authorizedDate: null,
    authorizedDatetime: null,
    name: 'BLUE KETTLE 77',
    originalDescription: null,
    merchantName: 'Blue Kettle',
    merchantId: null,
    website: null,
    mcc: null,
    category: 'FOOD_AND_DRINK',
    location: {
      storeNumber: null,
      street: null,
      city: null,
      state: null,
      zipCode: null,
      latitude: null,
      longitude: null,
    },
    ...rest,
  }
}

type Step = {
  readonly rows?: readonly ProviderRow[]
  readonly removed?: readonly string[]
  readonly generation?: number
}

/** Plays updates one after another, as the database would keep them; answers what each hands over. */
function play(...steps: readonly Step[]): string[][] {
  const stored = new Map<string, FeedRow>()
  return steps.map(({ rows = [], removed = [], generation = 1 }) => {
    const all = [...stored.values()]
    const taken = new Set(all.filter((one) => one.generation === generation).map((one) => one.externalId))
    const ground: Ground = {
      userId: 'u' as UserId,
      timeZone: 'UTC',
      now: NOW,
      generation,
      cardOfAccount: new Map([
        ['acc', CARD],
        ['acc-new', CARD],
      ]),
      known: all,
      older: all.filter(
        (one) =>
          one.generation < generation && !one.superseded && !one.removed && one.handedAs && !taken.has(one.externalId),
      ),
      purchases: all,
    }
    const plan = planUpdate(ground, { rows, removed })
    for (const one of plan.rows) stored.set(one.rowId, one)
    return plan.events.map(
      ({ kind, externalId, originalExternalId, amount, occurredAt }) =>
        `${kind} ${externalId}${originalExternalId === null ? '' : ` of ${originalExternalId}`} ${amount} @${occurredAt?.toISOString().slice(5, 10)}`,
    )
  })
}

const PENDING = { pending: true, date: '2026-03-03' }
const AUTHORIZED = { authorizedDate: '2026-03-03' }

const histories: readonly [what: string, steps: readonly Step[], told: readonly (readonly string[])[]][] = [
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
    [['AUTHORIZATION p 1000 @03-03'], ['REVERSAL removed:p of p 1000 @03-03'], ['CLEARING a of p 1000 @03-05']],
  ],
  [
    'a pending row posts under its own id',
    [{ rows: [row('p', 10, PENDING)] }, { rows: [row('p', 10)] }],
    [['AUTHORIZATION p 1000 @03-03'], ['CLEARING p:0001 of p 1000 @03-05']],
  ],
  [
    'removed, brought back, removed again',
    [{ rows: [row('a', 10)] }, { removed: ['a'] }, { rows: [row('a', 10)] }, { removed: ['a'] }],
    [
      ['CLEARING a 1000 @03-05'],
      ['REVERSAL removed:a of a 1000 @03-10'],
      ['CLEARING a:0001 of a 1000 @03-05'],
      ['REVERSAL removed:a:0001 of a 1000 @03-10'],
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
    [['CLEARING a 1000 @03-05'], ['REVERSAL removed:a of a 1000 @03-10'], ['CLEARING a:0001 of a 1000 @03-05']],
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
    'a refund that could belong to two purchases belongs to none, unless one has exactly its amount',
    [
      { rows: [row('a', 10), row('b', 12)] },
      { rows: [row('r', -3, { date: '2026-03-06' }), row('s', -12, { date: '2026-03-06' })] },
    ],
    [
      ['CLEARING a 1000 @03-05', 'CLEARING b 1200 @03-05'],
      ['REFUND r 300 @03-06', 'REFUND s of b 1200 @03-06'],
    ],
  ],
  [
    'a refund that changes its amount is taken back and told anew',
    [{ rows: [row('a', 10)] }, { rows: [row('r', -4)] }, { rows: [row('r', -5)] }],
    [
      ['CLEARING a 1000 @03-05'],
      ['REFUND r of a 400 @03-05'],
      ['REVERSAL removed:r of r 400 @03-10', 'REFUND r:0001 of r 500 @03-05'],
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
      ['AMENDMENT a2:0001 of a 1100 @03-05', 'REVERSAL removed:b2 of b 1000 @03-10'],
    ],
  ],
]

for (const [what, steps, told] of histories) {
  test(`feed: ${what}`, () => {
    const events = play(...steps)
    assert.deepEqual(
      events.map((step) => step.toSorted()),
      told.map((step) => step.toSorted()),
    )
  })
}

test('a clearing of the same day comes after its authorization, so that it counts whatever amended the hold', () => {
  const at = (rows: readonly ProviderRow[], known: readonly FeedRow[]) => {
    const ground = { userId: 'u' as UserId, timeZone: 'UTC', now: NOW, generation: 1, older: [], purchases: [] }
    return planUpdate({ ...ground, cardOfAccount: new Map(), known }, { rows, removed: [] })
  }
  const hold = row('p', 10, { pending: true, datetime: '2026-03-05T15:00:00Z' })
  const held = at([hold], [])
  const posted = at([row('a', 12, { pendingRowId: 'p' })], held.rows)
  assert.equal(held.events[0]?.occurredAt?.toISOString(), '2026-03-05T15:00:00.000Z')
  assert.equal(posted.events[0]?.occurredAt?.toISOString(), '2026-03-05T15:00:00.001Z')
})

test('the time of a purchase is that of its authorization; midnight and posting times say only a day', () => {
  const moment = (rest: Partial<ProviderRow>, zone = 'UTC') => {
    const { at, dateOnly } = readRow(row('a', 1, rest), zone).bought
    return `${at.toISOString()}${dateOnly ? ' day' : ''}`
  }
  const cases: readonly [Partial<ProviderRow>, string][] = [
    [{ authorizedDatetime: '2026-03-03T10:00:00Z', datetime: '2026-03-05T01:00:00Z' }, '2026-03-03T10:00:00.000Z'],
    [{ datetime: '2026-03-05T09:30:00Z' }, '2026-03-05T09:30:00.000Z'],
    [{ datetime: '2026-03-05T09:30:00Z', authorizedDate: '2026-03-04' }, '2026-03-04T00:00:00.000Z day'],
    [{ datetime: '2026-03-05T00:00:00Z' }, '2026-03-05T00:00:00.000Z day'],
    [{ authorizedDate: '2026-03-04' }, '2026-03-04T00:00:00.000Z day'],
    [{}, '2026-03-05T00:00:00.000Z day'],
  ]
  for (const [rest, expected] of cases) assert.equal(moment(rest), expected)
  assert.equal(moment({}, 'America/New_York'), '2026-03-05T05:00:00.000Z day')
})

test('amounts are exact to the cent, also where the provider sends rounding noise', () => {
  for (const [amount, minor] of [
    [0.1 + 0.2, 30n],
    [19.99, 1999n],
    [1.005, 100n],
    [-12.340000000000002, 1234n],
  ] as const)
    assert.equal(readRow(row('a', amount), 'UTC').amount, minor)
  assert.equal(readRow(row('a', 1200, { currency: 'JPY' }), 'UTC').amount, 1200n)
})
