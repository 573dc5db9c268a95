import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { ProviderError } from './errors.ts'
import { deriveId, newId } from './ids.ts'
import type { Institution } from './institutions.ts'
import type { Account, StoredTransaction } from './state.ts'
import { buildRow } from './transactions.ts'

/** The username whose password is a JSON description of the accounts and transactions. */
export const CUSTOM_USERNAME = 'user_custom'

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

/** The supported fields. The provider's other fields are ignored. */
const CustomAccount = Type.Object({
  type: Type.String({ minLength: 1 }),
  subtype: Type.String({ minLength: 1 }),
  starting_balance: Type.Optional(Type.Number()),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  meta: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      official_name: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Number()),
      mask: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{0,4}$' })),
    }),
  ),
  transactions: Type.Optional(
    Type.Array(
      Type.Object({
        date_transacted: Day,
        date_posted: Day,
        amount: Type.Number(),
        description: Type.String({ minLength: 1 }),
        currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
      }),
    ),
  ),
})
const CustomUser = Type.Object({ override_accounts: Type.Array(CustomAccount, { minItems: 1 }) })

export type CustomUser = Static<typeof CustomUser>

export function readCustomUser(password: string): CustomUser {
  const user = parse(password)
  if (Value.Check(CustomUser, user)) return user
  throw new ProviderError('INVALID_CREDENTIALS', 'the password of user_custom must be JSON with override_accounts')
}

/** Opens the described accounts with their transactions. Transactions with a future posting date are pending. */
export function openCustomAccounts(institution: Institution, { override_accounts }: CustomUser, today: string) {
  const opened = override_accounts.map((wish, index) => {
    const account = createAccount(institution, wish, index)
    const rows = (wish.transactions ?? []).map((transaction): StoredTransaction => {
      const { date_transacted, date_posted, amount, description, currency = wish.currency ?? 'USD' } = transaction
      const pending = date_posted > today
      const date = pending ? date_transacted : date_posted
      const row = { merchant: description, amount, currency, date, authorized_date: date_transacted, pending }
      return { row: buildRow(row, account, today), refundOf: null }
    })
    return { account, rows }
  })
  return { accounts: opened.map(({ account }) => account), rows: opened.flatMap(({ rows }) => rows) }
}

function createAccount(institution: Institution, wish: Static<typeof CustomAccount>, index: number): Account {
  const { type, subtype, meta = {}, starting_balance = 0 } = wish
  const persists = institution.persistentIds && type === 'depository'
  return {
    accountId: newId(),
    // The username is always the same, so the id is derived from the account's description instead.
    persistentId: persists ? deriveId(institution.id, JSON.stringify([type, subtype, meta]), String(index)) : null,
    name: meta.name ?? `Custom ${subtype}`,
    officialName: meta.official_name ?? null,
    mask: institution.tellsMasks && meta.mask !== '' ? (meta.mask ?? String(1000 + index)) : null,
    type,
    subtype,
    openingCents: Math.round(starting_balance * 100),
    limitCents: meta.limit === undefined ? null : Math.round(meta.limit * 100),
    shared: true,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
