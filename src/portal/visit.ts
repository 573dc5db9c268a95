import type { PortalBrowser, SessionId } from '../accounts/index.ts'
import type { createBrowsing } from '../catalog/index.ts'
import type { LinkerDeps } from '../linker/index.ts'
import type { Day } from '../platform/calendar.ts'
import type { Database } from '../platform/database.ts'
import type { Html } from '../platform/html.ts'
import type { Publisher } from '../publishers/index.ts'
import type { UserWithStatus } from '../users/index.ts'
import type { Portal } from './portal.ts'
import type { Language, PortalWords } from './words/words.ts'

/** A form that was refused: what stood in it, and what is wrong, with a field or as a whole. */
type SentForm = {
  readonly values: Readonly<Record<string, string>>
  readonly field: string | null
  readonly code: string
  /** The figures in the refusal. */
  readonly members: Readonly<Record<string, unknown>>
}

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
  /** The form that was just sent and refused; null: none was. */
  readonly sent: SentForm | null
  /** The publisher's present, and its day there. */
  readonly now: Date
  readonly today: Day
}

/** The same by a user who has entered. */
export type UserVisit = Visit & UserWithStatus & { readonly sessionId: SessionId }

export type Tab = 'offers' | 'purchases' | 'cards' | 'you'
export type PortalPage = {
  readonly title: string
  readonly tab?: Tab
  readonly content: Html
  /** The address of the linking provider's script, on pages that show its component. */
  readonly linkScript?: string | null
  /** Whether the page uses the passkey script. */
  readonly usesPasskeys?: boolean
}

/** What pages read from. */
export type PageDeps = {
  readonly db: Database
  readonly browsing: ReturnType<typeof createBrowsing>
  /** What verbs of other rooms take. */
  readonly parts: LinkerDeps
}

/** Values of a form, or the named parts of an address. */
export type PortalFields = Readonly<Record<string, string>>
export type ShowPage = (visit: UserVisit, params: PortalFields) => Promise<PortalPage> | PortalPage
/** What a form does. */
export type PortalForm = {
  /** Returns the path below the portal to which it leads, or a page for what is shown once. */
  readonly act: (
    visit: UserVisit & { readonly browser: PortalBrowser },
    body: PortalFields,
    params: PortalFields,
  ) => Promise<string | PortalPage>
  /** The page of the form, which is shown again when it is refused; absent: a page says that nothing was changed. */
  readonly page?: ShowPage
}
