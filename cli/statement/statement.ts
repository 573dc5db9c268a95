import type { Day } from '../../src/platform/calendar.ts'
import type { DebitSign, DecimalMark } from './amounts.ts'
import type { NamedColumns, StatementColumns } from './columns.ts'
import type { DayOrder } from './dates.ts'

/** One line of a statement: positive when money was spent, negative when it came in. */
export type StatementRow = {
  readonly line: number
  readonly day: Day
  readonly description: string
  readonly spent: bigint
}

/** How a file was understood. Printed, because the file does not say it itself. */
export type Manner = {
  readonly debits: DebitSign | 'own column' | 'direction column'
  readonly dates: DayOrder | 'unambiguous'
  /** True when nothing in the file settles the order of day and month. */
  readonly datesAssumed: boolean
}
/** Rows that are no purchases yet, or never were, or belong to another account. */
export type LeftOut = { readonly pending: number; readonly void: number; readonly otherCurrency: number }
export type ReadStatement = {
  readonly rows: readonly StatementRow[]
  readonly manner: Manner
  readonly leftOut: LeftOut
  /** The faults of rows that the caller let pass. */
  readonly skipped: readonly string[]
}

export type ReadOptions = {
  readonly currency: string
  /** The last day a row may have. */
  readonly today: Day
  readonly debits?: DebitSign | undefined
  readonly dates?: DayOrder | undefined
  readonly decimal?: DecimalMark | undefined
  readonly columns?: NamedColumns | undefined
  /** Words of the column of directions for money that came in; all others are spending. */
  readonly moneyIn?: readonly string[] | undefined
  /** Words of the column of states for rows that count; no others do. */
  readonly completed?: readonly string[] | undefined
  readonly skipInvalid?: boolean | undefined
}

/** A file with its header: the titles, and which of them says what. */
export type TableLayout = { readonly titles: readonly string[]; readonly columns: StatementColumns }
