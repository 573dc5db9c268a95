import { createHash } from 'node:crypto'
import { type Day, dayOf, startOfDay } from '../../../platform/calendar.ts'
import { exponentOf, toMinor } from '../../../platform/money.ts'
import type { PurchaseFacts } from '../../../transactions/index.ts'
import type { ProviderRow } from '../../provider.ts'
import { merchantKeysOf } from './merchant-keys.ts'

export type HandedKind = 'AUTHORIZATION' | 'CLEARING' | 'REFUND'
/** An instant; with `dateOnly`, the start of a day, in the publisher's zone, whose time is unknown. */
export type Moment = { readonly at: Date; readonly dateOnly: boolean }

/** A row of the feed as the events that it may become. */
export type ParsedRow = {
  /** Null when nothing was bought, or not yet. */
  readonly kind: HandedKind | null
  /** Minor units, without its sign. */
  readonly amount: bigint
  readonly currency: string
  readonly bought: Moment
  readonly boughtOn: Day
  readonly posted: Moment
  /** What identifies the merchant among others on the same card. */
  readonly merchantKeys: readonly string[]
  readonly facts: PurchaseFacts
  readonly hash: Buffer
}

/** Money that moves, but buys nothing. */
const NO_PURCHASE = /^(TRANSFER_|LOAN_PAYMENTS$|INCOME$|BANK_FEES$)/

/** Days are the publisher's: the provider's carry no time zone. */
export function parseRow(row: ProviderRow, timeZone: string): ParsedRow {
  const currency = row.currency ?? ''
  const signed = row.currency === null ? 0n : minorOf(row.amount, row.currency)
  const bought = boughtAt(row, timeZone)
  const facts = factsOf(row)
  const parsed = {
    kind: kindOf(row, signed),
    amount: signed < 0n ? -signed : signed,
    currency,
    bought,
    boughtOn: dayOf(bought.at, timeZone),
    posted: instantOf(row.datetime, row.date) ?? wholeDay(row.date, timeZone),
    merchantKeys: merchantKeysOf(row),
    facts,
  }
  return { ...parsed, hash: hashOf(parsed) }
}

function kindOf(row: ProviderRow, signed: bigint): HandedKind | null {
  if (signed === 0n || NO_PURCHASE.test(row.category ?? '')) return null
  if (signed > 0n) return row.pending ? 'AUTHORIZATION' : 'CLEARING'
  // Money that is only announced has not come back yet.
  return row.pending ? null : 'REFUND'
}

/** The provider writes amounts as floating-point numbers; some carry its own rounding noise. */
function minorOf(amount: number, currency: string): bigint {
  const exact = toMinor(amount, currency)
  return exact ?? toMinor(amount.toFixed(exponentOf(currency)), currency) ?? 0n
}

/** When the user paid. A posted row's own time is that of posting, so it counts only on the day of the authorization. */
function boughtAt(row: ProviderRow, timeZone: string): Moment {
  const { authorizedDatetime, authorizedDate, datetime, date } = row
  return (
    instantOf(authorizedDatetime, null) ??
    instantOf(datetime, authorizedDate) ??
    wholeDay(authorizedDate ?? date, timeZone)
  )
}

/** Banks that know no time of day send midnight: such a time says only the day. With a day given, it must be that one. */
function instantOf(text: string | null, day: Day | null): Moment | null {
  if (text === null || /T00:00:00(\.0+)?(Z|[+-]00:?00)$/.test(text)) return null
  const at = new Date(text)
  const fits = !Number.isNaN(at.getTime()) && (day === null || text.startsWith(day))
  return fits ? { at, dateOnly: false } : null
}

function wholeDay(day: Day, timeZone: string): Moment {
  return { at: startOfDay(day, timeZone), dateOnly: true }
}

function factsOf(row: ProviderRow): PurchaseFacts {
  const { storeNumber, street, city, state, zipCode, latitude, longitude } = row.location
  const facts = {
    accountId: row.accountId,
    merchantDescriptor: row.originalDescription ?? row.name,
    providerMerchantId: row.merchantId,
    merchantName: row.merchantName,
    website: row.website,
    mcc: row.mcc,
    storeNumber,
    street,
    city,
    state,
    zipCode,
    latitude,
    longitude,
    channel: row.channel,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== ''))
}

function hashOf(parsed: Omit<ParsedRow, 'hash'>): Buffer {
  const { kind, amount, currency, bought, posted, facts } = parsed
  const content = [
    kind,
    String(amount),
    currency,
    bought.at.toISOString(),
    posted.at.toISOString(),
    // The name that this id had in earlier hashes: rows read before are not taken for changed ones.
    Object.entries(facts).map(([name, value]) => [name === 'providerMerchantId' ? 'merchantId' : name, value]),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest()
}
