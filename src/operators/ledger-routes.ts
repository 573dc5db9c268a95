import Type, { type Static } from 'typebox'
import { ACCOUNTS, type AccountSum, findAddedUp, JOURNAL_KINDS, listAccountSums } from '../ledger/index.ts'
import {
  enumOf,
  idField,
  namedObject,
  nullable,
  pageExample,
  pageOf,
  pageQuery,
  pageSchema,
  sortOf,
  strictObject,
} from '../platform/http/index.ts'
import { toJsonNumber } from '../platform/money.ts'
import { getPublisher } from '../publishers/index.ts'
import { listReceivables, RECEIVABLE_SORTS, type Receivable } from '../settlement/index.ts'
import type { OperatorDeps } from './deps.ts'
import { publisherIdIn } from './ids.ts'
import type { OperatorOperation } from './operations.ts'

const amount = (description: string) => Type.Number({ description })
const sides = { debits: amount('All debits.'), credits: amount('All credits.') }

const AccountsSchema = namedObject('LedgerAccounts', {
  at: Type.String({ description: 'Until when bookings are included: some seconds ago. RFC 3339.' }),
  content: Type.Array(
    namedObject('AccountTotal', {
      account: enumOf(ACCOUNTS, 'The account.'),
      currency: Type.String(),
      ...sides,
      balance: amount('Debits less credits.'),
      kinds: Type.Array(
        namedObject('AccountMovement', { kind: enumOf(JOURNAL_KINDS, 'The kind of journal.'), ...sides }),
        {
          description: 'Its movements by kind of journal.',
        },
      ),
    }),
    { description: 'The accounts that have postings; those of users and advertisers are sums over all of them.' },
  ),
})

const age = (description: string) => Type.Number({ description })
const ReceivableSchema = namedObject('Receivable', {
  brand_uid: Type.String(),
  brand_name: nullable(Type.String({ description: 'Null: the brand was not in this catalog.' })),
  currency: Type.String(),
  balance: amount('What the advertiser owes now; negative: paid ahead.'),
  ageing: nullable(
    namedObject(
      'ReceivableAgeing',
      {
        statement_month: nullable(
          Type.String({ description: 'The month of the last statement; null: there is none.' }),
        ),
        since_statement: amount('What no statement has yet: charges less payments.'),
        current: age('Of the current month, and what no statement has yet.'),
        days_1_30: age('Of the month before; each month counts as 30 days.'),
        days_31_60: age('Of the month before that.'),
        days_61_90: age('Of the month before that.'),
        days_over_90: age('Of earlier months.'),
        credit: age('Paid ahead of what is owed.'),
      },
      { description: 'What is owed by its age; null: it has none.' },
    ),
  ),
})

/** Registers the routes for ledger accounts and receivables. */
export function operatorLedgerRoutes(operation: OperatorOperation, { db: { reader }, clock }: OperatorDeps): void {
  operation('GET /operator/ledger/accounts', {
    config: { permission: 'ledger:read' },
    id: 'listLedgerAccounts',
    summary: 'List the ledger accounts of a publisher, or of all, with what has moved them',
    description:
      'From running totals, so it answers at once. `GET /operator/trial-balance` reads the journals themselves, as of any instant.',
    query: strictObject({ publisher_id: Type.Optional(idField('Only of this publisher (pub_…).')) }),
    answer: AccountsSchema,
    example: {
      at: '2026-11-21T10:15:30.000Z',
      content: [
        {
          ...{ account: 'user_pending', currency: 'USD', debits: 35, credits: 105, balance: -70 },
          kinds: [
            { kind: 'accrual', debits: 0, credits: 105 },
            { kind: 'maturity', debits: 35, credits: 0 },
          ],
        },
      ],
    },
    refusals: ['publisher_not_found'],
    handler: async ({ query: { publisher_id } }) => {
      const publisher = publisher_id === undefined ? null : await getPublisher(reader, publisherIdIn(publisher_id))
      const [at, sums] = await Promise.all([findAddedUp(reader), listAccountSums(reader, publisher?.id ?? null)])
      return { at: at.toISOString(), content: accountsOf(sums) }
    },
  })

  operation('GET /operator/receivables', {
    config: { permission: 'ledger:read' },
    id: 'listReceivables',
    summary: 'List what advertisers owe, by age, the largest amounts first',
    description:
      'Of production, or of one publisher. Ages are those of the last statement, plus what was booked since; reductions since then are taken off the oldest month. Advertisers of a publisher in production owe for all publishers together, so that its part alone has no age.',
    query: strictObject({
      publisher_id: Type.Optional(idField('Only of this publisher (pub_…), such as a sandbox.')),
      ...pageQuery,
    }),
    answer: pageSchema(ReceivableSchema),
    example: pageExample([
      {
        ...{ brand_uid: 'brand-market', brand_name: 'Corner Market', currency: 'USD', balance: 1250 },
        ageing: {
          ...{ statement_month: '2026-10', since_statement: 250, current: 250, days_1_30: 800, days_31_60: 200 },
          ...{ days_61_90: 0, days_over_90: 0, credit: 0 },
        },
      },
    ]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const { publisher_id } = query
      const publisher = publisher_id === undefined ? null : await getPublisher(reader, publisherIdIn(publisher_id))
      const paging = sortOf(query, RECEIVABLE_SORTS)
      const { rows, total } = await listReceivables(reader, publisher, paging, clock)
      return pageOf(rows.map(presentReceivable), total, paging)
    },
  })
}

function accountsOf(sums: readonly AccountSum[]): Static<typeof AccountsSchema>['content'] {
  const accounts = [...Map.groupBy(sums, ({ account, currency }) => `${account} ${currency}`).values()].flatMap(
    (of) => {
      const [first] = of
      if (first === undefined) return []
      const { account, currency } = first
      const [debits, credits] = [
        of.reduce((sum, one) => sum + one.debits, 0n),
        of.reduce((sum, one) => sum + one.credits, 0n),
      ]
      const money = (minor: bigint): number => toJsonNumber(minor, currency)
      return {
        ...{ account, currency, debits: money(debits), credits: money(credits), balance: money(debits - credits) },
        kinds: of.map((one) => ({ kind: one.kind, debits: money(one.debits), credits: money(one.credits) })),
      }
    },
  )
  return accounts.sort((one, other) => ACCOUNTS.indexOf(one.account) - ACCOUNTS.indexOf(other.account))
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
      ...{ statement_month: aged.month, since_statement: money(aged.sinceStatement), current: money(current) },
      ...{ days_1_30: money(upTo30), days_31_60: money(upTo60), days_61_90: money(upTo90) },
      ...{ days_over_90: money(over90), credit: money(aged.open.credit) },
    },
  }
}
