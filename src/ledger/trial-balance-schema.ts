import Type, { type Static } from 'typebox'
import { enumField, idField, instantField, namedObject, nullable, strictObject } from '../platform/http/index.ts'
import { encodeId, type PublisherId } from '../platform/ids.ts'
import { toJsonNumber } from '../platform/money.ts'
import { ACCOUNTS } from './rules.ts'
import type { TrialBalance } from './trial-balance.ts'

export const TrialBalanceQuery = strictObject({
  publisher_id: idField('The publisher (pub_…).'),
  at: Type.Optional(
    instantField('Includes everything booked up to this instant. Defaults to now; a future instant is treated as now.'),
  ),
  by_owner: Type.Optional(
    enumField(
      ['true', 'false'],
      'True to break down advertiser_receivable by brand, and other shared accounts by owner.',
    ),
  ),
})

const amount = (description: string) => Type.Number({ description })

export const TrialBalanceSchema = namedObject('TrialBalance', {
  publisher_id: Type.String(),
  at: Type.String({
    description:
      'The instant of the balance. Requesting the same instant again returns the same result. RFC 3339, to the microsecond.',
  }),
  balanced: Type.Boolean({ description: 'True if debits equal credits in each currency.' }),
  content: Type.Array(
    namedObject('TrialBalanceLine', {
      account: enumField(ACCOUNTS, 'The account. User accounts are totals across all users.'),
      owner: nullable(
        Type.String({
          description:
            'The owner of this part, such as the brand of an advertiser_receivable; null for all owners together.',
        }),
      ),
      currency: Type.String(),
      debits: amount('Sum of all debits.'),
      credits: amount('Sum of all credits.'),
      balance: amount('Debits minus credits.'),
    }),
    { description: 'Accounts that have postings.' },
  ),
  totals: Type.Array(
    Type.Object({
      currency: Type.String(),
      debits: amount('All debits in this currency.'),
      credits: amount('All credits in this currency.'),
    }),
    { description: 'Totals across all accounts.' },
  ),
})

export function presentTrialBalance(
  publisherId: PublisherId,
  { at, accounts, totals, isBalanced }: TrialBalance,
): Static<typeof TrialBalanceSchema> {
  return {
    publisher_id: encodeId('pub', publisherId),
    at,
    balanced: isBalanced,
    content: accounts.map(({ account, owner, currency, debits, credits }) => ({
      account,
      owner: owner === '' ? null : owner,
      currency,
      debits: toJsonNumber(debits, currency),
      credits: toJsonNumber(credits, currency),
      balance: toJsonNumber(debits - credits, currency),
    })),
    totals: totals.map(({ currency, debits, credits }) => ({
      currency,
      debits: toJsonNumber(debits, currency),
      credits: toJsonNumber(credits, currency),
    })),
  }
}

/** Example for the API reference. */
export const trialBalanceExample: Static<typeof TrialBalanceSchema> = {
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  at: '2026-12-31T23:59:59.999999Z',
  balanced: true,
  content: [
    { account: 'advertiser_receivable', owner: null, currency: 'USD', debits: 150, credits: 50, balance: 100 },
    { account: 'user_pending', owner: null, currency: 'USD', debits: 35, credits: 105, balance: -70 },
    { account: 'publisher_pending', owner: null, currency: 'USD', debits: 10, credits: 30, balance: -20 },
    { account: 'fee_pending', owner: null, currency: 'USD', debits: 5, credits: 15, balance: -10 },
  ],
  totals: [{ currency: 'USD', debits: 200, credits: 200 }],
}
