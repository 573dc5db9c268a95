import type { SaleStatus } from '../rules.ts'

/** The fields that are read from a report. Everything else is stored as received. */
export const FIELD_NAMES = [
  ...(['sub_id', 'order_id', 'transaction_id', 'report_id', 'amount', 'currency', 'commission'] as const),
  ...(['status', 'date', 'reported_at'] as const),
]
export type FieldName = (typeof FIELD_NAMES)[number]

/**
 * A network's names for each field, in a postback and in a row of a report. The first name with a value is used. Case,
 * spaces and underscores are ignored, a dot descends into an object, and `=USD` is a literal value.
 */
export type Fields = Readonly<Partial<Record<FieldName, readonly string[]>>>

/** The formats of dates and times. `utc` is a time without a zone that the network documents as UTC. */
export type DateForm = 'day' | 'instant' | 'utc' | 'javascript'

export type Format = {
  readonly fields: Fields
  /** Words for the states of a sale, in addition to those recognized in every format. */
  readonly statuses: Readonly<Partial<Record<SaleStatus, readonly string[]>>>
  /** The default state for a report that does not state one; null if a state is required. */
  readonly unstated: SaleStatus | null
  readonly dates: readonly DateForm[]
  /**
   * True if reports are additive records, which sum to the total and may be negative. Otherwise, each report states the
   * total.
   */
  readonly adds: boolean
  /**
   * True for a network that also reports sales that did not come from our links. For such a network, a missing sub-id
   * is not an error, a zero amount means that nothing was bought, and amounts may have more decimals than the currency.
   */
  readonly isLenient: boolean
  /** A member and its values that mark a report as not a sale. Such reports are not stored. */
  readonly notSales: { readonly name: string; readonly words: readonly string[] } | null
  /** The form member that contains the report as JSON. */
  readonly wrapper: string | null
  /** The path to the rows of a JSON report; empty if the report is itself a list. */
  readonly rows: string
  /** The path to the value that marks a JSON report as partial if it is a non-empty string or false. */
  readonly partialAt: string | null
}
