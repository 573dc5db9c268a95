import type { Institution } from '../institutions.ts'
import type { Item, LinkEvent, LinkExit, LinkResult, LinkToken, StoredError } from '../state.ts'

/**
 * One user's session on the link page: consenting and choosing a bank (not in update mode), signing in, for some users
 * a code, choosing accounts (in update mode only if the client asked for it), the end. At a bank with OAuth, sign-in
 * and the choice are on the bank's own page, which leads back. Kept in memory: users who are halfway when the simulator
 * stops start again.
 */
export type LinkSession = {
  readonly id: string
  readonly linkToken: LinkToken
  readonly startedAt: string
  /** The origin of the page in which this is a frame; null for a window of its own. */
  embedder: string | null
  /** Credentials with the right password, until the code is entered. */
  login: Credentials | null
  /** The login that is being linked or repaired, once the user is in. */
  item: Item | null
  /** What the user said on the bank's own page, and the state that identifies their return to the app. */
  consent: Consent | null
  result: LinkResult | null
  exit: LinkExit | null
  /** Where the user is: the provider's name of the view, and the address to which they go back. */
  view: View | null
  address: string
  bank: Institution | null
  /** The last error the user met; cleared when they choose another bank, and by the result. */
  error: StoredError | null
  foundNoBank: boolean
  readonly events: LinkEvent[]
  /** How many events have been sent to the app, and the index of the first that the current app page gets. */
  sentCount: number
  firstEventIndex: number
}

type Consent = {
  readonly oauthStateId: string
  /** The accounts that the user allows the bank to show; null when they allow none. */
  readonly accountIds: readonly string[] | null
}

export type Credentials = { readonly institutionId: string; readonly username: string; readonly password: string }

export type Sessions = Map<string, LinkSession>

/** The provider's names of the views. */
export type View =
  | 'CONSENT'
  | 'SELECT_INSTITUTION'
  | 'CREDENTIAL'
  | 'OAUTH'
  | 'MFA'
  | 'SELECT_ACCOUNT'
  | 'ERROR'
  | 'CONNECTED'
