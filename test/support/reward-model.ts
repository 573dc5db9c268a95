import { DAY_MS } from '../../src/platform/calendar.ts'
import {
  ALONE_MAX,
  type BrandName,
  CURRENCIES,
  type Currency,
  FEE_PPM,
  OFFERS,
  REVIEW_ABOVE,
  SHARE_PPM,
  type ShownBalances,
  type Verdict,
} from './reward-world.ts'

// Computes a user's expected balances as simply as possible: one purchase after another, with numbers instead of
// postings and without a database. Shares no code with the rooms under test.

type Part = { user: number; share: number; fee: number; atTill: number }
type Purchase = {
  brand: BrandName
  boughtAt: number
  authorized: number | null
  cleared: number | null
  clearedDay: number | null
  takenBack: number
  pending: Part
  earned: Part | null
  /** True if an offer rewards it, or would without refunds and reversals. */
  hasTerms: boolean
  /** True if it had no terms when its user was erased. */
  isForgotten: boolean
}
type State = {
  readonly purchases: Map<number, Purchase>
  readonly active: { from: number; until: number }[]
  readonly money: Readonly<Record<Currency, Money>>
  readonly redemptions: Redemption[]
  readonly adjustments: Adjustment[]
  readonly claims: Claim[]
  isErased: boolean
}
type Money = { available: number; debt: number; spent: number }
type Adjustment = {
  readonly currency: Currency
  readonly amount: number
  readonly day: number
  /** The index of the claim that waits for this adjustment; null if none does. */
  readonly claim: number | null
  readonly isAlone: boolean
  status: 'proposed' | 'booked' | 'declined'
}
type Claim = { readonly openedAt: number; isWaiting: boolean; status: 'open' | 'granted' | 'declined' }
/** `over` means failed, returned or canceled. */
type Redemption = {
  readonly currency: Currency
  readonly amount: number
  status: 'requested' | 'sent' | 'paid' | 'over'
}

const nothing: Part = { user: 0, share: 0, fee: 0, atTill: 0 }
const LAPSE_MS = 10 * DAY_MS
const SALE_LAPSE_MS = 120 * DAY_MS
const CLAIM_MS = 30 * DAY_MS

export type RewardModel = ReturnType<typeof createRewardModel>

export function createRewardModel() {
  const state: State = {
    purchases: new Map(),
    active: [{ from: 0, until: Infinity }],
    isErased: false,
    money: { USD: { available: 0, debt: 0, spent: 0 }, EUR: { available: 0, debt: 0, spent: 0 } },
    redemptions: [],
    adjustments: [],
    claims: [],
  }
  const known = (index: number): Purchase => {
    const one = state.purchases.get(index)
    if (one === undefined) throw new Error('the model does not know this purchase')
    return one
  }
  return {
    findBrand: (index: number): BrandName | null => state.purchases.get(index)?.brand ?? null,

    /** Returns the current charge, which a full reversal takes back. */
    computeCharged: (index: number): number => {
      const one = state.purchases.get(index)
      return one === undefined ? 0 : charged(one)
    },

    buy: (index: number, brand: BrandName, amount: number, clears: boolean, at: number): void => {
      const cleared = clears
        ? { authorized: null, cleared: amount, clearedDay: toDay(at) }
        : { authorized: amount, cleared: null, clearedDay: null }
      state.purchases.set(index, {
        brand,
        boughtAt: at,
        ...cleared,
        takenBack: 0,
        pending: nothing,
        earned: null,
        hasTerms: false,
        isForgotten: false,
      })
      settle(state, known(index), at)
    },

    clear: (index: number, amount: number, at: number): void => {
      const one = known(index)
      one.cleared = (one.cleared ?? 0) + amount
      one.clearedDay = toDay(at)
      settle(state, one, at)
    },

    refund: (index: number, amount: number, at: number): void => {
      known(index).takenBack += amount
      settle(state, known(index), at)
    },

    reverse: (index: number, amount: number, at: number): void => {
      const one = known(index)
      const rest = one.authorized === null ? null : one.authorized - amount
      if (rest !== null && (one.cleared === null || rest === one.cleared)) one.authorized = Math.max(0, rest)
      else one.takenBack += amount
      settle(state, one, at)
    },

    setActive: (active: boolean, at: number): void => {
      const last = state.active.at(-1)
      if (active) state.active.push({ from: at, until: Infinity })
      else if (last !== undefined) last.until = at
    },

    isActive: (): boolean => state.active.at(-1)?.until === Infinity,

    /** Returns the amount that a request for this part would redeem; 0 if nothing is available. */
    redeemable: (currency: Currency, part: number): number => Math.floor(state.money[currency].available / part),

    redeem: (currency: Currency, amount: number): void => redeem(state, currency, amount),

    decide: (nth: number, verdict: Verdict): void => {
      const one = state.redemptions[nth]
      if (one !== undefined) decide(state, one, verdict)
    },

    fallDue: (at: number): void => {
      for (const one of state.claims) if (isOpen(one) && at - one.openedAt >= CLAIM_MS) one.status = 'declined'
      for (const one of state.purchases.values()) if (isLapsed(one, at)) settle(state, one, at)
      for (const one of state.purchases.values()) mature(state, one, at)
    },

    shown: (currency: Currency): ShownBalances => computeShown(state, currency),

    ...createDesk(state),
  }
}

/** Models adjustments and claims that people decide, and the erasure of the user. */
function createDesk(state: State) {
  return {
    adjust: (currency: Currency, amount: number, at: number): void =>
      adjust(state, { currency, amount, claim: null }, at),

    decideAdjustment: (nth: number, verdict: 'book' | 'decline'): void => {
      const one = state.adjustments[nth]
      if (one !== undefined) decideAdjustment(state, one, verdict)
    },

    claim: (at: number): void => {
      state.claims.push({ openedAt: at, isWaiting: false, status: 'open' })
    },

    decideClaim: (nth: number, currency: Currency, amount: number | null, at: number): void => {
      const claim = state.claims[nth]
      if (claim === undefined || !isOpen(claim)) return
      if (amount === null) claim.status = 'declined'
      else adjust(state, { currency, amount, claim: nth }, at)
    },

    grantPurchase: (nth: number, index: number): void => {
      const [claim, one] = [state.claims[nth], state.purchases.get(index)]
      if (claim === undefined || one === undefined || !isOpen(claim)) return
      if (sumParts(one.pending) + sumParts(one.earned ?? nothing) > 0) claim.status = 'granted'
    },

    claims: (): string[] => state.claims.map(({ status }) => status),

    /**
     * Does nothing while money is held. Purchases that have terms keep them, and no other purchase earns anything from
     * then on.
     */
    erase: (at: number): void => {
      if (CURRENCIES.some((currency) => sumHeld(state, currency) > 0)) return
      state.isErased = true
      const last = state.active.at(-1)
      if (last !== undefined) last.until = Math.min(last.until, at)
      for (const one of state.purchases.values()) one.isForgotten = !one.hasTerms
    },

    isErased: (): boolean => state.isErased,
  }
}

function computeShown(state: State, currency: Currency): ShownBalances {
  const { available, debt, spent } = state.money[currency]
  const bought = [...state.purchases.values()].filter((one) => getCurrency(one) === currency)
  const pending = bought.reduce((sum, one) => sum + one.pending.user, 0)
  const held = sumHeld(state, currency)
  const earned = pending + available + held + spent - debt - sumAdjustments(state, currency)
  return {
    pending: BigInt(pending),
    available: BigInt(available),
    held: BigInt(held),
    debt: BigInt(debt),
    earnedTotal: BigInt(earned),
    redeemedTotal: BigInt(spent),
  }
}

function redeem(state: State, currency: Currency, amount: number): void {
  state.money[currency].available -= amount
  state.redemptions.push({ currency, amount, status: amount > REVIEW_ABOVE[currency] ? 'requested' : 'sent' })
}

function decide(state: State, one: Redemption, verdict: Verdict): void {
  const { status } = one
  const money = state.money[one.currency]
  if (verdict === 'approve' && status === 'requested') one.status = 'sent'
  if (verdict === 'paid' && status === 'sent') {
    one.status = 'paid'
    money.spent += one.amount
  }
  const ends = verdict === 'cancel' ? status === 'requested' : verdict === 'unpaid' && isWithPayer(status)
  if (!ends) return
  if (status === 'paid') money.spent -= one.amount
  one.status = 'over'
  credit(money, one.amount)
}

/** Never takes more than is available. Above one person's daily limit, the adjustment waits for a second person. */
function adjust(
  state: State,
  { currency, amount, claim }: Pick<Adjustment, 'currency' | 'amount' | 'claim'>,
  at: number,
): void {
  if (-amount > state.money[currency].available) return
  const day = toDay(at)
  const given = state.adjustments
    .filter((one) => one.isAlone && one.day === day && one.currency === currency)
    .reduce((sum, one) => sum + Math.abs(one.amount), 0)
  const isAlone = given + Math.abs(amount) <= ALONE_MAX[currency]
  const one: Adjustment = { currency, amount, day, claim, isAlone, status: 'proposed' }
  state.adjustments.push(one)
  const claimed = claim === null ? undefined : state.claims[claim]
  if (claimed !== undefined) claimed.isWaiting = true
  if (isAlone) decideAdjustment(state, one, 'book')
}

function decideAdjustment(state: State, one: Adjustment, verdict: 'book' | 'decline'): void {
  const money = state.money[one.currency]
  if (one.status !== 'proposed' || (verdict === 'book' && -one.amount > money.available)) return
  one.status = verdict === 'book' ? 'booked' : 'declined'
  if (verdict === 'book') credit(money, one.amount)
  const claim = one.claim === null ? undefined : state.claims[one.claim]
  if (claim === undefined) return
  claim.isWaiting = false
  if (verdict === 'book') claim.status = 'granted'
}

/** Returns the sum of booked adjustments, which do not count toward the total earned. */
function sumAdjustments({ adjustments }: State, currency: Currency): number {
  const booked = adjustments.filter((one) => one.status === 'booked' && one.currency === currency)
  return booked.reduce((sum, { amount }) => sum + amount, 0)
}

function isOpen({ status, isWaiting }: Claim): boolean {
  return status === 'open' && !isWaiting
}

function sumHeld({ redemptions }: State, currency: Currency): number {
  const open = redemptions.filter(({ status }) => status === 'requested' || status === 'sent')
  const held = open.filter((one) => one.currency === currency)
  return held.reduce((sum, one) => sum + one.amount, 0)
}

function isWithPayer(status: Redemption['status']): boolean {
  return status === 'sent' || status === 'paid'
}

function isLapsed(one: Purchase, at: number): boolean {
  return one.cleared === null && at - one.boughtAt >= getLapseMs(one) && sumParts(one.pending) > 0
}

/** Returns the amount before refunds and reversals. */
function charged(one: Purchase): number {
  return one.cleared ?? one.authorized ?? 0
}

function getLapseMs({ brand }: Purchase): number {
  return OFFERS[brand].offerType === 'AFFILIATE' ? SALE_LAPSE_MS : LAPSE_MS
}

function mature(state: State, one: Purchase, at: number): void {
  if (one.clearedDay === null || sumParts(one.pending) === 0) return
  if (toDay(at) <= one.clearedDay + OFFERS[one.brand].refundPeriodDays) return
  credit(state.money[getCurrency(one)], one.pending.user)
  one.earned = each(one.earned ?? nothing, one.pending, (a, b) => a + b)
  one.pending = nothing
}

/** Settles all purchases at the brand in chronological order. The first one that earns uses up a one-time offer. */
function settle(state: State, { brand }: Purchase, at: number): void {
  const offer = OFFERS[brand]
  const all = [...state.purchases.values()].filter((one) => one.brand === brand).sort((a, b) => a.boughtAt - b.boughtAt)
  // A matured purchase keeps the one-time use as long as it still earns.
  let holder = all.find((one) => sumParts(one.earned ?? nothing) > 0 && sumParts(owedFor(state, one, at)) > 0) ?? null
  for (const one of all) {
    const isFree = !offer.oneTimeUse || holder === null || holder === one
    const owed = isFree ? owedFor(state, one, at) : nothing
    if (holder === one && sumParts(owed) === 0) holder = null
    if (sumParts(owed) > 0) holder ??= one
    one.hasTerms = one.earned !== null || (isFree && sumParts(rewardFor(state, one, charged(one))) > 0)
    settleOne(state, one, owed)
  }
}

function settleOne(state: State, one: Purchase, owed: Part): void {
  if (one.earned === null) {
    one.pending = owed
    return
  }
  // Decreases take effect immediately, increases after the refund period.
  const kept = each(one.earned, owed, Math.min)
  credit(state.money[getCurrency(one)], kept.user - one.earned.user)
  one.earned = kept
  one.pending = each(owed, kept, (a, b) => a - b)
}

function each(a: Part, b: Part, of: (a: number, b: number) => number): Part {
  return {
    user: of(a.user, b.user),
    share: of(a.share, b.share),
    fee: of(a.fee, b.fee),
    atTill: of(a.atTill, b.atTill),
  }
}

function sumParts({ user, share, fee, atTill }: Part): number {
  return user + share + fee + atTill
}

/** Credits the user, or claws back a negative amount. What they have already spent becomes a debt. */
function credit(money: Money, amount: number): void {
  const balance = money.available - money.debt + amount
  money.available = Math.max(0, balance)
  money.debt = Math.max(0, -balance)
}

function getCurrency({ brand }: Purchase): Currency {
  return OFFERS[brand].currency as Currency
}

function owedFor(state: State, one: Purchase, at: number): Part {
  const hasLapsed = one.cleared === null && at - one.boughtAt >= getLapseMs(one)
  return hasLapsed ? nothing : rewardFor(state, one, charged(one) - one.takenBack)
}

/** Returns the reward for a purchase with this amount remaining. */
function rewardFor(state: State, one: Purchase, left: number): Part {
  const offer = OFFERS[one.brand]
  const min = Number(offer.minSpend ?? 0n)
  const isActive = state.active.some(({ from, until }) => from <= one.boughtAt && one.boughtAt < until)
  // Matured terms stay in force, and their minimum applies to the amount after refunds.
  const isAwarded = one.earned !== null || (isActive && charged(one) >= min)
  if (!isAwarded || one.isForgotten || left <= 0 || left < min) return nothing
  const base = Math.min(left, Number(offer.maxSpend ?? BigInt(Number.MAX_SAFE_INTEGER)))
  const [rule] = offer.groups
  const percentage = Math.floor((base * (rule?.ratePpm ?? 0) + 500_000) / 1_000_000)
  const gross = rule?.amount == null ? percentage : Number(rule.amount)
  const share = Math.floor((gross * SHARE_PPM) / 1_000_000)
  const fee = Math.floor((gross * FEE_PPM) / 1_000_000)
  const rest = gross - share - fee
  const isAtTill = offer.rewardType.startsWith('DISCOUNT')
  return { user: isAtTill ? 0 : rest, share, fee, atTill: isAtTill ? rest : 0 }
}

function toDay(at: number): number {
  return Math.floor(at / DAY_MS)
}
