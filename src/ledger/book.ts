import assert from 'node:assert/strict'
import { awaitAll, type Tx } from '../platform/db/database.ts'
import { newUuid, type UserId } from '../platform/ids.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import { insertJournals, lockWallets, writeBalances } from './queries.ts'
import {
  type Balances,
  buildAccrual,
  buildAdjustment,
  buildClawback,
  buildMaturity,
  buildPayout,
  buildReassignment,
  buildReturn,
  type Cause,
  computeBalanceEffect,
  findFault,
  holdPostings,
  type Journal,
  type JournalKind,
  noBalances,
  type Posting,
  releasePostings,
  type Shares,
  type Wallet,
  writeOffPostings,
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
  enter(book, userId, 'accrual', cause, buildAccrual(brandUid, split))
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
  enter(book, userId, 'reassignment', cause, buildReassignment(brands.from, brands.to, amount))
}

/** Makes a pending reward available, repaying the user's debt first. */
export function mature(book: Book, userId: UserId, cause: Cause, split: Shares): void {
  enter(book, userId, 'maturity', cause, buildMaturity(split, getBalances(book, userId, cause).debt))
}

/** Takes back a matured reward: from the available balance first, and the rest as debt. */
export function clawBack(book: Book, userId: UserId, cause: Cause, brandUid: string, taken: Shares): void {
  const { available } = getBalances(book, userId, cause)
  enter(book, userId, 'clawback', cause, buildClawback(brandUid, taken, available))
}

/** Sets available money aside for a redemption. The caller must have checked that enough is available. */
export function holdForRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint): void {
  enter(book, userId, 'redemption_hold', cause, holdPostings(amount))
}

/** Books the payout of held money by the given method. */
export function payRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint, method: string): void {
  enter(book, userId, 'redemption_paid', cause, buildPayout(amount, method))
}

/**
 * Releases held money that will not be paid out. It repays the user's debt first, and the rest becomes available again.
 */
export function releaseRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint): void {
  enter(book, userId, 'redemption_released', cause, releasePostings(amount, getBalances(book, userId, cause).debt))
}

/** Books a returned payout. The money repays the user's debt first, and the rest becomes available again. */
export function returnRedemption(book: Book, userId: UserId, cause: Cause, amount: bigint, method: string): void {
  enter(book, userId, 'redemption_returned', cause, buildReturn(amount, method, getBalances(book, userId, cause).debt))
}

/**
 * Books a manual adjustment that credits the user or takes available money. The caller must have checked that enough is
 * available.
 */
export function adjust(
  book: Book,
  userId: UserId,
  cause: Cause,
  amount: bigint,
  paidBy: 'service' | 'publisher',
): void {
  enter(book, userId, 'adjustment', cause, buildAdjustment(amount, paidBy, getBalances(book, userId, cause).debt))
}

/** Writes off a user's debt. */
export function writeOff(book: Book, userId: UserId, cause: Cause, amount: bigint): void {
  enter(book, userId, 'write_off', cause, writeOffPostings(amount))
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

function enter(book: Book, userId: UserId, kind: JournalKind, cause: Cause, postings: readonly Posting[]): void {
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
