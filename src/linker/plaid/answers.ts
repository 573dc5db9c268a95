import type { AccountBase, Institution, ItemGetResponse, JWKPublicKey, TransactionsSyncResponse } from 'plaid'
import type { Account } from '../../cards/index.ts'
import type { FeedPage, ProviderInstitution, ProviderItem, WebhookKey } from '../provider.ts'
import { asRows, cleaned, isId } from './rows.ts'

/**
 * From the provider's shapes to ours. The SDK does not check answers, so what may be absent is taken as unknown, and
 * where something is missing that nothing can be done without, a TypeError says that this is not the contract.
 */
export function asItem({ item, status }: ItemGetResponse): ProviderItem {
  return {
    itemId: text(item.item_id),
    institutionId: item.institution_id ?? null,
    institutionName: item.institution_name ?? null,
    webhook: item.webhook ?? null,
    errorCode: item.error?.error_code ?? null,
    lastUpdatedAt: asInstant(status?.transactions?.last_successful_update),
    consentEndsAt: asInstant(item.consent_expiration_time),
  }
}

export function asAccount(account: AccountBase): Account {
  return {
    accountId: text(account.account_id),
    persistentAccountId: account.persistent_account_id ?? null,
    name: cleaned(text(account.name)),
    mask: account.mask ?? null,
    subtype: account.subtype ?? null,
  }
}

export function asInstitution(institution: Institution): ProviderInstitution {
  return {
    institutionId: text(institution.institution_id),
    name: text(institution.name),
    logo: institution.logo ?? null,
    color: institution.primary_color ?? null,
  }
}

export function asWebhookKey(key: JWKPublicKey): WebhookKey {
  return { jwk: { kty: key.kty, crv: key.crv, x: key.x, y: key.y }, expired: key.expired_at !== null }
}

export function asFeedPage(page: TransactionsSyncResponse): FeedPage {
  const [added, modified] = [asRows(page.added), asRows(page.modified)]
  return {
    added: added.rows,
    modified: modified.rows,
    leftOut: added.leftOut + modified.leftOut,
    // What was left out under such an id is not missed.
    removed: page.removed.map((row) => text(row.transaction_id)).filter(isId),
    // An empty cursor means that there is nothing to read yet; kept, it would be refused.
    nextCursor: text(page.next_cursor) || null,
    hasMore: flag(page.has_more),
    isComplete: page.transactions_update_status === 'HISTORICAL_UPDATE_COMPLETE',
  }
}

/** For what must be there. @throws TypeError */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is missing')
  return value
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError('yes or no is missing')
  return value
}

function asInstant(told: string | null | undefined): Date | null {
  const instant = new Date(told ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? null : instant
}
