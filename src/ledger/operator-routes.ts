import Type, { type Static } from 'typebox'
import { enumField, idField, namedObject, strictObject } from '../platform/http/index.ts'
import { toJsonNumber } from '../platform/money.ts'
import { type OperatorDeps, type OperatorOperation, parsePublisherId } from '../tenants/access/index.ts'
import { getPublisher } from '../tenants/publishers/index.ts'
import { type AccountSum, findAddedUp, listAccountSums } from './daily-sums-queries.ts'
import { ACCOUNTS, JOURNAL_KINDS } from './rules.ts'

const amount = (description: string) => Type.Number({ description })
const sides = { debits: amount('Sum of all debits.'), credits: amount('Sum of all credits.') }

const AccountsSchema = namedObject('LedgerAccounts', {
  at: Type.String({ description: 'Time up to which bookings are included, a few seconds ago. RFC 3339.' }),
  content: Type.Array(
    namedObject('AccountTotal', {
      account: enumField(ACCOUNTS, 'The account.'),
      currency: Type.String(),
      ...sides,
      balance: amount('Debits minus credits.'),
      kinds: Type.Array(
        namedObject('AccountMovement', { kind: enumField(JOURNAL_KINDS, 'Kind of journal.'), ...sides }),
        {
          description: 'Movements of the account, by kind of journal.',
        },
      ),
    }),
    {
      description:
        'Accounts that have postings. User and advertiser accounts are totals across all users or advertisers.',
    },
  ),
})

/** Registers the routes for ledger accounts. */
export function operatorLedgerRoutes(operation: OperatorOperation, { db: { reader } }: OperatorDeps): void {
  operation('GET /operator/ledger/accounts', {
    config: { permission: 'ledger:read' },
    id: 'listLedgerAccounts',
    summary: 'List the ledger accounts of one or all publishers, with their movements',
    description:
      'Reads running totals, so it responds immediately. `GET /operator/trial-balance` reads the journals themselves, as of any instant.',
    query: strictObject({ publisher_id: Type.Optional(idField('Only this publisher (pub_…).')) }),
    answer: AccountsSchema,
    example: {
      at: '2026-11-21T10:15:30.000Z',
      content: [
        {
          account: 'user_pending',
          currency: 'USD',
          debits: 35,
          credits: 105,
          balance: -70,
          kinds: [
            { kind: 'accrual', debits: 0, credits: 105 },
            { kind: 'maturity', debits: 35, credits: 0 },
          ],
        },
      ],
    },
    refusals: ['publisher_not_found'],
    handler: async ({ query: { publisher_id } }) => {
      const publisher = publisher_id === undefined ? null : await getPublisher(reader, parsePublisherId(publisher_id))
      const [at, sums] = await Promise.all([findAddedUp(reader), listAccountSums(reader, publisher?.id ?? null)])
      return { at: at.toISOString(), content: sumByAccount(sums) }
    },
  })
}

function sumByAccount(sums: readonly AccountSum[]): Static<typeof AccountsSchema>['content'] {
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
        account,
        currency,
        debits: money(debits),
        credits: money(credits),
        balance: money(debits - credits),
        kinds: of.map((one) => ({ kind: one.kind, debits: money(one.debits), credits: money(one.credits) })),
      }
    },
  )
  return accounts.sort((one, other) => ACCOUNTS.indexOf(one.account) - ACCOUNTS.indexOf(other.account))
}
