import type { createBrowsing } from '../catalog/catalog/index.ts'
import type { Day } from '../platform/calendar.ts'
import type { Database } from '../platform/db/database.ts'
import type { Html } from '../platform/text/html.ts'
import type { LinkerDeps } from '../purchases/linker/index.ts'
import type { PortalBrowser, SessionId } from '../tenants/accounts/index.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import type { UserWithStatus } from '../users/users/index.ts'
import type { Portal } from './portal.ts'
import type { Language, PortalWords } from './words/words.ts'

/** A refused form: its values, and the error in one field or in the form as a whole. */
type SentForm = {
  readonly values: Readonly<Record<string, string>>
  readonly field: string | null
  readonly code: string
  /** Figures from the refusal. */
  readonly members: Readonly<Record<string, unknown>>
}

/** A request for a portal page. */
export type Visit = {
  readonly publisher: Publisher
  readonly portal: Portal
  /** The portal's name for the publisher. */
  readonly name: string
  readonly language: Language
  readonly words: PortalWords
  /** The portal's address, a prefix of its pages' paths. */
  readonly base: string
  /** The address of this page. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The form that was just submitted and refused, if any. */
  readonly sent: SentForm | null
  /** The browser of the request, for sessions and sign-ins. */
  readonly browser: PortalBrowser
  /** The publisher's current time and day. */
  readonly now: Date
  readonly today: Day
}

/** A visit by a signed-in user. */
export type UserVisit = Visit & UserWithStatus & { readonly sessionId: SessionId }

export type Tab = 'offers' | 'purchases' | 'cards' | 'you'
export type PortalPage = {
  readonly title: string
  readonly tab?: Tab
  readonly content: Html
  /** The address of the linking provider's script, for pages that show its component. */
  readonly linkScript?: string | null
  /** True if the page uses the passkey script. */
  readonly usesPasskeys?: boolean
}

/** The data sources of the portal's pages. */
export type PageDeps = {
  readonly db: Database
  readonly browsing: ReturnType<typeof createBrowsing>
  /** Dependencies for calls into other modules. */
  readonly parts: LinkerDeps
}

/** The values of a form, or the path parameters of an address. */
export type PortalFields = Readonly<Record<string, string>>
export type ShowPage = (visit: UserVisit, pages: PageDeps, params: PortalFields) => Promise<PortalPage> | PortalPage
/** A form's action and page. */
export type PortalForm = {
  /** Returns the portal-relative path to redirect to, or a page for content that is shown once. */
  readonly act: (visit: UserVisit, body: PortalFields, params: PortalFields) => Promise<string | PortalPage>
  /** The form's page, shown again after a refusal. If omitted, a plain page explains that nothing was changed. */
  readonly page?: ShowPage
}
export type PortalForms = Readonly<Record<string, PortalForm>>
