import { decodeId, encodeId, type Id, type PublisherId, type UserId } from '../platform/ids.ts'
import type { PayoutMethod } from '../publishers/index.ts'
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
  /** Where it is paid; null: only the publisher knows. */
  readonly destinationId: DestinationId | null
  /** The gift card that it buys is of this offer; null: another method. */
  readonly offerUid: string | null
  readonly currency: string
  /** Minor units. */
  readonly amount: bigint
  readonly status: RedemptionStatus
  /** How many people must approve it in all. */
  readonly approvalsNeeded: number
  /** Why it was not paid out, or came back; null: it has not failed. */
  readonly reason: Reason | null
  /** The bank's own code for the reason, and its words or the publisher's. */
  readonly reasonCode: string | null
  readonly reasonText: string | null
  /** The payer's reference for the payment. */
  readonly payoutReference: string | null
  readonly fileId: PayoutFileId | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** How banks know a redemption: its id without the prefix, in capitals, because many take no other characters. */
export function referenceOf(redemptionId: RedemptionId): string {
  return encodeId('rdm', redemptionId).slice('rdm_'.length).toUpperCase()
}

export function redemptionOf(reference: string): RedemptionId | null {
  return decodeId<'redemption'>('rdm', `rdm_${reference}`)
}
