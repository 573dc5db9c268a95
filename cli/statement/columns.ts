/** Which column of a bank's statement says what. Banks agree on little, but they use few words. */
export type StatementColumns = {
  readonly date: number
  readonly description: number
  /** Either one signed column, or one column a direction. */
  readonly amount: number | null
  readonly debit: number | null
  readonly credit: number | null
}

// In the order of preference: the day of the purchase says more than the day of the booking.
const NAMES: Readonly<Record<keyof StatementColumns, readonly string[]>> = {
  date: [
    ...[
      'transaction date',
      'trans date',
      'trans. date',
      'purchase date',
      'date of transaction',
      'started date',
      'date',
    ],
    ...['transaction time', 'booking date', 'booked date', 'posted date', 'posting date', 'post date', 'date posted'],
    ...['completed date', 'value date', 'buchungstag'],
  ],
  description: [
    ...[
      'original description',
      'description',
      'transaction description',
      'merchant',
      'merchant name',
      'payee',
      'details',
    ],
    ...['transaction details', 'narrative', 'particulars', 'memo', 'name', 'counterparty', 'reference', 'text'],
  ],
  amount: ['amount', 'transaction amount', 'amt', 'value', 'sum', 'betrag'],
  debit: [
    'debit',
    'debits',
    'debit amount',
    'withdrawal',
    'withdrawals',
    'withdrawal amount',
    'money out',
    'paid out',
    'charges',
    'out',
  ],
  credit: [
    'credit',
    'credits',
    'credit amount',
    'deposit',
    'deposits',
    'deposit amount',
    'money in',
    'paid in',
    'payments',
    'in',
  ],
}

/** The columns of a header row, or null when the row is no header: banks put lines of their own above it. */
export function findColumns(row: readonly string[]): StatementColumns | null {
  const names = row.map(plain)
  const find = (column: keyof StatementColumns): number | null => {
    for (const name of NAMES[column]) {
      const index = names.indexOf(name)
      if (index >= 0) return index
    }
    return null
  }
  const [date, description, amount, debit, credit] = [
    find('date'),
    find('description'),
    find('amount'),
    find('debit'),
    find('credit'),
  ]
  if (date === null || description === null || (amount ?? debit) === null) return null
  return amount === null
    ? { date, description, amount, debit, credit }
    : { date, description, amount, debit: null, credit: null }
}

/** "Amount (USD)", "AMOUNT USD" and "amount" are the same name. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\(.*?\)/g, ' ')
    .replace(/[_/-]+/g, ' ')
    .replace(/\b(usd|eur|gbp|cad|aud)\b|[$€£]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
