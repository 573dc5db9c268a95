import { timingSafeEqual } from 'node:crypto'
import { formatUuid, type UserId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { createMac } from './mac.ts'

const USER_LENGTH = 22
// 96 bits. Forging a link takes 2^96 attempts against a live service.
const MAC_LENGTH = 16
export const PROOF_LENGTH = USER_LENGTH + MAC_LENGTH
/** Offer uids are part of URLs and contain no characters that need escaping. */
const TOKEN = /^[A-Za-z0-9_-]{38}[A-Za-z0-9._~-]{1,64}$/

export type TrackingLinks = ReturnType<typeof createTrackingLinks>

/**
 * Tracking links of the form `/r/{token}`. The token identifies the user and the offer and proves that we created it,
 * so links need not be stored and cannot be forged or altered. Layout: 22 characters of user ID | 16 of MAC | offer
 * uid.
 */
export function createTrackingLinks(deps: { readonly vault: Vault; readonly baseUrl: () => string }) {
  const mac = createMac(deps.vault.derivedKey('tracking-links'))
  const computeMac = (user: string, offerUid: string): string => mac(user + offerUid).slice(0, MAC_LENGTH)
  /** Returns the prefix that all links share. It is followed by the proof and the offer's uid. */
  const start = (): string => `${deps.baseUrl()}/r/`
  /**
   * Returns a function that builds the part that differs between users: PROOF_LENGTH ASCII characters, so that a cached
   * page can reserve space for it.
   */
  const createProofs = (userId: UserId): ((offerUid: string) => string) => {
    const user = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
    return (offerUid) => user + computeMac(user, offerUid)
  }
  return {
    /** Returns a function that builds one user's links. */
    forUser: (userId: UserId): ((offerUid: string) => string) => {
      const toProof = createProofs(userId)
      return (offerUid) => start() + toProof(offerUid) + offerUid
    },
    start,
    createProofs,
    /** Returns the user and offer that a token identifies; null if we did not create the token. */
    read: (token: string): { readonly userId: UserId; readonly offerUid: string } | null => {
      if (!TOKEN.test(token)) return null
      const user = token.slice(0, USER_LENGTH)
      const mac = token.slice(USER_LENGTH, PROOF_LENGTH)
      const offerUid = token.slice(PROOF_LENGTH)
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(user, offerUid)))) return null
      const hex = Buffer.from(user, 'base64url').toString('hex')
      return { userId: formatUuid(hex) as UserId, offerUid }
    },
  }
}
