import { type ColumnRole, findCurrencyInTitle, normalizeTitle, TITLES } from './titles.ts'

/**
 * The columns of a bank statement by meaning. Their titles vary from bank to bank, but come from a small vocabulary.
 */
export type StatementColumns = {
  readonly date: number
  /** In order of preference. Each row uses the first non-empty column. */
  readonly descriptions: readonly number[]
  /** Either one signed column, or one column for each direction. */
  readonly amount: number | null
  readonly debit: number | null
  readonly credit: number | null
  /** Columns whose titles suggest the direction of the money or the status of the row. */
  readonly directions: readonly number[]
  readonly statuses: readonly number[]
  readonly currency: number | null
  /** The currency in the title of the amount column, as a code or a symbol; null if there is none. */
  readonly titled: string | null
}

/** The titles that the caller assigned to roles, or to `ignore`. */
export type NamedColumns = Readonly<Partial<Record<ColumnRole | 'ignore', readonly string[]>>>

/** Finds the columns in a header row; null if the row is not a header. Banks often put other lines above it. */
export function findColumns(cells: readonly string[], named: NamedColumns = {}): StatementColumns | null {
  const titles = cells.map(normalizeTitle)
  const all = (role: ColumnRole): readonly number[] => {
    const wanted = named[role]?.map(normalizeTitle) ?? TITLES[role]
    return wanted.flatMap((title) => findIndexes(titles, title)).filter((at) => !isIgnored(cells, at, named))
  }
  const [date, amount, debit, credit] = (['date', 'amount', 'debit', 'credit'] as const).map((role) => all(role)[0])
  const descriptions = all('description')
  if (date === undefined || descriptions.length === 0 || (amount ?? debit) === undefined) return null
  const isSigned = amount !== undefined
  return {
    date,
    descriptions,
    amount: amount ?? null,
    debit: isSigned ? null : (debit ?? null),
    credit: isSigned ? null : (credit ?? null),
    directions: isSigned ? all('direction') : [],
    statuses: all('status'),
    currency: nextTo(amount ?? debit ?? 0, all('currency'), titles),
    titled: findCurrencyInTitle(cells[amount ?? debit ?? 0] ?? ''),
  }
}

/** True if the caller excluded this column. */
export function isIgnored(cells: readonly string[], at: number, { ignore = [] }: NamedColumns): boolean {
  return ignore.map(normalizeTitle).includes(normalizeTitle(cells[at] ?? ''))
}

function findIndexes(titles: readonly string[], wanted: string): number[] {
  return titles.flatMap((title, at) => (title === wanted ? [at] : []))
}

/**
 * Picks the column after the amount if the same title appears both after the balance and after the amount, as it does
 * at some banks.
 */
function nextTo(amount: number, found: readonly number[], titles: readonly string[]): number | null {
  const [first] = found
  if (first === undefined) return null
  const same = found.filter((at) => titles[at] === titles[first])
  return same.find((at) => at > amount) ?? first
}
