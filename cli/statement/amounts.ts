import { exponentOf, toMinor } from '../../src/platform/money.ts'

/** What debits look like in a file with one amount column. */
export type DebitSign = 'negative' | 'positive'
export type DecimalMark = '.' | ','

/** How the decimals of a file are marked. `isTold`: the caller said so. */
export type Decimals = { readonly mark: DecimalMark; readonly isTold: boolean }

/**
 * The decimal mark that the amounts of a file prove, or the first amount that could be read in two ways while none
 * proves the mark. One text proves a mark if it is no amount with the other: `1.234,50` and `12,5` a comma, as `1.000`
 * does in a currency without decimals. In others `1.000` may be a thousand or one.
 */
export function decimalMarkOf(texts: readonly string[], currency: string): Decimals | { readonly ambiguous: string } {
  const counts = { '.': 0, ',': 0 }
  let ambiguous: string | null = null
  for (const text of texts) {
    const digits = partsOf(text, currency)?.digits
    if (digits === undefined || !/[.,]/.test(digits)) continue
    const [point, comma] = [canBe(digits, '.', currency), canBe(digits, ',', currency)]
    if (point && comma) ambiguous ??= text.trim()
    else if (point) counts['.']++
    else if (comma) counts[',']++
  }
  if (ambiguous !== null && counts['.'] === counts[',']) return { ambiguous }
  return { mark: counts[','] > counts['.'] ? ',' : '.', isTold: false }
}

/**
 * Signed minor units of an amount as banks write it: 1,234.56, 1’234.50, -12, (12.00), 12.00-, $5, 12,50 EUR, 7 CR,
 * 7,00 S. Null when it is none in this currency, has more decimals than it, or is likely grouped by the other mark.
 */
export function readAmount(text: string, { mark, isTold }: Decimals, currency: string): bigint | null {
  const parts = partsOf(text, currency)
  if (parts === null || !canBe(parts.digits, mark, currency)) return null
  if (!isTold && parts.digits.includes(mark) && canBe(parts.digits, mark === '.' ? ',' : '.', currency)) return null
  const plain = parts.digits.replaceAll(mark === '.' ? /[,']/g : /[.']/g, '').replace(mark, '.')
  const minor = toMinor(plain.startsWith('.') ? `0${plain}` : plain, currency)
  return minor !== null && parts.isNegative ? -minor : minor
}

type Parts = { readonly digits: string; readonly isNegative: boolean }

/** The digits with their marks, blanks and apostrophes between them as apostrophes. */
function partsOf(text: string, currency: string): Parts | null {
  let bare = text
    .replaceAll('´', "'")
    .normalize('NFKC')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/(?<=\d)[\s'’‘`ʼ](?=\d)/g, "'")
  for (const sign of signsOf(currency)) bare = bare.replace(sign, '')
  const match = /^(\()?([+-]?)([\d.,']*\d[\d.,']*)(-|\)|CR|DR|[CDHS])?$/i.exec(bare.replace(/\s/g, ''))
  const [, open = '', sign = '', digits, after = ''] = match ?? []
  if (digits === undefined || (open === '(') !== (after === ')') || (sign !== '' && after !== '')) return null
  return { digits, isNegative: open === '(' || sign === '-' || /^(-|DR?|S)$/i.test(after) }
}

const signs = new Map<string, readonly string[]>()

/** How a currency is written: CAD, CA$, $. Another sign makes an amount one of another currency. */
export function signsOf(currency: string): readonly string[] {
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
  // The longest first, or of CA$ the letters would be left.
  const all = [...new Set([currency, ...lettered, ...written])].toSorted((a, b) => b.length - a.length)
  signs.set(currency, all)
  return all
}

/** Whether digits are a number with this decimal mark: whole groups, and decimals that the currency may have. */
function canBe(digits: string, mark: DecimalMark, currency: string): boolean {
  const [whole = '', decimals, ...more] = digits.split(mark)
  if (more.length > 0 || (decimals !== undefined && !/^\d+$/.test(decimals))) return false
  // Some write 1200.00 in a currency without decimals, but nobody three zeros.
  if (exponentOf(currency) === 0 && (decimals?.length ?? 0) > 2) return false
  const grouping = mark === '.' ? ',' : '\\.'
  return (
    (whole === '' && decimals !== undefined) ||
    /^\d+$/.test(whole) ||
    new RegExp(`^[1-9]\\d{0,2}(?:(?:${grouping}\\d{2,3})*${grouping}\\d{3}|(?:'\\d{3})+)$`).test(whole)
  )
}

/** People buy more often than they are paid, so the commoner sign is that of debits; null when both are as common. */
export function debitSignOf(amounts: readonly bigint[]): DebitSign | null {
  const negative = amounts.filter((amount) => amount < 0n).length
  const positive = amounts.filter((amount) => amount > 0n).length
  if (negative === positive) return null
  return negative > positive ? 'negative' : 'positive'
}
