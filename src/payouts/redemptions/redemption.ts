import { decodeId, encodeId, type Id, type PublisherId } from '../../platform/ids.ts'
import { id, instant, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { PAYOUT_METHODS } from '../../tenants/publishers/index.ts'
import { USER_FIELDS } from '../../users/users/index.ts'
import { REASONS, STATUSES } from './rules.ts'

export type RedemptionId = Id<'redemption'>
export type DestinationId = Id<'destination'>
export type PayoutFileId = Id<'payout-file'>

export const METHOD_DESCRIPTION =
  "publisher: you pay and report the outcome. file: an operator sends a payout file to the bank. simulated: paid by a sandbox's simulated bank. gift_card: buys a gift card from an offer."

export const REDEMPTION = resource(
  'Redemption',
  {
    redemption_id: id('rdm', { example: 'rdm_01kbjyt5v3f4nvj5yq5yfypr9v' }),
    ...USER_FIELDS,
    external_ref: text({ nullable: true, example: 'payout-2026-000017' }),
    method: oneOf(PAYOUT_METHODS, { example: 'publisher', description: METHOD_DESCRIPTION }),
    offer_uid: text({
      nullable: true,
      example: null,
      description: 'The offer of the gift card, or null for other methods.',
    }),
    amount: money({ example: 25, description: 'Amount in major units.' }),
    currency: text({ example: 'USD' }),
    status: oneOf(STATUSES, { example: 'sent', description: 'requested, approved and sent: the amount is held.' }),
    approvals_needed: integer({
      example: 0,
      description: 'Number of operators who must approve it; 0 if none.',
    }),
    reason: oneOf(REASONS, {
      nullable: true,
      example: null,
      description: 'Why it was not paid out or was returned, or null if neither.',
    }),
    // The payer's own code for the reason. `reason_text` is in the words of the payer or an operator, or explains the
    // code.
    reason_code: text({ nullable: true, example: null }),
    reason_text: text({ nullable: true, example: null }),
    payout_reference: text({ nullable: true, example: null }),
    version: integer({ example: 3 }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    updated_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
  },
  {
    publisherId: column<PublisherId>(),
    /** The destination; null for gift cards, or if only the publisher knows it. */
    destinationId: column<DestinationId | null>(),
    fileId: column<PayoutFileId | null>(),
  },
)

export type Redemption = ResourceRow<typeof REDEMPTION>

/**
 * Returns the reference that banks use for a redemption: its ID without the prefix, in uppercase because many banks do
 * not accept lowercase letters.
 */
export function toReference(redemptionId: RedemptionId): string {
  return encodeId('rdm', redemptionId).slice('rdm_'.length).toUpperCase()
}

export function parseReference(reference: string): RedemptionId | null {
  return decodeId<'redemption'>('rdm', `rdm_${reference}`)
}
