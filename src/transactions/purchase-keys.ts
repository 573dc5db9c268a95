import { newUuid, type TransactionId, type UserId } from '../platform/ids.ts'
import type { Source } from './event.ts'

/**
 * Which purchase an event belongs to. Every external id that is known, also one that was only referred to so far,
 * stands for a purchase; an event joins the purchase of its own id or of its original's. An event that connects two
 * purchases (a clearing that arrives after its refund and after its authorization) makes them one.
 */
export type Threads = {
  readonly keys: Map<string, TransactionId>
  readonly added: Map<string, ThreadKey>
  readonly merged: { readonly userId: UserId; readonly from: TransactionId; into: TransactionId }[]
}
export type ThreadKey = {
  readonly userId: UserId
  readonly source: Source
  readonly externalId: string
  transactionId: TransactionId
}
type Member = {
  readonly userId: UserId
  readonly source: Source
  readonly externalId: string
  readonly originalExternalId: string | null
}

export function openThreads(known: readonly ThreadKey[]): Threads {
  return {
    keys: new Map(known.map((key) => [keyName(key, key.externalId), key.transactionId])),
    added: new Map(),
    merged: [],
  }
}

/** The purchase this event belongs to, new or known. */
export function threadOf(threads: Threads, event: Member): TransactionId {
  const own = threads.keys.get(keyName(event, event.externalId))
  const original =
    event.originalExternalId === null ? undefined : threads.keys.get(keyName(event, event.originalExternalId))
  const found = original ?? own ?? newUuid<'transaction'>()
  if (own !== undefined && own !== found) merge(threads, event.userId, own, found)
  addKey(threads, event, event.externalId, found)
  if (event.originalExternalId !== null) addKey(threads, event, event.originalExternalId, found)
  return found
}

function addKey(threads: Threads, event: Member, externalId: string, transactionId: TransactionId): void {
  const name = keyName(event, externalId)
  if (threads.keys.get(name) === transactionId) return
  threads.keys.set(name, transactionId)
  threads.added.set(name, { userId: event.userId, source: event.source, externalId, transactionId })
}

function merge(threads: Threads, userId: UserId, from: TransactionId, into: TransactionId): void {
  // What had been merged into the one that now goes moves on with it, so that no chain is left.
  for (const earlier of threads.merged) if (earlier.into === from) earlier.into = into
  threads.merged.push({ userId, from, into })
  for (const [name, id] of threads.keys) if (id === from) threads.keys.set(name, into)
  for (const key of threads.added.values()) if (key.transactionId === from) key.transactionId = into
}

export function keyName(event: { readonly userId: UserId; readonly source: Source }, externalId: string): string {
  return `${event.userId} ${event.source} ${externalId}`
}
