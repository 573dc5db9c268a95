import { getExponent, toMinor } from '../../src/platform/money.ts'
import type { MoneyDirection } from './words.ts'

/** The sign of debits in a file with one amount column. */
export type DebitSign = 'negative' | 'positive'
export type DecimalMark = '.' | ','

/** The decimal mark of a file. `isExplicit` means that the caller specified it. */
export type Decimals = { readonly mark: DecimalMark; readonly isExplicit: boolean }

/**
 * Detects a file's decimal mark from amounts that prove it, or returns the first ambiguous amount if none does. An
 * amount proves a mark if it cannot be read with the other one: `1.234,50` and `12,5` prove the comma, and so do
 * `1.234` in dollars and `1.000` in a currency without decimals. In other currencies, `1.000` could be one or a
 * thousand.
 */
export function detectDecimalMark(
  texts: readonly string[],
  currency: string,
): Decimals | { readonly ambiguous: string } {
  const counts = { '.': 0, ',': 0 }
  let ambiguous: string | null = null
  for (const text of texts) {
    const digits = splitAmount(text, currency)?.digits
    if (digits === undefined || !/[.,]/.test(digits)) continue
    const [point, comma] = [canBe(digits, '.', currency), canBe(digits, ',', currency)]
    if (point && comma) ambiguous ??= text.trim()
    else if (point) counts['.']++
    else if (comma) counts[',']++
  }
  if (ambiguous !== null && counts['.'] === counts[',']) return { ambiguous }
  return { mark: counts[','] > counts['.'] ? ',' : '.', isExplicit: false }
}

/**
 * Parses an amount in any notation that banks use into signed minor units: 1,234.56, 1’234.50, -12, (12.00), 12.00-,
 * $5, 12,50 EUR, 7 CR, 7,00 S. Null if it is not an amount in this currency, has too many decimals, or contains a mark
 * that is probably a thousands separator.
 */
export function readAmount(text: string, { mark, isExplicit }: Decimals, currency: string): bigint | null {
  const parts = splitAmount(text, currency)
  if (parts === null || !canBe(parts.digits, mark, currency)) return null
  if (!isExplicit && parts.digits.includes(mark) && canBe(parts.digits, mark === '.' ? ',' : '.', currency)) return null
  const plain = parts.digits.replaceAll(mark === '.' ? /[,']/g : /[.']/g, '').replace(mark, '.')
  const minor = toMinor(plain.startsWith('.') ? `0${plain}` : plain, currency)
  return minor !== null && parts.isNegative ? -minor : minor
}

/** True if the amount has a minus sign or an equivalent mark. */
export function isNegative(text: string, currency: string): boolean {
  return splitAmount(text, currency)?.isNegative === true
}

/** True if the amount has an explicit plus sign. */
export function hasPlus(text: string, currency: string): boolean {
  return splitAmount(text, currency)?.sign === '+'
}

/**
 * Returns the direction indicated by a mark after the amount: 7 CR, 7 C, 7,00 H or 7 DR, 7 D, 7,00 S. Null without a
 * mark.
 */
export function readMark(text: string, currency: string): MoneyDirection | null {
  const mark = splitAmount(text, currency)?.mark ?? ''
  return /^(CR?|H)$/i.test(mark) ? 'credit' : /^(DR?|S)$/i.test(mark) ? 'debit' : null
}

type Parts = {
  readonly digits: string
  readonly isNegative: boolean
  readonly sign: string
  readonly mark: string
}

/**
 * Splits an amount into its sign, its digits with their separators, and the mark after them. Spaces between digits
 * become apostrophes.
 */
function splitAmount(text: string, currency: string): Parts | null {
  let bare = text
    .replaceAll('´', "'")
    .normalize('NFKC')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/(?<=\d)[\s'’‘`ʼ](?=\d)/g, "'")
  for (const sign of listSigns(currency)) bare = bare.replace(sign, '')
  const match = /^(\()?([+-]?)([\d.,']*\d[\d.,']*)(-|\)|CR|DR|[CDHS])?$/i.exec(bare.replace(/\s/g, ''))
  const [, open = '', sign = '', digits, after = ''] = match ?? []
  if (digits === undefined || (open === '(') !== (after === ')') || (sign !== '' && after !== '')) return null
  return { digits, isNegative: open === '(' || sign === '-' || /^(-|DR?|S)$/i.test(after), sign, mark: after }
}

const signs = new Map<string, readonly string[]>()

/** Returns a currency's notations, such as CAD, CA$ and $. An amount with any other symbol is in another currency. */
export function listSigns(currency: string): readonly string[] {
  const known = signs.get(currency)
  if (known !== undefined) return known
  const written = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
      .formatToParts(1)
      .filter(({ type }) => type === 'currency')
      .map(({ value }) => value.normalize('NFKC'))
      .join(''),
  )
  const lettered = written.some((sign) => sign.endsWith('$')) ? [`${currency.slice(0, 2)}$`] : []
  // Longest first, because removing $ from CA$ would leave the letters.
  const all = [...new Set([currency, ...lettered, ...written])].toSorted((a, b) => b.length - a.length)
  signs.set(currency, all)
  return all
}

/**
 * True if the digits are valid with this decimal mark: every group is complete, and there are no more decimals than the
 * currency has.
 */
function canBe(digits: string, mark: DecimalMark, currency: string): boolean {
  const [whole = '', decimals, ...more] = digits.split(mark)
  if (more.length > 0 || (decimals !== undefined && !/^\d+$/.test(decimals))) return false
  const exponent = getExponent(currency)
  if (/[1-9]/.test(decimals?.slice(exponent) ?? '')) return false
  // Some banks write 1200.00 in a currency without decimals, but none writes three zeros.
  if (exponent === 0 && (decimals?.length ?? 0) > 2) return false
  const grouping = mark === '.' ? ',' : '\\.'
  return (
    (whole === '' && decimals !== undefined) ||
    /^\d+$/.test(whole) ||
    new RegExp(`^[1-9]\\d{0,2}(?:(?:${grouping}\\d{2,3})*${grouping}\\d{3}|(?:'\\d{3})+)$`).test(whole)
  )
}

/**
 * Returns the more common sign, which is taken to mark debits because people buy more often than they are paid; null if
 * both are equally common.
 */
export function detectDebitSign(amounts: readonly bigint[]): DebitSign | null {
  const negative = amounts.filter((amount) => amount < 0n).length
  const positive = amounts.filter((amount) => amount > 0n).length
  if (negative === positive) return null
  return negative > positive ? 'negative' : 'positive'
}
