import { ControlError } from './errors.ts'
import { announceUpdates, drop, put } from './feed.ts'
import { newId } from './ids.ts'
import { findInstitution } from './institutions.ts'
import { sharedAccounts } from './linking.ts'
import { type Account, type Item, lookUp, type StoredTransaction, type Transaction } from './state.ts'
import { describe, type Merchant } from './transactions.ts'
import { dayOf, type World } from './world.ts'

/**
 * What the user does with a card, as the bank then reports it. A purchase may first show as pending; posting it puts a
 * new row with a new id in its place. A refund is a row of its own with a negative amount, tied to nothing.
 */
export type Purchase = Merchant & {
  readonly amount: number
  readonly currency?: string
  readonly date?: string
  readonly datetime?: string
  readonly authorized_date?: string
  readonly authorized_datetime?: string
  readonly pending?: boolean
}

/** Which item and account: the account named, else the item's, else the user's newest item; a card before the rest. */
export type Payer = {
  readonly item_id?: string
  readonly client_user_id?: string
  readonly account_id?: string
}

export function makePurchase(world: World, payer: Payer, purchase: Purchase): Transaction {
  const { item, account } = findPayer(world, payer)
  const pending = purchase.pending ?? false
  if (pending && findInstitution(item.institutionId)?.showsPending === false) {
    throw new ControlError(409, 'NO_PENDING_ROWS', 'This bank shows a purchase only once it has posted.')
  }
  const today = dayOf(world.nowOf(item))
  const date = purchase.date ?? purchase.datetime?.slice(0, 10) ?? today
  const row: Transaction = {
    ...describe(purchase),
    transaction_id: newId(),
    account_id: account.accountId,
    amount: purchase.amount,
    iso_currency_code: purchase.currency ?? 'USD',
    date,
    datetime: purchase.datetime ?? null,
    authorized_date: purchase.authorized_date ?? purchase.authorized_datetime?.slice(0, 10) ?? date,
    authorized_datetime: purchase.authorized_datetime ?? null,
    pending,
    pending_transaction_id: null,
  }
  put(item, { row, refundOf: null })
  announceUpdates(world, item)
  return row
}

export type Posting = { readonly amount?: number; readonly date?: string; readonly linked?: boolean }

/** The pending row goes and the posted one comes, in one update; banks that lose the tie leave it unlinked. */
export function postPurchase(world: World, transactionId: string, posting: Posting): Transaction {
  const { item, row } = findTransaction(world, transactionId)
  if (!row.pending) throw new ControlError(409, 'NOT_PENDING', 'The purchase has posted already.')
  const posted: Transaction = {
    ...row,
    transaction_id: newId(),
    amount: posting.amount ?? row.amount,
    date: posting.date ?? later(row.date, dayOf(world.nowOf(item))),
    datetime: null,
    pending: false,
    pending_transaction_id: (posting.linked ?? true) ? row.transaction_id : null,
  }
  drop(item, row)
  put(item, { row: posted, refundOf: null })
  announceUpdates(world, item)
  return posted
}

export type Refund = { readonly amount?: number; readonly date?: string }

/** Gives back all that is left of a posted purchase, or a part of it. */
export function refundPurchase(world: World, transactionId: string, refund: Refund): Transaction {
  const { item, row } = findTransaction(world, transactionId)
  if (row.pending) throw new ControlError(409, 'STILL_PENDING', 'A pending purchase is voided, not refunded.')
  if (row.amount <= 0) throw new ControlError(409, 'NOT_A_PURCHASE', 'Only money that went out can come back.')
  const leftCents = toCents(row.amount) - refundedCents(item, row)
  const cents = refund.amount === undefined ? leftCents : toCents(refund.amount)
  if (cents > leftCents || leftCents === 0) {
    throw new ControlError(409, 'MORE_THAN_LEFT', `No more than ${(leftCents / 100).toFixed(2)} is left to give back.`)
  }
  const date = refund.date ?? later(row.date, dayOf(world.nowOf(item)))
  const back: Transaction = {
    ...row,
    transaction_id: newId(),
    amount: -cents / 100,
    date,
    datetime: null,
    authorized_date: date,
    authorized_datetime: null,
    pending_transaction_id: null,
  }
  put(item, { row: back, refundOf: row.transaction_id })
  announceUpdates(world, item)
  return back
}

/** A pending purchase that never posts: the row vanishes without a replacement. */
export function voidPurchase(world: World, transactionId: string): Transaction {
  const { item, row } = findTransaction(world, transactionId)
  if (!row.pending) throw new ControlError(409, 'NOT_PENDING', 'A posted purchase is refunded, not voided.')
  drop(item, row)
  announceUpdates(world, item)
  return row
}

/** The rows of an item that its client can see, newest first. */
export function listTransactions(item: Item): Transaction[] {
  const shared = new Set(sharedAccounts(item).map(({ accountId }) => accountId))
  return Object.values(item.transactions)
    .map(({ row }) => row)
    .filter((row) => shared.has(row.account_id))
    .reverse()
}

function findTransaction(world: World, transactionId: string): StoredTransaction & { readonly item: Item } {
  for (const item of Object.values(world.state.items)) {
    const stored = lookUp(item.transactions, transactionId)
    const seen = sharedAccounts(item).some(({ accountId }) => accountId === stored?.row.account_id)
    if (stored !== undefined && seen) return { ...stored, item }
  }
  throw new ControlError(404, 'TRANSACTION_NOT_FOUND', 'There is no such transaction; a posted purchase has a new id.')
}

function findPayer(world: World, payer: Payer): { readonly item: Item; readonly account: Account } {
  const { item_id, client_user_id, account_id } = payer
  if (item_id === undefined && client_user_id === undefined && account_id === undefined) {
    throw new ControlError(400, 'PAYER_MISSING', 'Name the payer by client_user_id, item_id or account_id.')
  }
  // An object keeps its keys in the order they came, so the last item that fits is the newest.
  const items = Object.values(world.state.items).filter(
    (item) =>
      (item_id === undefined || item.itemId === item_id) &&
      (client_user_id === undefined || item.clientUserId === client_user_id) &&
      (account_id === undefined || sharedAccounts(item).some(({ accountId }) => accountId === account_id)),
  )
  const item = items.at(-1)
  if (item === undefined) throw new ControlError(404, 'PAYER_NOT_FOUND', 'No linked item fits; see GET /_sim/items.')
  const shared = sharedAccounts(item)
  const account =
    account_id === undefined
      ? (shared.find(({ type }) => type === 'credit') ?? shared[0])
      : shared.find(({ accountId }) => accountId === account_id)
  if (account === undefined)
    throw new ControlError(409, 'NO_SHARED_ACCOUNT', 'The user shares no account of this item.')
  return { item, account }
}

function refundedCents(item: Item, purchase: Transaction): number {
  return Object.values(item.transactions)
    .filter(({ refundOf }) => refundOf === purchase.transaction_id)
    .reduce((sum, { row }) => sum - toCents(row.amount), 0)
}

function toCents(amount: number): number {
  return Math.round(amount * 100)
}

/** Days written as yyyy-MM-dd sort like what they mean. */
function later(one: string, other: string): string {
  return one > other ? one : other
}
