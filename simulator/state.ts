import { createEmptyGiftCards, type GiftCardsState } from './gift-cards/state.ts'
import { createEmptyPayouts, type PayoutsState } from './payouts/state.ts'

/**
 * Everything the simulator remembers, as plain data that survives a JSON round trip. An item is one login at one bank.
 * Its accounts, its transactions and the log of their changes are stored inside it, so deleting the item deletes all of
 * them. Nothing here is derived: balances, sync pages and institutions are computed on demand.
 */
export type State = {
  readonly version: 1
  /** The name of the environment in tokens and webhooks. Defaults to sandbox. */
  environment?: 'production'
  clockOffsetSeconds: number
  /** The hash of the first secret used with each client id, which is the only valid one. */
  clientSecrets: Record<string, string>
  signingKeys: SigningKey[]
  linkTokens: Record<string, LinkToken>
  publicTokens: Record<string, PublicToken>
  items: Record<string, Item>
  /**
   * Access tokens of removed items, with the client id that created them; null if no client had claimed the item. These
   * tokens get ITEM_NOT_FOUND, whereas unknown tokens get INVALID_ACCESS_TOKEN.
   */
  removedTokens: Record<string, string | null>
  /** The history of logins whose items were removed, restored when the login is linked again. */
  remembered?: Record<string, Remembered>
  /** Webhooks in flight, in sending order. */
  undelivered: Record<string, Webhook>
  /** The state of the payout bank. */
  payouts: PayoutsState
  /** The state of the gift card supplier. */
  giftCards: GiftCardsState
}

export type SigningKey = {
  readonly kid: string
  readonly createdAt: string
  readonly publicJwk: Readonly<Record<'kty' | 'crv' | 'x' | 'y', string>>
  readonly privatePem: string
}

export type LinkToken = {
  readonly token: string
  /** The client id that created it; null in an old snapshot until a client uses the token. */
  clientId: string | null
  readonly clientName: string
  readonly clientUserId: string
  readonly language: string
  readonly countryCodes: readonly string[]
  readonly products: readonly string[]
  readonly accountFilters: AccountFilters | null
  readonly webhook: string | null
  readonly redirectUri: string | null
  readonly createdAt: string
  readonly expiresAt: string
  /** The item to repair in update mode; null for a new link. */
  readonly itemId: string | null
  readonly accountSelection: boolean
  /** The number of days of history; the provider's default unless requested. */
  readonly daysRequested?: number | undefined
  /** Set for Hosted Link, with the address users return to when done, if any. */
  readonly hosted?: { readonly completionRedirectUri: string | null } | undefined
  /** The finished Hosted Link sessions of this token. */
  sessions?: FinishedSession[]
}

/** A finished session on the link page. It ended with a result or with the user's exit. */
export type FinishedSession = {
  readonly sessionId: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly events: readonly LinkEvent[]
  readonly result: LinkResult | null
  readonly exit: LinkExit | null
}

/** An event of a session, in the provider's format. The metadata contains only the fields that apply to the event. */
export type LinkEvent = {
  readonly event_name: string
  readonly event_id: string
  readonly timestamp: string
  readonly event_metadata: Readonly<Record<string, string>>
}

type LinkInstitution = { readonly institution_id: string; readonly name: string }

export type LinkResult = {
  readonly public_token: string
  readonly institution: LinkInstitution
  readonly accounts: readonly {
    readonly id: string
    readonly name: string
    readonly mask: string | null
    readonly type: string
    readonly subtype: string
  }[]
}

export type LinkExit = {
  /** The last error that the user saw, if any. */
  readonly error: StoredError | null
  readonly metadata: {
    readonly institution: LinkInstitution | null
    /** The last step that the user reached. */
    readonly status: string
    readonly link_session_id: string
    readonly request_id: string
  }
}

/** The linkable subtypes of each account type. Types not listed are hidden entirely. */
export type AccountFilters = Readonly<Record<string, { readonly account_subtypes: readonly string[] }>>

/**
 * A finished link whose token has not been exchanged. Its item is either new and not accessible yet, or an existing one
 * in update mode.
 */
export type PublicToken = {
  readonly token: string
  readonly expiresAt: string
  readonly link: { readonly kind: 'new'; readonly item: Item } | { readonly kind: 'update'; readonly itemId: string }
}

export type Item = {
  readonly itemId: string
  accessToken: string
  /** The client id that linked it; null in an old snapshot until a client uses the item. */
  clientId: string | null
  readonly clientUserId: string
  readonly institutionId: string
  readonly username: string
  readonly products: readonly string[]
  readonly createdAt: string
  /** The number of days of history before the link that the client requested. */
  readonly daysRequested?: number
  /** The offset of this bank's clock from the simulated time. Absent until the clock is moved. */
  clockOffsetSeconds?: number
  webhook: string | null
  error: StoredError | null
  accounts: Account[]
  transactions: Record<string, StoredTransaction>
  /** Removed rows. A pending one can still post, and any can be restored. */
  removed?: Record<string, StoredTransaction>
  /** Pending rows whose posted row is already present. They are removed with the item's next change. */
  lateRemovals?: string[]
  /** Append-only, because a cursor is a position in it. */
  log: LogEntry[]
  /** The last state before the bank stopped reporting. Until it resumes, clients can read only this state. */
  lastSeen?: LastSeen
  /** True while the bank reports nothing; see lastSeen. */
  frozen?: boolean
  /** The part of a stepwise history that the provider has not read yet. */
  history?: History
  consentExpiresAt?: string
  /** Each increment invalidates all earlier cursors. */
  cursorGeneration?: number
  /** The provider announces updates only after the first call to /transactions/sync. */
  syncCalled: boolean
  lastSuccessfulUpdate: string
  lastFailedUpdate: string | null
  lastWebhook: { readonly sent_at: string; readonly code_sent: string } | null
}

export type Webhook = {
  readonly webhookId: string
  /** Null for a webhook about a link page session, which has no item yet. */
  readonly itemId: string | null
  readonly url: string
  readonly type: string
  readonly code: string
  readonly body: string
  readonly sentAt: string
}

/** The history of a login whose item was removed. */
type Remembered = Pick<Item, 'accounts' | 'transactions'>

export type StoredError = {
  readonly error_type: string
  readonly error_code: string
  readonly error_message: string
  readonly display_message: string | null
}

export type Account = {
  readonly accountId: string
  readonly persistentId: string | null
  readonly name: string
  readonly officialName: string | null
  readonly mask: string | null
  /** Credit or depository at the simulator's banks. A custom user may have any type. */
  readonly type: string
  readonly subtype: string
  /** In cents, before any transaction made in the simulator. */
  readonly openingCents: number
  readonly limitCents: number | null
  /** Chosen by the user on the link page. Unshared accounts are invisible to the client. */
  shared: boolean
}

export type LogEntry = {
  readonly kind: 'added' | 'modified' | 'removed'
  readonly transactionId: string
  readonly accountId: string
}

export type StoredTransaction = {
  readonly row: Transaction
  /** The purchase that this negative row refunds. Never sent to clients. */
  readonly refundOf: string | null
  /** The posted row that replaced this pending one, even if the wire format does not link them. */
  readonly postedAs?: string
}

export type History = {
  status: 'NOT_READY' | 'INITIAL_UPDATE_COMPLETE'
  rows: StoredTransaction[]
}

export type LastSeen = {
  readonly logLength: number
  readonly transactions: Readonly<Record<string, StoredTransaction>>
}

export type Location = {
  address: string | null
  city: string | null
  region: string | null
  postal_code: string | null
  country: string | null
  lat: number | null
  lon: number | null
  store_number: string | null
}

export type Counterparty = {
  readonly name: string
  readonly type: string
  readonly entity_id: string | null
  readonly website: string | null
  readonly logo_url: string | null
  readonly confidence_level: string
}

/** A transaction as sent to clients. `original_description` is sent only on request. */
export type Transaction = {
  readonly transaction_id: string
  readonly account_id: string
  readonly amount: number
  readonly iso_currency_code: string | null
  readonly unofficial_currency_code: string | null
  readonly date: string
  readonly datetime: string | null
  readonly authorized_date: string | null
  readonly authorized_datetime: string | null
  readonly pending: boolean
  readonly pending_transaction_id: string | null
  readonly name: string
  readonly merchant_name: string | null
  readonly merchant_entity_id: string | null
  readonly merchant_category_code: string | null
  readonly website: string | null
  readonly logo_url: null
  readonly counterparties: readonly Counterparty[]
  readonly original_description: string
  readonly location: Location
  readonly payment_channel: 'online' | 'in store' | 'other'
  readonly personal_finance_category: PersonalFinanceCategory | null
  readonly account_owner: null
  readonly category: null
  readonly category_id: null
  readonly check_number: null
  readonly payment_meta: Readonly<Record<string, null>>
  readonly personal_finance_category_icon_url: string
  readonly transaction_code: null
  readonly transaction_type: 'digital' | 'place' | 'unresolved'
}

export type PersonalFinanceCategory = {
  readonly primary: string
  readonly detailed: string
  readonly confidence_level: string
  readonly version: 'v2'
}

/** Looks up an untrusted key. A key such as `__proto__` must not find a property that every object has. */
export function lookUp<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

export function createEmptyState(): State {
  return {
    version: 1,
    clockOffsetSeconds: 0,
    clientSecrets: {},
    signingKeys: [],
    linkTokens: {},
    publicTokens: {},
    items: {},
    removedTokens: {},
    undelivered: {},
    payouts: createEmptyPayouts(),
    giftCards: createEmptyGiftCards(),
  }
}
