import type {
  AccountBase,
  Institution,
  ItemGetResponse,
  JWKPublicKey,
  Transaction,
  TransactionsSyncResponse,
} from 'plaid'
import type { Account } from '../../cards/index.ts'
import type { FeedPage, ProviderInstitution, ProviderItem, ProviderRow, WebhookKey } from '../provider.ts'

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
    name: account.name,
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
  return {
    added: page.added.map(asRow),
    modified: page.modified.map(asRow),
    removed: page.removed.map((row) => text(row.transaction_id)),
    // An empty cursor means that there is nothing to read yet; kept, it would be refused.
    nextCursor: text(page.next_cursor) || null,
    hasMore: flag(page.has_more),
    isComplete: page.transactions_update_status === 'HISTORICAL_UPDATE_COMPLETE',
  }
}

function asRow(row: Transaction): ProviderRow {
  const merchant = row.counterparties?.find(({ type, confidence_level }) => {
    return type === 'merchant' && (confidence_level === 'VERY_HIGH' || confidence_level === 'HIGH')
  })
  return {
    rowId: text(row.transaction_id),
    accountId: text(row.account_id),
    amount: row.amount,
    currency: row.iso_currency_code,
    pending: row.pending,
    pendingRowId: row.pending_transaction_id ?? null,
    date: text(row.date),
    datetime: row.datetime ?? null,
    authorizedDate: row.authorized_date ?? null,
    authorizedDatetime: row.authorized_datetime ?? null,
    name: row.name,
    originalDescription: row.original_description ?? null,
    merchantName: row.merchant_name ?? merchant?.name ?? null,
    merchantId: row.merchant_entity_id ?? merchant?.entity_id ?? null,
    website: row.website ?? merchant?.website ?? null,
    mcc: row.merchant_category_code ?? null,
    category: row.personal_finance_category?.primary ?? null,
    location: {
      storeNumber: row.location?.store_number ?? null,
      street: row.location?.address ?? null,
      city: row.location?.city ?? null,
      state: row.location?.region ?? null,
      zipCode: row.location?.postal_code ?? null,
      latitude: row.location?.lat ?? null,
      longitude: row.location?.lon ?? null,
    },
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
