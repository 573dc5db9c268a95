import { type DelimitedRow, readDelimited } from '../../src/platform/text/delimited.ts'
import { UserError } from '../errors.ts'
import { formatCount } from '../terminal.ts'
import { type Decimals, detectDecimalMark, listSigns, readAmount } from './amounts.ts'
import { findColumns, type NamedColumns, type StatementColumns } from './columns.ts'
import { type DayOrder, findProvenOrder, isDate, needsOrder, readDay } from './dates.ts'
import { chooseSigns, type DebitSigns } from './direction.ts'
import { readOwnColumns } from './own-columns.ts'
import { checkUnknownColumns, isCurrencyWord, isInOtherCurrency, listValues, readStates } from './row-kinds.ts'
import type { LeftOut, ReadOptions, ReadStatement, StatementRow, TableLayout } from './statement.ts'
import { parseState } from './words.ts'

type Reading = { readonly row: StatementRow } | { readonly fault: string } | { readonly leftOut: keyof LeftOut }

// Enough for any preamble with account numbers and periods.
const PREAMBLE_LINES_MAX = 30
const FAULTS_SHOWN = 20
const DESCRIPTION_MAX = 255

/**
 * Reads a bank statement, or reports every invalid line. Columns for direction, status and currency take precedence. If
 * the file is ambiguous, the error names the option that resolves it.
 * @throws UserError
 */
export function readStatement(text: string, options: ReadOptions): ReadStatement {
  const { titles, columns, lines } = openTable(text, options)
  const layout = { titles, columns }
  checkUnknownColumns(layout, lines, options)
  const leftOut = leftOutBy(layout, lines, options)
  const live = lines.filter((line) => line.cells.length <= titles.length && leftOut(line) === null)
  const decimals = chooseDecimals(columns, live, options)
  const amounts = new Map(lines.map((line) => [line, readAmounts(columns, line.cells, decimals, options.currency)]))
  const signed =
    columns.amount === null
      ? readOwnColumns(live, (line) => amounts.get(line) ?? [], options)
      : chooseSigns(layout, live, (line) => amounts.get(line)?.[0] ?? null, options)
  const dates = lines.map(({ cells }) => cells[columns.date] ?? '')
  const proven = findProvenOrder(dates)
  const order = options.dates ?? proven ?? 'month-first'
  const readings = lines.map((line): Reading => {
    // An unquoted thousands separator splits an amount into two cells, and reading only the first would be wrong.
    if (line.cells.length > titles.length) return { fault: `line ${line.line}: more cells than the header row` }
    const left = leftOut(line)
    if (left !== null) return { leftOut: left }
    return readLine(line, columns, {
      order,
      amounts: amounts.get(line) ?? [],
      computeSpent: signed.computeSpent,
      ...options,
    })
  })
  const ordered = needsOrder(dates)
  return {
    ...gathered(readings, options.skipInvalid === true),
    manner: {
      debits: signed.debits,
      dates: ordered ? order : 'unambiguous',
      datesAssumed: ordered && proven === null && options.dates === undefined,
    },
  }
}

function openTable(text: string, { columns: named, currency }: ReadOptions) {
  const isHeader = (cells: readonly string[]) => findColumns(cells, named) !== null
  const table = readDelimited(text, isHeader, PREAMBLE_LINES_MAX)
  const columns = 'rows' in table ? chooseColumns(table, named) : null
  if (!('rows' in table) || columns === null) throw headerless(table as Exclude<typeof table, { rows: unknown }>)
  if (table.rows.length === 0) throw new UserError('The file has a header but no rows.')
  const { titled } = columns
  if (titled !== null && !listSigns(currency).includes(titled))
    throw new UserError(
      `The file's amounts are in ${titled}, not in ${currency}. Specify their currency with --currency.`,
    )
  // A trailing delimiter on each line leaves empty cells beyond the header.
  const lines = table.rows.map(({ line, cells }) => ({
    line,
    cells: cells.slice(table.header.length).every((cell) => cell === '') ? cells.slice(0, table.header.length) : cells,
  }))
  return { titles: table.header, columns, lines }
}

/**
 * Chooses the columns by title. The title Valuta means the currency in Dutch and Italian but the value date in German,
 * so the column's values determine which one it is.
 */
function chooseColumns(
  { header, rows }: { readonly header: readonly string[]; readonly rows: readonly DelimitedRow[] },
  named: NamedColumns = {},
): StatementColumns | null {
  const columns = findColumns(header, named)
  if (columns?.currency == null || named.currency !== undefined) return columns
  const values = listValues(rows, columns.currency)
  if (values.some(isCurrencyWord) || !values.some(isDate)) return columns
  return findColumns(header, { ...named, ignore: [...(named.ignore ?? []), header[columns.currency] ?? ''] })
}

function headerless({ fault, line, titles }: { fault: string; line: number; titles: readonly string[] }): UserError {
  if (!fault.startsWith('has')) return new UserError(`The file ${fault}.`)
  const [one = 'TITLE', two = 'TITLE', three = 'TITLE'] = titles
  return new UserError(
    'The file has no header with a date, a description and an amount (or a debit and a credit) column.',
    {
      details:
        titles.length < 3
          ? []
          : [
              `The titles seem to be on line ${line}: ${titles.join(', ')}.`,
              'Say which is which, each with its own title, as in: ' +
                `--column "date=${one}" --column "description=${two}" --column "amount=${three}"`,
            ],
    },
  )
}

/** Returns a function that explains why a row is left out; null if it is included. */
function leftOutBy({ titles, columns }: TableLayout, lines: readonly DelimitedRow[], options: ReadOptions) {
  const stateOfRow = readStates({ titles, columns }, lines, options)
  const others = new Set(lines.filter((line) => isInOtherCurrency(columns, line, options.currency)))
  const currencies = [...others].flatMap(({ cells }) =>
    columns.currency === null ? [] : (cells[columns.currency] ?? []),
  )
  if (others.size === lines.length)
    throw new UserError(
      `No row of the file is in ${options.currency}; the rows are in ${[...new Set(currencies)].join(', ')}. ` +
        'Specify the currency with --currency.',
    )
  return (line: DelimitedRow): keyof LeftOut | null => {
    const state = stateOfRow(line)
    // Some banks write a word in place of the date while a row is pending.
    if (state === 'pending' || parseState(line.cells[columns.date] ?? '') === 'pending') return 'pending'
    return state === 'void' ? 'void' : others.has(line) ? 'otherCurrency' : null
  }
}

function chooseDecimals(columns: StatementColumns, live: readonly DelimitedRow[], options: ReadOptions): Decimals {
  if (options.decimal !== undefined) return { mark: options.decimal, isExplicit: true }
  const texts = live.flatMap(({ cells }) => amountTexts(columns, cells))
  const found = detectDecimalMark(texts, options.currency)
  if ('mark' in found) return found
  throw new UserError(
    `The file does not show how decimals are written: "${found.ambiguous}" is ambiguous. Add --decimal point or ` +
      '--decimal comma.',
  )
}

/** Returns the signed amount, or one amount per direction, with null for a cell that cannot be read. */
function readAmounts(
  columns: StatementColumns,
  cells: readonly string[],
  decimals: Decimals,
  currency: string,
): (bigint | null)[] {
  const texts = amountTexts(columns, cells).map((text) => text.trim())
  if (texts.every((text) => text === '')) return texts.map(() => null)
  return texts.map((text) => (text === '' ? 0n : readAmount(text, decimals, currency)))
}

function amountTexts(columns: StatementColumns, cells: readonly string[]): string[] {
  if (columns.amount !== null) return [cells[columns.amount] ?? '']
  return [columns.debit, columns.credit].map((at) => (at === null ? '' : (cells[at] ?? '')))
}

type LineContext = ReadOptions & {
  readonly order: DayOrder
  readonly amounts: readonly (bigint | null)[]
  readonly computeSpent: DebitSigns['computeSpent']
}

function readLine(line: DelimitedRow, columns: StatementColumns, context: LineContext): Reading {
  const { cells } = line
  const fault = (sentence: string): Reading => ({ fault: `line ${line.line}: ${sentence}` })
  const written = cells[columns.date] ?? ''
  const day = readDay(written, context.order)
  const filled = columns.descriptions.map((at) => (cells[at] ?? '').replace(/\s+/g, ' ').trim())
  const description = filled.find((text) => text !== '') ?? ''
  if (day === null) return fault(`"${written.trim()}" is not a date`)
  if (day > context.today) return fault(`${day} is in the future`)
  if (description === '') return fault('the description is empty')
  if (/[\p{Cc}\p{Cs}]/u.test(description)) return fault('the description contains a control character')
  const spent = spentIn(line, columns, context)
  if (spent === null)
    return fault(`"${amountTexts(columns, cells).join(' ').trim()}" is not an amount in ${context.currency}`)
  if (typeof spent !== 'bigint') return fault(spent.fault)
  return { row: { line: line.line, day, description: description.slice(0, DESCRIPTION_MAX), spent } }
}

function spentIn(
  line: DelimitedRow,
  columns: StatementColumns,
  { amounts: [amount = null, credit = null], computeSpent }: LineContext,
): bigint | { readonly fault: string } | null {
  if (columns.amount !== null) return amount === null ? null : computeSpent(line, amount, 0n)
  if (amount === null || credit === null || (amount !== 0n && credit !== 0n)) return null
  return computeSpent(line, amount, credit)
}

function gathered(readings: readonly Reading[], skipsInvalid: boolean): Omit<ReadStatement, 'manner'> {
  const faults = readings.flatMap((one) => ('fault' in one ? [one.fault] : []))
  if (faults.length > 0 && (!skipsInvalid || faults.length === readings.length)) throw faulty(faults, skipsInvalid)
  const count = (kind: keyof LeftOut) => readings.filter((one) => 'leftOut' in one && one.leftOut === kind).length
  return {
    rows: readings.flatMap((one) => ('row' in one && one.row.spent !== 0n ? [one.row] : [])),
    leftOut: { pending: count('pending'), void: count('void'), otherCurrency: count('otherCurrency') },
    skipped: faults,
  }
}

function faulty(faults: readonly string[], skipsInvalid: boolean): UserError {
  const rows = `${formatCount(faults.length, 'row')} ${faults.length === 1 ? 'is' : 'are'} invalid`
  return new UserError(
    `Nothing was imported: ${rows}${skipsInvalid ? '' : '. To skip such rows, add --skip-invalid'}.`,
    {
      details: shortenFaults(faults),
    },
  )
}

export function shortenFaults(faults: readonly string[]): readonly string[] {
  const more = faults.length - FAULTS_SHOWN
  return [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])]
}
