import type { UserId } from '../platform/ids.ts'
import type { Card } from './queries.ts'

/** An account as the provider shows it now. */
export type Account = {
  readonly accountId: string
  readonly persistentAccountId: string | null
  readonly name: string
  readonly mask: string | null
  readonly subtype: string | null
}

export type Pairing = {
  readonly kept: readonly { readonly card: Card; readonly account: Account }[]
  readonly gone: readonly Card[]
  readonly fresh: readonly Account[]
}

/**
 * Which known card each account is. The strongest sign decides first: the provider's id, then the institution's lasting
 * id, then name, digits and kind together, for a user who links the same login again gets new ids throughout.
 */
export function pairAccounts(cards: readonly Card[], accounts: readonly Account[]): Pairing {
  const kept: { card: Card; account: Account }[] = []
  const unpaired = new Set(accounts)
  const open = new Set(cards)
  for (const same of SIGNS) {
    for (const card of open) {
      const account = [...unpaired].find((candidate) => same(card, candidate))
      if (account === undefined) continue
      kept.push({ card, account })
      unpaired.delete(account)
      open.delete(card)
    }
  }
  return { kept, gone: [...open], fresh: [...unpaired] }
}

const SIGNS: readonly ((card: Account, account: Account) => boolean)[] = [
  (card, account) => card.accountId === account.accountId,
  isSameForEver,
  // Two lasting ids that differ are two accounts, whatever they are called.
  (card, account) => looksAlike(card, account) && !differForEver(card, account),
]

/**
 * Whether a user's cards are those of the login that shows these accounts now. Where the institution tells no digits,
 * two logins of one user may well have an account of the same name; there all accounts must be found again.
 */
export function isSameLogin(cards: readonly Card[], accounts: readonly Account[]): boolean {
  const { kept } = pairAccounts(cards, accounts)
  if (kept.some(({ card, account }) => isOneAccount(card, account))) return true
  return kept.length > 0 && kept.length === Math.min(cards.length, accounts.length)
}

/** Whether what one user holds twice is one account: digits, where they are told, are enough between his own logins. */
export function isOneAccount(one: Account, other: Account): boolean {
  if (one.accountId === other.accountId || isSameForEver(one, other)) return true
  return one.mask !== null && looksAlike(one, other) && !differForEver(one, other)
}

/** same: it is one account, beyond doubt; alike: it may be one. */
type Likeness = 'same' | 'alike'

/**
 * What these accounts, all of one login, have to do with those that other users hold. An id in common is certain. Name,
 * digits and kind are not: at a large bank many pairs of customers have an account in common by these three. Two such
 * accounts of one user are certain again (decision 0011 has the numbers). Accounts without digits look like nothing.
 */
export function likenessOf(
  accounts: readonly Account[],
  others: readonly (Account & { readonly userId: UserId })[],
): Map<Account, Likeness> {
  const likeness = new Map<Account, Likeness>()
  for (const userId of new Set(others.map((other) => other.userId))) {
    const alike = pairAlike(
      accounts,
      others.filter((other) => other.userId === userId),
    )
    for (const account of alike)
      if (likeness.get(account) !== 'same') likeness.set(account, alike.length > 1 ? 'same' : 'alike')
  }
  for (const account of accounts) {
    const known = others.some((other) => other.accountId === account.accountId || isSameForEver(other, account))
    if (known) likeness.set(account, 'same')
  }
  return likeness
}

/** The accounts that look like one of the others; each of those is counted for one account only. */
function pairAlike(accounts: readonly Account[], others: readonly Account[]): Account[] {
  const open = new Set(others)
  return accounts.filter((account) => {
    const other = [...open].find(
      (candidate) => account.mask !== null && looksAlike(candidate, account) && !differForEver(candidate, account),
    )
    return other !== undefined && open.delete(other)
  })
}

function isSameForEver(one: Account, other: Account): boolean {
  return one.persistentAccountId !== null && one.persistentAccountId === other.persistentAccountId
}

function differForEver(one: Account, other: Account): boolean {
  return (
    one.persistentAccountId !== null &&
    other.persistentAccountId !== null &&
    one.persistentAccountId !== other.persistentAccountId
  )
}

function looksAlike(one: Account, other: Account): boolean {
  return one.name === other.name && one.mask === other.mask && one.subtype === other.subtype
}
