import { recordEvents } from '../../events/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newUuid, type PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { CLAIM, type Claim, type ClaimId } from './claim.ts'
import type { ClaimRefusal } from './errors.ts'
import { insertNote } from './note-queries.ts'
import { lockClaim, updateClaims } from './queries.ts'
import { type DecisionFault, findDecisionFault } from './rules.ts'

/** @throws Refusal claim_not_found, claim_decided, claim_waiting */
export async function lockUndecided(tx: Tx, publisherId: PublisherId, claimId: ClaimId): Promise<Claim> {
  const claim = await lockClaim(tx, publisherId, claimId)
  if (claim === null) throw claimNotFound()
  const fault = findDecisionFault(claim)
  if (fault !== null) throw createDecisionRefusal(fault, claim)
  return claim
}

export function claimNotFound(): Refusal<ClaimRefusal> {
  return new Refusal<ClaimRefusal>('claim_not_found', 'There is no such claim.', { field: 'claim_id' })
}

export function createDecisionRefusal(fault: DecisionFault, { status }: Claim): Refusal<ClaimRefusal> {
  const text =
    fault === 'claim_decided'
      ? `The claim has already been ${status}.`
      : 'An adjustment for this claim is waiting for another person, who must book or decline it first.'
  return new Refusal<ClaimRefusal>(fault, text)
}

type Decision = Pick<Claim, 'status' | 'decidedBy'> &
  Partial<Pick<Claim, 'reason' | 'reasonText' | 'adjustmentId' | 'grantedTransactionId' | 'grantedEventIsNew'>>

/** Stores and announces a decision on claims that are already locked. */
export async function recordDecision(
  tx: Tx,
  publisher: Publisher,
  claims: readonly Claim[],
  decision: Decision,
  now: Date,
): Promise<Claim[]> {
  if (claims.length === 0) return []
  const decided = claims.map((claim) => ({ ...nextState(claim, now), ...decision, decidedAt: now }))
  await updateClaims(tx, publisher.id, decided)
  const records = decided.map((claim) => ({
    type: 'claim.decided' as const,
    userId: claim.userId,
    data: CLAIM.present(claim),
    previous: { status: 'open' },
  }))
  await recordEvents(tx, publisher, records, now)
  return decided
}

/** Records which adjustment an open claim is waiting for; null once it no longer waits. */
export async function recordWaiting(
  tx: Tx,
  claim: Claim,
  adjustmentId: Claim['adjustmentId'],
  now: Date,
): Promise<Claim> {
  const changed = { ...nextState(claim, now), adjustmentId }
  await updateClaims(tx, claim.publisherId, [changed])
  return changed
}

function nextState(claim: Claim, now: Date): Claim {
  return { ...claim, version: claim.version + 1, updatedAt: now }
}

export async function recordNote(
  tx: Tx,
  { publisherId, userId, claimId }: Claim,
  { author, text }: { readonly author: string; readonly text: string },
  at: Date,
): Promise<void> {
  await insertNote(tx, { publisherId, userId, claimId, noteId: newUuid<'claim-note'>(), author, text, at })
}
