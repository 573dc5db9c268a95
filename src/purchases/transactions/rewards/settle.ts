import { isDeepStrictEqual } from 'node:util'
import {
  type Amounts,
  applyBound,
  type Bound,
  computeTarget,
  type Goods,
  isNothing,
  minus,
  noAmounts,
  plus,
  splitBySign,
  type Terms,
} from '../../../catalog/offers/index.ts'
import { accrue, type Book, type Cause, clawBack, reassign } from '../../../ledger/index.ts'
import { addDays, DAY_MS, type Day, startOfDay } from '../../../platform/calendar.ts'
import { newUuid } from '../../../platform/ids.ts'
import type { StatusReason } from './statuses.ts'
import type { Transaction } from './transaction.ts'

/** The net effect of a purchase's source events, regardless of arrival order. Amounts are in minor units. */
export type PurchaseState = Goods & {
  /** The amount of the first event. The transaction shows it if the purchase was voided or declined. */
  readonly reported: bigint
  readonly authorizedAt: Date
  readonly clearedOn: Day | null
  /** The day of the last clearing, or the day on which a clearing is expected. */
  readonly clearsOn: Day
  /** When the purchase lapses unless it clears; null once it has cleared. */
  readonly lapsesAt: Date | null
  /** When the latest event occurred. */
  readonly changedAt: Date
  /** The reason why nothing is left to reward; null if something is. */
  readonly emptyReason: StatusReason | null
}

/** The decision about a purchase: its frozen terms, or the reason why it has none. */
export type Ruling = {
  readonly terms: Terms | null
  readonly reason: StatusReason | null
  /** The limit that keeps the reward below its terms. */
  readonly bound?: Bound | null
}

/** The transaction of a purchase, with its adjustments. */
export type Group = {
  readonly root: Transaction
  /** The transaction as stored, set if `root` includes facts learned since. */
  readonly stored?: Transaction
  readonly isNew: boolean
  readonly adjustments: readonly Transaction[]
  /** In a re-match, the transaction as it was before. Brand and terms may change even once EARNED. */
  readonly former?: Transaction
}
export type Change = {
  readonly before: Transaction | null
  readonly after: Transaction
  /** Set for history from before the card was linked, which emits no events. */
  readonly isSilent?: true
}

/**
 * The only function that settles rewards. It posts the difference between what is owed now and what is already posted.
 * A first award, a changed amount, a further clearing, a refund, a reversal, a late clearing and a correction after
 * maturity are all settled by posting this difference. Running it again is a no-op.
 *
 * Until the transaction matures, it absorbs the difference itself. Once EARNED, its reward is final, and the
 * differences of user, publisher and service are treated separately: a decrease is clawed back immediately, and an
 * increase waits in a pending adjustment for its own refund period. Only a re-match changes the terms of an EARNED
 * transaction, and even then the transaction keeps its reward.
 */
export function settle(book: Book, group: Group, state: PurchaseState, ruling: Ruling, now: Date): Change[] {
  const owed = computeOwed(state, ruling)
  return group.root.status === 'EARNED'
    ? settleEarned(book, group, state, ruling, owed, now)
    : settleOpen(book, group, state, ruling, owed, now)
}

// Banks and providers correct a purchase's store within days, and merchants do so in their reports within weeks.
const CONFIRM_DAYS = 60

type Owed = { readonly amounts: Amounts; readonly reason: StatusReason | null }

/** Returns what is owed for a purchase under its ruling, or the reason why nothing is. */
export function computeOwed(state: PurchaseState, ruling: Ruling): Owed {
  if (state.emptyReason !== null) return { amounts: noAmounts, reason: state.emptyReason }
  if (ruling.terms === null || ruling.reason !== null) return { amounts: noAmounts, reason: ruling.reason }
  return applyBound(ruling.terms, computeTarget(ruling.terms, state), ruling.bound ?? null)
}

function settleOpen(
  book: Book,
  { root, stored = root, isNew, former: before = stored }: Group,
  state: PurchaseState,
  { terms }: Ruling,
  owed: Owed,
  now: Date,
): Change[] {
  const confirmBy = new Date(state.authorizedAt.getTime() + CONFIRM_DAYS * DAY_MS)
  const isNothingBought = state.amount === 0n && state.refunded === 0n
  const held = owed.reason === 'location_unconfirmed' && now < confirmBy
  const pending = owed.reason === null && terms !== null
  const after: Transaction = {
    ...root,
    // A voided or declined purchase keeps its reported amount, all of which is shown as refunded.
    amount: isNothingBought ? state.reported : state.amount,
    refunded: isNothingBought ? state.reported : state.refunded,
    authorizedAt: state.authorizedAt,
    clearedOn: state.clearedOn,
    ...withTerms(terms),
    amounts: owed.amounts,
    status: pending || held ? 'PENDING' : 'CANCELLED',
    statusReason: owed.reason,
    ...computeMaturity(book, state, pending ? terms : null),
    lapsesAt: held
      ? pickEarlier(state.lapsesAt ?? confirmBy, confirmBy)
      : state.emptyReason === null
        ? state.lapsesAt
        : null,
  }
  if (!isNew && isSame(before, after) && (before === stored || isSameTerms(before.terms, terms))) return []
  const version = isNew ? 1 : root.version + 1
  const change: Change = { before: isNew ? null : before, after: { ...after, version, updatedAt: now } }
  const payer = pickPayer(before, after, owed)
  reassignTo(book, payer, before, change.after, root.amounts, now)
  post(book, change.after, minus(owed.amounts, root.amounts), payer, now)
  return [change]
}

/**
 * Returns the brand that owes the reward after this change. If nothing is owed, everything is returned to the former
 * brand.
 */
function pickPayer(before: Transaction, after: Transaction, owed: Owed): string {
  return isNothing(owed.amounts) && !isNothing(before.amounts) ? getBrandUid(before) : getBrandUid(after)
}

/** Moves the amounts posted for a purchase from one brand's account to another's. */
function reassignTo(
  book: Book,
  payer: string,
  before: Transaction,
  after: Transaction,
  posted: Amounts,
  now: Date,
): void {
  const from = getBrandUid(before)
  if (payer !== from) reassign(book, after.userId, toCause(after, now), { from, to: payer }, posted)
}

function settleEarned(book: Book, given: Group, state: PurchaseState, ruling: Ruling, owed: Owed, now: Date): Change[] {
  const { group, payer, restated } = restate(book, given, ruling, owed, now)
  const { root, adjustments } = group
  const earned = [root, ...adjustments].filter((one) => one.status === 'EARNED')
  const open = adjustments.find((one) => one.status === 'PENDING')
  const { risen, fallen } = splitBySign(earned.reduce((rest, one) => minus(rest, one.amounts), owed.amounts))
  const amount = earned.reduce((rest, one) => rest - (one.amount - one.refunded), state.amount - state.refunded)
  const waits = !isNothing(risen)
  // An increase of the purchase amount is recorded with the additional reward.
  const grown = waits && amount > 0n ? amount : 0n
  const reason = owed.reason ?? (amount <= 0n && state.refunded > 0n ? 'refunded' : 'adjusted')
  const { brandUid, matchMethod, offerUid, offerType, rewardType } = root
  const pending: Transaction = {
    ...(open ?? newAdjustment(root, state, now)),
    brandUid,
    matchMethod,
    offerUid,
    offerType,
    rewardType,
    amount: grown,
    amounts: risen,
    ...computeMaturity(book, state, root.terms),
  }
  const taken = { ...newAdjustment(root, state, now), amount: amount - grown, amounts: fallen, statusReason: reason }
  return [
    ...restated,
    ...(waits ? settlePending(book, open, pending, payer, now) : cancelPending(book, open, payer, now)),
    ...takeBack(book, taken, payer, now),
  ]
}

/** Holds increases in a pending adjustment for the refund period of their own clearing. */
function settlePending(
  book: Book,
  before: Transaction | undefined,
  wanted: Transaction,
  payer: string,
  now: Date,
): Change[] {
  if (before !== undefined && isSame(before, wanted)) return []
  const after = before === undefined ? wanted : { ...wanted, version: before.version + 1, updatedAt: now }
  post(book, after, minus(after.amounts, before?.amounts ?? noAmounts), payer, now)
  return [{ before: before ?? null, after }]
}

/** Claws back decreases immediately. Also records purchase changes that leave the reward unchanged. */
function takeBack(book: Book, adjustment: Transaction, payer: string, now: Date): Change[] {
  const { userId, amount, amounts } = adjustment
  if (isNothing(amounts) && amount === 0n) return []
  const after: Transaction = { ...adjustment, status: 'EARNED', earnedAt: now }
  clawBack(book, userId, toCause(after, now), payer, minus(noAmounts, amounts))
  return [{ before: null, after }]
}

function withTerms(terms: Terms | null): Pick<Transaction, 'terms' | 'offerUid' | 'offerType' | 'rewardType'> {
  const { offerUid = null, offerType = null, rewardType = null } = terms ?? {}
  return { terms, offerUid, offerType, rewardType }
}

function pickEarlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

type Restated = { readonly group: Group; readonly payer: string; readonly restated: readonly Change[] }

/**
 * Applies a re-match, which changes the brand and terms of an EARNED transaction, or a later event, which adds its
 * order number. The transaction keeps its earned reward.
 */
function restate(book: Book, group: Group, { terms }: Ruling, owed: Owed, now: Date): Restated {
  const { root, stored, former = stored, adjustments } = group
  if (former === undefined) return { group, payer: getBrandUid(root), restated: [] }
  const after: Transaction = {
    ...root,
    ...withTerms(terms),
    version: root.version + 1,
    updatedAt: now,
  }
  if (isSame(former, after) && isSameTerms(former.terms, terms))
    return { group, payer: getBrandUid(root), restated: [] }
  const posted = adjustments.reduce((sum, { amounts }) => plus(sum, amounts), root.amounts)
  const payer = pickPayer({ ...former, amounts: posted }, after, owed)
  reassignTo(book, payer, former, after, posted, now)
  return { group: { ...group, root: after }, payer, restated: [{ before: former, after }] }
}

function cancelPending(book: Book, open: Transaction | undefined, payer: string, now: Date): Change[] {
  if (open === undefined) return []
  const after: Transaction = {
    ...open,
    amount: 0n,
    amounts: noAmounts,
    status: 'CANCELLED',
    statusReason: 'adjusted',
    availableOn: null,
    maturesAt: null,
    version: open.version + 1,
    updatedAt: now,
  }
  post(book, after, minus(noAmounts, open.amounts), payer, now)
  return [{ before: open, after }]
}

/** Creates an adjustment of an earned transaction, with no amounts yet. */
function newAdjustment(root: Transaction, state: PurchaseState, now: Date): Transaction {
  return {
    ...root,
    transactionId: newUuid<'transaction'>(),
    adjusts: root.transactionId,
    amount: 0n,
    refunded: 0n,
    authorizedAt: state.changedAt,
    clearedOn: state.clearedOn,
    amounts: noAmounts,
    status: 'PENDING',
    statusReason: null,
    terms: null,
    availableOn: null,
    maturesAt: null,
    lapsesAt: null,
    earnedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Rewards become available the day after the refund period, which starts on the actual or expected clearing day. They
 * mature only once the purchase has cleared.
 */
function computeMaturity(
  book: Book,
  state: PurchaseState,
  terms: Terms | null,
): Pick<Transaction, 'availableOn' | 'maturesAt'> {
  if (terms === null) return { availableOn: null, maturesAt: null }
  const { timeZone } = book.publisher
  const availableOn = addDays(state.clearsOn, terms.refundPeriodDays + 1)
  return { availableOn, maturesAt: state.clearedOn === null ? null : startOfDay(availableOn, timeZone) }
}

function post(book: Book, row: Transaction, difference: Amounts, brandUid: string, now: Date): void {
  if (!isNothing(difference)) accrue(book, row.userId, toCause(row, now), brandUid, difference)
}

export function toCause(row: Transaction, now: Date): Cause {
  return { id: row.transactionId, version: row.version, currency: row.currency, effectiveAt: now }
}

function getBrandUid(row: Transaction): string {
  return row.terms?.brandUid ?? row.brandUid ?? ''
}

const COMPARED = [
  ...['status', 'statusReason', 'amount', 'refunded', 'amounts', 'currency', 'brandUid', 'offerUid', 'matchMethod'],
  ...['merchantName', 'merchantDescriptor', 'orderId', 'accountId'],
  ...['authorizedAt', 'clearedOn', 'availableOn', 'lapsesAt'],
] as readonly (keyof Transaction)[]

/** True if two states of a transaction look the same to publishers and owe the same amounts. */
function isSame(a: Transaction, b: Transaction): boolean {
  return COMPARED.every((name) => isDeepStrictEqual(a[name], b[name]))
}

/** True if both terms promise the same, regardless of offer version. Older terms lack properties added later. */
export function isSameTerms(a: Terms | null, b: Terms | null): boolean {
  return isDeepStrictEqual(getPromisedTerms(a), getPromisedTerms(b))
}

function getPromisedTerms(terms: Terms | null): unknown {
  if (terms === null) return null
  const members = Object.entries(terms).filter(([name, value]) => name !== 'offerVersion' && value != null)
  return Object.fromEntries(members)
}
