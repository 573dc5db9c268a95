import { parse } from 'csv-parse/sync'
import {
  type AnswerReading,
  faulty,
  gathered,
  messageOf,
  noReference,
  type PayoutAnswers,
  type PayoutOutcome,
  quoted,
  unreadable,
} from './payout-answers.ts'
import { REFERENCE } from './payout-file.ts'

const COLUMNS = ['reference', 'status', 'code', 'message'] as const
const REQUIRED = ['reference', 'status'] as const
type Column = (typeof COLUMNS)[number]

const OUTCOMES: ReadonlyMap<string, PayoutOutcome> = new Map([
  ['paid', 'paid'],
  ['failed', 'unpaid'],
  ['returned', 'unpaid'],
])
const CODE = /^[0-9A-Za-z_.-]{1,35}$/

type Line = { readonly line: number; readonly cells: readonly string[] }

/** Reads a table with a row for each entry, its columns in any order. Rows of empty cells are left by spreadsheets. */
export function readCsvAnswers(text: string): PayoutAnswers {
  const lines = tableOf(text)
  if ('fault' in lines) return gathered([lines])
  const [head, ...rows] = lines
  const names = head?.cells ?? []
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (head === undefined || missing.length > 0) {
    return unreadable(1, `The first line lacks the column ${missing.join(' and ')}.`)
  }
  const unknown = names.filter((name) => !COLUMNS.some((column) => column === name))
  if (unknown.length > 0) {
    return unreadable(head.line, `Unknown columns: ${unknown.map(quoted).join(', ')}. Known are ${COLUMNS.join(', ')}.`)
  }
  if (new Set(names).size < names.length) return unreadable(head.line, 'A column is named twice.')
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return gathered(filled.map((row) => readRow(row, names)))
}

function tableOf(text: string): Line[] | ReturnType<typeof faulty> {
  const [head = ''] = text.split(/\r?\n/, 1)
  try {
    // Spreadsheets separate by semicolons where the comma is the decimal mark.
    const delimiter = head.includes(';') ? ';' : ','
    const options = { delimiter, info: true, relax_column_count: true, skip_empty_lines: true, trim: true } as const
    // With `info` each record comes with the line on which it ends; the library's types do not follow the option.
    const records = parse(text, options) as unknown as {
      readonly record: string[]
      readonly info: { readonly lines: number }
    }[]
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    const { message, lines } = error as { readonly message: string; readonly lines?: number }
    return faulty(lines ?? 1, `This is not CSV: ${messageOf(message)}.`)
  }
}

function readRow({ line, cells }: Line, names: readonly string[]): AnswerReading {
  if (cells.length !== names.length) {
    return faulty(line, `The row has ${cells.length} cells, and the first line has ${names.length}.`)
  }
  const cell = (column: Column): string => cells[names.indexOf(column)] ?? ''
  const reference = cell('reference')
  if (!REFERENCE.test(reference)) return faulty(line, noReference(reference))
  const outcome = OUTCOMES.get(cell('status').toLowerCase())
  if (outcome === undefined) {
    return faulty(line, `${quoted(cell('status'))} is not a status. Statuses are ${[...OUTCOMES.keys()].join(', ')}.`)
  }
  const code = cell('code')
  if (code !== '' && !CODE.test(code)) return faulty(line, `${quoted(code)} is not a code.`)
  const message = messageOf(cell('message'))
  const known = { code: code === '' ? null : code, message, amount: null, currency: null }
  return { answer: { line, reference, outcome, ...known } }
}
