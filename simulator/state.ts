import { emptyGiftCards, type GiftCardsState } from './gift-cards/state.ts'
import { emptyPayouts, type PayoutsState } from './payouts/state.ts'

/**
 * Everything the simulator remembers, as plain data that goes to JSON and back unchanged. One item is one login at one
 * bank; its accounts, its transactions and the log of their changes live inside it, so that forgetting an item forgets
 * all of it. Nothing here is derived: what can be computed (balances, sync pages, institutions) is computed when asked.
 */
export type State = {
  readonly version: 1
  /** What tokens and webhooks call the environment; missing: sandbox. */
  environment?: 'production'
  clockOffsetSeconds: number
  /** The hash of the secret that each client id used first, and has to use from then on. */
  clientSecrets: Record<string, string>
  signingKeys: SigningKey[]
  linkTokens: Record<string, LinkToken>
  publicTokens: Record<string, PublicToken>
  items: Record<string, Item>
  /**
   * Access tokens of removed items, with the client id that made them: such a token gets ITEM_NOT_FOUND, an invented
   * one does not. Null: of an item that no client id had claimed.
   */
  removedTokens: Record<string, string | null>
  /** What was done with logins whose items were removed; the bank knows it still. */
  remembered?: Record<string, Remembered>
  /** Webhooks on their way, in the order in which they were sent. */
  undelivered: Record<string, Webhook>
  /** What the bank that pays out remembers. */
  payouts: PayoutsState
  /** What the supplier of gift cards remembers. */
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
  /** The client id that made it; null in an old snapshot, until a client uses it. */
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
  /** Set for update mode: the item whose login is to be repaired. */
  readonly itemId: string | null
  readonly accountSelection: boolean
  /** How far back a history goes; the provider's default when it was not asked for. */
  readonly daysRequested?: number | undefined
  /** Set for Hosted Link: where users go when they are done, if anywhere. */
  readonly hosted?: { readonly completionRedirectUri: string | null } | undefined
  /** What its sessions of Hosted Link have ended with. */
  sessions?: FinishedSession[]
}

/** One session on the link page that has ended: with a result, or with the user's exit. */
export type FinishedSession = {
  readonly sessionId: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly events: readonly LinkEvent[]
  readonly result: LinkResult | null
  readonly exit: LinkExit | null
}

/** Something that happened in a session, as the provider tells it; its metadata has only what it knows. */
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
  /** The last error that the user met, if they left because of one. */
  readonly error: StoredError | null
  readonly metadata: {
    readonly institution: LinkInstitution | null
    /** How far the user had come. */
    readonly status: string
    readonly link_session_id: string
    readonly request_id: string
  }
}

/** For each account type the subtypes that may be linked; a type that is not named is hidden altogether. */
export type AccountFilters = Readonly<Record<string, { readonly account_subtypes: readonly string[] }>>

/** A finished link whose token has not been exchanged: a new item that cannot be reached yet, or an existing one. */
export type PublicToken = {
  readonly token: string
  readonly expiresAt: string
  readonly link: { readonly kind: 'new'; readonly item: Item } | { readonly kind: 'update'; readonly itemId: string }
}

export type Item = {
  readonly itemId: string
  accessToken: string
  /** The client id under which it was linked, as in a link token. */
  clientId: string | null
  readonly clientUserId: string
  readonly institutionId: string
  readonly username: string
  readonly products: readonly string[]
  readonly createdAt: string
  /** How many days before its link the client wants to see. */
  readonly daysRequested?: number
  /** How far this login's bank is from the simulated time; missing until someone moves it. */
  clockOffsetSeconds?: number
  webhook: string | null
  error: StoredError | null
  accounts: Account[]
  transactions: Record<string, StoredTransaction>
  /** Rows that were taken away: a pending one may still post, and any may come back. */
  removed?: Record<string, StoredTransaction>
  /** Pending rows whose posted row is there already; they go with the next change of the item. */
  lateRemovals?: string[]
  /** Only ever appended to. A cursor is a position in it, so every cursor ever given stays good. */
  log: LogEntry[]
  /** While the bank is silent: what was known of it when it fell silent, which is all that a client can read. */
  lastSeen?: LastSeen
  /** The bank reports nothing; see lastSeen. */
  frozen?: boolean
  /** What the provider has not read yet of a past that it reads in steps. */
  history?: History
  consentExpiresAt?: string
  /** Older cursors are no longer known; each step up forgets all that were given before. */
  cursorGeneration?: number
  /** Without a first call of /transactions/sync the provider never announces updates. */
  syncCalled: boolean
  lastSuccessfulUpdate: string
  lastFailedUpdate: string | null
  lastWebhook: { readonly sent_at: string; readonly code_sent: string } | null
}

export type Webhook = {
  readonly webhookId: string
  /** Null for a webhook about a session on the link page, which has no item yet. */
  readonly itemId: string | null
  readonly url: string
  readonly type: string
  readonly code: string
  readonly body: string
  readonly sentAt: string
}

/** What was done with a login whose item is gone. */
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
  /** Those of the banks here are credit and depository; a custom user has what it says. */
  readonly type: string
  readonly subtype: string
  /** In cents, before any transaction made here. */
  readonly openingCents: number
  readonly limitCents: number | null
  /** Chosen by the user in the link page; accounts that are not shared do not exist for the client. */
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
  /** The posted row that took the place of this pending one, tied on the wire or not. */
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

/** A transaction as it is sent to clients; original_description is left out unless it was requested. */
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

/** The value under a key from outside; a key such as `__proto__` must not find a member that every object has. */
export function lookUp<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

export function emptyState(): State {
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
    payouts: emptyPayouts(),
    giftCards: emptyGiftCards(),
  }
}
