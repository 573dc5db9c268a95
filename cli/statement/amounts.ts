import { toMinor } from '../../src/platform/money.ts'

/** What debits look like in a file with one amount column. */
export type DebitSign = 'negative' | 'positive'
type DecimalMark = '.' | ','

/** The decimal mark of a file: a comma only where amounts could not be read otherwise. */
export function decimalMarkOf(texts: readonly string[]): DecimalMark {
  return texts.some((text) => /,\d{1,2}\D*$/.test(text)) && !texts.some((text) => /\.\d{1,2}\D*$/.test(text))
    ? ','
    : '.'
}

/**
 * Signed minor units of an amount as banks write it: 1,234.56, -12, (12.00), 12.00-, $5, 12,50 EUR, 7 CR. Null when it
 * is none, or has more decimals than the currency.
 */
export function readAmount(text: string, mark: DecimalMark, currency: string): bigint | null {
  const bare = text
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/\s|[$€£]|\b[A-Z]{3}\b/g, '')
    .replace(/'/g, '')
  const match = /^(?<open>\()?(?<sign>[+-]?)(?<digits>[\d.,]+)(?<after>-|\)|CR|DR)?$/i.exec(bare)
  const { open, sign, digits, after } = match?.groups ?? {}
  if (digits === undefined || (open === '(') !== (after === ')') || (sign !== '' && after !== undefined)) return null
  const grouping = mark === '.' ? ',' : '.'
  if (!new RegExp(`^(\\d{1,3}(\\${grouping}\\d{3})+|\\d+)?(\\${mark}\\d+)?$`).test(digits)) return null
  const plain = digits.replaceAll(grouping, '').replace(mark, '.')
  const minor = toMinor(plain.startsWith('.') ? `0${plain}` : plain, currency)
  if (minor === null) return null
  return open === '(' || sign === '-' || after === '-' || after?.toUpperCase() === 'DR' ? -minor : minor
}

/** People buy more often than they are paid, so the commoner sign is that of debits; null when both are as common. */
export function debitSignOf(amounts: readonly bigint[]): DebitSign | null {
  const negative = amounts.filter((amount) => amount < 0n).length
  const positive = amounts.filter((amount) => amount > 0n).length
  if (negative === positive) return null
  return negative > positive ? 'negative' : 'positive'
}
