import type { DelimitedRow } from '../../src/platform/delimited.ts'
import { isCurrency } from '../../src/platform/money.ts'
import { UserError } from '../errors.ts'
import { isIgnored, type StatementColumns } from './columns.ts'
import type { ReadOptions, TableLayout } from './statement.ts'
import { OF_OTHER_AMOUNT, plainTitle } from './titles.ts'
import { parseDirection, parseState, plainWord, type RowState } from './words.ts'

// Enough values for people to recognize the column.
const VALUES_SHOWN = 5

/**
 * Finds the status column and returns the status of each row.
 * @throws UserError for unknown words, because a declined purchase would count
 */
export function readStates(
  { titles, columns }: TableLayout,
  lines: readonly DelimitedRow[],
  { completed, columns: named }: ReadOptions,
): (line: DelimitedRow) => RowState {
  const known = columns.statuses.find((at) => listValues(lines, at).every((value) => parseState(value) !== null))
  const at = known ?? columns.statuses[0]
  if (at === undefined) return () => 'completed'
  if (completed !== undefined) {
    const words = new Set(completed.map(plainWord))
    return ({ cells }) => (words.has(plainWord(cells[at] ?? '')) ? 'completed' : 'void')
  }
  if (known === undefined && (named?.status !== undefined || listValues(lines, at).length > 0)) {
    const title = titles[at] ?? ''
    const unknown = listValues(lines, at).filter((value) => parseState(value) === null)
    throw new UserError(`The status column ${title} contains unknown words.`, {
      details: [
        `They are: ${shown(unknown)}.`,
        `Name each of its words that means a completed purchase, as in --completed "${unknown[0] ?? ''}",`,
        `or add --column "ignore=${title}" if all rows count.`,
      ],
    })
  }
  return ({ cells }) => parseState(cells[at] ?? '') ?? 'completed'
}

export function isInOtherCurrency(columns: StatementColumns, { cells }: DelimitedRow, currency: string): boolean {
  const value = columns.currency === null ? '' : (cells[columns.currency] ?? '').trim().toUpperCase()
  return value !== '' && value !== currency
}

/**
 * Checks for columns with unknown titles whose values look like directions, statuses or currencies.
 * @throws UserError that names the option to resolve it
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
    const role = guessRole(values, lines, { columns, title, currency: options.currency })
    if (role === null) continue
    throw new UserError(`The column ${title || at + 1} holds ${shown(values)}: does it say the ${role} of each row?`, {
      details: [`Add --column "${role}=${title}" if it does, or --column "ignore=${title}" if not.`],
    })
  }
}

function guessRole(
  values: readonly string[],
  lines: readonly DelimitedRow[],
  {
    columns,
    title,
    currency,
  }: { readonly columns: StatementColumns; readonly title: string; readonly currency: string },
): 'direction' | 'status' | 'currency' | null {
  if (values.length === 0) return null
  const sides = new Set(values.map(parseDirection))
  if (columns.amount !== null && columns.directions.length === 0 && sides.size === 2 && !sides.has(null))
    return 'direction'
  const states = new Set(values.map(parseState))
  if (columns.statuses.length === 0 && !states.has(null) && (states.has('pending') || states.has('void')))
    return 'status'
  const isOther = columns.currency === null && values.every((value) => /^[A-Z]{3}$/.test(value) && isCurrency(value))
  const isForeign = isOther && values.some((value) => value !== currency) && lines.length > 0
  return isForeign && !OF_OTHER_AMOUNT.test(plainTitle(title)) ? 'currency' : null
}

/** The distinct values of a column, without blanks. */
export function listValues(lines: readonly DelimitedRow[], at: number): string[] {
  return [...new Set(lines.map(({ cells }) => (cells[at] ?? '').trim()))].filter((value) => value !== '')
}

export function shown(values: readonly string[]): string {
  return `${values.slice(0, VALUES_SHOWN).join(', ')}${values.length > VALUES_SHOWN ? ', …' : ''}`
}
