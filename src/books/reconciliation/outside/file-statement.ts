import { findGrouped, getExponent, isCurrency, toMinor } from '../../../platform/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { readDelimited } from '../../../platform/text/delimited.ts'
import type { ReconciliationRefusal } from '../errors.ts'

/** A line of an external statement. */
export type OutsideLine = {
  readonly line: number
  readonly reference: string
  readonly status: string
  /** In minor units; null if the file does not state it. */
  readonly amount: bigint | null
  readonly currency: string | null
}

const REQUIRED = ['reference', 'status'] as const
const COLUMNS = [...REQUIRED, 'amount', 'currency'] as const
// More than a person would fix in one go.
const FAULTS_SHOWN = 20

/**
 * Reads a table with the columns `reference` and `status`, and optionally `amount` and `currency`, in any order. Other
 * columns are ignored.
 * @throws Refusal statement_unreadable with the invalid lines
 */
export function readStatement(text: string, statuses: readonly string[]): OutsideLine[] {
  const faults: string[] = []
  const rows = readTable(text)
  const lines = rows.map(({ line: number, record }): OutsideLine => {
    const [reference, status, amount, currency] = COLUMNS.map((name) => record[name] ?? '')
    const line = { line: number, reference: reference ?? '', status: (status ?? '').toLowerCase() }
    const fault = (message: string): unknown => faults.push(`line ${number}: ${message}`)
    if (line.reference === '') fault('reference is empty')
    if (!statuses.includes(line.status)) fault(`status must be one of ${statuses.join(', ')}`)
    if (!amount && !currency) return { ...line, amount: null, currency: null }
    const isCurrency = /^[A-Z]{3}$/.test(currency ?? '')
    if (!isCurrency) fault('currency must be three uppercase letters')
    const minor = isCurrency ? toMinor(amount ?? '', currency ?? '') : 0n
    if (minor === null) fault(`amount must be a decimal of ${currency}, such as 12.50`)
    return { ...line, amount: minor, currency: currency ?? null }
  })
  faults.push(...listGrouped(rows))
  const first = new Map<string, number>()
  for (const { reference, line } of lines) {
    if (first.has(reference)) faults.push(`line ${line}: ${reference} is already on line ${first.get(reference)}`)
    else first.set(reference, line)
  }
  if (faults.length > 0) throw unreadable(faults)
  return lines
}

/**
 * Lists one error per currency for amounts such as 1.000, whose separator could mark thousands or decimals. Such
 * amounts are unambiguous in currencies with three decimals.
 */
function listGrouped(rows: readonly Row[]): string[] {
  const inCurrencies = Map.groupBy(rows, ({ record }) => record['currency'] ?? '')
  return [...inCurrencies].flatMap(([currency, those]) => {
    if (!isCurrency(currency) || getExponent(currency) === 3) return []
    const grouped = findGrouped(those.map(({ record }) => record['amount'] ?? ''))
    const at = those.find(({ record }) => record['amount'] === grouped)
    return at === undefined
      ? []
      : [`line ${at.line}: amount ${grouped} is ambiguous (thousands or decimals); write two decimal places`]
  })
}

export function unreadable(faults: readonly string[]): Refusal<ReconciliationRefusal> {
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : []
  const shown = [...faults.slice(0, FAULTS_SHOWN), ...more]
  return new Refusal<ReconciliationRefusal>('statement_unreadable', `The file cannot be parsed: ${shown.join('; ')}.`)
}

type Row = { readonly line: number; readonly record: Readonly<Record<string, string | undefined>> }

function readTable(text: string): Row[] {
  const table = readDelimited(text, (cells) => REQUIRED.every((name) => plainCells(cells).includes(name)))
  if (!('rows' in table)) {
    if (!table.fault.startsWith('has')) throw unreadable([`it ${table.fault}`])
    const missing = REQUIRED.filter((name) => !plainCells(table.titles).includes(name))
    const found = table.titles.length === 0 ? '' : `; it has ${table.titles.join(', ')}`
    throw unreadable([`the header row lacks the column ${missing.join(' and ')}${found}`])
  }
  const names = plainCells(table.header)
  // It is unclear which of two columns with the same name is meant.
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined) throw unreadable([`the header row has the column ${twice} twice`])
  const wide = table.rows.filter(({ cells }) => cells.slice(names.length).some((cell) => cell !== ''))
  if (wide.length > 0) throw unreadable(wide.map(({ line }) => `line ${line}: more cells than the header row`))
  return table.rows.map(({ line, cells }) => ({
    line,
    record: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])),
  }))
}

function plainCells(cells: readonly string[]): string[] {
  return cells.map((cell) => cell.toLowerCase())
}
