import { formatCsvText } from '../../../platform/text/csv.ts'
import type { StatementDocument } from './document.ts'

const COLUMNS = [
  ...['section', 'name', 'detail', 'count', 'opening', 'increase', 'decrease', 'amount', 'closing', 'currency'],
] as const
type Row = Partial<Record<(typeof COLUMNS)[number], string | number | null>>

/** Formats a statement as CSV: a single table whose first column names the section. */
export function formatStatementCsv(statement: StatementDocument, sha256: string): string {
  const { currency } = statement
  const lines = toRows(statement, sha256).map((row) =>
    COLUMNS.map((column) => formatCell(column, { currency, ...row })),
  )
  return [COLUMNS, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

function toRows(statement: StatementDocument, sha256: string): Row[] {
  const { balances, movements, payments, ageing, control } = statement
  const facts = [
    'statement_id',
    'kind',
    'party',
    'environment',
    'month',
    'ends_at',
    'cut_at',
    'previous_sha256',
  ] as const
  return [
    ...facts.map((name) => ({ section: 'statement', name, detail: statement[name], currency: null })),
    { section: 'statement', name: 'sha256', detail: sha256, currency: null },
    ...balances.map(({ account, ...balance }) => ({ section: 'balance', name: account, ...balance })),
    ...movements.map(({ movement, ...rest }) => ({ section: 'movement', name: movement, ...rest })),
    ...payments.flatMap((payment) => [
      { section: 'payment', name: payment.external_ref, detail: payment.payment_id, amount: payment.amount },
      ...payment.matched.map(({ month, amount }) => ({
        section: 'payment_matched',
        name: payment.external_ref,
        detail: month,
        amount,
      })),
      { section: 'payment_unmatched', name: payment.external_ref, amount: payment.unmatched },
    ]),
    ...ageingRows(ageing),
    { section: 'control', name: 'total', amount: control.total },
    { section: 'control', name: 'journals', count: control.journals, currency: null },
    { section: 'control', name: 'postings', count: control.postings, currency: null },
  ]
}

function ageingRows(ageing: StatementDocument['ageing']): Row[] {
  if (ageing === null) return []
  const { open, ...ages } = ageing
  return [
    ...open.map(({ month, amount }) => ({ section: 'open_month', name: month, amount })),
    ...Object.entries(ages).map(([name, amount]) => ({ section: 'ageing', name, amount })),
  ]
}

// Negative amounts start with a minus sign but are still numbers, so they are not escaped.
const AMOUNTS: readonly string[] = ['opening', 'increase', 'decrease', 'amount', 'closing']

function formatCell(column: (typeof COLUMNS)[number], row: Row): string {
  const value = row[column] ?? ''
  return typeof value === 'string' && !AMOUNTS.includes(column) ? formatCsvText(value) : String(value)
}
