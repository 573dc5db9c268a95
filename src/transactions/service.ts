import type { Assortment } from '../catalog/index.ts'
import type { Reader, Tx } from '../platform/database.ts'
import { decodeId, newUuid, type TransactionId } from '../platform/ids.ts'
import { toJsonNumber } from '../platform/money.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Publisher } from '../publishers/index.ts'
import {
  bounded,
  findDecision,
  listBounds,
  listOfferUses,
  listTransactionsById,
  noAmounts,
  type Transaction,
  targetOf,
} from '../rewards/index.ts'
import { findUser, listUserNames, userNotFound } from '../users/index.ts'
import { withCodesOfPools } from './codes.ts'
import { decide, type Trace } from './decide.ts'
import type { TransactionRefusal } from './errors.ts'
import type { SourceEvent, SourceEventInput } from './event.ts'
import { foldEvents } from './fold.ts'
import { openLimits } from './limits.ts'
import { readLimits } from './limits-state.ts'
import { matchOf } from './match.ts'
import { listEventsOf } from './queries.ts'
import { boughtAt, purchaseOf, surroundingsOf } from './surroundings.ts'
import { type Outcome, type TakeUpDeps, takeUpEvents } from './take-up.ts'

/** @throws Refusal transaction_not_found, also for another publisher's */
export async function getTransaction(
  reader: Reader,
  publisher: Publisher,
  transactionUid: string,
): Promise<Transaction> {
  const id = decodeId<'transaction'>('txn', transactionUid)
  const [found] = id === null ? [] : await listTransactionsById(reader, publisher.id, [id])
  if (found === undefined)
    throw new Refusal<TransactionRefusal>('transaction_not_found', 'There is no such transaction.', {
      field: 'transaction_uid',
    })
  return found
}

/**
 * Why a transaction earns what it earns: the judgement as it was made, and the arithmetic as the purchase stands now. An
 * adjustment was decided with the transaction it adjusts.
 */
export async function getDecision(
  reader: Reader,
  publisher: Publisher,
  shown: Transaction,
  now: Date,
): Promise<object> {
  const decided: TransactionId = shown.adjusts ?? shown.transactionId
  const trace = (await findDecision(reader, publisher.id, shown.userId, decided)) ?? undecided
  const [root] = shown.adjusts === null ? [shown] : await listTransactionsById(reader, publisher.id, [decided])
  const events = await listEventsOf(reader, publisher.id, [shown.userId], [decided])
  if (root === undefined || root.terms === null || events.length === 0)
    return { ...trace, status_reason: shown.statusReason }
  const [bound] = await listBounds(reader, publisher.id, [root])
  const target = targetOf(root.terms, foldEvents(events, publisher.timeZone, now))
  const { arithmetic } = bounded(root.terms, target, bound ?? null)
  return { ...trace, status_reason: shown.statusReason, arithmetic }
}

/** What was never a purchase (a refund whose purchase is unknown) was never decided. */
const undecided: Trace = {
  matching: {
    brand_uid: null,
    band: 'none',
    score: 0,
    method: 'none',
    reason: null,
    proposed_brand_uid: null,
    evidence: [],
    runner_up: null,
  },
  candidates: [],
  chosen: null,
  status_reason: 'original_unknown',
  arithmetic: null,
}

export type Reported = { readonly outcome: Outcome; readonly transaction: Transaction | null }

/** Takes up events that a publisher reports: names of brands and offers must exist. Answers each with its transaction as it now stands. */
export async function reportEvents(
  tx: Tx,
  deps: TakeUpDeps,
  publisher: Publisher,
  inputs: readonly SourceEventInput[],
  now: Date,
): Promise<Reported[]> {
  const assortment = await deps.catalog.assortmentOf(publisher)
  const users = await listUserNames(tx, publisher.id, [...new Set(inputs.map((input) => input.userId))])
  // The user is checked before the rest, so that a stranger's identifiers tell nothing.
  const known = inputs.map((input) => (users.has(input.userId) ? unknownName(assortment, input) : userNotFound()))
  const taken = await takeUpEvents(
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

function unknownName({ catalog }: Assortment, { facts }: SourceEventInput): Refusal<TransactionRefusal> | null {
  if (facts.offerUid !== undefined && !catalog.offers.has(facts.offerUid)) {
    return new Refusal<TransactionRefusal>('offer_unknown', 'There is no offer with this offer_uid.', {
      field: 'offer_uid',
    })
  }
  if (facts.brandUid !== undefined && !catalog.brands.has(facts.brandUid)) {
    return new Refusal<TransactionRefusal>('brand_unknown', 'There is no brand with this brand_uid.', {
      field: 'brand_uid',
    })
  }
  return null
}

export type Evaluation = {
  readonly eligible: boolean
  readonly user_cashback: number
  readonly offer_uid: string | null
  readonly status_reason: string | null
  readonly decision: Trace
}

/** Judges a hypothetical purchase as it would be judged now; stores nothing. @throws Refusal user_not_found, brand_unknown, offer_unknown */
export async function evaluatePurchase(
  reader: Reader,
  deps: TakeUpDeps,
  publisher: Publisher,
  input: SourceEventInput,
  now: Date,
): Promise<Evaluation> {
  if ((await findUser(reader, publisher.id, input.userId)) === null) throw userNotFound()
  const assortment = await deps.catalog.assortmentOf(publisher)
  const unknown = unknownName(assortment, input)
  if (unknown !== null) throw unknown
  const [named] = await withCodesOfPools(reader, deps, [input])
  const event: SourceEvent = {
    ...(named ?? input),
    kind: input.kind === 'AUTHORIZATION' ? 'AUTHORIZATION' : 'CLEARING',
    occurredAt: input.occurredAt ?? now,
    eventId: newUuid<'sourceEvent'>(),
    receivedAt: now,
    inputHash: Buffer.alloc(0),
  }
  const folded = foldEvents([event], publisher.timeZone, now)
  const subject = { userId: input.userId, transactionId: newUuid<'transaction'>(), source: input.source }
  const works = [{ root: subject, folded }]
  const surroundings = await surroundingsOf(reader, publisher, assortment, works, now)
  const limits = openLimits(await readLimits(reader, publisher, assortment, works))
  const uses = new Set((await listOfferUses(reader, publisher.id, [input.userId])).map((use) => use.offerUid))
  const match = matchOf(assortment, folded.facts)
  const bought = { folded, at: boughtAt(publisher, folded, now) }
  const { ruling, trace } = decide(assortment, purchaseOf(publisher, input.source, folded), match, (offer) => ({
    ...surroundings.of(subject, folded, match.brandUid, offer),
    used: uses.has(offer.offerUid),
    limits: limits.factsFor(subject, bought, offer, 0n),
  }))
  const { terms } = ruling
  const target =
    terms === null || folded.emptyReason !== null
      ? null
      : bounded(terms, targetOf(terms, folded), limits.boundFor(subject, bought, terms, noAmounts))
  return {
    eligible: target !== null && target.reason === null,
    user_cashback: target === null ? 0 : toJsonNumber(target.amounts.user, input.currency),
    offer_uid: ruling.terms?.offerUid ?? null,
    status_reason: folded.emptyReason ?? ruling.reason ?? target?.reason ?? null,
    decision: trace,
  }
}
