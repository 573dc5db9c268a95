import { createHash, randomInt } from 'node:crypto'
import { getVisible } from './feed.ts'
import { deriveId, newId } from './ids.ts'
import type { Institution } from './institutions.ts'
import type { Account, AccountFilters, Item } from './state.ts'

type Product = Pick<Account, 'type' | 'subtype'> & {
  readonly names: readonly string[]
  readonly openingCents: readonly [from: number, to: number]
  readonly limitCents: number | null
}

const CARD: Product = {
  type: 'credit',
  subtype: 'credit card',
  names: ['Everyday Rewards Card', 'Travel Card', 'Cash Card'],
  openingCents: [4_000, 140_000],
  limitCents: 500_000,
}
const CHECKING: Product = {
  type: 'depository',
  subtype: 'checking',
  names: ['Everyday Checking', 'Simple Checking'],
  openingCents: [60_000, 450_000],
  limitCents: null,
}
const SAVINGS: Product = {
  type: 'depository',
  subtype: 'savings',
  names: ['Rainy Day Savings', 'Growth Savings'],
  openingCents: [100_000, 2_000_000],
  limitCents: null,
}

/**
 * Opens a login's accounts. Everything except the account ids is derived from the bank and the username, so linking the
 * same login twice yields the same accounts under new ids, as it does at the real provider. Clients must recognize that
 * the accounts are the same.
 */
export function openAccounts(institution: Institution, username: string): Account[] {
  const draw = drawFrom(institution.id, username.toLowerCase())
  const second = [[], [SAVINGS], [SAVINGS, CARD]][draw('extras', 0, 2)] ?? []
  return [CARD, CHECKING, ...second].map((product, index) => createAccount(institution, username, product, index))
}

export const SUBTYPES = ['credit card', 'checking', 'savings'] as const

/** Opens another account for a login. */
export function openAccount(institution: Institution, username: string, subtype: (typeof SUBTYPES)[number]): Account {
  const product = [CARD, CHECKING, SAVINGS].find((one) => one.subtype === subtype) ?? CARD
  return createAccount(institution, username, product, randomInt(FIRST_FREE_INDEX, 2 ** 32))
}

/** Higher than any index used by a login's initial accounts. */
const FIRST_FREE_INDEX = 100

function createAccount(institution: Institution, username: string, product: Product, index: number): Account {
  const draw = drawFrom(institution.id, username.toLowerCase())
  const part = (what: string, from: number, to: number) => draw(`${index} ${what}`, from, to)
  const name = product.names[(part('name', 0, 5) + index) % product.names.length] ?? product.subtype
  const persists = institution.persistentIds && product.type === 'depository'
  return {
    accountId: newId(),
    persistentId: persists ? deriveId(institution.id, username.toLowerCase(), String(index)) : null,
    name,
    officialName: `${institution.name} ${name}`,
    mask: institution.tellsMasks ? String(part('mask', 1000, 9999)) : null,
    type: product.type,
    subtype: product.subtype,
    openingCents: part('balance', ...product.openingCents),
    limitCents: product.limitCents,
    shared: true,
  }
}

/**
 * Returns the accounts that a client may see: all of them if there are no filters, otherwise only those of the listed
 * types and subtypes.
 */
export function filterAccounts(accounts: readonly Account[], filters: AccountFilters | null): Account[] {
  return accounts.filter((account) => {
    if (filters === null) return true
    const subtypes = filters[account.type]?.account_subtypes ?? []
    return subtypes.includes(account.subtype) || subtypes.includes('all')
  })
}

/** Formats an account as the API returns it, with balances that reflect the transactions made in the simulator. */
export function presentAccount(account: Account, item: Item) {
  const { persistentId } = account
  return {
    account_id: account.accountId,
    balances: computeBalances(account, item),
    holder_category: 'personal',
    mask: account.mask,
    name: account.name,
    official_name: account.officialName,
    subtype: account.subtype,
    type: account.type,
    ...(persistentId === null ? {} : { persistent_account_id: persistentId }),
  }
}

/**
 * Computes an account's balance, which for a card is the amount owed. Pending rows affect only the available amount.
 */
function computeBalances(account: Account, item: Item) {
  let posted = 0
  let pending = 0
  for (const { row } of Object.values(getVisible(item).transactions)) {
    if (row.account_id !== account.accountId) continue
    const cents = Math.round(row.amount * 100)
    if (row.pending) pending += cents
    else posted += cents
  }
  const owed = account.type === 'credit'
  const current = owed ? account.openingCents + posted : account.openingCents - posted
  const available = owed ? (account.limitCents ?? 0) - current - pending : current - pending
  return {
    available: available / 100,
    current: current / 100,
    limit: account.limitCents === null ? null : account.limitCents / 100,
    iso_currency_code: 'USD',
    unofficial_currency_code: null,
  }
}

/** Returns a function that draws integers within bounds. They look random but are deterministic for a given login. */
function drawFrom(institutionId: string, username: string) {
  return (what: string, from: number, to: number): number => {
    const digest = createHash('sha256')
      .update(JSON.stringify([institutionId, username, what]))
      .digest()
    return from + (digest.readUInt32BE(0) % (to - from + 1))
  }
}
