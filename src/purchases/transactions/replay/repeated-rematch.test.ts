import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Given, offer, paying, replayed, type Setting } from '../../../../test/support/replayed.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { Hold } from '../../../catalog/allowances/index.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'

// Purchases of two users arrive in any order, and some mature immediately. Then offers are corrected, and all purchases
// are re-matched. No database is involved.
const HISTORIES = runs(1_000)
const BUDGET = 1_500n

const limited = (uses: number | null, reward: bigint | null) => ({
  conditions: { ...noConditions, userLimits: [{ period: 'LIFETIME' as const, uses, reward }] },
})
const KINDS: readonly Partial<Offer>[] = [
  {},
  { oneTimeUse: true },
  limited(1, null),
  limited(2, null),
  limited(null, 700n),
]
const CORRECTIONS: readonly Partial<Offer>[] = [
  { minSpend: 6_000n },
  { groups: [paying(85_000)] },
  { oneTimeUse: true },
  { oneTimeUse: false },
]

const drafted = fc.record({
  kind: fc.constantFrom(...KINDS),
  ratePpm: fc.constantFrom(40_000, 70_000, 100_000, 130_000),
  minSpend: fc.constantFrom(null, null, 4_000n, 6_000n, 8_000n),
  correction: fc.option(fc.constantFrom(...CORRECTIONS)),
})
const bought = fc.record({
  hour: fc.integer({ min: 1, max: 40 }),
  amount: fc.integer({ min: 3, max: 10 }),
  user: fc.constantFrom('one', 'two'),
  matures: fc.boolean(),
})
const pairing = fc.option(
  fc.record({ policy: fc.constantFrom('CARD' as const, 'AFFILIATE' as const) }).map(({ policy }) => ({
    policy,
    preferred: policy,
  })),
)

type State = { readonly given: readonly Given[]; readonly holds: readonly Hold[]; readonly unspent: bigint }

/** Returns the state after a replay of purchases. */
function after({ given, holds, unspent }: State, setting: Setting): State {
  const { outcomes, allowances } = replayed(given, { ...setting, holds, unspent })
  const { freed, taken } = allowances.changes()
  const toKey = ({ transactionId, kind, period }: Hold) => `${transactionId} ${kind} ${period}`
  const changed = new Set([...freed, ...taken].map(toKey))
  const results = new Map(outcomes.map((one) => [one.purchase.group.root.transactionId as string, one]))
  return {
    holds: [...holds.filter((hold) => !changed.has(toKey(hold))), ...taken],
    unspent: allowances.takes().reduce((rest, { amount }) => rest - amount, unspent),
    given: given.map(({ has: _, statusReason: __, ...one }): Given => {
      const { ruling, owed } = results.get(one.id) ?? assert.fail(`${one.id} was not decided`)
      const { gross } = owed.amounts
      const status = one.status === 'EARNED' ? 'EARNED' : gross > 0n ? 'PENDING' : 'CANCELLED'
      const has = ruling.terms === null ? {} : { has: ruling.terms }
      return { ...one, ...has, gross, status, ...(owed.reason === null ? {} : { statusReason: owed.reason }) }
    }),
  }
}

const toRewards = ({ given }: State) => Object.fromEntries(given.map(({ id, gross }) => [id, gross]))
const rematched = (state: State, setting: Setting): State =>
  after({ ...state, given: state.given.map((one) => ({ ...one, isFixed: false, redecided: 'rematch' })) }, setting)

/** Returns the offers: some as drafted, and one with a budget. */
function makeOffers(drafts: readonly (typeof drafted extends fc.Arbitrary<infer T> ? T : never)[]) {
  const conditions = { ...noConditions, budgets: [{ period: 'LIFETIME' as const, amount: BUDGET }] }
  const budgeted = offer({ offerUid: 'budgeted', ordinal: 9, groups: [paying(110_000)], conditions })
  const before = drafts.map(({ kind, ratePpm, minSpend }, ordinal) =>
    offer({ offerUid: `offer ${ordinal}`, ordinal, minSpend, groups: [paying(ratePpm)], ...kind }),
  )
  const corrected = before.map((one, index) => ({ ...one, ...drafts[index]?.correction, version: 2 }))
  return { before: [...before, budgeted], corrected: [...corrected, { ...budgeted, minSpend: 6_000n, version: 2 }] }
}

test('a re-match takes nothing without a correction, overdraws no budget, and is idempotent', () => {
  const offers = fc.array(drafted, { minLength: 1, maxLength: 4 }).map(makeOffers)
  const purchases = fc.array(bought, { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(offers, purchases, pairing, ({ before, corrected }, all, pair) => {
      let state: State = { given: [], holds: [], unspent: BUDGET }
      const setting = pair === null ? {} : { pair }
      for (const [nth, { hour, amount, user, matures }] of all.entries()) {
        const paired = [{ id: 'card' }, { id: 'affiliate', source: 'AFFILIATE' as const }][nth]
        const named = pair === null || paired === undefined ? { id: `${nth}`, user } : { ...paired, user: 'user' }
        const known = state.given.map((one) => ({ ...one, isFixed: one.status === 'EARNED' }))
        const fresh: Given = { ...named, hour, amount: BigInt(amount * 1_000) }
        state = after({ ...state, given: [...known, fresh] }, { offers: before, ...(nth > 0 ? setting : {}) })
        const mature = (one: Given): Given =>
          matures && one.id === named.id && one.status === 'PENDING' ? { ...one, status: 'EARNED' } : one
        state = { ...state, given: state.given.map(mature) }
      }
      const same = toRewards(rematched(state, { offers: before, ...setting }))
      for (const { id, gross = 0n, status } of state.given)
        if (status === 'EARNED') assert(gross <= (same[id] ?? 0n), `${id} has less without a correction`)
      const once = rematched(state, { offers: corrected, ...setting })
      assert(once.unspent >= 0n, 'the budget is overdrawn')
      assert.deepEqual(toRewards(rematched(once, { offers: corrected, ...setting })), toRewards(once))
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  )
})
