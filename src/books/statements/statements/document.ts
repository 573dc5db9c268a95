import Type, { type Static, type TSchema } from 'typebox'
import { ACCOUNTS, type Account, type JournalKind } from '../../../ledger/index.ts'
import { enumField, instantField, named, namedObject, nullable } from '../../../platform/http/index.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { DIRECTIONS, type Direction } from '../payments/payment.ts'

export const STATEMENT_KINDS = ['advertiser', 'publisher', 'service'] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

export const KIND =
  'advertiser: what a brand owes. publisher: what the publisher and its users hold. service: fees, losses, payouts and the bank.'

const text = (description: string) => Type.String({ description })
const list = <Item extends TSchema>(item: Item, description: string) => Type.Array(item, { description })

const MonthAmount = namedObject('MonthAmount', {
  month: text('Month, as yyyy-MM.'),
  amount: text('Amount for the month.'),
})

/**
 * The content of a statement, as a canonical document. Amounts are decimal strings in major units, because sums may
 * exceed the exact range of a JSON number.
 */
export const DocumentSchema = namedObject('Statement', {
  statement_id: text('ID of the statement.'),
  kind: enumField(STATEMENT_KINDS, KIND),
  party: text('The brand, the publisher (pub_…), or `service`.'),
  environment: enumField(['sandbox', 'production']),
  currency: Type.String(),
  month: text('Month, as yyyy-MM.'),
  // The statement contains everything that took effect before this instant, was booked by the cut, and is not in an
  // earlier statement.
  ends_at: instantField('End of the month.'),
  cut_at: text('Cutoff time. Bookings made up to then are included.'),
  // Links the statements into a chain.
  previous_sha256: nullable(text("Hash of the previous month's statement, or null if there is none.")),
  balances: list(
    Type.Object({
      account: named('LedgerAccount', enumField(ACCOUNTS, 'The account.')),
      detail: nullable(text('The publisher or payout method that this part belongs to, or null for the whole amount.')),
      opening: text('Balance carried over from the previous month.'),
      increase: text('Amount added.'),
      decrease: text('Amount subtracted.'),
      closing: text('Balance carried over to the next month.'),
    }),
    'Opening and closing balances of each account.',
  ),
  movements: list(
    Type.Object({
      movement: text('What happened.'),
      detail: nullable(text('The publisher or payout method that this part belongs to, or null for the whole amount.')),
      count: Type.Integer({ description: 'Number of occurrences.' }),
      amount: text('Total amount.'),
    }),
    'Totals for each kind of movement.',
  ),
  payments: list(
    Type.Object({
      payment_id: text('ID of the payment.'),
      publisher_id: Type.String(),
      external_ref: text("The payer's or the bank's reference for the payment."),
      value_date: text('Value date of the payment.'),
      direction: enumField(DIRECTIONS, 'received: money came in. paid: money went out.'),
      amount: text('Amount of the payment.'),
      reverses: nullable(text('The payment that this one reverses.')),
      matched: list(MonthAmount, 'For an advertiser: the months it settles.'),
      unmatched: text('The part that is not applied to any month and becomes a credit.'),
    }),
    'Payments received or made.',
  ),
  ageing: nullable(
    Type.Object(
      {
        open: list(MonthAmount, 'Unsettled months, oldest first.'),
        credit: text('Amount paid in advance.'),
        credit_used: text("Amount of earlier credit used by this month's charges."),
        current: text('Amount owed for this month.'),
        days_1_30: text('Amount owed for the previous month.'),
        days_31_60: text('Amount owed for the month before that.'),
        days_61_90: text('Amount owed for the month before that.'),
        days_over_90: text('Amount owed for earlier months.'),
      },
      { description: 'For an advertiser: the amounts owed, by age. A month counts as 30 days.' },
    ),
  ),
  control: Type.Object(
    {
      total: text('Sum of the absolute amounts of all postings in the statement.'),
      journals: Type.Integer({ description: 'Number of journals in the statement.' }),
      postings: Type.Integer({ description: 'Number of postings in the statement.' }),
    },
    { description: 'Control totals across all lines, to verify that none is missing.' },
  ),
})

export type StatementDocument = Static<typeof DocumentSchema>
export type BalanceLine = StatementDocument['balances'][number]
export type MovementLine = StatementDocument['movements'][number]
export type PaymentLine = StatementDocument['payments'][number]
export type Ageing = NonNullable<StatementDocument['ageing']>

/** The postings of one kind of journal on one account and side. */
export type ActivityLine = {
  readonly publisherId: PublisherId
  readonly kind: JournalKind
  readonly account: Account
  readonly owner: string
  /**
   * The number of journals with such a posting. `journals` counts only those whose first posting in the statement is on
   * this line.
   */
  readonly count: number
  readonly journals: number
  /** Debits are positive. */
  readonly amount: bigint
}

/** A payment by or to the statement's party. Amounts are positive for money coming in. */
export type StatementPayment = {
  readonly paymentId: string
  readonly publisherId: PublisherId
  readonly externalRef: string
  readonly valueDate: string
  readonly direction: Direction
  readonly amount: bigint
  readonly reverses: string | null
}
