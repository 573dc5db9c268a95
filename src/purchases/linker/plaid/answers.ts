import type {
  AccountBase,
  Institution,
  ItemGetResponse,
  JWKPublicKey,
  LinkTokenGetResponse,
  Transaction,
  TransactionsSyncResponse,
} from 'plaid'
import type { BankAccount } from '../../../sources/cards/index.ts'
import { asRows, cleanText, isId } from './rows.ts'

/**
 * Converts the provider's responses to our types. The SDK does not validate them. A missing optional field becomes
 * null, and a missing required field throws a TypeError, which the caller turns into a fault.
 */
export function asItem({ item, status }: ItemGetResponse) {
  return {
    itemId: requireText(item.item_id),
    institutionId: item.institution_id ?? null,
    institutionName: item.institution_name ?? null,
    webhook: item.webhook ?? null,
    /** The error code stored with the item; null while it is healthy. */
    errorCode: item.error?.error_code ?? null,
    /** When the bank last reported to the provider. */
    lastUpdatedAt: asInstant(status?.transactions?.last_successful_update),
    /** When the user's consent expires unless they renew it; null if it never expires. */
    consentEndsAt: asInstant(item.consent_expiration_time),
  }
}

// The other types are loans and investments, which nobody uses to pay in a store.
const CARD_TYPES: readonly string[] = ['credit', 'depository']

/**
 * Returns the accounts that become cards, regardless of how their login was linked. The provider does not always apply
 * the filters of a link token.
 */
export function asAccounts(accounts: readonly AccountBase[]): BankAccount[] {
  return accounts.filter(({ type }) => CARD_TYPES.includes(requireText(type))).map(asAccount)
}

function asAccount(account: AccountBase): BankAccount {
  return {
    accountId: requireText(account.account_id),
    persistentAccountId: account.persistent_account_id ?? null,
    name: cleanText(requireText(account.name)),
    mask: account.mask ?? null,
    subtype: account.subtype ?? null,
  }
}

export function asInstitution(institution: Institution) {
  return {
    institutionId: requireText(institution.institution_id),
    name: requireText(institution.name),
    logo: institution.logo ?? null,
    color: institution.primary_color ?? null,
  }
}

/** Returns the logins that users have linked or repaired in the sessions of a link token. */
export function asHostedResults({ link_sessions }: LinkTokenGetResponse) {
  const added = (link_sessions ?? []).flatMap(({ results }) => results?.item_add_results ?? [])
  return added.map(({ public_token, institution }) => ({
    publicToken: requireText(public_token),
    institution: { id: institution?.institution_id ?? '', name: institution?.name ?? '' },
  }))
}

export function asWebhookKey(key: JWKPublicKey) {
  return { jwk: { kty: key.kty, crv: key.crv, x: key.x, y: key.y }, expired: key.expired_at !== null }
}

export function asFeedPage(page: TransactionsSyncResponse) {
  const others = page.accounts.filter(({ type }) => !CARD_TYPES.includes(type)).map((account) => account.account_id)
  const ofCards = (rows: readonly Transaction[]) => rows.filter((row) => !others.includes(row.account_id))
  const shown = [ofCards(page.added), ofCards(page.modified)] as const
  const [added, modified] = [asRows(shown[0]), asRows(shown[1])]
  return {
    added,
    modified,
    /** The number of rows that were skipped because they cannot be stored. */
    leftOut: shown[0].length + shown[1].length - added.length - modified.length,
    // A row with an unusable id was never stored.
    removed: page.removed.map((row) => requireText(row.transaction_id)).filter(isId),
    /** Null while the provider has nothing ready. It then sends an empty cursor, which it would later reject. */
    nextCursor: requireText(page.next_cursor) || null,
    hasMore: flag(page.has_more),
    /**
     * True if the provider has collected the item's entire history. Only then is a read from the beginning complete.
     */
    isComplete: page.transactions_update_status === 'HISTORICAL_UPDATE_COMPLETE',
  }
}

/** @throws TypeError if a required text is missing */
export function requireText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a string is missing')
  return value
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError('a boolean is missing')
  return value
}

function asInstant(value: string | null | undefined): Date | null {
  const instant = new Date(value ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? null : instant
}
