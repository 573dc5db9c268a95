import Type from 'typebox'
import { ACCOUNTS } from '../../../ledger/index.ts'
import {
  enumField,
  idField,
  instantField,
  monthField,
  named,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  strictObject,
} from '../../../platform/http/index.ts'
import { DIRECTIONS } from '../payments/payment.ts'
import { STATEMENT_KINDS, type StatementDocument } from './document.ts'
import { KIND } from './heading.ts'

const FORMATS = ['json', 'csv', 'pdf'] as const
export type StatementFormat = (typeof FORMATS)[number]

export const StatementParams = Type.Object({ statement_id: idField('The statement (stm_…).') })
export const StatementFormatQuery = strictObject({
  format: Type.Optional(enumField(FORMATS, 'Defaults to json, the exact bytes that the hash covers.')),
})
export const OwnStatementQuery = strictObject({
  month: Type.Optional(monthField('Only statements of this month.')),
  ...pageQuery,
})
const amount = (description: string) => Type.String({ description })
const text = (description: string) => Type.String({ description })
const list = (item: ReturnType<typeof Type.Object>, description: string) => Type.Array(item, { description })

const MonthAmount = namedObject('MonthAmount', {
  month: text('Month, as yyyy-MM.'),
  amount: amount('Amount for the month.'),
})

/** The canonical document. Amounts are decimal strings, because sums may exceed the exact range of a JSON number. */
export const DocumentSchema = namedObject('Statement', {
  statement_id: text('ID of the statement.'),
  kind: enumField(STATEMENT_KINDS, KIND),
  party: text('The brand, the publisher (pub_…), or `service`.'),
  environment: enumField(['sandbox', 'production']),
  currency: Type.String(),
  month: text('Month, as yyyy-MM.'),
  ends_at: instantField('End of the month.'),
  cut_at: text('Cutoff time. Bookings made up to then are included.'),
  previous_sha256: nullable(text("Hash of the previous month's statement, or null if there is none.")),
  balances: list(
    Type.Object({
      account: named('LedgerAccount', enumField(ACCOUNTS, 'The account.')),
      detail: nullable(text('The publisher or payout method that this part belongs to, or null for the whole amount.')),
      opening: amount('Balance carried over from the previous month.'),
      increase: amount('Amount added.'),
      decrease: amount('Amount subtracted.'),
      closing: amount('Balance carried over to the next month.'),
    }),
    'Opening and closing balances of each account.',
  ),
  movements: list(
    Type.Object({
      movement: text('What happened.'),
      detail: nullable(text('The publisher or payout method that this part belongs to, or null for the whole amount.')),
      count: Type.Integer({ description: 'Number of occurrences.' }),
      amount: amount('Total amount.'),
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
      amount: amount('Amount of the payment.'),
      reverses: nullable(text('The payment that this one reverses.')),
      matched: list(MonthAmount, 'For an advertiser: the months it settles.'),
      unmatched: amount('The part that settles no month and becomes a credit.'),
    }),
    'Payments received or made.',
  ),
  ageing: nullable(
    Type.Object(
      {
        open: list(MonthAmount, 'Unsettled months, oldest first.'),
        credit: amount('Amount paid in advance.'),
        credit_used: amount("Amount of earlier credit used by this month's charges."),
        current: amount('Amount owed for this month.'),
        days_1_30: amount('Amount owed for the previous month.'),
        days_31_60: amount('Amount owed for the month before that.'),
        days_61_90: amount('Amount owed for the month before that.'),
        days_over_90: amount('Amount owed for earlier months.'),
      },
      { description: 'For an advertiser: the amounts owed, by age. A month counts as 30 days.' },
    ),
  ),
  control: Type.Object(
    {
      total: amount('Sum of the absolute amounts of all postings in the statement.'),
      journals: Type.Integer({ description: 'Number of journals in the statement.' }),
      postings: Type.Integer({ description: 'Number of postings in the statement.' }),
    },
    { description: 'Control totals across all lines, to verify that none is missing.' },
  ),
})

export const CloseSchema = namedStrictObject('MonthToClose', {
  month: monthField('Month to close.'),
  publisher_id: Type.Optional(
    idField(
      'Only the books of this publisher (pub_…); all of production if omitted. Each sandbox is closed separately.',
    ),
  ),
})
export const CloseQuery = strictObject({
  dry_run: Type.Optional(named('Flag', enumField(['true', 'false'], 'If true, a dry run that closes nothing.'))),
})
export const ClosedSchema = namedObject('ClosedMonth', {
  month: text('Month, as yyyy-MM.'),
  dry_run: Type.Boolean(),
  totals: list(
    namedObject('StatementTotal', {
      kind: enumField(STATEMENT_KINDS, KIND),
      currency: Type.String(),
      account: named('LedgerAccount', enumField(ACCOUNTS, 'The account.')),
      statements: Type.Integer({ description: 'Number of statements that include this account.' }),
      opening: amount('Sum of their opening balances.'),
      closing: amount('Sum of their closing balances.'),
    }),
    'Totals of the statements, by currency.',
  ),
  content: list(
    namedObject('ClosedBooks', {
      books: text('The publisher (pub_…), or `production` for what production publishers share.'),
      ends_at: instantField('End of the month.'),
      cut_at: text('Cutoff time. The statements include everything booked until then.'),
      statements: Type.Integer({ description: 'Number of statements.' }),
    }),
    'Books whose month is closed.',
  ),
})

/** Example for the API reference. */
export const documentExample: StatementDocument = {
  statement_id: 'stm_01kbjyt5v3f4nvj5yq5yfypr9v',
  kind: 'advertiser',
  party: 'brand-market',
  environment: 'production',
  currency: 'USD',
  month: '2026-11',
  ends_at: '2026-12-01T00:00:00.000Z',
  cut_at: '2026-12-03T08:00:00.000000Z',
  previous_sha256: null,
  balances: [
    {
      account: 'advertiser_receivable',
      detail: null,
      opening: '0.00',
      increase: '150.00',
      decrease: '50.00',
      closing: '100.00',
    },
    {
      account: 'advertiser_receivable',
      detail: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
      opening: '0.00',
      increase: '150.00',
      decrease: '50.00',
      closing: '100.00',
    },
  ],
  movements: [
    { movement: 'accrued', detail: null, count: 2, amount: '150.00' },
    { movement: 'accrued', detail: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', count: 2, amount: '150.00' },
    { movement: 'payments_received', detail: null, count: 1, amount: '50.00' },
    { movement: 'payments_received', detail: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', count: 1, amount: '50.00' },
  ],
  payments: [
    {
      payment_id: 'pay_01kbjyt5v3f4nvj5yq5yfypr9v',
      publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
      external_ref: 'wire-2026-0117',
      value_date: '2026-11-25',
      direction: 'received',
      amount: '50.00',
      reverses: null,
      matched: [{ month: '2026-11', amount: '50.00' }],
      unmatched: '0.00',
    },
  ],
  ageing: {
    open: [{ month: '2026-11', amount: '100.00' }],
    credit: '0.00',
    credit_used: '0.00',
    current: '100.00',
    days_1_30: '0.00',
    days_31_60: '0.00',
    days_61_90: '0.00',
    days_over_90: '0.00',
  },
  control: { total: '200.00', journals: 3, postings: 3 },
}
