import { isDeepStrictEqual } from 'node:util'
import { accrue, type Book, type Cause, clawBack, reassign, type Split } from '../ledger/index.ts'
import {
  type Amounts,
  type Bound,
  bounded,
  type Goods,
  isNothing,
  minus,
  noAmounts,
  type Terms,
  targetOf,
} from '../offers/index.ts'
import { addDays, type Day, startOfDay } from '../platform/calendar.ts'
import { newUuid } from '../platform/ids.ts'
import type { StatusReason, Transaction } from './transaction.ts'

/** What the source events of a purchase say together, whatever order they came in. */
export type PurchaseState = Goods & {
  readonly authorizedAt: Date
  readonly clearedOn: Day | null
  /** The day of the last clearing, or the one on which a clearing is expected. */
  readonly clearsOn: Day
  /** When the purchase lapses without a clearing; null once it has cleared. */
  readonly lapsesAt: Date | null
  /** When the newest of the events happened. */
  readonly changedAt: Date
  /** Why nothing is left to be rewarded, or null. */
  readonly emptyReason: StatusReason | null
}

/** What was decided about the purchase: the frozen terms, or the reason why there are none. */
export type Ruling = {
  readonly terms: Terms | null
  readonly reason: StatusReason | null
  /** What keeps the reward below the terms. */
  readonly bound?: Bound
}

/** A purchase with all that carries its reward: the transaction itself and what adjusts it. */
export type Group = {
  readonly root: Transaction
  /** The transaction as it is stored, where the root carries facts that became known since. */
  readonly stored?: Transaction
  readonly isNew: boolean
  readonly adjustments: readonly Transaction[]
  /** Of a purchase that an operator has decided again: the transaction as it was. Brand and terms may change even once EARNED. */
  readonly former?: Transaction
}
export type Change = {
  readonly before: Transaction | null
  readonly after: Transaction
  /** History is kept for what it says about the customer, and is not announced. */
  readonly isSilent?: true
}

/**
 * The one function that settles money: what is owed now, less what is posted so far, is posted. First award, changed
 * amount, further clearing, refund, reversal, late clearing, correction after maturity: all are this difference. Run
 * twice, the second difference is empty.
 *
 * Until it matures the transaction itself carries the difference. Once EARNED it stays as it is: a lower target is
 * taken back at once by a transaction that adjusts it, a higher one waits in a pending adjustment for its own refund period.
 * Only a re-match gives it other terms; what it earned stays on it then, too.
 */
export function settle(book: Book, group: Group, state: PurchaseState, ruling: Ruling, now: Date): Change[] {
  const owed = owedFor(state, ruling)
  return group.root.status === 'EARNED'
    ? settleEarned(book, group, state, ruling, owed, now)
    : settleOpen(book, group, state, ruling, owed, now)
}

// Banks and providers correct the place of a purchase within days, merchants' own reports within weeks.
const CONFIRM_DAYS = 60
const DAY_MS = 86_400_000

function earlier(a: Date | null, b: Date): Date {
  return a !== null && a < b ? a : b
}

type Owed = { readonly amounts: Amounts; readonly reason: StatusReason | null }

/** What a purchase is owed by its ruling, or why that is nothing. */
export function owedFor(state: PurchaseState, ruling: Ruling): Owed {
  if (state.emptyReason !== null) return { amounts: noAmounts, reason: state.emptyReason }
  if (ruling.terms === null || ruling.reason !== null) return { amounts: noAmounts, reason: ruling.reason }
  return bounded(ruling.terms, targetOf(ruling.terms, state), ruling.bound ?? null)
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
  const held = owed.reason === 'location_unconfirmed' && now < confirmBy
  const pending = owed.reason === null && terms !== null
  const after: Transaction = {
    ...root,
    amount: state.amount,
    refunded: state.refunded,
    authorizedAt: state.authorizedAt,
    clearedOn: state.clearedOn,
    terms,
    offerUid: terms?.offerUid ?? null,
    offerType: terms?.offerType ?? null,
    rewardType: terms?.rewardType ?? null,
    amounts: owed.amounts,
    status: pending || held ? 'PENDING' : 'CANCELLED',
    statusReason: owed.reason,
    ...maturity(book, state, pending ? terms : null),
    lapsesAt: held ? earlier(state.lapsesAt, confirmBy) : pending ? state.lapsesAt : null,
  }
  if (!isNew && isSame(before, after) && (before === stored || isSameTerms(before.terms, terms))) return []
  const version = isNew ? 1 : root.version + 1
  const change: Change = { before: isNew ? null : before, after: { ...after, version, updatedAt: now } }
  const payer = payerOf(before, after, owed)
  if (payer !== brandOf(before)) reassignTo(book, payer, before, change.after, root.amounts, now)
  post(book, change.after, minus(owed.amounts, root.amounts), payer, now)
  return [change]
}

/** The brand on whose account a purchase's money is after this; where nothing is owed, it is all given back by the one that had it. */
function payerOf(before: Transaction, after: Transaction, owed: Owed): string {
  return isNothing(owed.amounts) && !isNothing(before.amounts) ? brandOf(before) : brandOf(after)
}

/** All that is posted for a purchase moves from one brand's account to another's. */
function reassignTo(
  book: Book,
  payer: string,
  before: Transaction,
  after: Transaction,
  posted: Amounts,
  now: Date,
): void {
  reassign(book, after.userId, causeOf(after, now), { from: brandOf(before), to: payer }, splitOfRow(posted))
}

function settleEarned(book: Book, given: Group, state: PurchaseState, ruling: Ruling, owed: Owed, now: Date): Change[] {
  const earned = [given.root, ...given.adjustments].filter((one) => one.status === 'EARNED')
  const open = given.adjustments.find((one) => one.status === 'PENDING')
  const { group, payer, restated } = restate(book, given, ruling, owed, now)
  const missing = earned.reduce((rest, one) => minus(rest, one.amounts), owed.amounts)
  const left = earned.reduce((rest, one) => rest - (one.amount - one.refunded), state.amount - state.refunded)
  const terms = group.root.terms
  if (missing.gross >= 0n && missing.user >= 0n)
    return [
      ...restated,
      ...settleLater(book, group, { open, missing, left, state, terms, payer, reason: owed.reason }, now),
    ]
  const changes: Change[] = open === undefined ? [] : cancelAdjustment(book, open, payer, now)
  const adjustment = newEarned(group.root, state, left, missing, now, owed.reason)
  clawBack(book, adjustment.userId, causeOf(adjustment, now), payer, splitOfRow(minus(noAmounts, missing)))
  return [...restated, ...changes, { before: null, after: adjustment }]
}

type Restated = { readonly group: Group; readonly payer: string; readonly restated: readonly Change[] }

/** An EARNED transaction keeps what it earned; a re-match changes its brand and terms from now on. */
function restate(book: Book, group: Group, { terms }: Ruling, owed: Owed, now: Date): Restated {
  const { root, former, adjustments } = group
  if (former === undefined) return { group, payer: brandOf(root), restated: [] }
  const after: Transaction = {
    ...root,
    terms,
    offerUid: terms?.offerUid ?? null,
    offerType: terms?.offerType ?? null,
    rewardType: terms?.rewardType ?? null,
    version: root.version + 1,
    updatedAt: now,
  }
  if (isSame(former, after) && isSameTerms(former.terms, terms)) return { group, payer: brandOf(root), restated: [] }
  const posted = adjustments.reduce((sum, one) => minus(sum, minus(noAmounts, one.amounts)), root.amounts)
  const payer = payerOf({ ...former, amounts: posted }, after, owed)
  if (payer !== brandOf(former)) reassignTo(book, payer, former, after, posted, now)
  return { group: { ...group, root: after }, payer, restated: [{ before: former, after }] }
}

type Later = {
  readonly open: Transaction | undefined
  readonly missing: Amounts
  readonly left: bigint
  readonly state: PurchaseState
  readonly terms: Terms | null
  readonly payer: string
  readonly reason: StatusReason | null
}

/** More is owed than has matured: the difference waits as pending for the refund period of its own clearing. */
function settleLater(book: Book, { root }: Group, later: Later, now: Date): Change[] {
  const { open, missing, left, state, terms, payer, reason } = later
  if (isNothing(missing)) {
    const cancelled = open === undefined ? [] : cancelAdjustment(book, open, payer, now)
    return left === 0n
      ? cancelled
      : [...cancelled, { before: null, after: newEarned(root, state, left, noAmounts, now, reason) }]
  }
  const { brandUid, matchMethod, offerUid, offerType, rewardType } = root
  const of = { brandUid, matchMethod, offerUid, offerType, rewardType }
  const wanted = { ...of, amount: left, amounts: missing, ...maturity(book, state, terms) }
  if (open === undefined) {
    const adjustment: Transaction = { ...newAdjustment(root, state, now), ...wanted }
    post(book, adjustment, missing, payer, now)
    return [{ before: null, after: adjustment }]
  }
  if (isSame(open, { ...open, ...wanted })) return []
  const after: Transaction = { ...open, ...wanted, version: open.version + 1, updatedAt: now }
  post(book, after, minus(missing, open.amounts), payer, now)
  return [{ before: open, after }]
}

function cancelAdjustment(book: Book, open: Transaction, payer: string, now: Date): Change[] {
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

/** What changes nothing any more that could wait: a reward that is taken back, or an amount that changes no reward. */
function newEarned(
  root: Transaction,
  state: PurchaseState,
  amount: bigint,
  amounts: Amounts,
  now: Date,
  reason: StatusReason | null,
): Transaction {
  return {
    ...newAdjustment(root, state, now),
    ...{ amount, amounts, status: 'EARNED', earnedAt: now },
    statusReason: reason ?? (amount <= 0n && state.refunded > 0n ? 'refunded' : 'adjusted'),
  }
}

/** A fresh transaction that adjusts an earned one; the money is filled in by the caller. */
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

/** Promised from the first event, firm once cleared: the day after the refund period that begins on the clearing day. */
function maturity(
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
  if (!isNothing(difference)) accrue(book, row.userId, causeOf(row, now), brandUid, splitOfRow(difference))
}

export function causeOf(row: Transaction, now: Date): Cause {
  return { id: row.transactionId, version: row.version, effectiveAt: now }
}

/** The ledger's part of a reward: a discount was given at the till and is not the ledger's. */
export function splitOfRow(amounts: Amounts): Split {
  return { user: amounts.user, publisher: amounts.publisher, fee: amounts.fee }
}

function brandOf(row: Transaction): string {
  return row.terms?.brandUid ?? row.brandUid ?? ''
}

/** Whether two states of one transaction show and owe the same. */
function isSame(a: Transaction, b: Transaction): boolean {
  return (
    a.status === b.status &&
    a.statusReason === b.statusReason &&
    a.amount === b.amount &&
    a.refunded === b.refunded &&
    a.brandUid === b.brandUid &&
    a.offerUid === b.offerUid &&
    a.availableOn === b.availableOn &&
    a.clearedOn === b.clearedOn &&
    a.matchMethod === b.matchMethod &&
    a.merchantName === b.merchantName &&
    a.merchantDescriptor === b.merchantDescriptor &&
    a.orderId === b.orderId &&
    a.accountId === b.accountId &&
    a.currency === b.currency &&
    a.authorizedAt.getTime() === b.authorizedAt.getTime() &&
    a.lapsesAt?.getTime() === b.lapsesAt?.getTime() &&
    isNothing(minus(a.amounts, b.amounts))
  )
}

/** Whether two terms promise the same. A member that came later is absent from older ones; which state of the offer they were taken from promises nothing. */
export function isSameTerms(a: Terms | null, b: Terms | null): boolean {
  return isDeepStrictEqual(promiseOf(a), promiseOf(b))
}

function promiseOf(terms: Terms | null): unknown {
  if (terms === null) return null
  const members = Object.entries(terms).filter(([name, value]) => name !== 'offerVersion' && value != null)
  return Object.fromEntries(members)
}
