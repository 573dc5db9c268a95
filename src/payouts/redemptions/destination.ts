import type { PublisherId } from '../../platform/ids.ts'
import { instant, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { USER_FIELDS } from '../../users/users/index.ts'
import { maskAccount, type PayoutAccount } from './files/bank-account.ts'
import type { DestinationId } from './redemption.ts'

/** A user's payout destination. Email addresses are for publishers that pay users by email. */
export type Destination = PayoutAccount | { readonly type: 'email'; readonly email: string }

export const DESTINATION = resource(
  'PayoutDestination',
  {
    ...USER_FIELDS,
    type: oneOf(['us_bank_account', 'iban', 'email'], {
      property: 'kind',
      example: 'us_bank_account',
      description: 'Kind of destination.',
    }),
    masked: text({
      property: 'mask',
      example: 'checking account ••••6789',
      description: 'Masked form that is safe to display.',
    }),
    usable_from: instant({
      example: '2026-11-21T10:15:30.000Z',
      description: 'When payouts to the destination become possible, after the cool-down. RFC 3339.',
    }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    removed_at: instant({
      nullable: true,
      example: null,
      description: 'When the destination was removed or replaced; null if it is the current one.',
    }),
  },
  {
    destinationId: column<DestinationId>(),
    publisherId: column<PublisherId>(),
    /** Identifies equal destinations without decrypting them. */
    fingerprint: column<Buffer>(),
    /** Null once destroyed. */
    sealedDetails: column<Buffer | null>(),
  },
)

export type StoredDestination = ResourceRow<typeof DESTINATION>

/**
 * Returns the part that may be displayed: the end of an account number, the beginning and end of an IBAN, or the first
 * character and the domain of an email address.
 */
export function maskDestination(destination: Destination): string {
  if (destination.type !== 'email') return maskAccount(destination)
  const at = destination.email.lastIndexOf('@')
  return `${destination.email.slice(0, 1)}•••${destination.email.slice(at)}`
}

/** Returns a string that identifies the destination regardless of the holder's name. */
export function toContent(destination: Destination): string {
  if (destination.type === 'email') return `email ${destination.email.toLowerCase()}`
  return destination.type === 'iban'
    ? `iban ${destination.iban}`
    : `us ${destination.routingNumber} ${destination.accountNumber}`
}
