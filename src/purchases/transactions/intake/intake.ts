import { createHash } from 'node:crypto'
import { type Book, openBook } from '../../../ledger/index.ts'
import { buildConflictRefusal, listDifferingFields } from '../../../platform/conflict.ts'
import { awaitAll, type Tx } from '../../../platform/db/database.ts'
import { newUuid, type TransactionId, type UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { userNotFound } from '../../../users/users/index.ts'
import type { TransactionRefusal } from '../errors.ts'
import type { PurchaseFacts, SourceEvent, SourceEventInput } from '../event.ts'
import { isPurchaseEvent } from '../fold/fold.ts'
import * as queries from '../queries.ts'
import type { SettlementCatalog } from '../replay/replay-input.ts'
import { listTransactionsById } from '../rewards/queries.ts'
import { settlePurchases } from '../write/settle-purchases.ts'
import { HASH_OF_ERASED, reduceErasedUsers } from './erased.ts'
import { replacePoolCodes } from './pool-codes.ts'
import {
  assignTo,
  getPurchaseId,
  joinPurchase,
  openPurchaseKeys,
  type PurchaseKeys,
  toKeyName,
  toNames,
} from './purchase-keys.ts'
import { deleteOpenRefunds, insertOpenRefunds } from './refund-queries.ts'
import { namesNoPurchase } from './refund-rules.ts'
import { findRefunded } from './refunds.ts'

/** An event's transaction, or the refusal of the event. */
export type Outcome = { readonly transactionId: TransactionId } | { readonly refusal: Refusal }
export type IntakeDeps = {
  readonly catalog: SettlementCatalog
  /** Required only if events can contain voucher codes. */
  readonly vault?: Pick<Vault, 'fingerprint'>
  /**
   * Returns the publisher's time. Called after the users are locked, so that an event without a time is dated after
   * every event already ingested. Required only if events can lack a time.
   */
  readonly nowUnderLock?: () => Date
  /**
   * Set to find the purchases of refunds that reference none. Unset for linked cards, whose feed finds those purchases
   * itself.
   */
  readonly findsRefunded?: true
}

/**
 * Ingests events from any source: stores them unchanged, folds them into their purchases, decides, settles, and records
 * the resulting events, all in the caller's transaction. A single event is a batch of one.
 *
 * Locks the users' balances first, in sorted order. These locks serialize all work for a user, so a concurrent
 * duplicate waits and then finds that the first event has claimed the id.
 */
export async function ingestEvents(
  tx: Tx,
  deps: IntakeDeps,
  publisher: Publisher,
  inputs: readonly SourceEventInput[],
  requestedAt: Date,
): Promise<Outcome[]> {
  const book = await openBook(tx, publisher, [...new Set(inputs.map((input) => input.userId))])
  const now = deps.nowUnderLock?.() ?? requestedAt
  const known = await reduceErasedUsers(tx, deps, publisher, inputs)
  const read = await replacePoolCodes(tx, deps, publisher, known)
  const events = known.map((input, index) => toEvent(input, read[index]?.facts ?? input.facts, now))
  const outcomes = new Map<SourceEvent, Outcome>()
  const unique = withoutRepeats(events.filter((event) => book.wallets.has(event.userId)))
  for (const event of events) if (!book.wallets.has(event.userId)) outcomes.set(event, { refusal: userNotFound() })
  // Read once, because no other transaction can add keys for locked users.
  const purchaseKeys = await readPurchaseKeys(tx, publisher, unique.first)
  const fitting = await inTheirCurrency(tx, publisher, unique.first, purchaseKeys, outcomes)
  const fresh = await claimIds(tx, publisher, fitting, outcomes)
  const refused = unique.first.filter((event) => outcomes.has(event))
  await repeatAnswers(tx, publisher, refused, outcomes)
  // Unreferenced refunds come last, so that they can find purchases in the same batch.
  const [unreferenced, named] = partition(fresh, (event) => deps.findsRefunded === true && namesNoPurchase(event))
  if (named.length > 0) await record(tx, deps, { book, purchaseKeys, events: named, outcomes, now })
  if (fresh.length > 0)
    await recordRefunds(tx, deps, { publisher, purchaseKeys, events: unreferenced, outcomes, now }, [
      ...new Set(fresh.map(({ userId }) => userId)),
    ])
  for (const [event, first] of unique.repeats) outcomes.set(event, repeatOutcome(event, first, outcomes))
  return events.map((event) => currentOutcome(outcomes.get(event)))
}

/** Joins an unmatched refund to the purchase that an operator chose. */
export async function joinRefund(
  tx: Tx,
  deps: IntakeDeps,
  publisher: Publisher,
  { userId, from, into }: { readonly userId: UserId; readonly from: TransactionId; readonly into: TransactionId },
  now: Date,
): Promise<void> {
  const book = await openBook(tx, publisher, [userId])
  const purchaseKeys = { keys: new Map(), merged: [{ userId, from, into }] }
  await record(tx, deps, { book, purchaseKeys, events: [], outcomes: new Map(), now })
  await deleteOpenRefunds(tx, publisher.id, [{ userId, transactionId: from }])
}

type Recording = {
  readonly purchaseKeys: PurchaseKeys
  readonly events: readonly SourceEvent[]
  readonly outcomes: Map<SourceEvent, Outcome>
  readonly now: Date
}

/** Stores events with their purchases, then settles the purchases. */
async function record(
  tx: Tx,
  deps: IntakeDeps,
  { book, purchaseKeys, events, outcomes, now }: Recording & { readonly book: Book },
): Promise<void> {
  const { publisher } = book
  for (const event of events) joinPurchase(purchaseKeys, event)
  const joined = events.map((event) => ({ event, transactionId: getPurchaseId(purchaseKeys, event) }))
  for (const { event, transactionId } of joined) outcomes.set(event, { transactionId })
  const rows = joined.map(({ event, transactionId }) => ({ ...event, transactionId }))
  await awaitAll([
    queries.insertSourceEvents(tx, publisher.id, rows),
    queries.moveEvents(tx, publisher.id, purchaseKeys.merged),
  ])
  await settlePurchases(tx, deps, book, touchedBy(joined, purchaseKeys), now)
}

/**
 * Records unreferenced refunds with the purchases found for them, and joins refunds that were waiting to the purchases
 * found for them.
 */
async function recordRefunds(
  tx: Tx,
  deps: IntakeDeps,
  { publisher, purchaseKeys, events, outcomes, now }: Recording & { readonly publisher: Publisher },
  userIds: readonly UserId[],
): Promise<void> {
  const assortment = await deps.catalog.getAssortment(publisher)
  const { joined, adopted } = await findRefunded(tx, publisher, assortment, userIds, events)
  if (events.length + adopted.length === 0) return
  const found = { keys: purchaseKeys.keys, merged: [...adopted] }
  // A reversal that arrived before its refund waits in its own transaction, which is merged here.
  for (const [event, purchase] of joined) assignTo(found, event, event.externalId, purchase)
  const book = await openBook(tx, publisher, userIds)
  await record(tx, deps, { book, purchaseKeys: found, events, outcomes, now })
  const waiting = events.filter((event) => !joined.has(event))
  await awaitAll([
    insertOpenRefunds(
      tx,
      publisher.id,
      waiting.map((event) => ({ userId: event.userId, transactionId: getPurchaseId(purchaseKeys, event) })),
      now,
    ),
    deleteOpenRefunds(
      tx,
      publisher.id,
      adopted.map(({ userId, from }) => ({ userId, transactionId: from })),
    ),
  ])
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

/** @param facts the facts to store. The hash covers the input as reported, so that duplicates are recognized. */
export function toEvent(input: SourceEventInput, facts: PurchaseFacts, now: Date): SourceEvent {
  return {
    ...input,
    facts,
    occurredAt: input.occurredAt ?? now,
    eventId: newUuid<'sourceEvent'>(),
    receivedAt: now,
    inputHash: input.facts.isErased === true ? HASH_OF_ERASED : hashInput(input),
  }
}

// Half of a SHA-256 hash is enough to distinguish inputs.
const HASH_BYTES = 16

/** Hashes the content, regardless of its reporter and of property order. */
function hashInput(input: SourceEventInput): Buffer {
  const { facts, amount, isFeed: _, aliases: __, ...rest } = input
  const content = [['amount', String(amount)] as const, ...Object.entries(rest), ...Object.entries(facts)]
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(content)).digest().subarray(0, HASH_BYTES)
}

/** Separates out events that reuse the id of an earlier event in the batch. */
function withoutRepeats(events: readonly SourceEvent[]) {
  const seen = new Map<string, SourceEvent>()
  const repeats: [SourceEvent, SourceEvent][] = []
  for (const event of events) {
    const first = seen.get(toName(event))
    if (first === undefined) seen.set(toName(event), event)
    else repeats.push([event, first])
  }
  return { first: [...seen.values()], repeats }
}

function repeatOutcome(event: SourceEvent, first: SourceEvent, outcomes: ReadonlyMap<SourceEvent, Outcome>): Outcome {
  const answer = outcomes.get(first)
  return answer !== undefined && first.userId === event.userId && first.inputHash.equals(event.inputHash)
    ? answer
    : { refusal: conflict(event, first) }
}

/** Claims the ids of events and returns the events whose ids were free. Rejects the rest as conflicts. */
async function claimIds(
  tx: Tx,
  publisher: Publisher,
  events: readonly SourceEvent[],
  outcomes: Map<SourceEvent, Outcome>,
): Promise<SourceEvent[]> {
  if (events.length === 0) return []
  const free = await queries.claimEvents(tx, publisher.id, events)
  for (const event of events) if (!free.has(toName(event))) outcomes.set(event, { refusal: conflict(event, null) })
  return events.filter((event) => free.has(toName(event)))
}

/**
 * Repeats the original response for refused events that are already stored with the same user and content. These can
 * include a refund in a currency other than its purchase's, which was accepted because it arrived first.
 */
async function repeatAnswers(
  tx: Tx,
  publisher: Publisher,
  refused: readonly SourceEvent[],
  outcomes: Map<SourceEvent, Outcome>,
): Promise<void> {
  if (refused.length === 0) return
  const stored = await queries.listKnownEvents(tx, publisher.id, refused)
  const known = new Map(stored.map((one) => [toName(one), one]))
  const conflicting: SourceEvent[] = []
  for (const event of refused) {
    const kept = known.get(toName(event))
    if (kept === undefined) continue
    if (kept.userId === event.userId && kept.inputHash.equals(event.inputHash))
      outcomes.set(event, { transactionId: kept.transactionId })
    else conflicting.push(event)
  }
  await nameDifferences(tx, publisher, conflicting, stored, outcomes)
}

/** Rejects events that reuse an id, listing the fields that differ from the event stored under it. */
async function nameDifferences(
  tx: Tx,
  publisher: Publisher,
  conflicting: readonly SourceEvent[],
  known: Awaited<ReturnType<typeof queries.listKnownEvents>>,
  outcomes: Map<SourceEvent, Outcome>,
): Promise<void> {
  if (conflicting.length === 0) return
  const names = new Set(conflicting.map(toName))
  const kept = known.filter((one) => names.has(toName(one)))
  const userIds = [...new Set(kept.map(({ userId }) => userId))]
  const ids = [...new Set(kept.map(({ transactionId }) => transactionId))]
  const stored = new Map(
    (await queries.listPurchaseEvents(tx, publisher.id, userIds, ids)).map((one) => [toName(one), one]),
  )
  for (const event of conflicting) outcomes.set(event, { refusal: conflict(event, stored.get(toName(event)) ?? null) })
}

async function readPurchaseKeys(tx: Tx, publisher: Publisher, events: readonly SourceEvent[]): Promise<PurchaseKeys> {
  const wanted = events.flatMap((event) =>
    toNames(event).map((externalId) => ({ userId: event.userId, source: event.source, externalId })),
  )
  return openPurchaseKeys(await queries.listPurchaseKeys(tx, publisher.id, wanted))
}

const MAY_LACK_PURCHASE: ReadonlySet<string | null> = new Set(['original_unknown', 'declined'])

/**
 * Rejects events in a currency other than their purchase's, because the amounts cannot be added. Only an authorization
 * or a clearing sets the currency, so a refund or decline that arrives first does not block its purchase.
 */
async function inTheirCurrency(
  tx: Tx,
  publisher: Publisher,
  events: readonly SourceEvent[],
  { keys }: Pick<PurchaseKeys, 'keys'>,
  outcomes: Map<SourceEvent, Outcome>,
): Promise<SourceEvent[]> {
  const roots = keys.size === 0 ? [] : await listTransactionsById(tx, publisher.id, [...new Set(keys.values())])
  const doubtful = roots.filter(({ statusReason }) => MAY_LACK_PURCHASE.has(statusReason))
  const userIds = doubtful.map(({ userId }) => userId)
  const ids = doubtful.map(({ transactionId }) => transactionId)
  const stored = ids.length === 0 ? [] : await queries.listPurchaseEvents(tx, publisher.id, userIds, ids)
  const stating = new Set(stored.filter(isPurchaseEvent).map(({ transactionId }) => transactionId))
  const currencies = new Map(
    roots
      .filter(({ transactionId, statusReason }) => !MAY_LACK_PURCHASE.has(statusReason) || stating.has(transactionId))
      .map((root) => [root.transactionId as string, root.currency]),
  )
  return events.filter((event) => {
    const names = toNames(event).map((name) => toKeyName(event, name))
    const purchases = names.map((name) => keys.get(name) ?? name)
    const known = purchases.flatMap((purchase) => currencies.get(purchase) ?? [])
    const other = known.find((currency) => currency !== event.currency)
    if (other !== undefined) {
      outcomes.set(event, { refusal: currencyConflict(event, other) })
      return false
    }
    if (known.length > 0 || isPurchaseEvent(event))
      for (const purchase of purchases) currencies.set(purchase, event.currency)
    return true
  })
}

/** Maps each affected purchase to its new events, in order. Includes both sides of every merge. */
function touchedBy(
  joined: readonly { readonly event: SourceEvent; readonly transactionId: TransactionId }[],
  { merged }: PurchaseKeys,
): Map<TransactionId, SourceEvent[]> {
  const touched = new Map<TransactionId, SourceEvent[]>(
    merged.flatMap(({ from, into }) => [
      [from, []],
      [into, []],
    ]),
  )
  for (const { event, transactionId } of joined)
    touched.set(transactionId, [...(touched.get(transactionId) ?? []), event])
  return touched
}

function currentOutcome(outcome: Outcome | undefined): Outcome {
  if (outcome === undefined) throw new Error('an event of a batch has no outcome')
  return outcome
}

function toName(event: { readonly source: string; readonly externalId: string }): string {
  return `${event.source} ${event.externalId}`
}

/** @param known the event as first reported, if it was loaded */
function conflict(event: SourceEvent, known: SourceEvent | null): Refusal {
  const fields = known === null ? [] : listDifferingFields(buildContent(known), buildContent(event))
  return buildConflictRefusal<TransactionRefusal>('event_conflict', {
    what: `The event ${event.externalId} was reported`,
    key: 'external_id',
    fields,
  })
}

/** Returns the reported content under the API's field names. */
function buildContent(event: SourceEvent): object {
  const { userId, kind, originalExternalId, amount, currency, occurredAt, receivedAt } = event
  const { voucherCodeId, ...facts } = event.facts
  return {
    publisherUserId: userId,
    kind,
    originalExternalId,
    amount,
    currency,
    ...facts,
    // A pool's code is reported as a code but stored as its id.
    voucherCode: voucherCodeId ?? facts.voucherCode,
    // An event reported without a time is stored with its time of receipt.
    transactionDateTime: occurredAt.getTime() === receivedAt.getTime() ? null : occurredAt,
  }
}

function currencyConflict(event: SourceEvent, known: string): Refusal {
  const sentence = `The purchase of ${event.externalId} is in ${known}, but the event is in ${event.currency}.`
  return new Refusal<TransactionRefusal>('event_conflict', sentence, {
    field: 'currency',
    members: { differing_fields: ['currency'] },
  })
}
