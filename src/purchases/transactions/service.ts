import type { Assortment } from '../../catalog/catalog/index.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { listUserNames, userNotFound } from '../../users/users/index.ts'
import type { TransactionRefusal } from './errors.ts'
import type { SourceEventInput } from './event.ts'
import { foldEvents } from './fold/fold.ts'
import { type IntakeDeps, ingestEvents, type Outcome } from './intake/intake.ts'
import { listKnownEvents, listPurchaseEvents } from './queries.ts'
import { listTransactionsById } from './rewards/queries.ts'
import type { Transaction } from './rewards/transaction.ts'

/** @throws Refusal transaction_not_found, even if the transaction exists at another publisher */
export async function getTransaction(
  reader: Reader,
  publisher: Publisher,
  transactionUid: string,
): Promise<Transaction> {
  const id = decodeId<'transaction'>('txn', transactionUid)
  const [found] = id === null ? [] : await listTransactionsById(reader, publisher.id, [id])
  if (found === undefined) throw transactionNotFound()
  return found
}

/**
 * Returns the facts of a purchase from its own events, and whether only its date is known; null if it was merged into
 * another purchase.
 */
export async function findPurchaseFacts(
  reader: Reader,
  publisher: Publisher,
  { userId, transactionId, adjusts }: Transaction,
  now: Date,
): Promise<Pick<SourceEventInput, 'facts' | 'dateOnly'> | null> {
  const events = await listPurchaseEvents(reader, publisher.id, [userId], [adjusts ?? transactionId])
  if (events.length === 0) return null
  const { facts, dateOnly } = foldEvents(events, publisher.timeZone, now)
  return { facts, dateOnly }
}

export function transactionNotFound(): Refusal<TransactionRefusal> {
  return new Refusal<TransactionRefusal>('transaction_not_found', 'There is no such transaction.', {
    field: 'transaction_uid',
  })
}

export type Reported = { readonly outcome: Outcome; readonly transaction: Transaction | null }

/**
 * Ingests a publisher's events and returns each with its transaction. The brands and offers that the events reference
 * must exist, and events of gift cards ordered through the service may be reported only by the service itself.
 */
export async function reportEvents(
  tx: Tx,
  deps: IntakeDeps,
  publisher: Publisher,
  inputs: readonly SourceEventInput[],
  now: Date,
): Promise<Reported[]> {
  const assortment = await deps.catalog.getAssortment(publisher)
  const users = await listUserNames(tx, publisher.id, [...new Set(inputs.map((input) => input.userId))])
  // Users are checked first, so that refusals for unknown users reveal nothing about the catalog.
  const reserved = await reservedAmong(tx, publisher, inputs)
  const known = inputs.map((input) =>
    users.has(input.userId) ? (findUnknownName(assortment, input) ?? reserved.get(input) ?? null) : userNotFound(),
  )
  const taken = await ingestEvents(
    tx,
    deps,
    publisher,
    inputs.filter((_input, index) => known[index] === null),
    now,
  )
  const outcomes = known.map((refusal): Outcome => (refusal === null ? (taken.shift() as Outcome) : { refusal }))
  const ids = outcomes.flatMap((outcome) => ('transactionId' in outcome ? [outcome.transactionId] : []))
  const rows = new Map((await listTransactionsById(tx, publisher.id, ids)).map((row) => [row.transactionId, row]))
  return outcomes.map((outcome) => ({
    outcome,
    transaction: 'transactionId' in outcome ? (rows.get(outcome.transactionId) ?? null) : null,
  }))
}

/** The prefix of the external ids of the service's own gift card events. */
const OWN_NAME = 'gco_'

/**
 * Refuses new events with external ids reserved for the service, because they would prevent it from reporting the
 * delivery of a gift card.
 */
async function reservedAmong(
  tx: Tx,
  publisher: Publisher,
  inputs: readonly SourceEventInput[],
): Promise<Map<SourceEventInput, Refusal>> {
  const own = inputs.filter(({ source, externalId }) => source === 'GIFT_CARD' && externalId.startsWith(OWN_NAME))
  if (own.length === 0) return new Map()
  const known = new Set((await listKnownEvents(tx, publisher.id, own)).map(({ externalId }) => externalId))
  const sentence = `GIFT_CARD events with ids beginning with ${OWN_NAME} are reported only by the service itself.`
  const refusal = new Refusal<TransactionRefusal>('event_conflict', sentence, { field: 'external_id' })
  return new Map(own.filter(({ externalId }) => !known.has(externalId)).map((input) => [input, refusal]))
}

/** True if an event with this external id has been stored, regardless of its content. */
export async function isKnownEvent(
  tx: Tx,
  publisher: Publisher,
  event: Pick<SourceEventInput, 'source' | 'externalId'>,
): Promise<boolean> {
  return (await listKnownEvents(tx, publisher.id, [event])).length > 0
}

/** Returns the refusal for facts that reference an unknown offer or brand; null if both are known or absent. */
export function findUnknownName(
  { catalog }: Assortment,
  { facts }: Pick<SourceEventInput, 'facts'>,
): Refusal<TransactionRefusal> | null {
  if (facts.offerUid !== undefined && !catalog.offers.has(facts.offerUid)) return unknown('offer')
  if (facts.brandUid !== undefined && !catalog.brands.has(facts.brandUid)) return unknown('brand')
  return null
}

function unknown(what: 'offer' | 'brand'): Refusal<TransactionRefusal> {
  const field = `${what}_uid`
  return new Refusal<TransactionRefusal>(`${what}_unknown`, `There is no ${what} with this ${field}.`, { field })
}
