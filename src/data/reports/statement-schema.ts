import Type, { type Static } from 'typebox'
import type { AccountLine, UserAmounts, UserJournalKind } from '../../ledger/index.ts'
import {
  currencyField,
  dayField,
  enumField,
  idField,
  namedObject,
  nullable,
  strictObject,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { describePurchaseAt, WORDINGS } from './statement-sentences.ts'

const LINES_MAX = 1_000
export const LINES_DEFAULT = 100

export const StatementQuery = strictObject({
  currency: Type.Optional(currencyField('Selects the balance; defaults to your default currency.')),
  start_date: Type.Optional(
    dayField("First day of booking, inclusive, in the publisher's time zone. Defaults to the first booking."),
  ),
  end_date: Type.Optional(dayField('Last day of booking, inclusive. Defaults to now.')),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LINES_MAX,
      description: `Maximum number of lines. Defaults to ${LINES_DEFAULT}.`,
    }),
  ),
  after: Type.Optional(idField('The last line already read (`next_after`); the lines after it are returned.')),
  format: Type.Optional(enumField(['json', 'csv'], 'Defaults to json.')),
})

const KINDS = Object.keys(WORDINGS) as UserJournalKind[]
const amount = (description: string) => Type.Number({ description })
const AmountsSchema = (description: string) =>
  Type.Object(
    {
      pending: amount('Credited but not yet available.'),
      available: amount('Available to redeem.'),
      held: amount('Set aside for a redemption in progress.'),
      debt: amount('Reversed after it was spent; repaid from future rewards.'),
    },
    { description },
  )

const LineSchema = namedObject('UserStatementLine', {
  journal_id: Type.String({ description: 'ID of the journal this line shows.' }),
  booked_at: Type.String({ description: 'When it was booked, in UTC. Lines are in this order.' }),
  effective_at: Type.String({
    description:
      "When it took effect, in UTC on the publisher's clock, which runs ahead in a sandbox whose clock was advanced.",
  }),
  kind: enumField(KINDS, 'Kind of the journal.'),
  transaction_uid: nullable(Type.String({ description: 'The transaction it refers to.' })),
  redemption_id: nullable(Type.String({ description: 'The redemption it refers to.' })),
  description: Type.String({ description: 'What happened, in a sentence written for the user.' }),
  changes: AmountsSchema('Changes to the balances; negative for a decrease.'),
  balances: AmountsSchema('Balances after the journal.'),
})
type ShownLine = Static<typeof LineSchema>

export const StatementSchema = namedObject('UserStatement', {
  publisher_user_id: Type.String(),
  currency: Type.String(),
  start_date: nullable(
    Type.String({ description: 'First day of the period, or null if it starts with the first booking.' }),
  ),
  end_date: nullable(Type.String({ description: 'Last day of the period, or null if it extends to now.' })),
  opening: AmountsSchema('Balances before the first journal of the period.'),
  closing: AmountsSchema('Balances after the last journal of the period: the opening balances plus all changes.'),
  content: Type.Array(LineSchema, { description: 'Lines on this page, in booking order.' }),
  next_after: nullable(Type.String({ description: 'Value of `after` for the next page, or null on the last page.' })),
})
export type PresentedStatement = Static<typeof StatementSchema>

export const presentAmounts = ({ pending, available, held, debt }: UserAmounts, currency: string) => ({
  pending: toJsonNumber(pending, currency),
  available: toJsonNumber(available, currency),
  held: toJsonNumber(held, currency),
  debt: toJsonNumber(debt, currency),
})

/** @param shops the shop of each purchase, by transaction ID */
export function presentLine(line: AccountLine, currency: string, shops: ReadonlyMap<string, string | null>): ShownLine {
  const { about, sentence } = WORDINGS[line.kind]
  return {
    journal_id: encodeId('jnl', line.journalId),
    booked_at: line.bookedAt.toISOString(),
    effective_at: line.effectiveAt.toISOString(),
    kind: line.kind,
    transaction_uid: about === 'transaction' ? encodeId('txn', line.causeId) : null,
    redemption_id: about === 'redemption' ? encodeId('rdm', line.causeId) : null,
    description: sentence(line.changes, describePurchaseAt(shops.get(line.causeId))),
    changes: presentAmounts(line.changes, currency),
    balances: presentAmounts(line.balances, currency),
  }
}

/** Example for the API reference. */
export const statementExample: PresentedStatement = {
  publisher_user_id: 'user-1',
  currency: 'USD',
  start_date: '2026-11-01',
  end_date: '2026-11-30',
  opening: { pending: 0, available: 9.5, held: 0, debt: 0 },
  closing: { pending: 2.5, available: 9.5, held: 0, debt: 0 },
  content: [
    {
      journal_id: 'jnl_01kaj3x6qvf5q8m0c7d2r9t4wz',
      booked_at: '2026-11-21T10:15:31.042Z',
      effective_at: '2026-11-21T10:15:30.000Z',
      kind: 'accrual',
      transaction_uid: 'txn_01kaj3x6qvf5q8m0c7d2r9t4wz',
      redemption_id: null,
      description: 'Cashback from a purchase at Corner Market',
      changes: { pending: 2.5, available: 0, held: 0, debt: 0 },
      balances: { pending: 2.5, available: 9.5, held: 0, debt: 0 },
    },
  ],
  next_after: null,
}
