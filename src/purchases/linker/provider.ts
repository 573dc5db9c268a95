import type { BankAccount } from '../../sources/cards/index.ts'
import type { asFeedPage, asHostedResults, asInstitution, asItem, asWebhookKey } from './plaid/answers.ts'
import type { asRow } from './plaid/rows.ts'

export type ProviderItem = ReturnType<typeof asItem>
export type ProviderInstitution = ReturnType<typeof asInstitution>
export type FeedPage = ReturnType<typeof asFeedPage>
export type ProviderRow = NonNullable<ReturnType<typeof asRow>>
export type WebhookKey = ReturnType<typeof asWebhookKey>

/**
 * The linking provider as this module needs it. Only `plaid/` depends on the provider's SDK, field names and address.
 * Tokens are passed in plaintext, so callers must seal what they store. Calls throw only ProviderFault.
 */
export type Provider = {
  createLinkToken(request: LinkTokenRequest): Promise<LinkToken>
  /** Lists the logins that users have completed on the provider's own page with this link token. */
  listHostedResults(linkToken: string): Promise<readonly HostedResult[]>
  /** Works only once. An exchanged token is rejected from then on. */
  exchangePublicToken(publicToken: string): Promise<{ readonly accessToken: string; readonly itemId: string }>
  getItem(accessToken: string): Promise<ProviderItem>
  listAccounts(accessToken: string): Promise<readonly BankAccount[]>
  /** Sets the webhook address; null stops the webhooks. */
  setWebhook(accessToken: string, address: string | null): Promise<void>
  removeItem(accessToken: string): Promise<void>
  /** Makes the item require a new sign-in, as a bank might. Works only in a sandbox. */
  breakLogin(accessToken: string): Promise<void>
  /** Replaces the item's token. The old one stops working immediately, even if the response is lost. */
  replaceToken(accessToken: string): Promise<string>
  /** Looks up an institution in these countries. */
  getInstitution(institutionId: string, countries: readonly string[]): Promise<ProviderInstitution>
  /** Reads one page of changes since the cursor; null reads from the beginning. */
  readFeed(accessToken: string, cursor: string | null): Promise<FeedPage>
  /** Returns the public key that signed a webhook; null if the provider has no key with this id. */
  getWebhookKey(keyId: string): Promise<WebhookKey | null>
  /** Moves an item's clock this many seconds ahead of real time. Supported only by the simulator. */
  followClock?(accessToken: string, offsetSeconds: number): Promise<void>
  /** The same provider for background work, where each call waits for a slot within the provider's limits. */
  readonly patient: Provider
  /** Returns the same provider under another account, which is `account` in the pacing table and `label` in metrics. */
  under(account: {
    readonly clientId: string
    readonly secret: string
    readonly account: string
    readonly label: string
  }): Provider
  /** The URL of the script that shows the provider's component on a page. */
  readonly linkScript: string
  /** Returns true if the provider can send webhooks to this address. */
  canReach(address: string): boolean
}

/** `client` determines what the user sees and which accounts are requested. */
export type LinkTokenRequest = {
  readonly client: LinkClient
  /** Our own id for the user, stable and without personal data. */
  readonly clientUserId: string
  /** Null if webhooks cannot reach us. */
  readonly webhook: string | null
  readonly redirectUri: string | null
  readonly androidPackageName: string | null
  /** The token of the item whose login is to be repaired (update mode); null for a new link. */
  readonly accessToken: string | null
  /**
   * Set to use the provider's own page, which is valid for the given lifetime or, if that is null, for the provider's
   * default.
   */
  readonly hosted: { readonly lifetimeSeconds: number | null } | null
}
export type LinkClient = {
  readonly name: string
  readonly language: string
  readonly countries: readonly string[]
  readonly products: readonly string[]
  /** The account subtypes that may be linked, by account type. */
  readonly accountFilters: Readonly<Record<string, { readonly account_subtypes: readonly string[] }>>
}
export type LinkToken = {
  readonly linkToken: string
  readonly expiration: string
  /** The provider's own page; null if it was not requested or is not enabled for the account. */
  readonly linkUrl: string | null
}
export type HostedResult = ReturnType<typeof asHostedResults>[number]

/**
 * - refused: the provider refused the call, with an error code
 * - unavailable: the provider could not be reached, rate-limited the call, or failed
 * - timeout: the provider did not respond in time
 * - garbled: the response violates the provider's contract
 */
export type FaultKind = 'refused' | 'unavailable' | 'timeout' | 'garbled'

/**
 * The meaning of a fault for the provider account as a whole.
 * - down: the provider failed or could not be reached
 * - limited: the provider's rate limit was exceeded
 * - spared: the call was not made, because the provider was just down or limiting calls, or no slot is free soon
 * - none: nothing, because the fault concerns only this request
 */
export type Symptom = 'down' | 'limited' | 'spared' | 'none'

type FaultDetails = {
  readonly symptom?: Symptom
  readonly retryAfterSeconds?: number | null
  readonly errorType?: string | null
}

/** The reason a call failed. Contains nothing that was sent, because requests carry secrets. */
export class ProviderFault extends Error {
  readonly kind: FaultKind
  /**
   * The error code of the provider or the network. Base decisions only on this code. The provider may add new codes at
   * any time.
   */
  readonly code: string
  readonly symptom: Symptom
  /** The provider's error type, for unknown codes. One code may come with several types. */
  readonly errorType: string | null
  /** The number of seconds to wait before a retry; null if neither the provider nor our own limits specify it. */
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
