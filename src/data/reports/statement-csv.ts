import { csvLine } from '../../platform/text/csv.ts'
import type { PresentedStatement } from './statement-schema.ts'

type Line = PresentedStatement['content'][number]

/** The columns, each with the function that returns a line's value. New columns go last. */
const COLUMNS: Readonly<Record<string, (line: Line, currency: string) => string | number | null>> = {
  journal_id: (line) => line.journal_id,
  booked_at: (line) => line.booked_at,
  effective_at: (line) => line.effective_at,
  kind: (line) => line.kind,
  transaction_uid: (line) => line.transaction_uid,
  redemption_id: (line) => line.redemption_id,
  description: (line) => line.description,
  currency: (_, currency) => currency,
  pending_change: ({ changes }) => changes.pending,
  available_change: ({ changes }) => changes.available,
  held_change: ({ changes }) => changes.held,
  debt_change: ({ changes }) => changes.debt,
  pending: ({ balances }) => balances.pending,
  available: ({ balances }) => balances.available,
  held: ({ balances }) => balances.held,
  debt: ({ balances }) => balances.debt,
}

/** Formats the lines of a statement as CSV with a header row. */
export function formatStatementCsv({ content, currency }: Pick<PresentedStatement, 'content' | 'currency'>): string {
  const rows = content.map((line) => Object.values(COLUMNS).map((formatCell) => formatCell(line, currency)))
  return [Object.keys(COLUMNS), ...rows].map(csvLine).join('')
}
