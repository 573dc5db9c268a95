import { newUuid, type TransactionId, type UserId } from '../../../platform/ids.ts'
import type { SourceEvent } from '../event.ts'

/**
 * Maps external ids to purchases. Every external id identifies a purchase, even one that events only refer to. An event
 * joins the purchase of its own id or of the id it refers to. An event that connects several purchases merges them, as
 * when a clearing arrives after its refund and its authorization.
 */
export type PurchaseKeys = {
  readonly keys: Map<string, TransactionId>
  readonly merged: { readonly userId: UserId; readonly from: TransactionId; into: TransactionId }[]
}
export type PurchaseKey = Pick<SourceEvent, 'userId' | 'source' | 'externalId'> & {
  readonly transactionId: TransactionId
}
type Member = Pick<SourceEvent, 'userId' | 'source' | 'externalId' | 'originalExternalId' | 'aliases'>

export function openPurchaseKeys(known: readonly PurchaseKey[]): PurchaseKeys {
  return {
    keys: new Map(known.map((key) => [toKeyName(key, key.externalId), key.transactionId])),
    merged: [],
  }
}

/** Returns the ids by which an event's purchase can be found, starting with the original event's. */
export function toNames({ externalId, originalExternalId, aliases = [] }: Member): string[] {
  return [...(originalExternalId === null ? [] : [originalExternalId]), externalId, ...aliases]
}

/** Adds an event to its purchase, new or existing, and merges the purchases it connects. */
export function joinPurchase(purchaseKeys: PurchaseKeys, event: Member): void {
  const names = toNames(event)
  const known = names.map((name) => purchaseKeys.keys.get(toKeyName(event, name)))
  const found = known.find((id) => id !== undefined) ?? newUuid<'transaction'>()
  for (const name of names) assignTo(purchaseKeys, event, name, found)
}

/** Assigns an id to a purchase. If the id belonged to another purchase, merges that purchase into this one. */
export function assignTo(
  purchaseKeys: PurchaseKeys,
  event: Member,
  externalId: string,
  transactionId: TransactionId,
): void {
  const known = purchaseKeys.keys.get(toKeyName(event, externalId))
  if (known !== undefined && known !== transactionId) merge(purchaseKeys, event.userId, known, transactionId)
  purchaseKeys.keys.set(toKeyName(event, externalId), transactionId)
}

/** Returns the purchase that an event has joined. */
export function getPurchaseId({ keys }: Pick<PurchaseKeys, 'keys'>, event: Member): TransactionId {
  const transactionId = keys.get(toKeyName(event, event.externalId))
  if (transactionId === undefined) throw new Error(`the event ${event.externalId} belongs to no purchase`)
  return transactionId
}

function merge(purchaseKeys: PurchaseKeys, userId: UserId, from: TransactionId, into: TransactionId): void {
  // Redirects earlier merges so that none points to a purchase that has itself been merged.
  for (const earlier of purchaseKeys.merged) if (earlier.into === from) earlier.into = into
  purchaseKeys.merged.push({ userId, from, into })
  for (const [name, id] of purchaseKeys.keys) if (id === from) purchaseKeys.keys.set(name, into)
}

export function toKeyName(event: Pick<Member, 'userId' | 'source'>, externalId: string): string {
  return `${event.userId} ${event.source} ${externalId}`
}
