import { encodeId } from '../platform/ids.ts'
import type { Publisher } from '../tenants/publishers/index.ts'

/** The appearance and address of a publisher's portal. */
export type Portal = {
  /** The part of the address after /portal/. */
  readonly slug: string
  /** The displayed name; null for the publisher's own name. */
  readonly shownName: string | null
  /** OKLCH hue in degrees, and chroma. */
  readonly hue: number
  readonly chroma: number
  /** Origins of pages that may embed the portal in an iframe. */
  readonly frameAncestors: readonly string[]
  /** The greeting; null for the default. */
  readonly welcome: string | null
  /** The logo's version, which changes with its content; null if there is no logo. */
  readonly logoVersion: string | null
  /** True if users may sign in with an email address and password, or with a passkey. */
  readonly allowsAccounts: boolean
}

/** New settings. Undefined members stay unchanged. */
export type PortalChange = Omit<Portal, 'welcome' | 'logoVersion' | 'allowsAccounts'> & {
  readonly allowsAccounts: boolean | undefined
  readonly welcome: string | null | undefined
  /** An image in base64; null to remove the logo. */
  readonly logo: string | null | undefined
}

export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}$'
/** Names under /portal/ that have other uses and so cannot be slugs. */
export const RESERVED_SLUGS: readonly string[] = ['assets', 'settings', 'sessions']

/** Returns the portal of a publisher that has not customized it. Every publisher has a portal from the start. */
export function createDefaultPortal(publisher: Publisher): Portal {
  const slug = encodeId('pub', publisher.id)
  const look = { shownName: null, hue: 163, chroma: 0.09, frameAncestors: [], welcome: null, logoVersion: null }
  return { slug, ...look, allowsAccounts: false }
}
