import { isWithin } from './caller-address.ts'

/** Restrictions on when and from where a key may be used. */
export type KeyLimits = {
  readonly expiresAt: Date | null
  /** Addresses and CIDR ranges the key may be used from; empty allows any address. */
  readonly addressRanges: readonly string[]
}

export const NO_LIMITS: KeyLimits = { expiresAt: null, addressRanges: [] }

/** Returns the reason why a key cannot be used from an address at a given time; null if it can. */
export function findKeyFault({ expiresAt, addressRanges }: KeyLimits, address: string, nowMs: number) {
  if (expiresAt !== null && expiresAt.getTime() <= nowMs) return 'key_expired'
  if (addressRanges.length > 0 && !isWithin(address, addressRanges)) return 'key_address_refused'
  return null
}

export function presentLimits({ expiresAt, addressRanges }: KeyLimits) {
  return {
    expires_at: expiresAt === null ? null : expiresAt.toISOString(),
    addresses: addressRanges.length === 0 ? null : addressRanges,
  }
}
