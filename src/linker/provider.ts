import type { Account } from '../cards/index.ts'
import type { Day } from '../platform/calendar.ts'

/**
 * The linking provider as this room needs it. Everything that knows the provider's own words, its SDK and its address
 * stands behind this type; tokens go in and out of it in plain text, and callers seal what they store.
 * Every call may throw a ProviderFault and nothing else.
 */
export type Provider = {
  /** Where a user can link with this token in a browser; null where the provider has no such page. */
  linkPage(linkToken: string): string | null
  createLinkToken(wish: LinkTokenWish): Promise<LinkToken>
  /** Once only: a token that was exchanged is refused from then on. */
  exchangePublicToken(publicToken: string): Promise<{ readonly accessToken: string; readonly itemId: string }>
  getItem(accessToken: string): Promise<ProviderItem>
  listAccounts(accessToken: string): Promise<readonly Account[]>
  /** Null: nowhere. */
  setWebhook(accessToken: string, address: string | null): Promise<void>
  removeItem(accessToken: string): Promise<void>
  /** Once only: gives the item a new token, and the old one is dead at once, even if the answer is lost. */
  replaceToken(accessToken: string): Promise<string>
  getInstitution(institutionId: string): Promise<ProviderInstitution>
  /** One page of changes since the cursor; null reads from the beginning. */
  readFeed(accessToken: string, cursor: string | null): Promise<FeedPage>
  /** The public key that signed a webhook, or null when the provider knows none of that name. */
  getWebhookKey(keyId: string): Promise<WebhookKey | null>
  /** Dates what happens at the item from now on so far ahead of real time. Only the simulator can do that. */
  followClock?(accessToken: string, offsetSeconds: number): Promise<void>
  /** The same for background work: its calls wait for slots within what the provider allows. */
  readonly patient: Provider
  /** The same provider under another account; `account` names it in the pacing table, `label` in metrics. */
  under(account: {
    readonly clientId: string
    readonly secret: string
    readonly account: string
    readonly label: string
  }): Provider
  /** Whether the provider can send its webhooks to such an address. */
  canReach(address: string): boolean
}

export type LinkTokenWish = {
  /** Stable and without personal data: our own id of the user. */
  readonly clientUserId: string
  /** Null where none can arrive. */
  readonly webhook: string | null
  readonly redirectUri: string | null
  readonly androidPackageName: string | null
  /** The item whose login is to be repaired (update mode); null for a new link. */
  readonly accessToken: string | null
}
export type LinkToken = { readonly linkToken: string; readonly expiration: string }

export type ProviderItem = {
  readonly itemId: string
  readonly institutionId: string | null
  readonly institutionName: string | null
  readonly webhook: string | null
  /** The code of the error stored with the item; null while it is healthy. */
  readonly errorCode: string | null
  /** When the bank last reported to the provider; null while that is unknown. */
  readonly lastUpdatedAt: Date | null
  /** When the user's consent ends unless it is given again; null where it does not end by itself. */
  readonly consentEndsAt: Date | null
}

export type ProviderInstitution = {
  readonly institutionId: string
  readonly name: string
  readonly logo: string | null
  readonly color: string | null
}

export type FeedPage = {
  readonly added: readonly ProviderRow[]
  readonly modified: readonly ProviderRow[]
  readonly removed: readonly string[]
  /** Rows that cannot be read, so that nothing is known of them but that they are there. */
  readonly leftOut: number
  /** Null while the provider has nothing ready. */
  readonly nextCursor: string | null
  readonly hasMore: boolean
  /** Whether the provider has collected all of the item's past: only then a reading from the beginning is the whole. */
  readonly isComplete: boolean
}

/** A transaction of the provider's feed. Positive amounts went out, negative ones came in. */
export type ProviderRow = {
  readonly rowId: string
  readonly accountId: string
  readonly amount: number
  readonly currency: string | null
  readonly pending: boolean
  readonly pendingRowId: string | null
  /** When it occurred while pending, when it posted afterwards. */
  readonly date: Day
  readonly datetime: string | null
  readonly authorizedDate: Day | null
  readonly authorizedDatetime: string | null
  readonly name: string
  readonly originalDescription: string | null
  readonly merchantName: string | null
  readonly merchantId: string | null
  readonly website: string | null
  readonly mcc: string | null
  /** The first level of the provider's taxonomy, e.g. FOOD_AND_DRINK or TRANSFER_OUT. */
  readonly category: string | null
  /** Null: the provider does not know, or it was neither at a counter nor at a site. */
  readonly channel: 'IN_STORE' | 'ONLINE' | null
  readonly location: {
    readonly storeNumber: string | null
    readonly street: string | null
    readonly city: string | null
    readonly state: string | null
    readonly zipCode: string | null
    readonly latitude: number | null
    readonly longitude: number | null
  }
}

export type WebhookKey = {
  readonly jwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly y: string }
  readonly expired: boolean
}

/**
 * - refused: the provider said no, with a code of its own
 * - unavailable: it could not be reached, is limiting us, or failed on its side
 * - timeout: it did not answer in time
 * - garbled: it answered something that is not its contract
 */
export type FaultKind = 'refused' | 'unavailable' | 'timeout' | 'garbled'

/**
 * What a fault says of the provider account as a whole.
 * - down: the provider failed or was not reached
 * - limited: too many calls
 * - spared: the call was not made, because of one of these a moment ago, or because no slot is near
 * - none: nothing; it concerns the request
 */
export type Symptom = 'down' | 'limited' | 'spared' | 'none'

type FaultDetails = {
  readonly symptom?: Symptom
  readonly retryAfterSeconds?: number | null
  readonly errorType?: string | null
}

/** What went wrong in a call, without anything that was sent: requests carry secrets. */
export class ProviderFault extends Error {
  readonly kind: FaultKind
  /** The provider's error code, or the network's. Decide on this alone; the provider adds codes at any time. */
  readonly code: string
  readonly symptom: Symptom
  /** The provider's kind of error, for codes that are new to us. The same code comes under several. */
  readonly errorType: string | null
  /** When it may be worth asking again, where the provider or our own bounds tell. */
  readonly retryAfterSeconds: number | null

  constructor(
    kind: FaultKind,
    code: string,
    operation: string,
    requestId: string | null,
    { symptom = 'none', retryAfterSeconds = null, errorType = null }: FaultDetails = {},
  ) {
    super(`${operation}: ${kind} (${code})${requestId === null ? '' : `, request ${requestId}`}`)
    this.name = 'ProviderFault'
    this.kind = kind
    this.code = code
    this.symptom = symptom
    this.errorType = errorType
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function isFault(error: unknown, ...codes: readonly string[]): error is ProviderFault {
  return error instanceof ProviderFault && (codes.length === 0 || codes.includes(error.code))
}
