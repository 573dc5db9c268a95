import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  budgeted,
  budgetHold,
  formerly,
  frozen,
  type Given,
  loaded,
  makeUse,
  offer,
  once,
  paying,
  play,
  replayPairs,
  replayWith,
  second,
  shown,
} from '../../../../test/support/replayed.ts'
import type { Hold } from '../../../catalog/allowances/index.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'
import type { Restored } from '../load/load.ts'
import type { ReplayInput } from './replay-input.ts'

test('the first purchase gets the use, regardless of input order', () => {
  const [a, b] = [
    { id: 'a', hour: 1 },
    { id: 'b', hour: 2 },
  ]
  const expected = { a: 'once 1000', b: 'second 500' }
  for (const order of [
    [a, b],
    [b, a],
  ])
    assert.deepEqual(shown(play(order)), expected)
})

test('a replay can be paused after each purchase', () => {
  const given = ['a', 'b', 'c'].map((id, hour) => ({ id, hour }))
  assert.deepEqual(replayWith(given, {}).toArray(), [undefined, undefined, undefined])
})

test('uses are counted separately for each user', () => {
  assert.deepEqual(shown(play([{ id: 'a' }, { id: 'b', user: 'other' }])), { a: 'once 1000', b: 'once 1000' })
})

test('a purchase yields its use to an earlier one and gets the next best offer', () => {
  const later = { id: 'b', hour: 2, has: once, status: 'PENDING' } as const
  const outcomes = play([{ id: 'a', hour: 1 }, later], { holds: [makeUse('b')] })
  assert.deepEqual(shown(outcomes), { a: 'once 1000', b: 'second 500' })
})

test('a matured purchase does not yield its use to an earlier one', () => {
  const matured = { id: 'b', hour: 2, has: once, status: 'EARNED', isFixed: true } as const
  const outcomes = play([{ id: 'a', hour: 1 }, matured], { holds: [makeUse('b')] })
  assert.deepEqual(shown(outcomes), { a: 'second 500', b: 'once 1000' })
  assert.equal(outcomes.get('b')?.judgement, null)
})

test('a fully refunded matured purchase frees its use', () => {
  const matured = { id: 'a', amount: 0n, has: once, status: 'EARNED', isFixed: true } as const
  assert.deepEqual(shown(play([matured, { id: 'b', hour: 2 }], { holds: [makeUse('a')] }))['b'], 'once 1000')
})

test('fixed terms pay nothing if another purchase holds the use', () => {
  const fixed = { id: 'a', hour: 2, has: once, isFixed: true } as const
  const outcomes = play([fixed, { id: 'b', hour: 1 }], {})
  assert.deepEqual(shown(outcomes), { b: 'once 1000', a: 'offer_already_used' })
  assert.equal(outcomes.get('a')?.ruling.terms?.offerUid, 'once')
})

test('merged purchases and refunds without a purchase are not judged', () => {
  const gone = play(
    [
      { id: 'a', has: once, status: 'PENDING', isGone: true },
      { id: 'b', hour: 2 },
    ],
    { holds: [makeUse('a')] },
  )
  assert.deepEqual(shown(gone), { a: 'merged', b: 'once 1000' })
  const orphan = play([{ id: 'a', kind: 'REFUND' }]).get('a')
  assert.deepEqual([orphan?.owed.reason, orphan?.judgement], ['original_unknown', null])
})

test('purchases from before the card was linked earn nothing and use no allowance', () => {
  const outcomes = play([
    { id: 'a', facts: { isHistory: true } },
    { id: 'b', hour: 2 },
  ])
  assert.deepEqual(shown(outcomes), { a: 'before_card_linked', b: 'once 1000' })
  assert.equal(outcomes.get('a')?.ruling.terms, null)
})

test('frozen terms keep their split, and another version of the offer has its own split', () => {
  const terms = { ...frozen(second, loaded({ id: 'x' }).folded as never), feePpm: 0 }
  const [kept] = play([{ id: 'a', has: terms, status: 'PENDING' }], { offers: [second] }).values()
  assert.equal(kept?.ruling.terms, terms)
  assert.equal(kept.owed.amounts.fee, 0n)
  const [next] = play([{ id: 'a', has: terms, status: 'PENDING' }], { offers: [{ ...second, version: 2 }] }).values()
  assert.deepEqual([next?.ruling.terms?.offerVersion, next?.owed.amounts.fee], [2, 50n])
})

test('frozen terms follow the kind of customer, new or returning', () => {
  const groups = [paying(100_000, { customer: 'new' }), paying(20_000, { customer: 'returning' })]
  const kinds = offer({ offerUid: 'kinds', groups })
  const known = { id: 'b', hour: 2, has: kinds, status: 'PENDING' } as const
  const outcomes = play([{ id: 'a', hour: 1 }, known], { offers: [kinds] })
  assert.deepEqual(shown(outcomes), { a: 'kinds 1000', b: 'kinds 200' })
  assert.deepEqual(outcomes.get('b')?.ruling.terms?.customer?.kinds, ['returning'])
  const fixed = play(
    [
      { id: 'a', hour: 1 },
      { ...known, isFixed: true },
    ],
    { offers: [kinds] },
  )
  assert.deepEqual(shown(fixed), { a: 'kinds 1000', b: 'kinds 200' })
  const matured = { ...known, isFixed: true, status: 'EARNED' } as const
  assert.deepEqual(shown(play([{ id: 'a', hour: 1 }, matured], { offers: [kinds] }))['b'], 'kinds 1000')
})

test('fixed terms and groups for new customers pay nothing to other customers', () => {
  const fresh = offer({ offerUid: 'fresh', newCustomerOnly: true })
  const onlyNew = offer({ offerUid: 'only', groups: [paying(100_000, { customer: 'new' })] })
  for (const [of, reason] of [
    [fresh, 'not_a_new_customer'],
    [onlyNew, 'no_commission_group'],
  ] as const) {
    const fixed = { id: 'b', hour: 2, has: of, isFixed: true } as const
    assert.equal(shown(play([{ id: 'a', hour: 1 }, fixed], { offers: [of] }))['b'], reason)
    assert.equal(shown(play([fixed], { offers: [of] }))['b'], `${of.offerUid} 1000`)
  }
  const small = offer({ offerUid: 'small', groups: [paying(100_000, { minAmount: 50_000n })] })
  assert.equal(shown(play([{ id: 'a', has: small, isFixed: true }], { offers: [small] }))['a'], 'no_commission_group')
})

test('an offer no longer carried is judged only if it was promised, and never in a re-match', () => {
  const uncarried = ['once']
  assert.equal(shown(play([{ id: 'a' }], { uncarried }))['a'], 'second 500')
  const promised = { id: 'a', has: once, status: 'PENDING' } as const
  assert.equal(shown(play([promised], { uncarried }))['a'], 'once 1000')
  assert.equal(shown(play([{ ...promised, redecided: 'rematch' }], { uncarried }))['a'], 'second 500')
  const clicked = { id: 'a', facts: { offerUid: 'once', isFromClick: true } } as const
  assert.equal(shown(play([clicked], { uncarried }))['a'], 'once 1000')
  assert.equal(shown(play([{ ...clicked, redecided: 'rematch' }], { uncarried }))['a'], 'no_offer')
})

test('a user limit caps the reward of the last purchase within it, and the next one earns nothing', () => {
  const conditions = { ...noConditions, userLimits: [{ period: 'LIFETIME', uses: null, reward: 1_000n } as const] }
  const outcomes = play(
    [1, 2, 3].map((hour) => ({ id: `p${hour}`, hour })),
    { offers: [offer({ conditions })] },
  )
  assert.deepEqual(
    [...outcomes.values()].map(({ owed, ruling }) => [owed.amounts.user, ruling.bound?.reason ?? owed.reason]),
    [
      [700n, null],
      [300n, 'user_limit_reached'],
      [0n, 'user_limit_reached'],
    ],
  )
})

test('a declined purchase takes no allowance and has no bound', () => {
  const outcomes = play([
    { id: 'a', kind: 'AUTHORIZATION', amount: 0n },
    { id: 'b', hour: 2 },
  ])
  assert.deepEqual([outcomes.get('a')?.ruling.bound, shown(outcomes)['b']], [undefined, 'once 1000'])
})

const sale = offer({ offerUid: 'sale', offerType: 'AFFILIATE', groups: [paying(50_000)] })
const both: readonly Given[] = [
  { id: 'card', hour: 1 },
  { id: 'affiliate', hour: 2, source: 'AFFILIATE' },
]

test('only the preferred one of two reports is paid, unless the policy is BOTH', () => {
  const offers = [second, sale]
  const cases = [
    [
      { policy: 'AFFILIATE', preferred: 'AFFILIATE' },
      { card: 'stacked', affiliate: 'sale 500' },
    ],
    [
      { policy: 'CARD', preferred: 'CARD' },
      { card: 'second 500', affiliate: 'stacked' },
    ],
    [
      { policy: 'BOTH', preferred: 'AFFILIATE' },
      { card: 'second 500', affiliate: 'sale 500' },
    ],
  ] as const
  for (const [pair, expected] of cases) assert.deepEqual({ ...shown(play(both, { offers, pair })) }, expected)
  const lost = play(both, { offers, pair: cases[0][0] }).get('card')
  assert.equal(lost?.ruling.terms?.offerUid, 'second', 'the terms that it would have had are shown')
})

test('the other report is paid if the preferred one earns nothing', () => {
  const pair = { policy: 'AFFILIATE', preferred: 'AFFILIATE' } as const
  const outcomes = play(both, { offers: [second], pair })
  assert.deepEqual(shown(outcomes), { affiliate: 'source_not_eligible', card: 'second 500' })
})

test('an unpaid report is stacked regardless of its offer, and an undo restores its earlier reason', () => {
  const pair = { policy: 'AFFILIATE', preferred: 'AFFILIATE' } as const
  assert.equal(shown(play(both, { offers: [sale], pair }))['card'], 'stacked')
  const [card, affiliate] = both as readonly [Given, Given]
  const undone = play([{ ...card, redecided: formerly(null, 0n) }, affiliate], { offers: [sale], pair })
  assert.deepEqual(shown(undone), { affiliate: 'sale 500', card: 'no_offer' })
  const user: Given = { id: 'next', hour: 3, has: once, status: 'EARNED', isFixed: true }
  const unpaid = { ...card, redecided: formerly(once, 0n, 'stacked') }
  const setting = { offers: [once, sale], pair, holds: [makeUse('next')] }
  assert.equal(shown(play([unpaid, affiliate, user], setting))['card'], 'stacked')
})

test('an unpaid report does not take a use of its offer', () => {
  const pair = { policy: 'AFFILIATE', preferred: 'AFFILIATE' } as const
  const outcomes = play([...both, { id: 'next', hour: 3 }], { offers: [once, sale], pair })
  assert.deepEqual(shown(outcomes), { affiliate: 'sale 500', card: 'stacked', next: 'once 1000' })
})

test("an undo never restores more than a purchase's former reward, and refused purchases stay refused", () => {
  const conditions = { ...noConditions, userLimits: [{ period: 'LIFETIME', uses: 9, reward: null } as const] }
  const limited = offer({ offerUid: 'limited', conditions })
  const terms = frozen(limited, loaded({ id: 'x' }).folded as never)
  const restore = (restored: Partial<Restored>, given: Partial<Given> = {}) =>
    play([{ id: 'a', has: terms, ...given }], {
      offers: [limited],
      restored: { a: { terms, reason: null, gross: 1_000n, bound: null, ...restored } },
    }).get('a')
  assert.deepEqual([restore({})?.owed.amounts.gross, restore({})?.judgement], [1_000n, null])
  assert.deepEqual(restore({ gross: 300n })?.ruling.bound, { gross: 300n, reason: 'user_limit_reached' })
  const bound = { gross: 200n, reason: 'user_limit_reached' } as const
  assert.deepEqual(restore({ bound })?.ruling.bound, bound)
  assert.deepEqual(restore({ gross: 0n, reason: 'user_limit_reached' })?.owed.reason, 'user_limit_reached')
  assert.deepEqual(restore({ gross: 0n, reason: 'budget_exhausted' })?.owed.reason, 'budget_exhausted')
  assert.deepEqual(restore({ gross: 0n, reason: 'stacked' })?.owed.amounts.gross, 1_000n, 'its pair is gone')
  assert.deepEqual(restore({ gross: 0n, reason: null })?.owed.reason, 'adjusted', 'it had matured')
  assert.deepEqual(restore({ gross: 0n, reason: 'refunded' })?.owed.amounts.gross, 1_000n, 'it has come back since')
  assert.deepEqual(restore({ terms: null, gross: 0n, reason: 'no_offer' })?.ruling, { terms: null, reason: 'no_offer' })
})

test('a re-match that corrects nothing moves no use, and an undo returns a use to its former purchase', () => {
  const matured = { id: 'b', hour: 2, has: once, status: 'EARNED' } as const
  const holds = [makeUse('b')]
  const rematched = play([{ id: 'a' }, { ...matured, redecided: 'rematch' }, { id: 'c', hour: 3 }], { holds })
  assert.deepEqual(shown(rematched), { a: 'second 500', b: 'once 1000', c: 'second 500' })
  // The first purchase has not matured yet.
  const slow = { id: 'a', has: once, status: 'PENDING', redecided: 'rematch' } as const
  const paid = play([slow, { ...matured, has: second, redecided: 'rematch' }], { holds: [makeUse('a')] })
  assert.deepEqual(shown(paid), { a: 'once 1000', b: 'second 500' })
  const undone = play(
    [
      { id: 'a', isFixed: true, redecided: formerly(once, 1_000n) },
      { ...matured, isFixed: true, redecided: formerly(second, 500n) },
    ],
    { holds },
  )
  assert.deepEqual(shown(undone), { a: 'once 1000', b: 'second 500' })
})

test('a re-match ignores what the matured purchases held before it', () => {
  const rematched = (offers: readonly Offer[], given: readonly Given[], holds: readonly Hold[]) =>
    play(
      given.map((one): Given => ({ status: 'EARNED', has: second, ...one, redecided: 'rematch' })),
      { offers, holds },
    )
  // A later purchase that loses its use of the offer in the same re-match is no reason to refuse the first.
  const forNew = { ...once, newCustomerOnly: true }
  for (const [a, b] of [[once, second] as const, [second, once] as const]) {
    const holds = [makeUse(a === once ? 'a' : 'b')]
    const outcomes = rematched(
      [forNew],
      [
        { id: 'a', has: a },
        { id: 'b', hour: 2, has: b },
      ],
      holds,
    )
    assert.deepEqual(shown(outcomes), { a: 'once 1000', b: 'offer_already_used' })
  }
})

test('matured purchases can take over uses from one another in a chain during a re-match', () => {
  const large = { ...once, minSpend: 10_000n }
  const small = { ...second, oneTimeUse: true, minSpend: 6_000n }
  const given = [
    { id: 'a', amount: 8_000n },
    { id: 'b', hour: 2, has: small, status: 'EARNED', redecided: 'rematch' },
    { id: 'c', hour: 3, amount: 5_000n, has: once, status: 'EARNED', redecided: 'rematch' },
  ] as const
  const outcomes = play(given, { offers: [large, small], holds: [makeUse('b', 'second'), makeUse('c')] })
  assert.deepEqual(shown(outcomes), { a: 'second 400', b: 'once 1000', c: 'below_min_spend' })
})

test("an undo can take a reward from one user to restore another's", () => {
  const setting = { offers: [budgeted], unspent: 0n, holds: [budgetHold('b', 1_000n, 'two')] }
  const a = { id: 'a', user: 'one' }
  const b = { id: 'b', user: 'two', hour: 2, has: budgeted, status: 'PENDING' } as const
  const restored = { ...a, isFixed: true, redecided: formerly(budgeted, 1_000n) }
  const undone = play([restored, { ...b, isFixed: true, redecided: formerly(null, 0n) }], setting)
  assert.deepEqual(shown(undone), { a: 'budgeted 1000', b: 'no_offer' })
  assert.deepEqual(shown(play([a, b], setting)), { a: 'budget_exhausted', b: 'budgeted 1000' })
  // Until its own turn, a matured purchase keeps at most what it had.
  const raised = {
    ...b,
    amount: 20_000n,
    status: 'EARNED',
    isFixed: true,
    redecided: formerly(budgeted, 1_000n),
  } as const
  const lowered = play([restored, raised], { ...setting, holds: [budgetHold('b', 2_000n, 'two')] })
  assert.deepEqual(shown(lowered), { a: 'budgeted 1000', b: 'budgeted 1000' })
})

test('a pool code can be used by only one purchase', () => {
  const pool = offer({
    offerUid: 'pool',
    offerType: 'VOUCHER_CODE',
    conditions: { ...noConditions, uniqueCodes: true },
  })
  const code = {
    codeId: 'c',
    offerUid: 'pool',
    environment: 'sandbox',
    publisherId: null,
    userId: 'user',
    expiresOn: 'infinity',
  }
  const facts = { voucherCodeId: 'c' }
  const outcomes = play(
    [
      { id: 'a', facts },
      { id: 'b', hour: 2, facts },
      { id: 'c', hour: 3, facts: { voucherCode: 'X' } },
    ],
    { offers: [pool], codes: [code as unknown as ReplayInput['allowances']['codes'][number]] },
  )
  assert.deepEqual(shown(outcomes), { a: 'pool 1000', b: 'voucher_code_used', c: 'voucher_code_mismatch' })
})

test('a budget pays a purchase in full or not at all, and never refuses a reward it already pays', () => {
  const offers = [budgeted]
  assert.equal(shown(play([{ id: 'a' }], { offers, unspent: 1_000n }))['a'], 'budgeted 1000')
  assert.equal(shown(play([{ id: 'a' }], { offers, unspent: 999n }))['a'], 'budget_exhausted')
  const paid = { id: 'a', has: budgeted, status: 'PENDING' } as const
  const grown = { ...paid, amount: 20_000n, has: frozen(budgeted, loaded({ id: 'x' }).folded as never) } as const
  const bounded = play([{ ...grown }], { offers, unspent: 300n, holds: [budgetHold('a', 2_000n)] }).get('a')
  assert.deepEqual([bounded?.owed.amounts.gross, bounded?.ruling.bound], [2_000n, undefined])
  const before = play([{ ...paid }], { offers, unspent: 0n }).get('a')
  assert.equal(before?.owed.amounts.gross, 1_000n, 'what was paid before there was a budget is not the budget’s')
})

test('budget freed by a user goes to that user first, then to others', () => {
  const returned = { id: 'a', amount: 0n, has: budgeted, status: 'PENDING' } as const
  const state = { offers: [budgeted], unspent: 0n, holds: [budgetHold('a', 1_000n)] }
  assert.equal(shown(play([returned, { id: 'b', hour: 2 }], state))['b'], 'budgeted 1000')
  assert.equal(shown(play([returned, { id: 'b', hour: 2, user: 'zoe' }], state))['b'], 'budgeted 1000')
  const own = [returned, { id: 'b', hour: 2 }, { id: 'c', hour: 1, user: 'zoe' }]
  assert.deepEqual(shown(play(own, state)), { a: 'reversed', b: 'budgeted 1000', c: 'budget_exhausted' })
})

test('nothing is owed for a matured reward that lost its terms in a re-match', () => {
  const purchase = loaded({ id: 'a', status: 'EARNED', isFixed: true })
  assert.equal(purchase.group.root.terms, null)
  const [outcome] = play([{ id: 'a', status: 'EARNED', isFixed: true }]).values()
  assert.deepEqual([outcome?.ruling.terms, outcome?.owed.amounts.gross], [null, 0n])
})

test('a pair is stored with its unpaid side, which is null under the BOTH policy', () => {
  const pair = { policy: 'CARD', preferred: 'CARD' } as const
  assert.deepEqual(replayPairs(both, { offers: [second, sale], pair }), ['AFFILIATE'])
  assert.deepEqual(replayPairs(both, { offers: [second, sale], pair: { ...pair, policy: 'BOTH' } }), [null])
})

test('a restored refund stays refunded', () => {
  const terms = frozen(second, loaded({ id: 'x' }).folded as never)
  const restored = { a: { terms, reason: 'reversed', gross: 0n, bound: null } } as const
  const [outcome] = play([{ id: 'a', has: terms, amount: 0n }], { restored }).values()
  assert.deepEqual([outcome?.ruling.reason, outcome?.owed.reason], [null, 'reversed'])
})
