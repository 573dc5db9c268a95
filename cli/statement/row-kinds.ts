import { isCurrency } from '../../src/platform/money.ts'
import type { DelimitedRow } from '../../src/platform/text/delimited.ts'
import { UserError } from '../errors.ts'
import { isNegative, listSigns } from './amounts.ts'
import { isIgnored, type StatementColumns } from './columns.ts'
import type { ReadOptions, TableLayout } from './statement.ts'
import { normalizeTitle, OF_OTHER_AMOUNT } from './titles.ts'
import { type MoneyDirection, normalizeWord, parseDirection, parseState, type RowState } from './words.ts'

// Enough values to recognize the column.
const VALUES_SHOWN = 5

/**
 * Returns the status of each row. A row is completed only if every status column says so; otherwise, a declined
 * purchase would be counted. If only some columns contain words in `completed`, the built-in words apply to the others.
 * @throws UserError for unknown words
 */
export function readStates(
  { titles, columns: { statuses } }: TableLayout,
  lines: readonly DelimitedRow[],
  { completed }: ReadOptions,
): (line: DelimitedRow) => RowState {
  const words = new Set(completed?.map(normalizeWord))
  const named = statuses.filter((at) => listValues(lines, at).some((value) => words.has(normalizeWord(value))))
  const explained = completed === undefined || named.length > 0 ? named : statuses
  const known = statuses.filter((at) => !explained.includes(at))
  for (const at of known) checkStates(titles[at] ?? '', listValues(lines, at))
  return ({ cells }) => {
    const states = new Set(known.map((at) => parseState(cells[at] ?? '')))
    const answers = explained.map((at) => normalizeWord(cells[at] ?? '')).filter((word) => word !== '')
    const isExplained = answers.length > 0 && answers.every((word) => words.has(word))
    if (states.has('void') || (explained.length > 0 && !isExplained)) return 'void'
    return states.has('pending') ? 'pending' : 'completed'
  }
}

function checkStates(title: string, values: readonly string[]): void {
  const unknown = values.filter((value) => parseState(value) === null)
  if (unknown.length === 0) return
  throw new UserError(`The status column ${title} contains unknown words.`, {
    details: [
      `They are: ${formatValues(unknown)}.`,
      `Specify each of its words that means a completed purchase, as in --completed "${unknown[0] ?? ''}",`,
      `or add --column "ignore=${title}" if all rows count.`,
    ],
  })
}

export function isInOtherCurrency(columns: StatementColumns, { cells }: DelimitedRow, currency: string): boolean {
  const value = columns.currency === null ? '' : (cells[columns.currency] ?? '').trim()
  return value !== '' && !isWrittenAs(currency, value)
}

function isWrittenAs(currency: string, value: string): boolean {
  const written = value.normalize('NFKC').toUpperCase()
  return listSigns(currency).some((sign) => sign.toUpperCase() === written)
}

/**
 * Checks for columns with unknown titles whose values look like directions, statuses or currencies.
 * @throws UserError with the option that resolves it
 */
export function checkUnknownColumns(
  { titles, columns }: TableLayout,
  lines: readonly DelimitedRow[],
  options: ReadOptions,
): void {
  const named = options.columns ?? {}
  const { date, descriptions, amount, debit, credit, directions, statuses, currency } = columns
  const used = new Set([date, ...descriptions, amount, debit, credit, ...directions, ...statuses, currency])
  for (const [at, title] of titles.entries()) {
    if (used.has(at) || isIgnored(titles, at, named)) continue
    const values = listValues(lines, at)
    const role = guessRole({ title, values }, columns, lines, options)
    if (role === null) continue
    throw new UserError(
      `The column ${title || at + 1} contains ${formatValues(values)}. Is it the ${role} of each row?`,
      {
        details: [`Add --column "${role}=${title}" if it is, or --column "ignore=${title}" if not.`],
      },
    )
  }
}

function guessRole(
  { title, values }: { readonly title: string; readonly values: readonly string[] },
  columns: StatementColumns,
  lines: readonly DelimitedRow[],
  options: ReadOptions,
): 'direction' | 'status' | 'currency' | null {
  if (needsDirection(columns, lines, options)) {
    const sides = new Set(values.map(parseDirection))
    // Some banks mark credits but not debits and leave all amounts unsigned.
    if (sides.has('credit') && (sides.has('debit') || isUnsigned(columns, lines, options))) return 'direction'
  }
  const states = new Set(values.map(parseState))
  if (states.has('pending') || states.has('void')) return 'status'
  const isOther = columns.currency === null && values.length > 0 && values.every(isCurrencyWord)
  const isForeign = isOther && values.some((value) => !isWrittenAs(options.currency, value))
  return isForeign && !OF_OTHER_AMOUNT.test(normalizeTitle(title)) ? 'currency' : null
}

/** True if neither the caller nor a column with a known title says which rows are debits and which are credits. */
function needsDirection(
  { amount, directions }: StatementColumns,
  lines: readonly DelimitedRow[],
  { moneyIn, columns: named }: ReadOptions,
): boolean {
  const isSettled = directions.some((at) => new Set(listValues(lines, at).map(parseDirection)).isSupersetOf(BOTH))
  return amount !== null && moneyIn === undefined && named?.direction === undefined && !isSettled
}

const BOTH: ReadonlySet<MoneyDirection> = new Set(['debit', 'credit'])

function isUnsigned({ amount }: StatementColumns, lines: readonly DelimitedRow[], { currency }: ReadOptions): boolean {
  return amount !== null && !lines.some(({ cells }) => isNegative(cells[amount] ?? '', currency))
}

export function isCurrencyWord(value: string): boolean {
  return /^[A-Z]{3}$/.test(value) ? isCurrency(value) : /^[A-Z]{0,3}[$€£¥]$/.test(value)
}

/** Returns the distinct non-blank values of a column. */
export function listValues(lines: readonly DelimitedRow[], at: number): string[] {
  return [...new Set(lines.map(({ cells }) => (cells[at] ?? '').trim()))].filter((value) => value !== '')
}

export function formatValues(values: readonly string[]): string {
  return `${values.slice(0, VALUES_SHOWN).join(', ')}${values.length > VALUES_SHOWN ? ', …' : ''}`
}
