import type { DelimitedRow } from '../../src/platform/delimited.ts'
import { isCurrency } from '../../src/platform/money.ts'
import { UserError } from '../errors.ts'
import { isIgnored, type StatementColumns } from './columns.ts'
import type { ReadOptions, TableLayout } from './statement.ts'
import { OF_OTHER_AMOUNT, plainTitle } from './titles.ts'
import { directionOf, plainWord, type RowState, stateOf } from './words.ts'

// What a person needs to see to know which column is meant.
const VALUES_SHOWN = 5

/**
 * What became of each row, by the column that says so.
 * @throws UserError for words that are not known: a purchase that was declined would count
 */
export function openStates(
  { titles, columns }: TableLayout,
  lines: readonly DelimitedRow[],
  { completed, columns: named }: ReadOptions,
): (line: DelimitedRow) => RowState {
  const known = columns.statuses.find((at) => valuesOf(lines, at).every((value) => stateOf(value) !== null))
  const at = known ?? columns.statuses[0]
  if (at === undefined) return () => 'completed'
  if (completed !== undefined) {
    const words = new Set(completed.map(plainWord))
    return ({ cells }) => (words.has(plainWord(cells[at] ?? '')) ? 'completed' : 'void')
  }
  if (known === undefined && (named?.status !== undefined || valuesOf(lines, at).length > 0)) {
    const title = titles[at] ?? ''
    const unknown = valuesOf(lines, at).filter((value) => stateOf(value) === null)
    throw new UserError(`The column ${title} says what became of each row, in words that are not known.`, {
      details: [
        `They are: ${shown(unknown)}.`,
        `Name each word of it that means a completed purchase, as in --completed "${unknown[0] ?? ''}",`,
        `or add --column "ignore=${title}" if all rows count.`,
      ],
    })
  }
  return ({ cells }) => stateOf(cells[at] ?? '') ?? 'completed'
}

export function isOfOtherCurrency(columns: StatementColumns, { cells }: DelimitedRow, currency: string): boolean {
  const value = columns.currency === null ? '' : (cells[columns.currency] ?? '').trim().toUpperCase()
  return value !== '' && value !== currency
}

/**
 * Asks about columns without a known title whose values look as if they said what kind of row each is.
 * @throws UserError with the option that answers
 */
export function askAbout({ titles, columns }: TableLayout, lines: readonly DelimitedRow[], options: ReadOptions): void {
  const named = options.columns ?? {}
  const { date, descriptions, amount, debit, credit, directions, statuses, currency } = columns
  const used = new Set([date, ...descriptions, amount, debit, credit, ...directions, ...statuses, currency])
  for (const [at, title] of titles.entries()) {
    if (used.has(at) || isIgnored(titles, at, named)) continue
    const values = valuesOf(lines, at)
    const role = roleOf(values, lines, { columns, title, currency: options.currency })
    if (role === null) continue
    throw new UserError(`The column ${title || at + 1} holds ${shown(values)}: does it say the ${role} of each row?`, {
      details: [`Add --column "${role}=${title}" if it does, or --column "ignore=${title}" if not.`],
    })
  }
}

function roleOf(
  values: readonly string[],
  lines: readonly DelimitedRow[],
  {
    columns,
    title,
    currency,
  }: { readonly columns: StatementColumns; readonly title: string; readonly currency: string },
): 'direction' | 'status' | 'currency' | null {
  if (values.length === 0) return null
  const sides = new Set(values.map(directionOf))
  if (columns.amount !== null && columns.directions.length === 0 && sides.size === 2 && !sides.has(null))
    return 'direction'
  const states = new Set(values.map(stateOf))
  if (columns.statuses.length === 0 && !states.has(null) && (states.has('pending') || states.has('void')))
    return 'status'
  const isOther = columns.currency === null && values.every((value) => /^[A-Z]{3}$/.test(value) && isCurrency(value))
  const isAsked = isOther && values.some((value) => value !== currency) && lines.length > 0
  return isAsked && !OF_OTHER_AMOUNT.test(plainTitle(title)) ? 'currency' : null
}

/** The different values of a column. */
export function valuesOf(lines: readonly DelimitedRow[], at: number): string[] {
  return [...new Set(lines.map(({ cells }) => (cells[at] ?? '').trim()))].filter((value) => value !== '')
}

export function shown(values: readonly string[]): string {
  return `${values.slice(0, VALUES_SHOWN).join(', ')}${values.length > VALUES_SHOWN ? ', …' : ''}`
}
