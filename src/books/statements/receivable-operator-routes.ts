import Type, { type Static } from 'typebox'
import { namedObject, nullable } from '../../platform/http/index.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { listOperation, type OperatorDeps, type OperatorOperation } from '../../tenants/access/index.ts'
import { addAges, type Receivable } from './receivables.ts'
import { RECEIVABLE_LIST } from './receivables-queries.ts'

const amount = (description: string) => Type.Number({ description })
const ReceivableSchema = namedObject('Receivable', {
  brand_uid: Type.String(),
  brand_name: nullable(Type.String({ description: 'Null if the brand is not in the catalog.' })),
  currency: Type.String(),
  balance: amount('Amount the advertiser owes now; negative if it paid in advance.'),
  ageing: nullable(
    namedObject(
      'ReceivableAgeing',
      {
        statement_month: nullable(
          Type.String({ description: 'Month of the last statement, or null if there is none.' }),
        ),
        since_statement: amount('Amount not yet on a statement: charges less payments.'),
        current: amount('Owed for the current month, plus anything not yet on a statement.'),
        days_1_30: amount('Owed for the previous month; each month counts as 30 days.'),
        days_31_60: amount('Owed for the month before that.'),
        days_61_90: amount('Owed for the month before that.'),
        days_over_90: amount('Owed for earlier months.'),
        credit: amount('Amount paid in advance.'),
      },
      { description: 'Amount owed by age, or null if it is not broken down by age.' },
    ),
  ),
})

const example: Static<typeof ReceivableSchema> = {
  brand_uid: 'brand-market',
  brand_name: 'Corner Market',
  currency: 'USD',
  balance: 1250,
  ageing: {
    statement_month: '2026-10',
    since_statement: 250,
    current: 250,
    days_1_30: 800,
    days_31_60: 200,
    days_61_90: 0,
    days_over_90: 0,
    credit: 0,
  },
}

/** Registers the route that lists what advertisers owe. */
export function operatorReceivableRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  listOperation(operation, db, {
    route: 'GET /operator/receivables',
    permission: 'ledger:read',
    id: 'listReceivables',
    summary: 'List what advertisers owe, by age, largest amounts first',
    description:
      "For production, or for one publisher. Ages are taken from the last statement, plus anything booked since; reductions since then are deducted from the oldest month. Advertisers of a production publisher owe for all publishers together, so a single publisher's part has no age.",
    list: RECEIVABLE_LIST,
    resource: { schema: ReceivableSchema, example },
    present: async (rows) => (await addAges(db.reader, rows, clock)).map(presentReceivable),
    refusals: ['publisher_not_found'],
  })
}

function presentReceivable({
  brandUid,
  brandName,
  currency,
  balance,
  aged,
}: Receivable): Static<typeof ReceivableSchema> {
  const money = (minor: bigint): number => toJsonNumber(minor, currency)
  const shown = { brand_uid: brandUid, brand_name: brandName, currency, balance: money(balance) }
  if (aged === null) return { ...shown, ageing: null }
  const [current, upTo30, upTo60, upTo90, over90] = aged.ages
  return {
    ...shown,
    ageing: {
      statement_month: aged.month,
      since_statement: money(aged.sinceStatement),
      current: money(current),
      days_1_30: money(upTo30),
      days_31_60: money(upTo60),
      days_61_90: money(upTo90),
      days_over_90: money(over90),
      credit: money(aged.open.credit),
    },
  }
}
