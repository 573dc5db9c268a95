import assert from 'node:assert/strict'
import { awaitAll, type Tx } from '../platform/db/database.ts'
import { newUuid, type UserId } from '../platform/ids.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import { insertJournals, lockWallets, writeBalances } from './queries.ts'
import {
  type Balances,
  type Cause,
  computeBalanceEffect,
  creditPostings,
  findFault,
  type Journal,
  type JournalKind,
  noBalances,
  nonZero,
  type Posting,
  type Shares,
  smaller,
  type Wallet,
} from './rules.ts'

/**
 * The working set of one transaction: the locked wallets of its users and the journals to write. Entries update the
 * balances in memory, so later entries for the same user see the effect of earlier ones. `closeBook` writes everything
 * in two statements, regardless of the number of entries.
 */
export type Book = {
  readonly publisher: Publisher
  readonly wallets: Map<UserId, Wallet>
  readonly journals: Journal[]
}

/**
 * Locks the users' wallets in sorted order. This one lock serializes all work on a user, in any currency. With
 * `skipLocked`, the book leaves out users locked by another transaction instead of waiting for them.
 */
export async function openBook(
  tx: Tx,
  publisher: Publisher,
  userIds: readonly UserId[],
  { skipLocked = false } = {},
): Promise<Book> {
  return { publisher, wallets: await lockWallets(tx, publisher, userIds, skipLocked), journals: [] }
}

/** Books a reward, or a signed change to a reward that has not matured. */
export function accrue(book: Book, userId: UserId, cause: Cause, brandUid: string, split: Shares): void {
  enter(book, userId, 'accrual', cause, [
    { account: 'advertiser_receivable', owner: brandUid, amount: split.user + split.publisher + split.fee },
    { account: 'user_pending', owner: '', amount: -split.user },
    { account: 'publisher_pending', owner: '', amount: -split.publisher },
    { account: 'fee_pending', owner: '', amount: -split.fee },
  ])
}

/** Moves the amount booked for a purchase from one brand's receivable to another's. */
export function reassign(
  book: Book,
  userId: UserId,
  cause: Cause,
  brands: { readonly from: string; readonly to: string },
  booked: Shares,
): void {
  const amount = booked.user + booked.publisher + booked.fee
  enter(book, userId, 'reassignment', cause, [
    { account: 'advertiser_receivable', owner: brands.to, amount },
    { account: 'advertiser_receivable', owner: brands.from, amount: -amount },
  ])
}

/** Makes a pending reward available, repaying the user's debt first. */
export function mature(book: Book, userId: UserId, cause: Cause, split: Shares): void {
  enter(book, userId, 'maturity', cause, [
    { account: 'user_pending', owner: '', amount: split.user },
    ...creditPostings(split.user, getBalances(book, userId, cause).debt),
    { account: 'publisher_pending', owner: '', amount: split.publisher },
    { account: 'publisher_payable', owner: '', amount: -split.publisher },
    { account: 'fee_pending', owner: '', amount: split.fee },
    { account: 'fee_earned', owner: '', amount: -split.fee },
  ])
}

/** Takes back a matured reward: from the available balance first, and the rest as debt. No part may be negative. */
export function clawBack(book: Book, userId: UserId, cause: Cause, brandUid: string, taken: Shares): void {
  const fromAvailable = smaller(taken.user, getBalances(book, userId, cause).available)
  enter(book, userId, 'clawback', cause, [
    { account: 'user_available', owner: '', amount: fromAvailable },
    { account: 'user_debt', owner: '', amount: taken.user - fromAvailable },
    { account: 'publisher_payable', owner: '', amount: taken.publisher },
    { account: 'fee_earned', owner: '', amount: taken.fee },
    { account: 'advertiser_receivable', owner: brandUid, amount: -(taken.user + taken.publisher + taken.fee) },
  ])
}

/** Sets available money aside for a redemption. The caller must have checked that enough is available. */
export function holdForRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint): void {
  enter(book, userId, 'redemption_hold', cause, [
    { account: 'user_available', owner: '', amount },
    { account: 'user_held', owner: '', amount: -amount },
  ])
}

/**
 * Books the payout of held money by the given method. From then on, the amount is owed to whoever pays out by that
 * method.
 */
export function payRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint, method: string): void {
  enter(book, userId, 'redemption_paid', cause, [
    { account: 'user_held', owner: '', amount },
    { account: 'payout_clearing', owner: method, amount: -amount },
  ])
}

/**
 * Releases held money that will not be paid out. It repays the user's debt first, and the rest becomes available again.
 */
export function releaseRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint): void {
  enter(book, userId, 'redemption_released', cause, [
    { account: 'user_held', owner: '', amount },
    ...creditPostings(amount, getBalances(book, userId, cause).debt),
  ])
}

/** Books a returned payout. The money repays the user's debt first, and the rest becomes available again. */
export function returnRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint, method: string): void {
  enter(book, userId, 'redemption_returned', cause, [
    { account: 'payout_clearing', owner: method, amount },
    ...creditPostings(amount, getBalances(book, userId, cause).debt),
  ])
}

/**
 * Books a manual adjustment, paid by the service or the publisher. It credits the user, repaying debt first. A negative
 * amount is taken from the available balance. The caller must have checked that enough is available.
 */
export function adjust(
  book: Book,
  userId: UserId,
  cause: Cause,
  amount: bigint,
  paidBy: 'service' | 'publisher',
): void {
  const payer = paidBy === 'service' ? 'goodwill' : 'publisher_payable'
  const taken = { account: 'user_available', owner: '', amount: -amount } as const
  enter(book, userId, 'adjustment', cause, [
    { account: payer, owner: '', amount },
    ...(amount < 0n ? [taken] : creditPostings(amount, getBalances(book, userId, cause).debt)),
  ])
}

/** Writes off, as a loss, a debt that will not be repaid. */
export function writeOff(book: Book, userId: UserId, cause: Cause, amount: bigint): void {
  enter(book, userId, 'write_off', cause, [
    { account: 'user_debt', owner: '', amount: -amount },
    { account: 'clawback_loss', owner: '', amount },
  ])
}

/** Writes the journals, the deltas of shared accounts and, last, the balances. */
export async function closeBook(tx: Tx, book: Book): Promise<void> {
  if (book.journals.length === 0) return
  const touched = new Map(book.journals.map(({ userId, cause }) => [`${userId} ${cause.currency}`, { userId, cause }]))
  const rows = [...touched.values()].map(({ userId, cause }) => ({
    userId,
    currency: cause.currency,
    ...getBalances(book, userId, cause),
  }))
  // Sent together, and executed in this order.
  await awaitAll([insertJournals(tx, book.publisher, book.journals), writeBalances(tx, book.publisher, rows)])
}

function enter(book: Book, userId: UserId, kind: JournalKind, cause: Cause, given: readonly Posting[]): void {
  const postings = nonZero(given)
  if (postings.length === 0) return
  assert(book.publisher.limits.has(cause.currency), `the publisher does not keep books in ${cause.currency}`)
  const fault = findFault(kind, postings)
  assert(fault === null, fault ?? '')
  const before = getBalances(book, userId, cause)
  const effect = computeBalanceEffect(kind, postings)
  const after: Balances = {
    pending: before.pending + effect.pending,
    available: before.available + effect.available,
    held: before.held + effect.held,
    debt: before.debt + effect.debt,
    earnedTotal: before.earnedTotal + effect.earnedTotal,
    redeemedTotal: before.redeemedTotal + effect.redeemedTotal,
  }
  assert(
    Object.values(after).every((amount) => amount >= 0n),
    `a ${kind} would make a balance negative`,
  )
  book.wallets.set(userId, new Map(book.wallets.get(userId)).set(cause.currency, after))
  book.journals.push({ journalId: newUuid(), userId, kind, cause, postings })
}

/** Returns a user's balances in a currency, including the entries in this book. */
export function getBalances(book: Book, userId: UserId, { currency }: { readonly currency: string }): Balances {
  return book.wallets.get(userId)?.get(currency) ?? noBalances
}
