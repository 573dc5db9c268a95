import { maskOf as maskOfAccount, type PayoutAccount } from './files/bank-account.ts'

/** Where a user is paid. An e-mail address is for publishers that pay to one. */
export type Destination = PayoutAccount | { readonly type: 'email'; readonly email: string }

/** What may be shown of it: the last characters. */
export function maskOf(destination: Destination): string {
  if (destination.type !== 'email') return maskOfAccount(destination)
  const at = destination.email.lastIndexOf('@')
  return `${destination.email.slice(0, 1)}•••${destination.email.slice(at)}`
}

/** Equal for the same destination, whatever name its holder has. */
export function contentOf(destination: Destination): string {
  if (destination.type === 'email') return `email ${destination.email.toLowerCase()}`
  return destination.type === 'iban'
    ? `iban ${destination.iban}`
    : `us ${destination.routingNumber} ${destination.accountNumber}`
}
