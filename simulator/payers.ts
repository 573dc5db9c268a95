import { ControlError } from './errors.ts'
import { findByAccount, findByTransaction, findByUser } from './find.ts'
import { listSharedAccounts } from './linking.ts'
import { applyExpiry } from './logins.ts'
import { type Account, type Item, lookUp, type StoredTransaction } from './state.ts'
import type { World } from './world.ts'

/**
 * Selects an item and an account: the given account, or an account of the given item or of the user's newest item,
 * preferably a card.
 */
export type Payer = {
  readonly item_id?: string | undefined
  readonly client_user_id?: string | undefined
  readonly account_id?: string | undefined
}

export function findPayer(world: World, payer: Payer): { readonly item: Item; readonly account: Account } {
  const { item_id, client_user_id, account_id } = payer
  if (item_id === undefined && client_user_id === undefined && account_id === undefined) {
    throw new ControlError(400, 'PAYER_MISSING', 'Specify the payer with client_user_id, item_id or account_id.')
  }
  const item = findItems(world, payer).at(-1)
  if (item === undefined) throw new ControlError(404, 'PAYER_NOT_FOUND', 'No linked item matches; see GET /_sim/items.')
  const shared = listSharedAccounts(item)
  const account =
    account_id === undefined
      ? (shared.find(({ type }) => type === 'credit') ?? shared[0])
      : shared.find(({ accountId }) => accountId === account_id)
  if (account === undefined)
    throw new ControlError(409, 'NO_SHARED_ACCOUNT', 'The user shares no account of this item.')
  return { item, account }
}

/** Returns the items that match every given field, oldest first; all items if no field is given. */
export function findItems(world: World, named: Payer): Item[] {
  return findNamed(world, named).map((item) => applyExpiry(world, item))
}

function findNamed({ state }: World, { item_id, client_user_id, account_id }: Payer): Item[] {
  const one = (item: Item | undefined) => (item === undefined ? [] : [item])
  const named: Item[][] = []
  if (item_id !== undefined) named.push(one(lookUp(state.items, item_id)))
  if (account_id !== undefined) named.push(one(findByAccount(state, account_id)))
  if (client_user_id !== undefined) named.push(findByUser(state, client_user_id))
  const [first, ...others] = named
  if (first === undefined) return Object.values(state.items)
  return first.filter((item) => others.every((items) => items.includes(item)))
}

type Found = { readonly item: Item; readonly stored: StoredTransaction; readonly removed: boolean }

/** Finds a row by id, even a removed one. Rows of unshared accounts are invisible to clients. */
export function findRow(world: World, transactionId: string): Found {
  const item = findByTransaction(world.state, transactionId)
  const there = lookUp(item?.transactions ?? {}, transactionId)
  const stored = there ?? lookUp(item?.removed ?? {}, transactionId)
  const shared = item?.accounts.some((account) => account.shared && account.accountId === stored?.row.account_id)
  if (item === undefined || stored === undefined || !shared) {
    throw new ControlError(404, 'TRANSACTION_NOT_FOUND', 'There is no such transaction; see GET /_sim/purchases.')
  }
  return { item: applyExpiry(world, item), stored, removed: there === undefined }
}

/**
 * Finds a row by id.
 * @throws ControlError TRANSACTION_REMOVED if it was removed
 */
export function findRowThere(world: World, transactionId: string): Found {
  const found = findRow(world, transactionId)
  if (!found.removed) return found
  throw new ControlError(409, 'TRANSACTION_REMOVED', 'The bank no longer shows this row; it can be brought back.')
}
