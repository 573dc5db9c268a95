import { type BrandName, DAY_MS, FEE_PPM, OFFERS, SHARE_PPM, type Shown } from './reward-world.ts'

/**
 * What a user's balances must be, told as plainly as possible: one purchase after the other, numbers instead of
 * postings, no database. It shares no code with the rooms it judges.
 */
type Part = { gross: number; user: number }
type Purchase = {
  brand: BrandName
  boughtAt: number
  authorized: number | null
  cleared: number | null
  clearedDay: number | null
  takenBack: number
  awarded: boolean
  pending: Part
  earned: Part | null
}
type State = {
  readonly purchases: Map<number, Purchase>
  readonly active: { from: number; until: number }[]
  onceHolder: number | null
  available: number
  debt: number
  spent: number
}

const nothing: Part = { gross: 0, user: 0 }
const LAPSE_MS = 10 * DAY_MS

export type RewardModel = ReturnType<typeof createRewardModel>

export function createRewardModel() {
  const state: State = {
    purchases: new Map(),
    active: [{ from: 0, until: Infinity }],
    onceHolder: null,
    available: 0,
    debt: 0,
    spent: 0,
  }
  const known = (index: number): Purchase => {
    const one = state.purchases.get(index)
    if (one === undefined) throw new Error('the model was told of an unknown purchase')
    return one
  }
  const charged = (one: Purchase | undefined): number => one?.cleared ?? one?.authorized ?? 0
  return {
    brandOf: (index: number): BrandName | null => state.purchases.get(index)?.brand ?? null,

    /** What is charged now: what a full reversal takes back. */
    chargedOf: (index: number): number => charged(state.purchases.get(index)),

    buy: (index: number, brand: BrandName, amount: number, clears: boolean, at: number): void => {
      const cleared = clears
        ? { authorized: null, cleared: amount, clearedDay: dayOf(at) }
        : { authorized: amount, cleared: null, clearedDay: null }
      state.purchases.set(index, {
        brand,
        boughtAt: at,
        ...cleared,
        takenBack: 0,
        awarded: false,
        pending: nothing,
        earned: null,
      })
      settle(state, index, known(index), at)
    },

    clear: (index: number, amount: number, at: number): void => {
      const one = known(index)
      one.cleared = (one.cleared ?? 0) + amount
      one.clearedDay = dayOf(at)
      settle(state, index, one, at)
    },

    refund: (index: number, amount: number, at: number): void => {
      known(index).takenBack += amount
      settle(state, index, known(index), at)
    },

    reverse: (index: number, amount: number, at: number): void => {
      const one = known(index)
      const rest = one.authorized === null ? null : one.authorized - amount
      if (rest !== null && (one.cleared === null || rest === one.cleared)) one.authorized = Math.max(0, rest)
      else one.takenBack += amount
      settle(state, index, one, at)
    },

    setActive: (active: boolean, at: number): void => {
      const last = state.active.at(-1)
      if (active) state.active.push({ from: at, until: Infinity })
      else if (last !== undefined) last.until = at
    },

    isActive: (): boolean => state.active.at(-1)?.until === Infinity,

    spend: (): void => {
      state.spent += state.available
      state.available = 0
    },

    fallDue: (at: number): void => {
      for (const [index, one] of state.purchases) {
        if (one.cleared === null && at - one.boughtAt >= LAPSE_MS && one.pending.gross > 0)
          settle(state, index, one, at)
      }
      for (const one of state.purchases.values()) mature(state, one, at)
    },

    shown: (): Shown => {
      const pending = [...state.purchases.values()].reduce((sum, one) => sum + one.pending.user, 0)
      const earned = pending + state.available + state.spent - state.debt
      return {
        pending: BigInt(pending),
        available: BigInt(state.available),
        debt: BigInt(state.debt),
        earnedTotal: BigInt(earned),
      }
    },
  }
}

function mature(state: State, one: Purchase, at: number): void {
  if (one.clearedDay === null || one.pending.gross === 0) return
  if (dayOf(at) <= one.clearedDay + OFFERS[one.brand].refundPeriodDays) return
  const repaid = Math.min(state.debt, one.pending.user)
  state.debt -= repaid
  state.available += one.pending.user - repaid
  const earned = one.earned ?? nothing
  one.earned = { gross: earned.gross + one.pending.gross, user: earned.user + one.pending.user }
  one.pending = nothing
}

/** The use of a one-time offer is for the purchase that was made first: a later one gives it up until it has matured. */
function settle(state: State, index: number, one: Purchase, at: number): void {
  const holder = OFFERS[one.brand].oneTimeUse ? state.onceHolder : null
  const later = holder === null ? undefined : state.purchases.get(holder)
  const yields = later !== undefined && later.earned === null && later.boughtAt > one.boughtAt
  if (yields) state.onceHolder = null
  settleOne(state, index, one, at)
  if (holder !== null && yields) settleOne(state, holder, later, at)
}

function settleOne(state: State, index: number, one: Purchase, at: number): void {
  const owed = owedFor(state, index, one, at)
  if (one.earned === null) {
    one.pending = owed
    return
  }
  const missing = { gross: owed.gross - one.earned.gross, user: owed.user - one.earned.user }
  if (missing.gross >= 0 && missing.user >= 0) {
    one.pending = missing
    return
  }
  const fromAvailable = Math.min(state.available, -missing.user)
  state.available -= fromAvailable
  state.debt += -missing.user - fromAvailable
  one.pending = nothing
  one.earned = owed
}

function owedFor(state: State, index: number, one: Purchase, at: number): Part {
  const offer = OFFERS[one.brand]
  const charged = one.cleared ?? one.authorized ?? 0
  const left = charged - one.takenBack
  const empty = left <= 0 || (one.cleared === null && at - one.boughtAt >= LAPSE_MS)
  const min = Number(offer.minSpend ?? 0n)
  if (!one.awarded) {
    const active = state.active.some(({ from, until }) => from <= one.boughtAt && one.boughtAt < until)
    const free = !offer.oneTimeUse || state.onceHolder === null || state.onceHolder === index
    one.awarded = active && charged >= min && free
  }
  if (!one.awarded) return nothing
  if (offer.oneTimeUse && !holdsUse(state, index, empty)) return nothing
  if (empty || left < min) return nothing
  const base = Math.min(left, Number(offer.maxSpend ?? BigInt(Number.MAX_SAFE_INTEGER)))
  const [rule] = offer.groups
  const percentage = Math.floor((base * (rule?.ratePpm ?? 0) + 500_000) / 1_000_000)
  const gross = rule?.amount == null ? percentage : Number(rule.amount)
  const parts = Math.floor((gross * FEE_PPM) / 1_000_000) + Math.floor((gross * SHARE_PPM) / 1_000_000)
  return { gross, user: offer.rewardType.startsWith('DISCOUNT') ? 0 : gross - parts }
}

/** A one-time offer is held while anything of the purchase is left, and can then be taken by another. */
function holdsUse(state: State, index: number, empty: boolean): boolean {
  if (empty) {
    if (state.onceHolder === index) state.onceHolder = null
    return true
  }
  state.onceHolder ??= index
  return state.onceHolder === index
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}
