import { ProviderError } from './errors.ts'
import { enterRows } from './find.ts'
import type { History, Item, LastSeen, LogEntry, StoredTransaction, Transaction } from './state.ts'
import type { World } from './world.ts'

/**
 * The feed of one item. Every change to a transaction appends an entry to the item's append-only log, and a cursor is a
 * position in that log. Reading from a cursor folds all later entries into their net effect: each transaction is sent
 * once, in its current state, in the order of its last change. Therefore, a cursor works at any time.
 *
 * The pages of one update share a fixed start and end. A change between two pages invalidates the update: the request
 * for the next page fails with TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION, and the client starts the update again.
 */

export type SyncPage = {
  readonly added: readonly Transaction[]
  readonly modified: readonly Transaction[]
  readonly removed: readonly { readonly transaction_id: string; readonly account_id: string }[]
  readonly nextCursor: string
  readonly hasMore: boolean
}

type Cursor = {
  readonly itemId: string
  readonly accountId: string | null
  readonly generation: number
  /** The log position at which the update starts. */
  readonly from: number
  /** The log position at which the update ends, or null between updates, and the number of its changes already sent. */
  readonly upTo: number | null
  readonly sent: number
}

export function readFeed(item: Item, cursorText: string, count: number, accountId: string | null): SyncPage {
  const { logLength: head } = getVisible(item)
  const generation = item.cursorGeneration ?? 0
  const resting = (from: number): Cursor => ({ itemId: item.itemId, accountId, generation, from, upTo: null, sent: 0 })
  if (cursorText === 'now') return page(item, [], encodeCursor(resting(head)), false)

  const cursor = cursorText === '' ? resting(0) : decodeCursor(item, cursorText, accountId)
  if (cursor.upTo !== null && cursor.upTo !== head) {
    throw new ProviderError(
      'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
      'transactions changed between two pages; start again from the cursor that this update began with',
    )
  }
  const changes = netChanges(item, cursor.from, accountId)
  const sent = cursor.sent + count
  const hasMore = sent < changes.length
  const next = hasMore ? { ...cursor, upTo: head, sent } : resting(head)
  return page(item, changes.slice(cursor.sent, sent), encodeCursor(next), hasMore)
}

/** True if the cursor is from a page that was not the last of its update. */
export function isBetweenPages(cursorText: string): boolean {
  const parts = parse(Buffer.from(cursorText, 'base64').toString('utf8'))
  return Array.isArray(parts) && typeof parts[3] === 'number'
}

/**
 * Returns the part of an item that clients can read: everything or, once the bank has stopped reporting, only the data
 * from before.
 */
export function getVisible(item: Item): LastSeen {
  return item.lastSeen ?? { logLength: item.log.length, transactions: item.transactions }
}

/** Simulates a bank that stops reporting to the provider. Clients can read only what the provider has already seen. */
export function silenceFeed(item: Item): void {
  item.lastSeen ??= { logLength: item.log.length, transactions: { ...item.transactions } }
}

export function resumeFeed(item: Item): void {
  delete item.lastSeen
}

/** Invalidates every earlier cursor, as a change at the provider can. Clients must then read from the beginning. */
export function forgetCursors(world: World, item: Item): void {
  item.cursorGeneration = (item.cursorGeneration ?? 0) + 1
  world.changed()
}

/** Stores a new, changed or restored transaction. */
export function put(item: Item, transaction: StoredTransaction): void {
  const { row } = transaction
  removeLate(item, row.transaction_id)
  const kind = item.transactions[row.transaction_id] === undefined ? 'added' : 'modified'
  item.transactions[row.transaction_id] = transaction
  delete item.removed?.[row.transaction_id]
  if (isShared(item, row)) record(item, kind, row)
}

export function drop(item: Item, { row }: StoredTransaction): void {
  removeLate(item, null)
  takeOut(item, row.transaction_id)
}

/** Defers the removal of a pending row, whose posted row has already been added, until the item's next change. */
export function dropLater(item: Item, { row }: StoredTransaction): void {
  item.lateRemovals = [...(item.lateRemovals ?? []), row.transaction_id]
}

/** Performs the removals deferred until the item's next change, except that of the row that is changing. */
export function removeLate(item: Item, exceptId: string | null): void {
  const due = (item.lateRemovals ?? []).filter((id) => id !== exceptId)
  if (due.length === 0) return
  item.lateRemovals = (item.lateRemovals ?? []).filter((id) => id === exceptId)
  for (const id of due) takeOut(item, id)
}

function takeOut(item: Item, transactionId: string): void {
  const stored = item.transactions[transactionId]
  if (stored === undefined) return
  delete item.transactions[transactionId]
  item.removed ??= {}
  item.removed[transactionId] = stored
  if (isShared(item, stored.row)) record(item, 'removed', stored.row)
}

/** True if the row's account is shared. Rows of unshared accounts are withheld until their account is shared. */
function isShared(item: Item, { account_id }: Transaction): boolean {
  return item.accounts.some(({ accountId, shared }) => shared && accountId === account_id)
}

export function record(item: Item, kind: LogEntry['kind'], row: Transaction): void {
  item.log.push({ kind, transactionId: row.transaction_id, accountId: row.account_id })
}

/**
 * Announces new data to the client, unless the login is broken or the bank has stopped reporting, because the provider
 * then cannot see the data.
 */
export function announceUpdates(world: World, item: Item): void {
  recordUpdate(world, item)
  if (isHidden(item) || !item.syncCalled) return
  const status = getUpdateStatus(item)
  world.webhooks.send(item, 'TRANSACTIONS', 'SYNC_UPDATES_AVAILABLE', {
    initial_update_complete: status !== 'NOT_READY',
    historical_update_complete: status === 'HISTORICAL_UPDATE_COMPLETE',
  })
}

/** Records new data without sending a webhook. */
export function recordUpdate(world: World, item: Item): void {
  enterRows(world.state, item)
  world.changed()
  if (!isHidden(item)) item.lastSuccessfulUpdate = world.getNow(item).toISOString()
}

/** The interval at which the provider polls each bank. A poll that finds no changes is still an update. */
const POLL_MS = 6 * 3_600_000

/** Returns the time of the last update from the bank: at most one poll interval ago, unless the bank is unreachable. */
export function getLastUpdate(world: World, item: Item): string {
  const { lastSuccessfulUpdate } = item
  if (isHidden(item)) return lastSuccessfulUpdate
  const now = world.getNow(item).getTime()
  const poll = new Date(now - (now % POLL_MS)).toISOString()
  return poll > lastSuccessfulUpdate ? poll : lastSuccessfulUpdate
}

/** Returns how much of the item's history the provider has read. */
export function getUpdateStatus({ history }: Item): UpdateStatus {
  return history?.status ?? 'HISTORICAL_UPDATE_COMPLETE'
}

type UpdateStatus = History['status'] | 'HISTORICAL_UPDATE_COMPLETE'

export function isHidden({ error, lastSeen }: Item): boolean {
  return error !== null || lastSeen !== undefined
}

type Change = { readonly kind: LogEntry['kind']; readonly entry: LogEntry }

/** Folds the log entries after `from` into one change per transaction, in the order of their last entries. */
function netChanges(item: Item, from: number, accountId: string | null): Change[] {
  const seen = new Map<string, { readonly first: LogEntry; readonly last: LogEntry }>()
  for (const entry of item.log.slice(from, getVisible(item).logLength)) {
    if (accountId !== null && entry.accountId !== accountId) continue
    const first = seen.get(entry.transactionId)?.first ?? entry
    // Deleting before re-adding keeps the map in the order of last entries.
    seen.delete(entry.transactionId)
    seen.set(entry.transactionId, { first, last: entry })
  }
  return [...seen.values()].flatMap(({ first, last }): Change[] => {
    const wasThere = first.kind !== 'added'
    const isThere = last.kind !== 'removed'
    if (!wasThere && !isThere) return []
    const kind = isThere ? (wasThere ? 'modified' : 'added') : 'removed'
    return [{ kind, entry: last }]
  })
}

function page(item: Item, changes: readonly Change[], nextCursor: string, hasMore: boolean): SyncPage {
  const { transactions } = getVisible(item)
  const rows = (kind: LogEntry['kind']) =>
    changes.flatMap((change) => {
      const stored = transactions[change.entry.transactionId]
      return change.kind === kind && stored !== undefined ? [stored.row] : []
    })
  const removed = changes
    .filter(({ kind }) => kind === 'removed')
    .map(({ entry }) => ({ transaction_id: entry.transactionId, account_id: entry.accountId }))
  return { added: rows('added'), modified: rows('modified'), removed, nextCursor, hasMore }
}

function encodeCursor({ itemId, accountId, from, upTo, sent, generation }: Cursor): string {
  return Buffer.from(JSON.stringify([itemId, accountId, from, upTo, sent, generation])).toString('base64')
}

/**
 * Decodes a cursor.
 * @throws ProviderError INVALID_FIELD unless it was issued for this item and account filter
 */
function decodeCursor(item: Item, text: string, accountId: string | null): Cursor {
  const parts = parse(Buffer.from(text, 'base64').toString('utf8'))
  if (!Array.isArray(parts)) throw foreignCursor()
  // Cursors from older snapshots have no generation, so they belong to the first one.
  const [itemIdPart, accountPart, from, upTo, sent, generation = 0] = parts as unknown[]
  const inLog = (place: unknown): place is number =>
    typeof place === 'number' && Number.isInteger(place) && place >= 0 && place <= item.log.length
  const current = item.cursorGeneration ?? 0
  const known = itemIdPart === item.itemId && accountPart === accountId && generation === current
  if (!known || !inLog(from) || !(upTo === null || inLog(upTo)) || !inLog(sent)) throw foreignCursor()
  return { itemId: item.itemId, accountId, generation: current, from, upTo, sent }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function foreignCursor(): ProviderError {
  return new ProviderError('INVALID_FIELD', 'cursor not associated with access_token')
}
