import { type DelimitedRow, readDelimited } from '../../../platform/text/delimited.ts'
import {
  type AnswerReading,
  cleanMessage,
  describeNoReference,
  gatherReadings,
  type PayoutAnswers,
  type PayoutOutcome,
  quoteLine,
  toFault,
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

/** Reads a table with one row per entry and the columns in any order. */
export function readCsvAnswers(text: string): PayoutAnswers {
  const table = readDelimited(text, (cells) => cells.some(isColumn))
  if (!('rows' in table)) return unreadable(table.line, `The file ${table.fault}.`)
  const { header, rows } = table
  const missing = REQUIRED.filter((name) => !header.includes(name))
  if (missing.length > 0) return unreadable(1, `The header row lacks the column ${missing.join(' and ')}.`)
  const unknown = header.filter((name) => !isColumn(name))
  if (unknown.length > 0) {
    return unreadable(
      1,
      `Unknown columns: ${unknown.map(quoteLine).join(', ')}. Known columns are ${COLUMNS.join(', ')}.`,
    )
  }
  if (new Set(header).size < header.length) return unreadable(1, 'A column appears twice.')
  return gatherReadings(rows.map((row) => readRow(row, header)))
}

function isColumn(name: string): boolean {
  return COLUMNS.some((column) => column === name)
}

function readRow({ line, cells }: DelimitedRow, names: readonly string[]): AnswerReading {
  if (cells.length !== names.length) {
    return toFault(line, `The row has ${cells.length} cells, but the header row has ${names.length}.`)
  }
  const cell = (column: Column): string => cells[names.indexOf(column)] ?? ''
  const reference = cell('reference')
  if (!REFERENCE.test(reference)) return toFault(line, describeNoReference(reference))
  const outcome = OUTCOMES.get(cell('status').toLowerCase())
  if (outcome === undefined) {
    return toFault(
      line,
      `${quoteLine(cell('status'))} is not a status. Statuses are ${[...OUTCOMES.keys()].join(', ')}.`,
    )
  }
  const code = cell('code')
  if (code !== '' && !CODE.test(code)) return toFault(line, `${quoteLine(code)} is not a valid code.`)
  const message = cleanMessage(cell('message'))
  const known = { code: code === '' ? null : code, message, amount: null, currency: null }
  return { answer: { line, reference, outcome, ...known } }
}
