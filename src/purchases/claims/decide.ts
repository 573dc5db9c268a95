import type { Tx } from '../../platform/db/database.ts'
import { encodeId, type UserId } from '../../platform/ids.ts'
import type { Fact } from '../../platform/queue/outbox.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { type Adjustment, type AdjustmentDecision, bookOrDecline } from '../../users/adjustments/index.ts'
import {
  type IntakeDeps,
  isKnownEvent,
  listGroups,
  readSourceEvent,
  reportEvents,
  type UserEventBody,
} from '../transactions/index.ts'
import type { Claim, ClaimId } from './claim.ts'
import type { ClaimRefusal } from './errors.ts'
import { proposeAdjustment, sumGivenToday } from './propose-adjustment.ts'
import { lockClaimByAdjustment, lockOverdue } from './queries.ts'
import { lockUndecided, recordDecision, recordNote, recordWaiting } from './record.ts'
import { type EventFault, findEventFault, type PersonsReason } from './rules.ts'

type Deciding = { readonly claimId: ClaimId; readonly by: string }

/**
 * Grants a claim with a source event for its user, reported like any other event. An event that was already reported
 * may have earned any amount. A new event must not earn more than one person may grant, because nobody else has seen
 * it.
 * @throws Refusal claim_not_found, claim_decided, claim_waiting, claim_earns_nothing, claim_above_limit, and any
 * refusal of reportEvents
 */
export async function grantByEvent(
  tx: Tx,
  deps: IntakeDeps,
  publisher: Publisher,
  { claimId, by, event }: Deciding & { readonly event: UserEventBody },
  now: Date,
): Promise<Claim> {
  const claim = await lockUndecided(tx, publisher.id, claimId)
  const body = { ...event, publisher_user_id: claim.publisherUserId }
  const input = readSourceEvent(publisher, body, now)
  const isKnown = await isKnownEvent(tx, publisher, input)
  const [reported] = await reportEvents(tx, deps, publisher, [input], now)
  if (reported !== undefined && 'refusal' in reported.outcome) throw reported.outcome.refusal
  const transaction = reported?.transaction
  // A refund that matches no purchase has no transaction.
  if (transaction == null) throw eventRefusal('claim_earns_nothing', null)
  const { transactionId: grantedTransactionId, statusReason, currency } = transaction
  // Includes adjustments, because a reward reversed after it matured stays on its transaction.
  const group = await listGroups(tx, publisher.id, [claim.userId], [grantedTransactionId])
  const earned = group.reduce((sum, { amounts }) => sum + amounts.user + amounts.discount, 0n)
  const given = await sumGivenToday(tx, publisher, { currency, by }, now)
  // A currency that the publisher does not use earns nothing.
  const limits = publisher.limits.get(currency)
  const fault = limits === undefined ? 'claim_earns_nothing' : findEventFault(earned, isKnown, given, limits)
  if (fault !== null) throw eventRefusal(fault, statusReason)
  const decision = { status: 'granted', grantedTransactionId, grantedEventIsNew: !isKnown, decidedBy: by } as const
  const [granted] = await recordDecision(tx, publisher, [claim], decision, now)
  return granted ?? claim
}

function eventRefusal(fault: EventFault, statusReason: string | null): Refusal<ClaimRefusal> {
  return fault === 'claim_earns_nothing'
    ? new Refusal<ClaimRefusal>(fault, 'This event earns nothing, so the claim cannot be granted with it.', {
        members: { status_reason: statusReason },
      })
    : new Refusal<ClaimRefusal>(
        fault,
        'This event earns more than one person may grant. Ask the publisher to report it. Then the claim can be ' +
          'granted with it.',
      )
}

export type ClaimAdjustment = Pick<Adjustment, 'currency' | 'amount' | 'paidBy' | 'reason'> & {
  readonly kind: Exclude<Adjustment['kind'], 'write_off'>
}

/**
 * Grants a claim with an adjustment. If the adjustment needs approval, the claim waits for it.
 * @throws Refusal claim_not_found, claim_decided, claim_waiting, and any refusal of proposeAdjustment
 */
export async function grantByAdjustment(
  tx: Tx,
  publisher: Publisher,
  { claimId, by, adjustment: asked }: Deciding & { readonly adjustment: ClaimAdjustment },
  now: Date,
): Promise<{ readonly claim: Claim; readonly adjustment: Adjustment }> {
  const claim = await lockUndecided(tx, publisher.id, claimId)
  // The claim ID would not be a unique reference: if an adjustment is declined, the claim can still be granted with
  // another one.
  const externalRef = `${encodeId('clm', claimId)}/${claim.version}`
  const { publisherUserId } = claim
  const adjustment = await proposeAdjustment(tx, publisher, { ...asked, publisherUserId, externalRef, by }, now)
  const { adjustmentId } = adjustment
  if (adjustment.status !== 'booked') return { claim: await recordWaiting(tx, claim, adjustmentId, now), adjustment }
  const decision = { status: 'granted', adjustmentId, decidedBy: by } as const
  const [granted = claim] = await recordDecision(tx, publisher, [claim], decision, now)
  return { claim: granted, adjustment }
}

/** @throws Refusal claim_not_found, claim_decided, claim_waiting */
export async function declineClaim(
  tx: Tx,
  publisher: Publisher,
  { claimId, by, reason, text }: Deciding & { readonly reason: PersonsReason; readonly text: string },
  now: Date,
): Promise<Claim> {
  const claim = await lockUndecided(tx, publisher.id, claimId)
  const decision = { status: 'declined', reason, reasonText: text, decidedBy: by } as const
  const [declined] = await recordDecision(tx, publisher, [claim], decision, now)
  return declined ?? claim
}

/**
 * Books or declines an adjustment that another person proposed. In the same commit, the claim waiting for it is granted
 * or reopened.
 * @throws the same refusals as bookOrDecline
 */
export async function decideAdjustment(tx: Tx, decision: AdjustmentDecision): Promise<Adjustment> {
  const { adjustment, publisher, now } = await bookOrDecline(tx, decision)
  await advanceClaim(tx, publisher, { ...adjustment, by: decision.by }, now)
  return adjustment
}

/** Handles `adjustment.decided` facts recorded by earlier versions, which decided the claim in a later commit. */
export async function applyAdjustmentDecision(
  tx: Tx,
  publisher: Publisher,
  { userId, adjustmentId = '', status, by = '' }: Fact['payload'],
  now: Date,
): Promise<void> {
  await advanceClaim(tx, publisher, { userId: userId as UserId, adjustmentId, status, by }, now)
}

type Decided = Pick<Adjustment, 'userId'> & {
  readonly adjustmentId: string
  readonly status: string | undefined
  readonly by: string
}

async function advanceClaim(
  tx: Tx,
  publisher: Publisher,
  { userId, adjustmentId, status, by }: Decided,
  now: Date,
): Promise<void> {
  const claim = await lockClaimByAdjustment(tx, publisher.id, { userId, adjustmentId })
  if (claim === null || claim.status !== 'open') return
  if (status === 'booked') {
    await recordDecision(tx, publisher, [claim], { status: 'granted', decidedBy: by }, now)
    return
  }
  await recordNote(
    tx,
    claim,
    { author: 'laurel', text: 'The adjustment was declined, so the claim is open again.' },
    now,
  )
  await recordWaiting(tx, claim, null, now)
}

/** Declining this many takes a few tens of milliseconds. */
const OVERDUE_MAX = 200

/**
 * Declines claims whose deadline has passed, unless the publisher keeps them open. Returns true if there may be more.
 */
export async function declineOverdue(tx: Tx, publisher: Publisher, now: Date): Promise<boolean> {
  if (publisher.claimDefault !== 'decline') return false
  const overdue = await lockOverdue(tx, publisher.id, now, OVERDUE_MAX)
  const decision = { status: 'declined', reason: 'deadline', decidedBy: 'laurel' } as const
  await recordDecision(tx, publisher, overdue, decision, now)
  return overdue.length === OVERDUE_MAX
}
