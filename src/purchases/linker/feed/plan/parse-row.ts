import { createHash } from 'node:crypto'
import { type Day, startOfDay, toDay } from '../../../../platform/calendar.ts'
import { getExponent, toMinor } from '../../../../platform/money.ts'
import type { PurchaseFacts } from '../../../transactions/index.ts'
import type { ProviderRow } from '../../provider.ts'
import type { HandedKind, Update } from '../rows.ts'
import { deriveMerchantKeys } from './merchant-keys.ts'

/** An instant. With `dateOnly`, only the day is known, and this is its start in the publisher's time zone. */
export type Moment = { readonly at: Date; readonly dateOnly: boolean }

/** A feed row, prepared for its events. */
export type ParsedRow = Omit<ProviderRow, 'amount' | 'currency'> & {
  /** Null for rows that are not purchases or refunds, and for pending refunds. */
  readonly kind: HandedKind | null
  /** Minor units, unsigned. */
  readonly amount: bigint
  readonly currency: string
  readonly bought: Moment
  readonly boughtOn: Day
  readonly posted: Moment
  readonly postedOn: Day
  /** Keys that identify the merchant among others on the same card. */
  readonly merchantKeys: readonly string[]
  readonly hash: Buffer
}

export type ParsedUpdate = { readonly rows: readonly ParsedRow[]; readonly removed: readonly string[] }

type FindBrand = (facts: PurchaseFacts) => string | null

/** Parses an update. Days are in the publisher's time zone, because the provider's days have none. */
export function parseUpdate(
  { rows, removed }: Update,
  timeZone: string,
  findBrand: FindBrand = () => null,
): ParsedUpdate {
  return { rows: rows.map((row) => parseRow(row, timeZone, findBrand)), removed }
}

/** Categories of money movements that are not purchases. */
const NO_PURCHASE = /^(TRANSFER_|LOAN_|INCOME$|BANK_FEES$)/

function parseRow(row: ProviderRow, timeZone: string, findBrand: FindBrand): ParsedRow {
  const currency = row.currency ?? ''
  const signed = row.currency === null ? 0n : toMinorUnits(row.amount, row.currency)
  const bought = boughtAt(row, timeZone)
  const posted = parseInstant(row.datetime, row.date) ?? wholeDay(row.date, timeZone)
  const parsed = {
    ...row,
    kind: toKind(row, signed),
    amount: signed < 0n ? -signed : signed,
    currency,
    bought,
    boughtOn: toDay(bought.at, timeZone),
    posted,
    postedOn: toDay(posted.at, timeZone),
    merchantKeys: deriveMerchantKeys(row, findBrand(row.facts)),
  }
  return { ...parsed, hash: hashRow(parsed) }
}

function toKind(row: ProviderRow, signed: bigint): HandedKind | null {
  if (signed === 0n || NO_PURCHASE.test(row.category ?? '')) return null
  if (signed > 0n) return row.pending ? 'AUTHORIZATION' : 'CLEARING'
  // A pending refund has not been paid yet.
  return row.pending ? null : 'REFUND'
}

/** Converts an amount to minor units. The provider sends floating-point numbers, some with rounding noise. */
function toMinorUnits(amount: number, currency: string): bigint {
  const exact = toMinor(amount, currency)
  return exact ?? toMinor(amount.toFixed(getExponent(currency)), currency) ?? 0n
}

/**
 * Returns the moment the user paid. A posted row's own time is its posting time, so it is used only if it falls on the
 * day of the authorization.
 */
function boughtAt(row: ProviderRow, timeZone: string): Moment {
  const { authorizedDatetime, authorizedDate, datetime, date } = row
  return (
    parseInstant(authorizedDatetime, null) ??
    parseInstant(datetime, authorizedDate) ??
    wholeDay(authorizedDate ?? date, timeZone)
  )
}

/**
 * Parses an instant. Returns null at midnight, which banks send when they know only the day, and for an instant that is
 * not on the given day.
 */
function parseInstant(text: string | null, day: Day | null): Moment | null {
  if (text === null || /T00:00:00(\.0+)?(Z|[+-]00:?00)$/.test(text)) return null
  const at = new Date(text)
  const fits = !Number.isNaN(at.getTime()) && (day === null || text.startsWith(day))
  return fits ? { at, dateOnly: false } : null
}

function wholeDay(day: Day, timeZone: string): Moment {
  return { at: startOfDay(day, timeZone), dateOnly: true }
}

function hashRow(parsed: Omit<ParsedRow, 'hash'>): Buffer {
  const { kind, amount, currency, bought, posted, facts } = parsed
  const content = [
    kind,
    String(amount),
    currency,
    bought.at.toISOString(),
    posted.at.toISOString(),
    // Hashes use the fact's former name, so that the hashes of stored rows do not change.
    Object.entries(facts).map(([name, value]) => [name === 'providerMerchantId' ? 'merchantId' : name, value]),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest()
}
