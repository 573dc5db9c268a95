import { type Offer, PERIODS, type Period } from '../catalog/index.ts'
import {
  type Amounts,
  type Bound,
  type CodeState,
  grossWithin,
  isLimited,
  type LimitFacts,
  noLimitFacts,
  rewardLeft,
  type Taken,
  type Terms,
  targetOf,
} from '../offers/index.ts'
import { type Day, dayOf } from '../platform/calendar.ts'
import { secondsOf } from '../platform/clock.ts'
import { type Tx, together } from '../platform/database.ts'
import type { TransactionId } from '../platform/ids.ts'
import {
  type Code,
  markCodes,
  openBudgets,
  periodStart,
  type Take,
  writeBounds,
  writeReservations,
} from '../rewards/index.ts'
import type { Folded } from './fold.ts'
import type { Subject } from './history.ts'
import type { LimitState } from './limits-state.ts'

/** Limits as they stand while a batch is worked through: what one purchase takes, the next one finds taken. */
export type Limits = {
  /** @param earned the commission that the purchase has of this offer already. */
  factsFor(subject: Subject, bought: Bought, offer: Offer, earned: bigint): LimitFacts
  /** What keeps the reward of a purchase below its terms. A limit takes nothing from it that it has already. */
  boundFor(subject: Subject, bought: Bought, terms: Terms, earned: Amounts): Bound | null
  /**
   * Frees what these purchases hold, in the order in which they were made, so that each takes it up again in its turn. Only what
   * earlier ones take more than before is then missing: a limit that was lowered since takes nothing.
   */
  letGo(subjects: readonly Subject[]): void
  hasLetGo(subject: Subject): boolean
  /** Counts what the purchase earns now. */
  settled(subject: Subject, folded: Folded | null, outcome: Outcome): void
  takes(): Take[]
  write(tx: Tx): Promise<void>
}
export type Bought = { readonly folded: Folded; readonly at: Date }
export type Outcome = {
  /** What it is rewarded by; null: by nothing. */
  readonly terms: Terms | null
  /** What kept it down, or null. */
  readonly bound: Bound | null
  /** The commission that it had of the same offer before. */
  readonly earned: bigint
  readonly amounts: Amounts
}

export function openLimits(state: LimitState): Limits {
  const { publisher, offers } = state
  const budgets = openBudgets(publisher, state.budgets, state.reservations)
  const earnings = openEarnings(state)
  const codes = openCodes(state)
  const bounds = openBounds(state)
  const free = new Set<TransactionId>()
  const dayIn = (folded: Folded): Day => dayOf(folded.authorizedAt, publisher.timeZone)

  const factsFor: Limits['factsFor'] = (subject, { folded, at }, offer, earned) => {
    if (!isLimited(offer)) return noLimitFacts
    return {
      isActivated: isActivated(state, subject, offer, at),
      taken: earnings.taken(subject, offer, dayIn(folded)),
      budgetLeft: budgets.leftFor(subject, offer, folded.authorizedAt, earned),
      code: codes.stateOf(subject, folded, offer, dayIn(folded)),
    }
  }
  return {
    factsFor,
    boundFor: (subject, bought, terms, earned) => {
      const offer = offers.get(terms.offerUid)
      if (offer === undefined || !isLimited(offer)) return null
      const facts = factsFor(subject, bought, offer, earned.gross)
      const target = targetOf(terms, bought.folded).amounts.gross
      const stood = earnings.stoodOf(subject, offer)
      if (stood === null) return boundOf(offer, facts, { terms, target, earned: earned.gross })
      return boundOf(
        offer,
        { ...facts, taken: withoutExcess(offer, facts.taken, stood) },
        { terms, target, earned: 0n },
      )
    },
    letGo: (subjects) => {
      earnings.letGo(subjects)
      for (const subject of subjects) codes.settle(subject, null, null)
      for (const { transactionId } of subjects) free.add(transactionId)
    },
    hasLetGo: ({ transactionId }) => free.has(transactionId),
    settled: (subject, folded, { terms, bound, earned, amounts }) => {
      const offer = terms === null ? null : (offers.get(terms.offerUid) ?? null)
      const isPaid = terms !== null && folded !== null && folded.emptyReason === null
      bounds.set(subject, bound)
      codes.settle(subject, folded, isPaid && bound?.reason !== 'voucher_code_used' ? terms.offerUid : null)
      earnings.set(subject, offer, folded === null ? null : dayIn(folded), amounts.user + amounts.discount)
      budgets.hold(subject, offer, folded?.authorizedAt ?? new Date(0), { posted: earned, gross: amounts.gross })
    },
    takes: budgets.takes,
    write: async (tx) => {
      await together([
        writeReservations(tx, publisher.id, budgets.reservations()),
        writeBounds(tx, publisher.id, bounds.changes()),
        markCodes(tx, publisher.id, codes.changes()),
      ])
    },
  }
}

/** @param earned what no limit of users takes away; whoever has it keeps the use, too. */
function boundOf(
  offer: Offer,
  facts: LimitFacts,
  { terms, target, earned }: { readonly terms: Terms; readonly target: bigint; readonly earned: bigint },
): Bound | null {
  const bounds: Bound[] = []
  if (offer.conditions.uniqueCodes && facts.code === 'used') bounds.push({ gross: 0n, reason: 'voucher_code_used' })
  const isFull = offer.conditions.userLimits.some(
    ({ period, uses }) => uses !== null && (facts.taken.get(period)?.uses ?? 0) >= uses,
  )
  if (isFull && earned === 0n) bounds.push({ gross: 0n, reason: 'user_limit_reached' })
  const left = rewardLeft(offer, facts)
  if (left !== null) {
    const gross = grossWithin(terms, target, left)
    bounds.push({ gross: gross > earned ? gross : earned, reason: 'user_limit_reached' })
  }
  if (facts.budgetLeft !== null) bounds.push({ gross: facts.budgetLeft, reason: 'budget_exhausted' })
  const least = bounds.reduce<Bound | null>((a, b) => (a === null || b.gross < a.gross ? b : a), null)
  return least !== null && least.gross < target ? least : null
}

/** What stood above a limit already is not counted against the purchase that stood there. */
function withoutExcess(offer: Offer, taken: LimitFacts['taken'], stood: Stood): LimitFacts['taken'] {
  if (stood.reward === 0n) return taken
  return new Map(
    offer.conditions.userLimits.map(({ period, uses, reward }) => {
      const [now, before] = [taken.get(period) ?? none, stood.taken.get(period) ?? none]
      const tooMany = uses === null ? 0 : Math.max(0, before.uses + 1 - uses)
      const tooMuch = reward === null ? 0n : before.reward + stood.reward - reward
      return [period, { uses: now.uses - tooMany, reward: tooMuch > 0n ? now.reward - tooMuch : now.reward }]
    }),
  )
}

const none: Taken = { uses: 0, reward: 0n }
/** What a purchase had of an offer before it let go, and what those before it had. */
type Stood = { readonly reward: bigint; readonly taken: LimitFacts['taken'] }

/** At or after the activation, to the second, for that is how exactly purchases are told. */
function isActivated({ activations }: LimitState, subject: Subject, offer: Offer, at: Date): boolean {
  const second = secondsOf(at)
  return activations.some(
    ({ userId, offerUid, from, until }) =>
      userId === subject.userId &&
      offerUid === offer.offerUid &&
      secondsOf(from) <= second &&
      (until === null || secondsOf(until) > second),
  )
}

/** What each purchase earns its user of each offer that limits users. */
function openEarnings({ publisher, earnings, offers }: LimitState) {
  const known = new Map<string, Earned>()
  const totals = openTotals()
  const offerOf = new Map<TransactionId, string>()
  const nameOf = (userId: string, offerUid: string, transactionId: TransactionId): string =>
    `${userId} ${offerUid} ${transactionId}`
  const forget = (userId: string, offerUid: string, transactionId: TransactionId): void => {
    const name = nameOf(userId, offerUid, transactionId)
    const one = known.get(name)
    if (one === undefined) return
    known.delete(name)
    totals.add(`${userId} ${offerUid}`, one, -1)
  }
  const set = (userId: string, transactionId: TransactionId, offerUid: string, one: Earned): void => {
    forget(userId, offerUid, transactionId)
    known.set(nameOf(userId, offerUid, transactionId), one)
    totals.add(`${userId} ${offerUid}`, one, 1)
    offerOf.set(transactionId, offerUid)
  }
  for (const { userId, transactionId, offerUid, at, reward } of earnings)
    set(userId, transactionId, offerUid, { day: dayOf(at, publisher.timeZone), reward })
  const taken = (
    { userId, transactionId }: Subject,
    { offerUid, conditions }: Offer,
    day: Day,
  ): LimitFacts['taken'] => {
    const own = known.get(nameOf(userId, offerUid, transactionId)) ?? null
    return new Map(
      conditions.userLimits.map(({ period }) => [period, totals.of(`${userId} ${offerUid}`, period, day, own)]),
    )
  }
  const stood = new Map<TransactionId, Stood & { readonly offerUid: string }>()
  return {
    taken,
    stoodOf: ({ transactionId }: Subject, { offerUid }: Offer): Stood | null => {
      const one = stood.get(transactionId)
      return one === undefined ? null : one.offerUid === offerUid ? one : { reward: 0n, taken: new Map() }
    },
    letGo: (subjects: readonly Subject[]): void => {
      const held = subjects.flatMap((subject) => {
        const offer = offers.get(offerOf.get(subject.transactionId) ?? '')
        const one =
          offer === undefined ? undefined : known.get(nameOf(subject.userId, offer.offerUid, subject.transactionId))
        return offer === undefined || one === undefined ? [] : [{ subject, offer, one }]
      })
      const forgetAll = (): void => {
        for (const { subject, offer } of held) forget(subject.userId, offer.offerUid, subject.transactionId)
      }
      forgetAll()
      for (const { subject, offer, one } of held) {
        const { userId, transactionId } = subject
        stood.set(transactionId, { ...one, offerUid: offer.offerUid, taken: taken(subject, offer, one.day) })
        set(userId, transactionId, offer.offerUid, one)
      }
      forgetAll()
    },
    set: ({ userId, transactionId }: Subject, offer: Offer | null, day: Day | null, reward: bigint): void => {
      const before = offerOf.get(transactionId)
      if (before !== undefined) forget(userId, before, transactionId)
      if (offer === null || day === null || offer.conditions.userLimits.length === 0) return
      set(userId, transactionId, offer.offerUid, { day, reward })
    },
  }
}

type Earned = { readonly day: Day; readonly reward: bigint }

/** Sums for each period, so that who has bought often is not counted anew for each purchase. A use is what earns something. */
function openTotals() {
  const totals = new Map<string, Taken>()
  return {
    add: (holder: string, { day, reward }: Earned, sign: 1 | -1): void => {
      if (reward <= 0n) return
      for (const period of PERIODS) {
        const name = `${holder} ${period} ${periodStart(period, day)}`
        const total = totals.get(name) ?? none
        totals.set(name, { uses: total.uses + sign, reward: total.reward + BigInt(sign) * reward })
      }
    },
    /** What is taken in the period of this day, without what is one's own. */
    of: (holder: string, period: Period, day: Day, own: Earned | null): Taken => {
      const start = periodStart(period, day)
      const total = totals.get(`${holder} ${period} ${start}`) ?? none
      if (own === null || own.reward <= 0n || periodStart(period, own.day) !== start) return total
      return { uses: total.uses - 1, reward: total.reward - own.reward }
    },
  }
}

/** Which purchase has used up which code. */
function openCodes({ codes }: LimitState) {
  const known = new Map<string, Code>(codes.map((code) => [code.codeId, code]))
  const before = new Map(codes.map((code) => [code.codeId, code.transactionId]))
  const named = (folded: Folded | null): Code | undefined => known.get(folded?.facts.voucherCodeId ?? '')
  return {
    stateOf: (subject: Subject, folded: Folded, offer: Offer, day: Day): CodeState => {
      const code = named(folded)
      if (code === undefined) return folded.facts.voucherCode === undefined ? 'none' : 'not handed to this user'
      if (code.offerUid !== offer.offerUid || code.userId !== subject.userId) return 'not handed to this user'
      if (code.transactionId === subject.transactionId) return 'own'
      if (code.transactionId !== null) return 'used'
      return code.expiresOn !== 'infinity' && code.expiresOn < day ? 'expired' : 'own'
    },
    /** @param offerUid what the purchase is rewarded by; null: nothing, so that its code is free again. */
    settle: ({ userId, transactionId }: Subject, folded: Folded | null, offerUid: string | null): void => {
      const used = named(folded)
      for (const code of known.values()) {
        const isUsed = code === used && code.offerUid === offerUid && code.userId === userId
        if (isUsed && code.transactionId === null) known.set(code.codeId, { ...code, transactionId })
        if (!isUsed && code.transactionId === transactionId) known.set(code.codeId, { ...code, transactionId: null })
      }
    },
    changes: () => [...known.values()].filter(({ codeId, transactionId }) => before.get(codeId) !== transactionId),
  }
}

function openBounds({ bounds }: LimitState) {
  const before = new Map(bounds.map((one) => [one.transactionId, one]))
  const known = new Map(before)
  return {
    set: ({ userId, transactionId }: Subject, bound: Bound | null): void => {
      if (bound === null) known.delete(transactionId)
      else known.set(transactionId, { userId, transactionId, gross: bound.gross, reason: bound.reason })
    },
    changes: () => ({
      lifted: [...before.values()].filter(({ transactionId }) => !known.has(transactionId)),
      set: [...known.values()].filter((one) => {
        const kept = before.get(one.transactionId)
        return kept?.gross !== one.gross || kept.reason !== one.reason
      }),
    }),
  }
}
