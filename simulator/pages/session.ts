import type { Institution } from '../institutions.ts'
import type { Item, LinkEvent, LinkExit, LinkResult, LinkToken, StoredError } from '../state.ts'

/**
 * One user's session on the link page: consenting and choosing a bank (not in update mode), signing in, entering a code
 * (some users), choosing accounts (in update mode only if the client requested it), and finishing. At an OAuth bank,
 * sign-in and account selection happen on the bank's own page, from which the user then returns. Sessions are stored
 * only in memory, so unfinished users must start over after a restart.
 */
export type LinkSession = {
  readonly id: string
  readonly linkToken: LinkToken
  readonly startedAt: string
  /** The origin of the embedding page; null in a separate window. */
  embedder: string | null
  /** Credentials with the correct password, until the code is entered. */
  login: Credentials | null
  /** The login being linked or repaired; null until the user has signed in. */
  item: Item | null
  /** The user's answer on the bank's page, and the state that identifies their return to the app. */
  consent: Consent | null
  result: LinkResult | null
  exit: LinkExit | null
  /** The current view, by the provider's name, and the address to return to it. */
  view: View | null
  address: string
  bank: Institution | null
  /** The last error the user saw. Choosing another bank or completing the link clears it. */
  error: StoredError | null
  foundNoBank: boolean
  readonly events: LinkEvent[]
  /** The number of events sent to the app, and the index of the first event for the current app page. */
  sentCount: number
  firstEventIndex: number
}

type Consent = {
  readonly oauthStateId: string
  /** The accounts that the user allows the bank to share; null if none. */
  readonly accountIds: readonly string[] | null
}

export type Credentials = { readonly institutionId: string; readonly username: string; readonly password: string }

export type Sessions = Map<string, LinkSession>

/** The provider's view names. */
export type View =
  | 'CONSENT'
  | 'SELECT_INSTITUTION'
  | 'CREDENTIAL'
  | 'OAUTH'
  | 'MFA'
  | 'SELECT_ACCOUNT'
  | 'ERROR'
  | 'CONNECTED'
