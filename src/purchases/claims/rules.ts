import { DAY_MS } from '../../platform/calendar.ts'

/**
 * A claim is open until it is decided once: granted, declined, or withdrawn by the publisher. It is granted either by a
 * source event, which goes through the normal intake, or by an adjustment. Nobody can exceed the publisher's limit on
 * their own: an event that earns more must already have been reported, and a larger adjustment must be booked by
 * another person. Until that person decides, the claim stays open and accepts no other decision. Booking the adjustment
 * grants the claim. Declining it returns the claim to its previous state. At its deadline, a claim that is not waiting
 * for approval is declined, unless the publisher's settings keep it open.
 */
export const CLAIM_STATUSES = ['open', 'granted', 'declined', 'withdrawn'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

/** A missing purchase, a wrong amount, a purchase that earned nothing, or anything else. */
export const CLAIM_KINDS = ['missing', 'incorrect', 'declined', 'other'] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]

/** The party making the claim, according to the publisher. */
export const OPENERS = ['publisher', 'user'] as const

/** The reasons a person can give for declining a claim. */
export const PERSONS_REASONS = [
  'no_purchase_found',
  'terms_not_met',
  'already_rewarded',
  'outside_period',
  'not_our_brand',
  'insufficient_evidence',
  'other',
] as const
export type PersonsReason = (typeof PERSONS_REASONS)[number]
export const DECLINE_REASONS = [...PERSONS_REASONS, 'deadline'] as const

/** Returns true if a claim of this kind must reference an existing purchase. */
export function needsTransaction(kind: ClaimKind): boolean {
  return kind === 'incorrect' || kind === 'declined'
}

export function computeDeadline(openedAt: Date, claimDays: number): Date {
  return new Date(openedAt.getTime() + claimDays * DAY_MS)
}

export type DecisionFault = 'claim_decided' | 'claim_waiting'

/** Returns the reason why this claim cannot be decided; null if it can. */
export function findDecisionFault({
  status,
  adjustmentId,
}: {
  readonly status: ClaimStatus
  readonly adjustmentId: string | null
}): DecisionFault | null {
  if (status !== 'open') return 'claim_decided'
  return adjustmentId === null ? null : 'claim_waiting'
}

export type EventFault = 'claim_earns_nothing' | 'claim_above_limit'

/** Returns the reason why a claim cannot be granted with an event that earns this much; null if it can. */
export function findEventFault(
  earned: bigint,
  isKnown: boolean,
  givenAlone: bigint,
  { adjustmentAloneMax }: { readonly adjustmentAloneMax: bigint },
): EventFault | null {
  if (earned <= 0n) return 'claim_earns_nothing'
  return !isKnown && givenAlone + earned > adjustmentAloneMax ? 'claim_above_limit' : null
}
