import type { SessionId } from '../accounts/index.ts'
import type { createBrowsing } from '../catalog/index.ts'
import type { Day } from '../platform/calendar.ts'
import type { Database } from '../platform/database.ts'
import type { Html } from '../platform/html.ts'
import type { Publisher } from '../publishers/index.ts'
import type { UserWithStatus } from '../users/index.ts'
import type { Portal } from './portal.ts'
import type { Language, PortalWords } from './words/words.ts'

/** A request for a page of a portal. */
export type Visit = {
  readonly publisher: Publisher
  readonly portal: Portal
  /** What the portal calls the publisher. */
  readonly name: string
  readonly language: Language
  readonly words: PortalWords
  /** The address of the portal, to which paths of its pages are appended. */
  readonly base: string
  /** The address of this page. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The publisher's present, and its day there. */
  readonly now: Date
  readonly today: Day
}

/** The same by a user who has entered. */
export type UserVisit = Visit & UserWithStatus & { readonly sessionId: SessionId }

export type Tab = 'offers' | 'purchases' | 'cards' | 'you'
export type PortalPage = { readonly title: string; readonly tab?: Tab; readonly content: Html }

/** What pages read from. */
export type PageDeps = { readonly db: Database; readonly browsing: ReturnType<typeof createBrowsing> }
