import { type CsvError, parse } from 'csv-parse/sync'
import type { Day } from '../../src/platform/calendar.ts'
import { UserError } from '../errors.ts'
import { counted } from '../terminal.ts'
import { type DebitSign, debitSignOf, decimalMarkOf, readAmount } from './amounts.ts'
import { findColumns, type StatementColumns } from './columns.ts'
import { type DayOrder, needsOrder, provenOrder, readDay } from './dates.ts'

/** One line of a statement: positive when money was spent, negative when it came in. */
export type StatementRow = {
  readonly line: number
  readonly day: Day
  readonly description: string
  readonly spent: bigint
}

/** How a file was understood. Printed, because the file does not say it itself. */
export type Manner = {
  readonly debits: DebitSign | 'own column'
  readonly dates: DayOrder | 'unambiguous'
  /** True when nothing in the file settles the order of day and month. */
  readonly datesAssumed: boolean
}
type Statement = { readonly rows: readonly StatementRow[]; readonly manner: Manner }

export type ReadOptions = {
  readonly currency: string
  /** The last day a row may have. */
  readonly today: Day
  readonly debits?: DebitSign | undefined
  readonly dates?: DayOrder | undefined
}

type Line = { readonly line: number; readonly cells: readonly string[] }
type Reading = { readonly row: StatementRow } | { readonly fault: string }

// Enough for any preamble of account numbers and periods.
const PREAMBLE_LINES_MAX = 30
const FAULTS_SHOWN = 20
const DESCRIPTION_MAX = 255

/**
 * Reads a bank's CSV statement, or names each faulty line.
 * @throws UserError
 */
export function readStatement(text: string, options: ReadOptions): Statement {
  const { columns, lines } = splitTable(text)
  const texts = lines.map(({ cells }) => cells[columns.date] ?? '')
  const proven = provenOrder(texts)
  const order = options.dates ?? proven ?? 'month-first'
  const amounts = signedAmounts(columns, lines, options.currency)
  const debits =
    columns.amount === null ? 'own column' : (options.debits ?? debitSignOf(amounts.filter((one) => one !== null)))
  if (debits === null) {
    throw new UserError('The file does not tell debits from credits: add --debits negative or --debits positive.')
  }
  const readings = lines.map((line, index) => readLine(line, columns, order, debits, amounts[index] ?? null, options))
  const faults = readings.flatMap((one) => ('fault' in one ? [one.fault] : []))
  if (faults.length > 0) throw faulty(faults)
  const ordered = needsOrder(texts)
  return {
    rows: readings.flatMap((one) => ('row' in one && one.row.spent !== 0n ? [one.row] : [])),
    manner: {
      debits,
      dates: ordered ? order : 'unambiguous',
      datesAssumed: ordered && proven === null && options.dates === undefined,
    },
  }
}

function readLine(
  { line, cells }: Line,
  columns: StatementColumns,
  order: DayOrder,
  debits: Manner['debits'],
  amount: bigint | null,
  options: ReadOptions,
): Reading {
  const written = cells[columns.date] ?? ''
  const day = readDay(written, order)
  const description = (cells[columns.description] ?? '').replace(/\s+/g, ' ').trim()
  if (day === null) return { fault: `line ${line}: "${written.trim()}" is not a date` }
  if (day > options.today) return { fault: `line ${line}: ${day} has not come yet` }
  if (description === '') return { fault: `line ${line}: the description is empty` }
  if (/[\p{Cc}\p{Cs}]/u.test(description))
    return { fault: `line ${line}: the description contains a control character` }
  if (amount === null)
    return {
      fault: `line ${line}: "${amountTexts(columns, cells).join(' ').trim()}" is not an amount in ${options.currency}`,
    }
  return {
    row: {
      line,
      day,
      description: description.slice(0, DESCRIPTION_MAX),
      spent: debits === 'negative' ? -amount : amount,
    },
  }
}

/** Amounts as written; with a column for each direction already positive when spent. */
function signedAmounts(columns: StatementColumns, lines: readonly Line[], currency: string): (bigint | null)[] {
  const mark = decimalMarkOf(lines.flatMap(({ cells }) => amountTexts(columns, cells)))
  return lines.map(({ cells }) => {
    const texts = amountTexts(columns, cells).map((text) => text.trim())
    if (texts.every((text) => text === '')) return null
    const [out, back] = texts.map((text) => (text === '' ? 0n : readAmount(text, mark, currency)))
    if (columns.amount !== null) return out ?? null
    if (out == null || back == null || (out !== 0n && back !== 0n)) return null
    // Banks write the debits of their own column with and without a minus.
    return absolute(out) - absolute(back)
  })
}

function amountTexts(columns: StatementColumns, cells: readonly string[]): string[] {
  if (columns.amount !== null) return [cells[columns.amount] ?? '']
  return [
    columns.debit === null ? '' : (cells[columns.debit] ?? ''),
    columns.credit === null ? '' : (cells[columns.credit] ?? ''),
  ]
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

function splitTable(text: string): { readonly columns: StatementColumns; readonly lines: readonly Line[] } {
  for (const delimiter of [',', ';', '\t', '|']) {
    const records = parseRecords(text, delimiter)
    const header = records.slice(0, PREAMBLE_LINES_MAX).findIndex(({ cells }) => findColumns(cells) !== null)
    const columns = findColumns(records[header]?.cells ?? [])
    if (columns === null) continue
    const lines = records.slice(header + 1).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    if (lines.length === 0) throw new UserError('The file has a header but no rows.')
    // A thousands separator without quotes makes two cells of one amount; the first alone would be a wrong amount.
    const width = records[header]?.cells.length ?? 0
    const wide = lines.filter(({ cells }) => cells.slice(width).some((cell) => cell.trim() !== ''))
    if (wide.length > 0) throw faulty(wide.map(({ line }) => `line ${line}: more cells than the header has`))
    return { columns, lines }
  }
  throw new UserError(
    'The file has no header with a date, a description and an amount (or a debit and a credit) column.',
  )
}

function parseRecords(text: string, delimiter: string): Line[] {
  try {
    const options = { bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true } as const
    // With `info` each record comes with the line on which it ends; the library's types do not follow the option.
    const records = parse(text, options) as unknown as {
      readonly record: string[]
      readonly info: { readonly lines: number }
    }[]
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    const { message, lines } = error as CsvError & { readonly lines?: number }
    throw new UserError(`The file is not CSV${lines === undefined ? '' : ` from line ${lines} on`}: ${message}.`)
  }
}

function faulty(faults: readonly string[]): UserError {
  const more = faults.length - FAULTS_SHOWN
  return new UserError(
    `Nothing is imported: ${counted(faults.length, 'row')} ${faults.length === 1 ? 'is' : 'are'} faulty.`,
    {
      details: [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])],
    },
  )
}
