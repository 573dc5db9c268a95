import type { Transaction } from 'plaid'
import { type Day, isDay } from '../../platform/calendar.ts'
import { AMOUNT_MAX } from '../../platform/money.ts'
import type { ProviderRow } from '../provider.ts'

/**
 * The rows of a page, as far as they can be stored. An update is stored whole or not at all, so one row that never can be
 * would keep the feed where it is for ever: such a row is left out and counted. What is only of use where it is right is
 * taken as unknown where it is not.
 */
export function asRows(rows: readonly Transaction[]): { readonly rows: ProviderRow[]; readonly leftOut: number } {
  const read = rows.flatMap((row) => asRow(row) ?? [])
  return { rows: read, leftOut: rows.length - read.length }
}

/** Text that a database takes: some banks cut names in the middle of a character, or pad them with NUL. */
export function cleaned(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

// Longer ones do not fit into an index.
const ID_MAX = 255

function asRow(row: Transaction): ProviderRow | null {
  const { transaction_id, account_id, amount, date } = row
  if (!isId(transaction_id) || !isId(account_id) || !isPlausibleDay(date)) return null
  if (typeof amount !== 'number' || !(Math.abs(amount) <= AMOUNT_MAX)) return null
  const merchant = row.counterparties?.find(({ type, confidence_level }) => {
    return type === 'merchant' && (confidence_level === 'VERY_HIGH' || confidence_level === 'HIGH')
  })
  const { authorized_date, pending_transaction_id, iso_currency_code } = row
  return {
    rowId: transaction_id,
    accountId: account_id,
    amount,
    currency: /^[A-Z]{3}$/.test(iso_currency_code ?? '') ? iso_currency_code : null,
    pending: row.pending,
    pendingRowId: isId(pending_transaction_id) ? pending_transaction_id : null,
    date,
    datetime: instant(row.datetime),
    authorizedDate: isPlausibleDay(authorized_date) ? authorized_date : null,
    authorizedDatetime: instant(row.authorized_datetime),
    name: words(row.name) ?? words(row.original_description) ?? '',
    originalDescription: words(row.original_description),
    merchantName: words(row.merchant_name ?? merchant?.name),
    merchantId: words(row.merchant_entity_id ?? merchant?.entity_id),
    website: words(row.website ?? merchant?.website),
    mcc: words(row.merchant_category_code),
    category: row.personal_finance_category?.primary ?? null,
    channel: channelOf(row),
    location: placeOf(row),
  }
}

/** Money that was neither paid at a counter nor at a site says nothing about an offer that asks for one of them. */
function channelOf({ payment_channel }: Transaction): ProviderRow['channel'] {
  return payment_channel === 'in store' ? 'IN_STORE' : payment_channel === 'online' ? 'ONLINE' : null
}

function placeOf({ location }: Transaction): ProviderRow['location'] {
  return {
    storeNumber: words(location?.store_number),
    street: words(location?.address),
    city: words(location?.city),
    state: words(location?.region),
    zipCode: words(location?.postal_code),
    latitude: location?.lat ?? null,
    longitude: location?.lon ?? null,
  }
}

/** Whether a row can be stored under this id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= ID_MAX && cleaned(value) === value
}

/** Of a time in which cards are used, so that days before and after it can be reckoned with. */
function isPlausibleDay(value: unknown): value is Day {
  return typeof value === 'string' && /^(19[7-9]|20\d)\d-/.test(value) && isDay(value)
}

function instant(value: string | null | undefined): string | null {
  return typeof value === 'string' && isPlausibleDay(value.slice(0, 10)) ? value : null
}

function words(value: string | null | undefined): string | null {
  return typeof value === 'string' ? cleaned(value) : null
}
