import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { permutations } from '../../../../test/support/folding.ts'
import {
  buildEvent,
  buildReports,
  click,
  foldReports,
  foldSale,
  hour,
  type Line,
  NOW,
  parseLines,
  publisher,
} from '../../../../test/support/network-reports.ts'
import { runs } from '../../../../test/support/runs.ts'
import { HOUR_MS } from '../../../platform/calendar.ts'
import type { ReportOfSale as Postback } from '../../../sources/affiliate/index.ts'
import type { SourceEvent } from '../event.ts'
import { foldEvents } from '../fold/fold.ts'
import { toStatements } from './reported-sales.ts'

const STATUSES: readonly Postback['status'][] = ['pending', 'approved', 'rejected', 'amended']
const DAY = '2026-11-01'
const CASES: readonly [name: string, reports: string, left: bigint, clearedOn: string | null][] = [
  ['pending', 'pending 100', 100n, null],
  ['pending, then approved', 'pending 100, approved 100', 100n, DAY],
  ['approved with another amount', 'pending 100, approved 80', 80n, DAY],
  ['pending corrected, then approved', 'pending 100, pending 120, approved 110', 110n, DAY],
  ['approved corrected', 'approved 100, approved 70', 70n, DAY],
  ['corrected back to an earlier amount', 'approved 100, approved 70, approved 100', 100n, DAY],
  ['rejected while pending', 'pending 100, rejected 100', 0n, null],
  ['rejected without an amount', 'pending 100, rejected -', 0n, null],
  ['rejected after approval', 'pending 100, approved 90, rejected -', 0n, DAY],
  ['rejected with a smaller amount', 'approved 200, rejected 30', 0n, DAY],
  ['rejected with a larger amount', 'approved 200, rejected 300', 0n, DAY],
  ['rejected in another currency', 'approved 200, rejected 2 - EUR', 0n, DAY],
  ['approved again after a rejection', 'approved 100, rejected 100, approved 300', 300n, DAY],
  ['rejected before it is approved', 'rejected 100, approved 90', 90n, DAY],
  ['amended while pending', 'pending 100, amended 70', 70n, null],
  ['amended after approval', 'approved 100, amended 70', 70n, DAY],
  ['amended before its approval arrives', 'amended 70, approved 80', 80n, DAY],
  ['amended after rejection', 'pending 100, rejected 100, amended 70', 0n, null],
  ['amended before its rejection arrives', 'amended 70, rejected 100', 0n, null],
  ['amended, rejected and approved again', 'approved 100, rejected -, amended 70, approved 60', 60n, DAY],
  ['amended to zero', 'approved 100, amended 0', 0n, DAY],
  ['amended to zero, then up again', 'approved 100, amended 0, amended 50', 50n, DAY],
  ['amended without an earlier report', 'amended 70', 70n, null],
  ['an item of an order amended', 'approved 100, approved 40 b, amended 10 b', 70n, DAY],
  ['an item amended after its order was rejected', 'approved 60 a, rejected -, amended 40 a', 0n, DAY],
  ['a total amended, then an item rejected', 'approved 10000, amended 6666, rejected 3333 b', 6666n, DAY],
  ['a pending report that arrives late', 'approved 90, pending 100', 90n, DAY],
  ['a pending report that arrives after the rejection', 'approved 90, rejected 90, pending 90', 0n, DAY],
  ['items add up', 'approved 60 a, approved 40 b', 100n, DAY],
  ['one item approved', 'pending 60 a, pending 40 b, approved 60 a', 60n, DAY],
  ['an item corrected', 'approved 60 a, approved 40 b, approved 10 b', 70n, DAY],
  ['an approved item rejected', 'approved 60 a, approved 40 b, rejected - b', 60n, DAY],
  ['a pending item rejected', 'pending 60 a, pending 40 b, rejected 9 b', 60n, null],
  [
    'a pending item rejected after others were approved',
    'pending 60 a, pending 30 b, pending 10 c, approved 60 a, rejected - b',
    60n,
    DAY,
  ],
  ['an approved item rejected while another is pending', 'pending 40 b, approved 60 a, rejected 60 a', 40n, null],
  ['an order and then its items', 'approved 100, approved 60 a, approved 40 b', 100n, DAY],
  ['an item and then its order', 'approved 60 a, approved 100', 100n, DAY],
  ['items whose order is rejected', 'approved 60 a, pending 40 b, rejected -', 0n, DAY],
  [
    'an item approved after its order was rejected',
    'approved 60 a, approved 40 b, rejected -, approved 40 b',
    40n,
    DAY,
  ],
  ['a pending item that arrives after the rejection of its order', 'approved 60 a, rejected -, pending 40 b', 0n, DAY],
  ['all items rejected', 'pending 60 a, approved 40 b, rejected 1 a, rejected 1 b', 0n, DAY],
  ['an item of an approved order rejected', 'pending 60 a, pending 40 b, approved 100, rejected - b', 60n, DAY],
  ['a rejected item that was never reported before', 'approved 100, rejected 40 b', 60n, DAY],
  ['an item rejected before its order is approved', 'rejected 40 b, approved 100', 60n, DAY],
  ['an item of a pending order rejected', 'pending 100, rejected 40 b', 60n, null],
  ['an item rejected and approved again', 'approved 100, rejected 40 b, approved 40 b', 100n, DAY],
  ['an item of an order corrected', 'approved 100, approved 40 b, approved 10 b', 70n, DAY],
  [
    'an order approved again after it and one of its items were rejected',
    'approved 100, rejected 40 b, rejected -, approved 100',
    60n,
    DAY,
  ],
  ['every item of an order rejected', 'approved 100, rejected 60 a, rejected 40 b', 0n, DAY],
  ['an item rejected with more than its order', 'approved 100, rejected 140 b', 0n, DAY],
  ['an item rejected in a different currency than its order', 'approved 100, rejected 40 b EUR', 100n, DAY],
  ['a total lowered by more than the item rejected next', 'approved 10000, approved 6666, rejected 3333 b', 6666n, DAY],
  ['a total lowered by less than the item rejected next', 'approved 10000, approved 6667, rejected 3334 b', 6666n, DAY],
  ['a total lowered by a part of the item rejected next', 'approved 100, approved 80, rejected 30 b', 70n, DAY],
  ['a total lowered by a part of the item rejected before', 'approved 100, rejected 40 b, approved 80', 60n, DAY],
  ['a smaller total approved, then an item rejected', 'pending 150, approved 100, rejected 30 b', 70n, DAY],
  [
    'a total lowered to the sum of its items, then one of them rejected',
    'approved 100, approved 46 a, approved 20 b, approved 66, rejected - b',
    46n,
    DAY,
  ],
  [
    'a total lowered, then a reported item rejected',
    'approved 100, approved 34 a, approved 33 b, approved 33 c, approved 66, rejected - a',
    66n,
    DAY,
  ],
  [
    'a total lowered, then an unreported item rejected',
    'approved 100, approved 33 a, approved 66, rejected 33 c',
    66n,
    DAY,
  ],
  ['a total lowered by a rejected item', 'approved 100, rejected 40 b, approved 60', 60n, DAY],
  ['a total lowered by more than the item rejected before', 'approved 100, rejected 40 b, approved 55', 55n, DAY],
  [
    'a total lowered further, then another item rejected',
    'approved 100, rejected 40 b, approved 60, approved 55, rejected 5 c',
    55n,
    DAY,
  ],
  ['a total lowered by an item that is rejected next', 'approved 100, approved 60, rejected 40 b', 60n, DAY],
  ['a total lowered by the first rejected item', 'approved 100, rejected 40 b, approved 60, rejected 20 c', 40n, DAY],
]

for (const [name, reports, left, clearedOn] of CASES)
  test(`a reported sale: ${name}`, () => {
    const emptyReason = left === 0n ? 'reversed' : null
    assert.deepEqual(foldSale(buildReports(parseLines(reports))), { left, clearedOn, emptyReason })
  })

test('reports with their own times or dates are ordered by them, regardless of arrival order', () => {
  const at = (reported: number): Partial<Postback> => ({ reportedAt: hour(reported) })
  const sold = (hours: number): Partial<Postback> => ({ soldAt: hour(hours) })
  const day = (soldAt: string): Partial<Postback> => ({ soldAt: new Date(soldAt), dateOnly: true })
  const cases: [string, readonly Line[], bigint][] = [
    [
      'approved last',
      [
        ['pending', 9, '', at(0)],
        ['rejected', 9, '', at(1)],
        ['approved', 300, '', at(2)],
      ],
      300n,
    ],
    [
      'rejected last',
      [
        ['approved', 200, '', at(1)],
        ['rejected', 30, '', at(2)],
      ],
      0n,
    ],
    [
      'pending last',
      [
        ['approved', 200, '', at(1)],
        ['pending', 100, '', at(2)],
      ],
      100n,
    ],
    [
      'corrected back',
      [
        ['approved', 9, '', at(1)],
        ['approved', 8, '', at(2)],
        ['approved', 9, '', at(3)],
      ],
      9n,
    ],
    [
      'distinguished by their dates',
      [
        ['approved', 9, '', sold(-2)],
        ['rejected', 9, '', sold(-1)],
      ],
      0n,
    ],
    [
      'distinguished by days',
      [
        ['rejected', 9, '', day('2026-10-30')],
        ['approved', 9, '', day('2026-10-31')],
      ],
      9n,
    ],
  ]
  for (const [name, lines, left] of cases)
    for (const order of permutations(lines)) assert.equal(foldSale(buildReports(order)).left, left, name)
})

test('reports are ordered by receipt if only some have a date', () => {
  const dated = { soldAt: hour(-24) }
  assert.equal(
    foldSale(
      buildReports([
        ['pending', 100],
        ['approved', 90, '', dated],
      ]),
    ).left,
    90n,
  )
  assert.equal(
    foldSale(
      buildReports([
        ['approved', 90, '', dated],
        ['rejected', 90],
      ]),
    ).left,
    0n,
  )
})

test('timed reports fold to the latest state of each item, in any arrival order', () => {
  const line = fc.record({
    status: fc.constantFrom(...STATUSES),
    amount: fc.integer({ min: 1, max: 500 }),
    item: fc.constantFrom('a', 'b', ''),
  })
  const history = fc.array(line, { minLength: 1, maxLength: 8 }).chain((lines) => {
    const timed = lines.map((one, index) => ({ ...one, reportedAt: hour(index - 20) }))
    return fc.tuple(fc.constant(timed), fc.shuffledSubarray(timed, { minLength: timed.length }))
  })
  fc.assert(
    fc.property(history, ([stated, arrived]) => {
      const newest = new Map<string, (typeof stated)[number]>()
      let isOrderRejected = false
      for (const one of stated) {
        const unknown = isOrderRejected ? 'rejected' : 'pending'
        const status = one.status === 'amended' ? (newest.get(one.item)?.status ?? unknown) : one.status
        newest.set(one.item, { ...one, status })
        isOrderRejected ||= one.item === '' && one.status === 'rejected'
        // Rejecting an order rejects each of its items.
        if (one.item === '' && one.status === 'rejected') for (const item of newest.keys()) newest.set(item, one)
      }
      const computeLost = (item: string): number => {
        const own = stated.filter((one) => one.item === item)
        const bought = own.filter(({ status }) => status !== 'rejected')
        const most = Math.max(0, ...(bought.length > 0 ? bought : own).map((one) => one.amount))
        return own.findLast(({ status }) => status !== 'amended')?.status === 'rejected'
          ? most
          : most - (bought.at(-1)?.amount ?? 0)
      }
      const losses = [computeLost('a'), computeLost('b')]
      const lost = losses.reduce((sum, one) => sum + one, 0)
      // A lowered total may already exclude what its items lost.
      if (computeLost('') > 0 && lost > 0) return
      const addUp = (status: string): number => {
        const standing = [...newest].filter(([, one]) => one.status === status)
        const amounts = (isWhole: boolean) =>
          standing.filter(([item]) => (item === '') === isWhole).reduce((sum, [, one]) => sum + one.amount, 0)
        return Math.max(amounts(true) - lost, amounts(false))
      }
      const isRejected = addUp('approved') + addUp('pending') === 0
      const states = stated.filter(({ status }) => status !== 'rejected' && status !== 'amended')
      const wasApproved = [...newest.keys()].some(
        (name) => states.findLast(({ item }) => item === name)?.status === 'approved',
      )
      const reports = buildReports(
        arrived.map(({ status, amount, item, reportedAt }): Line => [status, amount, item, { reportedAt }]),
      )
      if (toStatements(reports, publisher).length === 0) return
      const { amount, refunded, clearedOn, totals } = foldReports(reports)
      const isCleared = isRejected ? wasApproved : addUp('approved') > 0
      assert.equal(Number(amount - refunded), addUp(isCleared ? 'approved' : 'pending'))
      assert.equal(clearedOn !== null, isCleared)
      assert.ok(amount - refunded === 0n || totals.includes(amount - refunded))
    }),
    { numRuns: runs(2_000) },
  )
})

test('an amendment changes the amount but not the state, in any order, with or without times', () => {
  const report = fc.record({ status: fc.constantFrom(...STATUSES), amount: fc.integer({ min: 1, max: 500 }) })
  const sale = fc.tuple(fc.array(report, { minLength: 1, maxLength: 4 }), fc.boolean())
  fc.assert(
    fc.property(sale, ([stated, isTimed]) => {
      const timed = stated.map((one, nth) => ({ ...one, reportedAt: isTimed ? hour(nth - 20) : null }))
      for (const arrived of permutations(timed)) {
        const reports = buildReports(
          arrived.map(({ status, amount, reportedAt }): Line => [status, amount, '', { reportedAt }]),
        )
        // Reports without a time are ordered by receipt, but a pending one is never newer than the others.
        const rank = ({ status }: { readonly status: string }): number => Number(!isTimed && status !== 'pending')
        const ordered = (isTimed ? timed : arrived).toSorted((a, b) => rank(a) - rank(b))
        const state = ordered.findLast(({ status }) => status !== 'amended')?.status ?? 'pending'
        const amount = ordered.findLast(({ status }) => status !== 'rejected')?.amount
        if (amount === undefined) continue
        const { left, clearedOn, emptyReason } = foldSale(reports)
        assert.equal(Number(left), state === 'rejected' ? 0 : amount)
        assert.equal(emptyReason, state === 'rejected' ? 'reversed' : null)
        if (state !== 'rejected') assert.equal(clearedOn !== null, state === 'approved')
      }
    }),
    { numRuns: runs(300) },
  )
})

test('an approved order includes all items except the rejected ones, in any arrival order', () => {
  const item = fc.record({
    amount: fc.integer({ min: 1, max: 100 }),
    state: fc.constantFrom('unreported', 'pending', 'approved', 'rejected', 'rejected while pending'),
  })
  const order = fc.record({
    items: fc.array(item, { minLength: 1, maxLength: 4 }),
    unitemised: fc.nat(50),
    isPendingFirst: fc.boolean(),
    keys: fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
  })
  fc.assert(
    fc.property(order, ({ items, unitemised, isPendingFirst, keys }) => {
      const whole = items.reduce((sum, { amount }) => sum + amount, unitemised)
      const lines = [
        ...(isPendingFirst ? [`pending ${whole}`] : []),
        `approved ${whole}`,
        ...items.flatMap(({ amount, state }, nth) => {
          if (state === 'rejected while pending') return [`pending ${amount} ${nth}`, `rejected - ${nth}`]
          return state === 'unreported' ? [] : [`${state} ${amount} ${nth}`]
        }),
      ]
      const arrived = lines
        .map((line, nth) => ({ line, key: keys[nth] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ line }) => line)
      const lost = items
        .filter(({ state }) => state.startsWith('rejected'))
        .reduce((sum, { amount }) => sum + amount, 0)
      assert.equal(
        Number(foldSale(buildReports(parseLines(arrived.join(', ')))).left),
        whole - lost,
        arrived.join(', '),
      )
    }),
    { numRuns: runs(1_000) },
  )
})

test('items rejected after the total was lowered deduct only what exceeds that reduction', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(amounts, amounts, (totals, items) => {
      const lines = [
        ...totals.map((total) => `approved ${total}`),
        ...items.map((item, nth) => `rejected ${item} ${nth}`),
      ]
      const lost = items.reduce((sum, item) => sum + item, 0)
      const expected = Math.max(0, Math.min(totals.at(-1) ?? 0, Math.max(...totals) - lost))
      assert.equal(Number(foldSale(buildReports(parseLines(lines.join(', ')))).left), expected, lines.join(', '))
    }),
    { numRuns: runs(500) },
  )
})

test('a rejected item appears as a refund of its order', () => {
  for (const reports of [
    'approved 100, rejected 40 b',
    'pending 100, rejected 40 b',
    'approved 60 a, approved 40 b, rejected - b',
  ]) {
    const { amount, refunded } = foldReports(buildReports(parseLines(reports)))
    assert.deepEqual([amount, refunded], [100n, 40n], reports)
  }
})

test('the totals of a sale include every total ever reported', () => {
  const { totals } = foldReports(buildReports(parseLines('pending 100, pending 120, approved 110, rejected -')))
  assert.deepEqual(new Set(totals), new Set([100n, 120n, 110n]))
})

test('a sale clears on approval, and again on a new approval but not on a correction', () => {
  const clearedOn = (...days: readonly (readonly [Postback['status'], day: number])[]) =>
    foldSale(buildReports(days.map(([status, day]): Line => [status, 9, '', { receivedAt: hour(day * 24) }]))).clearedOn
  assert.equal(clearedOn(['pending', 0], ['approved', 2], ['approved', 4]), '2026-11-03')
  assert.equal(clearedOn(['approved', 2], ['rejected', 3], ['approved', 5]), '2026-11-06')
})

test('a pending sale is expected to clear after its lock period, and lapses a month later', () => {
  const reports = buildReports(parseLines('pending 100, pending 90'))
  const at = (days: number) => foldEvents(toStatements(reports, publisher).map(buildEvent), 'UTC', hour(days * 24))
  assert.equal(at(0).clearsOn, '2026-12-16')
  assert.deepEqual(at(0).lapsesAt, hour(75 * 24))
  const reasons = [11, 74.9, 75].map((days) => at(days).emptyReason)
  assert.deepEqual(reasons, [null, null, 'authorization_expired'])
  assert.deepEqual([at(74).wasMade, at(75).wasMade], [true, false])
  const approved = foldReports(
    buildReports([
      ['pending', 9],
      ['approved', 9, '', { receivedAt: hour(100 * 24) }],
    ]),
  )
  assert.deepEqual([approved.clearsOn, approved.lapsesAt, approved.emptyReason], ['2027-02-09', null, null])
})

test('a purchase is dated by its sale or, failing that, by the first report', () => {
  const soldAt = new Date('2026-10-30T00:00:00Z')
  const dated = foldReports(
    buildReports([
      ['pending', 1],
      ['approved', 1, '', { soldAt, dateOnly: true }],
    ]),
  )
  // The day starts in the publisher's time zone.
  const [report] = buildReports([['pending', 1, '', { soldAt, dateOnly: true }]])
  assert.ok(report)
  const inNewYork = foldEvents(toStatements([report], publisher).map(buildEvent), 'America/New_York', NOW)
  assert.deepEqual([dated.authorizedAt, dated.dateOnly], [soldAt, true])
  assert.equal(inNewYork.authorizedAt.toISOString(), '2026-10-30T04:00:00.000Z')
  const undated = foldReports(buildReports(parseLines('pending 1, approved 1')))
  assert.deepEqual([undated.authorizedAt, undated.dateOnly], [hour(0), false])
})

test("a publisher's own events of a sale count in addition to the network's statements", () => {
  const reports = buildReports(parseLines('approved 100, approved 90'))
  const [statement] = toStatements(reports, publisher).map(buildEvent)
  assert.ok(statement)
  const { isFromClick: _, stated: __, ...facts } = statement.facts
  const refund: SourceEvent = { ...statement, externalId: 'r', kind: 'REFUND', amount: 30n, occurredAt: hour(5), facts }
  const { amount, refunded, emptyReason } = foldReports(reports, [refund])
  assert.deepEqual([amount, refunded, emptyReason], [90n, 30n, null])
})

test('statements replace the events that earlier versions derived from reports', () => {
  const reports = buildReports([['approved', 100]])
  const [statement] = toStatements(reports, publisher).map(buildEvent)
  assert.ok(statement)
  const { stated: _, ...facts } = statement.facts
  const older: SourceEvent = { ...statement, externalId: 'net:off_1:1001:clearing', facts }
  assert.equal(foldReports(reports, [older]).amount, 100n)
  assert.equal(foldEvents([older], 'UTC', NOW).amount, 100n)
})

test('a sale that was only ever rejected has no events until it is approved', () => {
  const [rejected, approved] = buildReports(parseLines('rejected -, approved 90'))
  assert.ok(rejected && approved)
  assert.deepEqual(toStatements([rejected], publisher), [])
  assert.deepEqual(
    toStatements([rejected, approved], publisher).map(({ kind, amount, currency }) => [kind, amount, currency]),
    [
      ['REVERSAL', 0n, 'USD'],
      ['CLEARING', 90n, 'USD'],
    ],
  )
  assert.deepEqual(toStatements([{ ...approved, click: null }], publisher), [])
})

test('an item reported both with and without its order belongs to one sale', () => {
  const [ordered, alone] = toStatements(
    buildReports([
      ['approved', 1, 't-9'],
      ['rejected', null, 't-9', { orderId: null }],
    ]),
    publisher,
  )
  assert.deepEqual(
    [ordered, alone].map((event) => [event?.originalExternalId, event?.aliases]),
    [
      ['net:off_1:1001', ['net:t-9']],
      ['net:t-9', ['net:off_1:1001']],
    ],
  )
})

test('every report becomes an event with its own id and joins the purchase', () => {
  const reports = buildReports(parseLines('pending 60 a, pending 40 b, pending 40 b, rejected 5 a'))
  const events = toStatements(reports, publisher)
  assert.equal(new Set(events.map((event) => event.externalId)).size, 4)
  assert.equal(events[0]?.externalId, 'net:off_1:1001:pb0')
  for (const { originalExternalId, source, facts } of events) {
    assert.deepEqual([originalExternalId, source], ['net:off_1:1001', 'AFFILIATE'])
    const { stated, ...rest } = facts
    assert.deepEqual(rest, { offerUid: 'off_1', isFromClick: true, orderId: '1001' })
    assert.ok(stated !== undefined)
  }
})

test('orders at different advertisers and items without an order are separate purchases', () => {
  const names = buildReports([
    ['approved', 1],
    ['approved', 1, undefined, { click: { ...click, offerUid: 'off_2' } }],
    ['approved', 1, 't-9', { orderId: null }],
  ]).flatMap((report) => toStatements([report], publisher).map((event) => event.originalExternalId))
  assert.deepEqual(names, ['net:off_1:1001', 'net:off_2:1001', 'net:t-9'])
})

test('a report without a time is dated by its receipt on the sandbox clock', () => {
  const ahead = { ...publisher, clockOffsetMs: 24 * HOUR_MS }
  const occurredAt = (more: Partial<Postback>) =>
    toStatements(buildReports([['pending', 1, '', more]]), ahead)[0]?.occurredAt
  assert.deepEqual(occurredAt({}), hour(24))
  assert.deepEqual(occurredAt({ reportedAt: hour(-3) }), hour(-3))
})
