import type { Day } from '../../src/platform/calendar.ts'
import type { DebitSign, DecimalMark } from './amounts.ts'
import type { NamedColumns, StatementColumns } from './columns.ts'
import type { DayOrder } from './dates.ts'

/** One line of a statement. The amount is positive for money spent and negative for money received. */
export type StatementRow = {
  readonly line: number
  readonly day: Day
  readonly description: string
  readonly spent: bigint
}

/** The interpretation of a file, printed for the user because the file itself leaves it open. */
export type Manner = {
  readonly debits: DebitSign | 'own column' | 'direction column' | 'marked amounts'
  readonly dates: DayOrder | 'unambiguous'
  /** True if nothing in the file determines the order of day and month. */
  readonly datesAssumed: boolean
}
/** The number of rows that are still pending, were never completed, or are in another currency. */
export type LeftOut = { readonly pending: number; readonly void: number; readonly otherCurrency: number }
export type ReadStatement = {
  readonly rows: readonly StatementRow[]
  readonly manner: Manner
  readonly leftOut: LeftOut
  /** The errors of rows that were skipped at the caller's request. */
  readonly skipped: readonly string[]
}

export type ReadOptions = {
  readonly currency: string
  /** Rows dated later are invalid. */
  readonly today: Day
  readonly debits?: DebitSign | undefined
  readonly dates?: DayOrder | undefined
  readonly decimal?: DecimalMark | undefined
  readonly columns?: NamedColumns | undefined
  /**
   * Words in the direction column, or a plus sign before amounts, that mean incoming money. All other rows are
   * spending.
   */
  readonly moneyIn?: readonly string[] | undefined
  /** Words in the status column that mark completed rows. Other rows are left out. */
  readonly completed?: readonly string[] | undefined
  readonly skipInvalid?: boolean | undefined
}

/** A file's column titles, and its columns by meaning. */
export type TableLayout = { readonly titles: readonly string[]; readonly columns: StatementColumns }
