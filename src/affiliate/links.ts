import { timingSafeEqual } from 'node:crypto'
import { dashed, type UserId } from '../platform/ids.ts'
import type { Vault } from '../secrets/index.ts'
import { createMac } from './mac.ts'

/**
 * Our own tracking links: `/r/{token}`. The token names the user and the offer and proves that we made it, so no link
 * is stored and none can be forged or altered. Layout: 22 characters of user id | 16 of MAC | offer uid.
 */
export type TrackingLinks = {
  /** The links of one user. */
  forUser(userId: UserId): (offerUid: string) => string
  /** The prefix of every link. The proof and the offer's uid follow it. */
  start(): string
  /**
   * The part that differs between users: PROOF_LENGTH ASCII characters, so that a cached page can leave room for it.
   */
  proofsOf(userId: UserId): (offerUid: string) => string
  /** The user and the offer of a token; null for a token that we did not make. */
  read(token: string): { readonly userId: UserId; readonly offerUid: string } | null
}

const USER_LENGTH = 22
// 96 bits: forging takes 2^96 tries against a service that answers each one.
const MAC_LENGTH = 16
export const PROOF_LENGTH = USER_LENGTH + MAC_LENGTH
/** Offer uids are part of addresses and hold no characters that need escaping. */
const TOKEN = /^[A-Za-z0-9_-]{38}[A-Za-z0-9._~-]{1,64}$/

export function createTrackingLinks(deps: { readonly vault: Vault; readonly baseUrl: () => string }): TrackingLinks {
  const mac = createMac(deps.vault.derivedKey('tracking-links'))
  const macOf = (user: string, offerUid: string): string => mac(user + offerUid).slice(0, MAC_LENGTH)
  const start = (): string => `${deps.baseUrl()}/r/`
  const proofsOf = (userId: UserId): ((offerUid: string) => string) => {
    const user = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
    return (offerUid) => user + macOf(user, offerUid)
  }
  return {
    forUser: (userId) => {
      const proofOf = proofsOf(userId)
      return (offerUid) => start() + proofOf(offerUid) + offerUid
    },
    start,
    proofsOf,
    read: (token) => {
      if (!TOKEN.test(token)) return null
      const user = token.slice(0, USER_LENGTH)
      const mac = token.slice(USER_LENGTH, PROOF_LENGTH)
      const offerUid = token.slice(PROOF_LENGTH)
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(user, offerUid)))) return null
      const hex = Buffer.from(user, 'base64url').toString('hex')
      return { userId: dashed(hex) as UserId, offerUid }
    },
  }
}
