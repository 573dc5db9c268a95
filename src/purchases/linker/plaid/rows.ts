import type { Transaction } from 'plaid'
import { type Day, isDay } from '../../../platform/calendar.ts'
import { AMOUNT_MAX } from '../../../platform/money.ts'
import type { PurchaseFacts } from '../../transactions/index.ts'

/**
 * Returns the rows of a page that can be stored. An update is stored as a whole or not at all, so a single unstorable
 * row would block the feed forever. Such rows are therefore skipped. Optional fields with invalid values become null.
 */
export function asRows(rows: readonly Transaction[]) {
  return rows.flatMap((row) => asRow(row) ?? [])
}

/**
 * Returns text that PostgreSQL accepts. Some banks truncate names in the middle of a character or pad them with NUL.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

// Longer ids do not fit into an index.
const ID_MAX = 255

/** Converts a transaction of the provider's feed; null if it cannot be stored. */
export function asRow(row: Transaction) {
  const { transaction_id, account_id, amount, date } = row
  if (!isId(transaction_id) || !isId(account_id) || !isPlausibleDay(date)) return null
  if (typeof amount !== 'number' || !(Math.abs(amount) <= AMOUNT_MAX)) return null
  const merchant = row.counterparties?.find(({ type, confidence_level }) => {
    return type === 'merchant' && (confidence_level === 'VERY_HIGH' || confidence_level === 'HIGH')
  })
  const { authorized_date, pending_transaction_id, iso_currency_code, location } = row
  const name = words(row.name) ?? words(row.original_description) ?? ''
  const facts = {
    accountId: account_id,
    merchantDescriptor: words(row.original_description) ?? name,
    providerMerchantId: words(row.merchant_entity_id ?? merchant?.entity_id),
    merchantName: words(row.merchant_name ?? merchant?.name),
    website: words(row.website ?? merchant?.website),
    mcc: words(row.merchant_category_code),
    storeNumber: words(location?.store_number),
    street: words(location?.address),
    city: words(location?.city),
    state: words(location?.region),
    zipCode: words(location?.postal_code),
    latitude: location?.lat,
    longitude: location?.lon,
    channel: toChannel(row),
  }
  return {
    rowId: transaction_id,
    accountId: account_id,
    /** In major units. Positive amounts were spent, negative ones received. */
    amount,
    currency: /^[A-Z]{3}$/.test(iso_currency_code ?? '') ? iso_currency_code : null,
    pending: row.pending,
    pendingRowId: isId(pending_transaction_id) ? pending_transaction_id : null,
    /** The purchase date while pending, and the posting date afterward. */
    date,
    datetime: instant(row.datetime),
    authorizedDate: isPlausibleDay(authorized_date) ? authorized_date : null,
    authorizedDatetime: instant(row.authorized_datetime),
    name,
    /** The first level of the provider's taxonomy, for example FOOD_AND_DRINK or TRANSFER_OUT. */
    category: row.personal_finance_category?.primary ?? null,
    /** The known facts in a fixed order, on which a row's hash depends. */
    facts: Object.fromEntries(
      Object.entries(facts).filter(([, value]) => value != null && value !== ''),
    ) as PurchaseFacts,
  }
}

/** Returns the channel; null if it is unknown or neither in store nor online. */
function toChannel({ payment_channel }: Transaction): 'IN_STORE' | 'ONLINE' | null {
  return payment_channel === 'in store' ? 'IN_STORE' : payment_channel === 'online' ? 'ONLINE' : null
}

/** Returns true if a row can be stored with this id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= ID_MAX && cleanText(value) === value
}

/** Accepts years from 1970 to 2999, as in publishers' reports. A sandbox clock may be a century ahead. */
function isPlausibleDay(value: unknown): value is Day {
  return typeof value === 'string' && /^(19[7-9]|2\d\d)\d-/.test(value) && isDay(value)
}

function instant(value: string | null | undefined): string | null {
  return typeof value === 'string' && isPlausibleDay(value.slice(0, 10)) ? value : null
}

function words(value: string | null | undefined): string | null {
  return typeof value === 'string' ? cleanText(value) : null
}
