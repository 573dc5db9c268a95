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
  pageQuery,
  strictObject,
} from '../../../platform/http/index.ts'
import { KIND, STATEMENT_KINDS, type StatementDocument } from './document.ts'

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
  month: Type.String({ description: 'Month, as yyyy-MM.' }),
  dry_run: Type.Boolean(),
  totals: Type.Array(
    namedObject('StatementTotal', {
      kind: enumField(STATEMENT_KINDS, KIND),
      currency: Type.String(),
      account: named('LedgerAccount', enumField(ACCOUNTS, 'The account.')),
      statements: Type.Integer({ description: 'Number of statements that include this account.' }),
      opening: Type.String({ description: 'Sum of their opening balances.' }),
      closing: Type.String({ description: 'Sum of their closing balances.' }),
    }),
    { description: 'Totals of the statements, by currency.' },
  ),
  content: Type.Array(
    namedObject('ClosedBooks', {
      books: Type.String({
        description: 'The publisher (pub_…), or `production` for what production publishers share.',
      }),
      ends_at: instantField('End of the month.'),
      cut_at: Type.String({ description: 'Cutoff time. The statements include everything booked until then.' }),
      statements: Type.Integer({ description: 'Number of statements.' }),
    }),
    { description: 'Books whose month is closed.' },
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
