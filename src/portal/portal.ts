import { encodeId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'

/** How the portal of a publisher looks, and where it is. */
export type Portal = {
  /** The part of its address after /portal/. */
  readonly slug: string
  /** Null: the publisher's own name. */
  readonly shownName: string | null
  /** Degrees and chroma of OKLCH. */
  readonly hue: number
  readonly chroma: number
  /** The origins of pages that may show it in a frame. */
  readonly frameAncestors: readonly string[]
  /** How it greets users; null: as every portal does. */
  readonly welcome: string | null
  /** Changes with the logo; null: it has none. */
  readonly logoVersion: string | null
  /** Whether users may sign in by e-mail and password, or by passkey. */
  readonly allowsAccounts: boolean
}

/** Settings as they are set. What is undefined stays as it is. */
export type PortalChange = Omit<Portal, 'welcome' | 'logoVersion' | 'allowsAccounts'> & {
  readonly allowsAccounts: boolean | undefined
  readonly welcome: string | null | undefined
  /** An image in base64; null: none. */
  readonly logo: string | null | undefined
}

export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}$'
/** Other addresses under /portal/. */
export const RESERVED_SLUGS: readonly string[] = ['assets', 'settings', 'sessions']

/** The portal of a publisher that has not set one up: every publisher has a portal from its beginning. */
export function defaultPortal(publisher: Publisher): Portal {
  const slug = encodeId('pub', publisher.id)
  const look = { shownName: null, hue: 163, chroma: 0.09, frameAncestors: [], welcome: null, logoVersion: null }
  return { slug, ...look, allowsAccounts: false }
}
