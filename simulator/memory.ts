import { put } from './feed.ts'
import { findByUser } from './find.ts'
import { GOOD_USERNAMES } from './good-user.ts'
import { newId } from './ids.ts'
import { DEFAULT_DAYS, HISTORY_USERNAME, subtractDays } from './past.ts'
import { type Account, type Item, lookUp, type StoredTransaction } from './state.ts'
import type { World } from './world.ts'

/**
 * Carries a login's history over to its next item, because a bank keeps purchases no matter how often a login is
 * linked. A new item starts with the rows of the last item of the same login, under new row and account ids, as after
 * relinking at a real bank. The provider's own test users are exempt: their history is fixed, as it is at the provider,
 * or comes from their own description.
 */

const FORGOTTEN = [...GOOD_USERNAMES, HISTORY_USERNAME, 'user_custom']

/** Copies the login's history to a new item. */
export function restoreHistory(world: World, item: Item): void {
  if (FORGOTTEN.includes(item.username)) return
  const last = findByUser(world.state, item.clientUserId).findLast(
    (other) => other !== item && isSameLogin(other, item),
  )
  const before = last ?? lookUp(world.state.remembered ?? {}, toName(item))
  if (before === undefined) return
  const since = subtractDays(world.getNow(item), item.daysRequested ?? DEFAULT_DAYS)
  const accounts = new Map(before.accounts.map((account) => [account.accountId, findSimilar(account, item)]))
  const { transactions } = before
  // Omits a hold that has posted, even if the last item had not removed it yet.
  const isHeld = ({ postedAs }: StoredTransaction) => postedAs === undefined || transactions[postedAs] === undefined
  const stored = Object.values(transactions).filter((one) => one.row.date >= since && isHeld(one))
  const ids = new Map(stored.map(({ row }) => [row.transaction_id, newId()]))
  for (const { row, refundOf } of stored) {
    const account = accounts.get(row.account_id)
    if (account === undefined) continue
    // Drops the reference to the hold. The wire format never links a refund to its purchase.
    const again = {
      ...row,
      transaction_id: ids.get(row.transaction_id) ?? newId(),
      account_id: account.accountId,
      pending_transaction_id: null,
    }
    put(item, { row: again, refundOf: refundOf === null ? null : (ids.get(refundOf) ?? null) })
  }
}

/** Saves the history of a login whose item is removed. */
export function remember(world: World, item: Item): void {
  if (FORGOTTEN.includes(item.username)) return
  const { accounts, transactions } = item
  world.state.remembered ??= {}
  world.state.remembered[toName(item)] = { accounts, transactions }
}

function isSameLogin(one: Item, other: Item): boolean {
  return toName(one) === toName(other)
}

function toName({ clientId, clientUserId, institutionId, username }: Item): string {
  return JSON.stringify([clientId, clientUserId, institutionId, username])
}

function findSimilar({ name, mask, subtype }: Account, item: Item): Account | undefined {
  return item.accounts.find((one) => one.name === name && one.mask === mask && one.subtype === subtype)
}
