import Type from 'typebox'
import { idField, namedObject, strictObject } from '../platform/http/index.ts'
import { field, money, oneOf, text } from '../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../platform/resource/resource.ts'
import { type OperatorDeps, type OperatorOperation, parsePublisherId } from '../tenants/access/index.ts'
import { getPublisher } from '../tenants/publishers/index.ts'
import { type AccountSum, findAddedUp, listAccountSums } from './daily-sums-queries.ts'
import { ACCOUNTS, JOURNAL_KINDS } from './rules.ts'

const sides = (debits: number, credits: number) => ({
  debits: money({ example: debits, description: 'Sum of all debits.' }),
  credits: money({ example: credits, description: 'Sum of all credits.' }),
})
const MOVEMENT = resource('AccountMovement', {
  kind: oneOf(JOURNAL_KINDS, { example: 'accrual', description: 'Kind of journal.' }),
  ...sides(0, 105),
})
const ACCOUNT_TOTAL = resource('AccountTotal', {
  account: oneOf(ACCOUNTS, { example: 'user_pending', description: 'The account.' }),
  currency: text({ example: 'USD' }),
  ...sides(35, 105),
  balance: money({ example: -70, description: 'Debits minus credits.' }),
  kinds: field(
    Type.Array(MOVEMENT.schema, { description: 'Movements of the account, by kind of journal.' }),
    { example: [MOVEMENT.example, { kind: 'maturity', debits: 35, credits: 0 }] },
    (kinds: readonly AccountSum[]) => kinds.map(MOVEMENT.present),
  ),
})

const AccountsSchema = namedObject('LedgerAccounts', {
  at: Type.String({ description: 'Time up to which bookings are included, a few seconds ago. RFC 3339.' }),
  content: Type.Array(ACCOUNT_TOTAL.schema, {
    description:
      'Accounts that have postings. User and advertiser accounts are totals across all users or advertisers.',
  }),
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
    example: { at: '2026-11-21T10:15:30.000Z', content: [ACCOUNT_TOTAL.example] },
    refusals: ['publisher_not_found'],
    handler: async ({ query: { publisher_id } }) => {
      const publisher = publisher_id === undefined ? null : await getPublisher(reader, parsePublisherId(publisher_id))
      const [at, sums] = await Promise.all([findAddedUp(reader), listAccountSums(reader, publisher?.id ?? null)])
      return { at: at.toISOString(), content: sumByAccount(sums).map(ACCOUNT_TOTAL.present) }
    },
  })
}

function sumByAccount(sums: readonly AccountSum[]): ResourceRow<typeof ACCOUNT_TOTAL>[] {
  return [...Map.groupBy(sums, ({ account, currency }) => `${account} ${currency}`).values()]
    .flatMap((kinds) => {
      const debits = kinds.reduce((sum, one) => sum + one.debits, 0n)
      const credits = kinds.reduce((sum, one) => sum + one.credits, 0n)
      return kinds
        .slice(0, 1)
        .map(({ account, currency }) => ({ account, currency, debits, credits, balance: debits - credits, kinds }))
    })
    .sort((one, other) => ACCOUNTS.indexOf(one.account) - ACCOUNTS.indexOf(other.account))
}
