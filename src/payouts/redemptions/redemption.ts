import { decodeId, encodeId, type Id, type PublisherId } from '../../platform/ids.ts'
import { from, id, instant, integer, joined, money, oneOf, orNull, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { PAYOUT_METHODS } from '../../tenants/publishers/index.ts'
import { REASONS, STATUSES } from './rules.ts'

export type RedemptionId = Id<'redemption'>
export type DestinationId = Id<'destination'>
export type PayoutFileId = Id<'payout-file'>

export const METHOD =
  'publisher: you pay and report the outcome. file: an operator sends a payout file to the bank. simulated: paid by the simulated bank of a sandbox. gift_card: buys a gift card from an offer.'

export const REDEMPTION = resource('Redemption', {
  redemption_id: id<'redemption'>('rdm', 'rdm_01kbjyt5v3f4nvj5yq5yfypr9v'),
  publisher_user_id: joined(text('user-1')),
  svc_user_id: from('userId', id<'user'>('usr', 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha')),
  external_ref: orNull(text('payout-2026-000017')),
  method: oneOf(PAYOUT_METHODS, 'publisher', METHOD),
  offer_uid: orNull(text(null, 'The offer of the gift card, or null for other methods.')),
  amount: money(25, 'Amount in major units.'),
  currency: text('USD'),
  status: oneOf(STATUSES, 'sent', 'requested, approved and sent: the amount is held.'),
  approvals_needed: integer(0, 'Number of operators who must approve it; 0 if none.'),
  reason: orNull(oneOf(REASONS, null, 'Why it was not paid out or was returned, or null if neither.')),
  // The bank's own code for the reason. `reason_text` is the bank's or the publisher's wording.
  reason_code: orNull(text(null)),
  reason_text: orNull(text(null)),
  payout_reference: orNull(text(null)),
  version: integer(3),
  created_at: instant('2026-11-21T10:15:30.000Z'),
  updated_at: instant('2026-11-21T10:15:30.000Z'),
})

export type Redemption = ResourceRow<typeof REDEMPTION> & {
  readonly publisherId: PublisherId
  /** The destination; null if only the publisher knows it. */
  readonly destinationId: DestinationId | null
  readonly fileId: PayoutFileId | null
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
