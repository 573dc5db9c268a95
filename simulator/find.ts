import { type Item, lookUp, type State } from './state.ts'

/**
 * Where an item is, by what a call names it with. Kept beside the state and not in it: built when it is first asked for,
 * which after a restart means from the snapshot. It holds item ids, and what it finds is looked at again, so an entry
 * that has become old (an account closed, a token changed) leads nowhere, not astray.
 */
type Index = {
  readonly byToken: Map<string, string>
  readonly byAccount: Map<string, string>
  /** The oldest item of each user first. */
  readonly byUser: Map<string, Set<string>>
}

const INDEXES = new WeakMap<State, Index>()

/** To be called for a new item, and again when its token or its accounts changed. */
export function enterItem(state: State, item: Item): void {
  enter(indexOf(state), item)
}

export function leaveItem(state: State, item: Item): void {
  const { byToken, byAccount, byUser } = indexOf(state)
  byToken.delete(item.accessToken)
  for (const { accountId } of item.accounts) byAccount.delete(accountId)
  const itemIds = byUser.get(item.clientUserId)
  itemIds?.delete(item.itemId)
  if (itemIds?.size === 0) byUser.delete(item.clientUserId)
}

export function findByToken(state: State, accessToken: string): Item | undefined {
  const item = findById(state, indexOf(state).byToken.get(accessToken))
  return item?.accessToken === accessToken ? item : undefined
}

/** The item whose user shares this account. */
export function findByAccount(state: State, accountId: string): Item | undefined {
  const item = findById(state, indexOf(state).byAccount.get(accountId))
  return item?.accounts.some((account) => account.accountId === accountId && account.shared) ? item : undefined
}

/** The items of a user, the oldest first. */
export function findByUser(state: State, clientUserId: string): Item[] {
  const itemIds = indexOf(state).byUser.get(clientUserId) ?? []
  return [...itemIds].flatMap((itemId) => findById(state, itemId) ?? [])
}

/** Transactions come and go too often to be kept track of; this asks each item, the newest first. */
export function findByTransaction(state: State, transactionId: string): Item | undefined {
  return Object.values(state.items).findLast(
    ({ transactions, removed = {} }) =>
      Object.hasOwn(transactions, transactionId) || Object.hasOwn(removed, transactionId),
  )
}

function findById(state: State, itemId: string | undefined): Item | undefined {
  return itemId === undefined ? undefined : lookUp(state.items, itemId)
}

function indexOf(state: State): Index {
  let index = INDEXES.get(state)
  if (index === undefined) {
    index = { byToken: new Map(), byAccount: new Map(), byUser: new Map() }
    INDEXES.set(state, index)
    for (const item of Object.values(state.items)) enter(index, item)
  }
  return index
}

function enter({ byToken, byAccount, byUser }: Index, item: Item): void {
  byToken.set(item.accessToken, item.itemId)
  for (const { accountId } of item.accounts) byAccount.set(accountId, item.itemId)
  const itemIds = byUser.get(item.clientUserId) ?? new Set()
  byUser.set(item.clientUserId, itemIds.add(item.itemId))
}
