import type { SaleStatus } from '../rules.ts'

/** What is read of a report. Everything else is kept as it came. */
export const FIELD_NAMES = [
  ...(['sub_id', 'order_id', 'transaction_id', 'report_id', 'amount', 'currency', 'commission'] as const),
  ...(['status', 'date', 'reported_at'] as const),
]
export type FieldName = (typeof FIELD_NAMES)[number]

/**
 * How a network calls each field, in a postback and in a row of a report: the first name that has a value counts. Case,
 * spaces and underscores do not matter, a dot leads into an object, and `=USD` is the value itself.
 */
export type Fields = Readonly<Partial<Record<FieldName, readonly string[]>>>

/** How dates and times are written. `utc` is a time without a zone, which the network documents to be in UTC. */
export type DateForm = 'day' | 'instant' | 'utc' | 'javascript'

export type Format = {
  readonly fields: Fields
  /** Words for the states of a sale, beside those that every format knows. */
  readonly statuses: Readonly<Partial<Record<SaleStatus, readonly string[]>>>
  /** The state of a report that names none; null: it must name one. */
  readonly unstated: SaleStatus | null
  readonly dates: readonly DateForm[]
  /** Reports are records whose amounts add up, and corrections may be negative; otherwise each states the whole. */
  readonly adds: boolean
  /**
   * Whether it is the format of a network that also reports what is no sale of a link of ours: one without a sub-id is
   * no mistake, an amount of zero is nothing bought, and amounts may have more decimals than the currency.
   */
  readonly isLenient: boolean
  /** A member that says, by one of these words, that what is reported is no sale; it is not kept. */
  readonly notSales: { readonly name: string; readonly words: readonly string[] } | null
  /** The member of a form that contains the report as JSON. */
  readonly wrapper: string | null
  /** Where a JSON report has its rows; empty: it is a list itself. */
  readonly rows: string
  /** Where a JSON report says that it is only a part: a text that is not empty, or false. */
  readonly partialAt: string | null
}
