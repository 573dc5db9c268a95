import { parse } from 'csv-parse/sync'
import { toMinor } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ReconciliationRefusal } from '../errors.ts'

/** A line of a statement from outside. */
export type OutsideLine = {
  readonly line: number
  readonly reference: string
  readonly status: string
  /** Minor units; null: the file does not say. */
  readonly amount: bigint | null
  readonly currency: string | null
}

const COLUMNS = ['reference', 'status', 'amount', 'currency'] as const
// What a person corrects at a time.
const FAULTS_SHOWN = 20

/**
 * Reads a table with the columns reference and status, and where it has them amount and currency, in any order; others
 * are not read. @throws Refusal statement_unreadable that names the faulty lines
 */
export function readStatement(text: string, statuses: readonly string[]): OutsideLine[] {
  const faults: string[] = []
  const lines = recordsOf(text).map(({ record, info }): OutsideLine => {
    const [reference, status, amount, currency] = COLUMNS.map((name) => record[name]?.trim() ?? '')
    const line = { line: info.lines, reference: reference ?? '', status: (status ?? '').toLowerCase() }
    const fault = (message: string): unknown => faults.push(`line ${info.lines}: ${message}`)
    if (line.reference === '') fault('reference is empty')
    if (!statuses.includes(line.status)) fault(`status must be one of ${statuses.join(', ')}`)
    if (!amount && !currency) return { ...line, amount: null, currency: null }
    const isCurrency = /^[A-Z]{3}$/.test(currency ?? '')
    if (!isCurrency) fault('currency must be three capital letters')
    const minor = isCurrency ? toMinor(amount ?? '', currency ?? '') : 0n
    if (minor === null) fault(`amount must be a decimal of ${currency}, such as 12.50`)
    return { ...line, amount: minor, currency: currency ?? null }
  })
  const first = new Map<string, number>()
  for (const { reference, line } of lines) {
    if (first.has(reference)) faults.push(`line ${line}: ${reference} stands on line ${first.get(reference)} already`)
    else first.set(reference, line)
  }
  if (faults.length > 0) throw unreadable(faults)
  return lines
}

export function unreadable(faults: readonly string[]): Refusal<ReconciliationRefusal> {
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : []
  const shown = [...faults.slice(0, FAULTS_SHOWN), ...more]
  return new Refusal<ReconciliationRefusal>('statement_unreadable', `The file cannot be read: ${shown.join('; ')}.`)
}

type Record_ = {
  readonly record: Readonly<Record<string, string | undefined>>
  readonly info: { readonly lines: number }
}

function recordsOf(text: string): Record_[] {
  const [head = ''] = text.split('\n', 1)
  let names: readonly string[] = []
  const columns = (titles: string[]): string[] => {
    names = titles
    return titles
  }
  try {
    const options = { bom: true, columns, info: true, skip_empty_lines: true, trim: true } as const
    const records = parse(text, { ...options, delimiter: head.includes(';') ? ';' : ',' }) as unknown as Record_[]
    const missing = ['reference', 'status'].filter((name) => !names.includes(name))
    if (missing.length > 0) throw unreadable([`the first line lacks the column ${missing.join(' and ')}`])
    // Which of them is meant is unknown.
    const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
    if (twice !== undefined) throw unreadable([`the first line names the column ${twice} twice`])
    return records
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw unreadable([`it is not CSV (${error instanceof Error ? error.message : 'it cannot be parsed'})`])
  }
}
