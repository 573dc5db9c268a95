import { decodeId, encodeId, type Id, type PublisherId, type UserId } from '../../platform/ids.ts'
import type { PayoutMethod } from '../../tenants/publishers/index.ts'
import type { Reason, RedemptionStatus } from './rules.ts'

export type RedemptionId = Id<'redemption'>
export type DestinationId = Id<'destination'>
export type PayoutFileId = Id<'payout-file'>

export type Redemption = {
  readonly userId: UserId
  readonly redemptionId: RedemptionId
  readonly publisherId: PublisherId
  /** The publisher's reference for the request. */
  readonly externalRef: string | null
  readonly method: PayoutMethod
  /** The destination; null if only the publisher knows it. */
  readonly destinationId: DestinationId | null
  /** The offer of the gift card that it buys; null for other methods. */
  readonly offerUid: string | null
  readonly currency: string
  /** In minor units. */
  readonly amount: bigint
  readonly status: RedemptionStatus
  /** The total number of people who must approve it. */
  readonly approvalsNeeded: number
  /** The reason for a failure or return; null if there is none. */
  readonly reason: Reason | null
  /** The bank's own code for the reason. `reasonText` is the bank's or the publisher's wording. */
  readonly reasonCode: string | null
  readonly reasonText: string | null
  /** The payer's payment reference. */
  readonly payoutReference: string | null
  readonly fileId: PayoutFileId | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Returns the reference that banks use for a redemption: its ID without the prefix, in capitals because many banks
 * accept no other letters.
 */
export function referenceOf(redemptionId: RedemptionId): string {
  return encodeId('rdm', redemptionId).slice('rdm_'.length).toUpperCase()
}

export function redemptionOf(reference: string): RedemptionId | null {
  return decodeId<'redemption'>('rdm', `rdm_${reference}`)
}
