import { ControlError } from './errors.ts'
import { announceUpdates, drop, dropLater, put } from './feed.ts'
import { newId } from './ids.ts'
import { findInstitution } from './institutions.ts'
import { listSharedAccounts } from './linking.ts'
import { findPayer, findRow, findRowThere, type Payer } from './payers.ts'
import type { Item, StoredTransaction, Transaction } from './state.ts'
import { buildRow, type Purchase } from './transactions.ts'
import { toDay, type World } from './world.ts'

/**
 * Makes a purchase, which can first appear as a pending row. Posting replaces that row with a new one under a new id. A
 * refund is a separate row with a negative amount and no reference to the purchase.
 */
export function makePurchase(world: World, payer: Payer, purchase: Purchase): Transaction {
  const { item, account } = findPayer(world, payer)
  if (purchase.pending) checkShowsPending(item)
  const row = buildRow(purchase, account, toDay(world.getNow(item)))
  put(item, { row, refundOf: null })
  announceUpdates(world, item)
  return row
}

/** Refunds a purchase that the item does not contain because it was made elsewhere or before the login was linked. */
export function makeOrphanRefund(world: World, payer: Payer, refund: Purchase): Transaction {
  return makePurchase(world, payer, { ...refund, amount: -refund.amount })
}

type Posting = {
  readonly amount?: number
  readonly date?: string
  /** False if the posted row should not reference the pending one. */
  readonly linked?: boolean
  /** Adds the posted row now and removes the pending one with the next change to the item. */
  readonly late_removal?: boolean
  /** Removes the pending row now. A second call for the same row adds the posted one. */
  readonly early_removal?: boolean
}

/**
 * Replaces the pending row with a posted one, usually in the same update. Even a pending row that the bank removed can
 * post, which is how a hold can disappear days before its purchase appears.
 */
export function postPurchase(world: World, transactionId: string, posting: Posting): Transaction {
  const { item, stored, removed } = findRow(world, transactionId)
  const { row } = stored
  if (!row.pending || isPosted(item, stored)) {
    throw new ControlError(409, 'NOT_PENDING', 'The purchase has already posted; a posted row has its own id.')
  }
  if (posting.early_removal) return removeEarly(world, transactionId, posting)
  const posted: Transaction = {
    ...row,
    transaction_id: newId(),
    amount: applySign(posting.amount ?? Math.abs(row.amount), row),
    date: posting.date ?? later(row.date, toDay(world.getNow(item))),
    datetime: null,
    pending: false,
    pending_transaction_id: (posting.linked ?? true) ? row.transaction_id : null,
  }
  const replaced = { ...stored, postedAs: posted.transaction_id }
  if (removed) item.removed = { ...item.removed, [row.transaction_id]: replaced }
  else item.transactions[row.transaction_id] = replaced
  if (!removed && !posting.late_removal) drop(item, replaced)
  put(item, { row: posted, refundOf: stored.refundOf })
  if (!removed && posting.late_removal) dropLater(item, replaced)
  announceUpdates(world, item)
  return posted
}

function removeEarly(world: World, transactionId: string, posting: Posting): Transaction {
  if (Object.keys(posting).length > 1) {
    throw new ControlError(
      400,
      'INVALID_FIELD',
      'early_removal must be the only field; the posting itself takes a second call.',
    )
  }
  return voidPurchase(world, transactionId)
}

type Refund = { readonly amount?: number; readonly date?: string; readonly pending?: boolean }

/** Refunds a posted purchase, either in part or the entire amount that is not refunded yet. */
export function refundPurchase(world: World, transactionId: string, refund: Refund): Transaction {
  const { item, stored } = findRowThere(world, transactionId)
  const { row } = stored
  if (row.amount <= 0) throw new ControlError(409, 'NOT_A_PURCHASE', 'Only money that went out can be refunded.')
  if (row.pending) throw new ControlError(409, 'STILL_PENDING', 'A pending purchase is voided, not refunded.')
  if (refund.pending) checkShowsPending(item)
  const leftCents = toCents(row.amount) - refundedCents(item, row)
  const cents = refund.amount === undefined ? leftCents : toCents(refund.amount)
  if (cents > leftCents || leftCents === 0) {
    throw new ControlError(409, 'MORE_THAN_LEFT', `No more than ${(leftCents / 100).toFixed(2)} is left to refund.`)
  }
  const date = refund.date ?? later(row.date, toDay(world.getNow(item)))
  const back: Transaction = {
    ...row,
    transaction_id: newId(),
    amount: -cents / 100,
    date,
    datetime: null,
    authorized_date: date,
    authorized_datetime: null,
    pending: refund.pending ?? false,
    pending_transaction_id: null,
  }
  put(item, { row: back, refundOf: row.transaction_id })
  announceUpdates(world, item)
  return back
}

/** Removes a pending purchase that will never post. */
export function voidPurchase(world: World, transactionId: string): Transaction {
  const { item, stored } = findRowThere(world, transactionId)
  if (!stored.row.pending) throw new ControlError(409, 'NOT_PENDING', 'A posted purchase is refunded, not voided.')
  drop(item, stored)
  announceUpdates(world, item)
  return stored.row
}

/** Returns the rows of an item that its client can see, newest first. */
export function listTransactions(item: Item): Transaction[] {
  const shared = new Set(listSharedAccounts(item).map(({ accountId }) => accountId))
  return Object.values(item.transactions)
    .map(({ row }) => row)
    .filter((row) => shared.has(row.account_id))
    .reverse()
}

/** True if the posted row that replaces this pending one is present. */
export function isPosted(item: Item, { postedAs }: StoredTransaction): boolean {
  return postedAs !== undefined && item.transactions[postedAs] !== undefined
}

/** Applies the row's sign to an unsigned amount. */
export function applySign(amount: number, { amount: before }: Transaction): number {
  return before < 0 ? -amount : amount
}

function checkShowsPending(item: Item): void {
  if (findInstitution(item.institutionId)?.showsPending === false) {
    throw new ControlError(409, 'NO_PENDING_ROWS', 'This bank shows a purchase only once it has posted.')
  }
}

/** Returns the amount already refunded, counting a pending refund and its posted row only once. */
function refundedCents(item: Item, purchase: Transaction): number {
  return Object.values(item.transactions)
    .filter((stored) => stored.refundOf === purchase.transaction_id && !isPosted(item, stored))
    .reduce((sum, { row }) => sum - toCents(row.amount), 0)
}

function toCents(amount: number): number {
  return Math.round(amount * 100)
}

/** Returns the later of two dates, which sort chronologically as yyyy-MM-dd. */
function later(one: string, other: string): string {
  return one > other ? one : other
}
