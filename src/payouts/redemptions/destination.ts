import { maskAccount, type PayoutAccount } from './files/bank-account.ts'

/** A user's payout destination. Email addresses are for publishers that pay users by email. */
export type Destination = PayoutAccount | { readonly type: 'email'; readonly email: string }

/**
 * Returns the part that may be displayed: the end of an account number, or the first character and the domain of an
 * email address.
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
