import { type Item, lookUp, type State } from './state.ts'

/**
 * An index of items by the identifiers used in calls. It is not part of the state but is built by the first lookup
 * after startup. It stores only item ids, and every result is checked against the state, so a stale entry (a closed
 * account, a changed token) yields no item rather than the wrong one.
 */
type Index = {
  readonly byToken: Map<string, string>
  readonly byAccount: Map<string, string>
  /** The items of each user, oldest first. */
  readonly byUser: Map<string, Set<string>>
  readonly byTransaction: Map<string, string>
  /** The number of log entries indexed per item. */
  readonly entryCounts: Map<string, number>
}

const INDEXES = new WeakMap<State, Index>()

/** Indexes a new item. Call it again after its token or accounts change. */
export function enterItem(state: State, item: Item): void {
  enter(getIndex(state), item)
}

/** Indexes new log entries. Call it after the log of an item grows. */
export function enterRows(state: State, item: Item): void {
  enterLog(getIndex(state), item)
}

export function leaveItem(state: State, item: Item): void {
  const { byToken, byAccount, byUser, byTransaction, entryCounts } = getIndex(state)
  for (const { transactionId } of item.log) byTransaction.delete(transactionId)
  entryCounts.delete(item.itemId)
  byToken.delete(item.accessToken)
  for (const { accountId } of item.accounts) byAccount.delete(accountId)
  const itemIds = byUser.get(item.clientUserId)
  itemIds?.delete(item.itemId)
  if (itemIds?.size === 0) byUser.delete(item.clientUserId)
}

export function findByToken(state: State, accessToken: string): Item | undefined {
  const item = findById(state, getIndex(state).byToken.get(accessToken))
  return item?.accessToken === accessToken ? item : undefined
}

/** Finds the item whose user shares this account. */
export function findByAccount(state: State, accountId: string): Item | undefined {
  const item = findById(state, getIndex(state).byAccount.get(accountId))
  return item?.accounts.some((account) => account.accountId === accountId && account.shared) ? item : undefined
}

/** Returns a user's items, oldest first. */
export function findByUser(state: State, clientUserId: string): Item[] {
  const itemIds = getIndex(state).byUser.get(clientUserId) ?? []
  return [...itemIds].flatMap((itemId) => findById(state, itemId) ?? [])
}

/** Finds the item that has, or once had, a row with this id. */
export function findByTransaction(state: State, transactionId: string): Item | undefined {
  return findById(state, getIndex(state).byTransaction.get(transactionId))
}

function findById(state: State, itemId: string | undefined): Item | undefined {
  return itemId === undefined ? undefined : lookUp(state.items, itemId)
}

function getIndex(state: State): Index {
  let index = INDEXES.get(state)
  if (index === undefined) {
    index = {
      byToken: new Map(),
      byAccount: new Map(),
      byUser: new Map(),
      byTransaction: new Map(),
      entryCounts: new Map(),
    }
    INDEXES.set(state, index)
    for (const item of Object.values(state.items)) enter(index, item)
  }
  return index
}

function enter(index: Index, item: Item): void {
  const { byToken, byAccount, byUser } = index
  byToken.set(item.accessToken, item.itemId)
  for (const { accountId } of item.accounts) byAccount.set(accountId, item.itemId)
  const itemIds = byUser.get(item.clientUserId) ?? new Set()
  byUser.set(item.clientUserId, itemIds.add(item.itemId))
  enterLog(index, item)
}

function enterLog({ byTransaction, entryCounts }: Index, { itemId, log }: Item): void {
  for (const { transactionId } of log.slice(entryCounts.get(itemId) ?? 0)) byTransaction.set(transactionId, itemId)
  entryCounts.set(itemId, log.length)
}
