import { recordEvents } from '../../events/index.ts'
import { adjust, type Balances, type Book, closeBook, getBalances, openBook, writeOff } from '../../ledger/index.ts'
import { buildConflictRefusal, listDifferingFields } from '../../platform/conflict.ts'
import type { Tx } from '../../platform/db/database.ts'
import { decodeId, newUuid, type UserId } from '../../platform/ids.ts'
import { formatDecimal } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getLimits, getPublisher, type Publisher } from '../../tenants/publishers/index.ts'
import { getUser } from '../users/index.ts'
import { ADJUSTMENT, type Adjustment, type AdjustmentId } from './adjustment.ts'
import type { AdjustmentRefusal } from './errors.ts'
import { findAdjustment, findByRef, insertAdjustment, markDecided } from './queries.ts'
import { findAdjustmentFault, needsAnother } from './rules.ts'

/** A proposal in one of the publisher's currencies. */
export type ProposedAdjustment = Pick<
  Adjustment,
  'kind' | 'paidBy' | 'currency' | 'amount' | 'reason' | 'externalRef'
> & {
  readonly publisherUserId: string
  readonly by: string
}

type OpenProposal = { readonly book: Book; readonly adjustment: Adjustment; readonly isNew: boolean }

/**
 * Locks the user and drafts an adjustment. Returns the existing adjustment if one has the same `externalRef`. Only
 * `proposeAdjustment` in src/purchases/claims calls this and `recordProposal`, because claims also count toward a
 * person's limit.
 * @throws Refusal user_not_found, adjustment_conflict, adjustment_invalid, adjustment_too_large
 */
export async function openProposal(
  tx: Tx,
  publisher: Publisher,
  { publisherUserId, by, ...asked }: ProposedAdjustment,
  now: Date,
): Promise<OpenProposal> {
  const { user } = await getUser(tx, publisher, publisherUserId, now)
  const { userId } = user
  const book = await openBook(tx, publisher, [userId])
  const known = asked.externalRef === null ? null : await findByRef(tx, publisher.id, userId, asked.externalRef)
  if (known !== null) return { book, adjustment: sameProposal(known, asked), isNew: false }
  refuseFault(asked, book, userId)
  const adjustment: Adjustment = {
    userId,
    adjustmentId: newUuid<'adjustment'>(),
    publisherId: publisher.id,
    publisherUserId,
    ...asked,
    status: 'proposed',
    proposedBy: by,
    decidedBy: null,
    createdAt: now,
    decidedAt: null,
  }
  return { book, adjustment, isNew: true }
}

/**
 * Stores a new proposal, and books it unless another person must approve it.
 * @param givenAlone the amount that the proposer has given today without approval, in minor units
 */
export async function recordProposal(
  tx: Tx,
  { book, adjustment: proposed }: OpenProposal,
  givenAlone: bigint,
  now: Date,
): Promise<Adjustment> {
  const isBooked = !needsAnother(proposed, givenAlone, getLimits(book.publisher, proposed.currency))
  const adjustment: Adjustment = isBooked
    ? { ...proposed, status: 'booked', decidedBy: proposed.proposedBy, decidedAt: now }
    : proposed
  await insertAdjustment(tx, adjustment)
  if (isBooked) await bookAdjustment(tx, book, adjustment, now)
  return adjustment
}

export type AdjustmentDecision = {
  readonly adjustmentId: AdjustmentId
  readonly verdict: 'book' | 'decline'
  readonly by: string
  readonly getNow: (publisher: Publisher) => Date
}

/**
 * Books or declines an adjustment that another person proposed. Only `decideAdjustment` in src/purchases/claims calls
 * this, because a claim may be waiting for the adjustment.
 * @throws Refusal adjustment_not_found, adjustment_decided, adjustment_proposed_by_you, adjustment_too_large
 */
export async function bookOrDecline(
  tx: Tx,
  { adjustmentId, verdict, by, getNow }: AdjustmentDecision,
): Promise<{ readonly adjustment: Adjustment; readonly publisher: Publisher; readonly now: Date }> {
  const found = await findAdjustment(tx, adjustmentId)
  if (found === null) throw adjustmentNotFound()
  const publisher = await getPublisher(tx, found.publisherId)
  const now = getNow(publisher)
  const book = await openBook(tx, publisher, [found.userId])
  // Reread under the lock on the user.
  const adjustment = (await findAdjustment(tx, adjustmentId)) ?? found
  if (adjustment.status !== 'proposed')
    throw refusal('adjustment_decided', `The adjustment has already been ${adjustment.status}.`)
  if (verdict === 'book' && adjustment.proposedBy === by)
    throw refusal('adjustment_proposed_by_you', 'You proposed this adjustment. Another person must book it.')
  const decided: Adjustment = {
    ...adjustment,
    status: verdict === 'book' ? 'booked' : 'declined',
    decidedBy: by,
    decidedAt: now,
  }
  if (verdict === 'book') refuseFault(adjustment, book, adjustment.userId)
  await markDecided(tx, decided)
  if (verdict === 'book') await bookAdjustment(tx, book, decided, now)
  return { adjustment: decided, publisher, now }
}

async function bookAdjustment(tx: Tx, book: Book, adjustment: Adjustment, now: Date): Promise<void> {
  const { publisher } = book
  const { userId, adjustmentId, kind, currency, amount, paidBy } = adjustment
  const cause = { id: adjustmentId, version: 1, currency, effectiveAt: now }
  if (kind === 'write_off') writeOff(book, userId, cause, amount)
  else adjust(book, userId, cause, amount, paidBy)
  await closeBook(tx, book)
  const data = ADJUSTMENT.present(adjustment)
  await recordEvents(tx, publisher, [{ type: 'adjustment.booked', userId, data }], now)
}

function refuseFault(
  asked: Pick<Adjustment, 'kind' | 'paidBy' | 'currency' | 'amount'>,
  book: Book,
  userId: UserId,
): void {
  const balances = getBalances(book, userId, asked)
  const fault = findAdjustmentFault(asked, balances)
  if (fault === null) return
  const text =
    fault === 'adjustment_invalid'
      ? 'Only a correction can take money away, and only the service can write off a debt.'
      : tooLarge(asked, balances)
  throw new Refusal<AdjustmentRefusal>(fault, text, { field: 'amount' })
}

function tooLarge({ kind, currency }: Pick<Adjustment, 'kind' | 'currency'>, { available, debt }: Balances): string {
  const money = (minor: bigint): string => `${formatDecimal(minor, currency)} ${currency}`
  return kind === 'write_off' ? `The user owes ${money(debt)}.` : `The user has ${money(available)} available.`
}

function sameProposal(known: Adjustment, asked: Omit<ProposedAdjustment, 'publisherUserId' | 'by'>): Adjustment {
  const fields = listDifferingFields(pickContent(known), pickContent(asked))
  if (fields.length === 0) return known
  throw buildConflictRefusal<AdjustmentRefusal>('adjustment_conflict', {
    what: `The adjustment ${asked.externalRef} was proposed`,
    key: 'external_ref',
    fields,
  })
}

function pickContent({ kind, currency, amount, paidBy }: Pick<Adjustment, 'kind' | 'currency' | 'amount' | 'paidBy'>) {
  return { kind, currency, amount, paidBy }
}

/**
 * Parses an adjustment ID.
 * @throws Refusal adjustment_not_found if the text is not an ID
 */
export function parseAdjustmentId(text: string): AdjustmentId {
  const id = decodeId<'adjustment'>('adj', text)
  if (id === null) throw adjustmentNotFound()
  return id
}

function adjustmentNotFound(): Refusal<AdjustmentRefusal> {
  return refusal('adjustment_not_found', 'There is no such adjustment.')
}

function refusal(code: AdjustmentRefusal, text: string): Refusal<AdjustmentRefusal> {
  return new Refusal<AdjustmentRefusal>(code, text)
}
