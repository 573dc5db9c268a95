import { createHash } from 'node:crypto'
import type { Assortment } from '../../catalog/catalog/index.ts'
import { recordEvents } from '../../events/index.ts'
import { addDays, toDay } from '../../platform/calendar.ts'
import { buildConflictRefusal, listDifferingFields } from '../../platform/conflict.ts'
import type { Tx } from '../../platform/db/database.ts'
import { decodeId, newUuid, type TransactionId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getUser } from '../../users/users/index.ts'
import { findUnknownName, getTransaction, type TransactionRefusal, transactionNotFound } from '../transactions/index.ts'
import { CLAIM, type Claim, type ClaimId } from './claim.ts'
import type { ClaimRefusal } from './errors.ts'
import { countNotes } from './note-queries.ts'
import { findByRef, insertClaim, lockClaim } from './queries.ts'
import { claimNotFound, createDecisionRefusal, lockUndecided, recordDecision, recordNote } from './record.ts'
import { computeDeadline } from './rules.ts'

type Told = 'externalRef' | 'kind' | 'openedBy' | 'brandUid' | 'offerUid' | 'purchaseDate' | 'amount' | 'currency'
export type NewClaim = Pick<Claim, Told | 'orderId' | 'merchant'> & {
  readonly publisherUserId: string
  readonly transactionUid: string | null
  readonly evidence: string | null
}

/**
 * Opens a claim, with its evidence as the first note. Returns the existing claim if `externalRef` was used before.
 * @throws Refusal user_not_found, transaction_not_found, brand_unknown, offer_unknown, claim_conflict, or date_invalid
 * if the purchase is in the future
 */
export async function openClaim(
  tx: Tx,
  publisher: Publisher,
  assortment: Assortment,
  { publisherUserId, transactionUid, evidence, ...details }: NewClaim,
  now: Date,
): Promise<Claim> {
  const { userId } = (await getUser(tx, publisher, publisherUserId, now)).user
  const transactionId = transactionUid === null ? null : await getOwnTransaction(tx, publisher, userId, transactionUid)
  const { brandUid, offerUid, purchaseDate } = details
  // A later date is a mistake. The publisher's tomorrow is allowed, because it is already today in some time zones.
  const latest = addDays(toDay(now, publisher.timeZone), 1)
  if (purchaseDate !== null && purchaseDate > latest)
    throw new Refusal<TransactionRefusal>('date_invalid', `purchase_date must not be after ${latest}.`, {
      field: 'purchase_date',
    })
  const unknown = findUnknownName(assortment, {
    facts: { ...(brandUid === null ? {} : { brandUid }), ...(offerUid === null ? {} : { offerUid }) },
  })
  if (unknown !== null) throw unknown
  const claim: Claim = {
    userId,
    claimId: newUuid<'claim'>(),
    publisherId: publisher.id,
    publisherUserId,
    ...details,
    transactionId,
    inputHash: hashInput({ ...details, transactionId, evidence }),
    status: 'open',
    reason: null,
    reasonText: null,
    adjustmentId: null,
    grantedTransactionId: null,
    grantedEventIsNew: false,
    decidedBy: null,
    deadline: computeDeadline(now, publisher.claimDays),
    version: 1,
    createdAt: now,
    updatedAt: now,
    decidedAt: null,
  }
  if (!(await insertClaim(tx, claim))) return sameClaim(tx, claim)
  if (evidence !== null) await recordNote(tx, claim, { author: claim.openedBy, text: evidence }, now)
  await recordEvents(tx, publisher, [{ type: 'claim.opened', userId, data: CLAIM.present(claim) }], now)
  return claim
}

async function getOwnTransaction(tx: Tx, publisher: Publisher, userId: UserId, uid: string): Promise<TransactionId> {
  const transaction = await getTransaction(tx, publisher, uid)
  if (transaction.userId !== userId) throw transactionNotFound()
  return transaction.transactionId
}

function hashInput(input: object): Buffer {
  const text = JSON.stringify(Object.entries(input).toSorted(), (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(text).digest()
}

async function sameClaim(tx: Tx, asked: Claim): Promise<Claim> {
  const known = await findByRef(tx, asked.publisherId, asked.userId, asked.externalRef)
  if (known?.inputHash.equals(asked.inputHash)) return known
  const fields = known === null ? [] : listDifferingFields(pickContent(known), pickContent(asked))
  throw buildConflictRefusal<ClaimRefusal>('claim_conflict', {
    what: `The claim ${asked.externalRef} was opened`,
    key: 'external_ref',
    // The evidence cannot be compared, because it is stored as a note and other notes may have been added since.
    fields: fields.length === 0 ? ['evidence'] : fields,
  })
}

function pickContent(claim: Claim): object {
  const { kind, openedBy, brandUid, offerUid, purchaseDate, amount, currency, orderId, merchant } = claim
  const { transactionId: transactionUid } = claim
  return { kind, openedBy, brandUid, offerUid, purchaseDate, amount, currency, orderId, merchant, transactionUid }
}

/** More than any conversation about one purchase needs. */
const NOTES_MAX = 200

/**
 * Adds evidence or a remark to an open claim.
 * @throws Refusal claim_not_found, claim_decided, claim_notes_full
 */
export async function addNote(
  tx: Tx,
  publisher: Publisher,
  { claimId, ...note }: { readonly claimId: ClaimId; readonly author: string; readonly text: string },
  now: Date,
): Promise<Claim> {
  const claim = await lockClaim(tx, publisher.id, claimId)
  if (claim === null) throw claimNotFound()
  if (claim.status !== 'open') throw createDecisionRefusal('claim_decided', claim)
  if ((await countNotes(tx, claim)) >= NOTES_MAX)
    throw new Refusal<ClaimRefusal>('claim_notes_full', `A claim can have at most ${NOTES_MAX} notes.`)
  await recordNote(tx, claim, note, now)
  return claim
}

/**
 * Withdraws a claim on behalf of the publisher. Idempotent.
 * @throws Refusal claim_not_found, claim_decided, claim_waiting
 */
export async function withdrawClaim(tx: Tx, publisher: Publisher, claimId: ClaimId, now: Date): Promise<Claim> {
  const known = await lockClaim(tx, publisher.id, claimId)
  if (known?.status === 'withdrawn') return known
  const claim = await lockUndecided(tx, publisher.id, claimId)
  const [withdrawn] = await recordDecision(tx, publisher, [claim], { status: 'withdrawn', decidedBy: 'publisher' }, now)
  return withdrawn ?? claim
}

/**
 * Parses a claim ID.
 * @throws Refusal claim_not_found if the text is not a claim ID
 */
export function claimIdIn(text: string): ClaimId {
  const id = decodeId<'claim'>('clm', text)
  if (id === null) throw claimNotFound()
  return id
}
