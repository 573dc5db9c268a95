import { newUuid, type TransactionId, type UserId } from '../../platform/ids.ts'
import type { Source } from './event.ts'

/**
 * Finds the purchase of an event. Every external id, even one that was only referred to, identifies a purchase; an event
 * joins the purchase of its own id or of its original's. An event that connects two purchases (a clearing that arrives after
 * its refund and its authorization) merges them.
 */
export type PurchaseKeys = {
  readonly keys: Map<string, TransactionId>
  readonly added: Map<string, PurchaseKey>
  readonly merged: { readonly userId: UserId; readonly from: TransactionId; into: TransactionId }[]
}
export type PurchaseKey = {
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

export function openPurchaseKeys(known: readonly PurchaseKey[]): PurchaseKeys {
  return {
    keys: new Map(known.map((key) => [keyName(key, key.externalId), key.transactionId])),
    added: new Map(),
    merged: [],
  }
}

/** The purchase of an event, new or known. */
export function purchaseOfEvent(purchaseKeys: PurchaseKeys, event: Member): TransactionId {
  const own = purchaseKeys.keys.get(keyName(event, event.externalId))
  const original =
    event.originalExternalId === null ? undefined : purchaseKeys.keys.get(keyName(event, event.originalExternalId))
  const found = original ?? own ?? newUuid<'transaction'>()
  if (own !== undefined && own !== found) merge(purchaseKeys, event.userId, own, found)
  addKey(purchaseKeys, event, event.externalId, found)
  if (event.originalExternalId !== null) addKey(purchaseKeys, event, event.originalExternalId, found)
  return found
}

function addKey(purchaseKeys: PurchaseKeys, event: Member, externalId: string, transactionId: TransactionId): void {
  const name = keyName(event, externalId)
  if (purchaseKeys.keys.get(name) === transactionId) return
  purchaseKeys.keys.set(name, transactionId)
  purchaseKeys.added.set(name, { userId: event.userId, source: event.source, externalId, transactionId })
}

function merge(purchaseKeys: PurchaseKeys, userId: UserId, from: TransactionId, into: TransactionId): void {
  // Redirects earlier merges, so that none points to a merged purchase.
  for (const earlier of purchaseKeys.merged) if (earlier.into === from) earlier.into = into
  purchaseKeys.merged.push({ userId, from, into })
  for (const [name, id] of purchaseKeys.keys) if (id === from) purchaseKeys.keys.set(name, into)
  for (const key of purchaseKeys.added.values()) if (key.transactionId === from) key.transactionId = into
}

export function keyName(event: { readonly userId: UserId; readonly source: Source }, externalId: string): string {
  return `${event.userId} ${event.source} ${externalId}`
}
