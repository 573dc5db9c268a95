import type { UserId } from '../platform/ids.ts'
import type { Card, CardId, CardSpan } from './queries.ts'

/** An account as the provider shows it now. */
export type BankAccount = {
  readonly accountId: string
  readonly persistentAccountId: string | null
  readonly name: string
  readonly mask: string | null
  readonly subtype: string | null
}

export type Pairing = {
  readonly kept: readonly { readonly card: Card; readonly account: BankAccount }[]
  readonly gone: readonly Card[]
  readonly fresh: readonly BankAccount[]
}

/**
 * Matches accounts with known cards. The strongest criterion decides first: the provider's id, then the institution's
 * persistent id, then name, mask and subtype together, because a login that is linked again has new ids throughout.
 */
export function pairAccounts(cards: readonly Card[], accounts: readonly BankAccount[]): Pairing {
  const kept: { card: Card; account: BankAccount }[] = []
  const unpaired = new Set(accounts)
  const open = new Set(cards)
  for (const same of CRITERIA) {
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

const CRITERIA: readonly ((card: BankAccount, account: BankAccount) => boolean)[] = [
  (card, account) => card.accountId === account.accountId,
  hasSamePersistentId,
  // Different persistent ids are different accounts, regardless of their names.
  (card, account) => resembles(card, account) && !differInPersistentId(card, account),
]

/**
 * Whether a user's cards belong to the login that shows these accounts now. Without masks, two logins of one user may
 * have accounts of the same name; then all accounts must match.
 */
export function isSameLogin(cards: readonly Card[], accounts: readonly BankAccount[]): boolean {
  const { kept } = pairAccounts(cards, accounts)
  if (kept.some(({ card, account }) => isOneAccount(card, account))) return true
  return kept.length > 0 && kept.length === Math.min(cards.length, accounts.length)
}

/** Whether two accounts of one user are the same account: between logins of one user, equal masks suffice. */
export function isOneAccount(one: BankAccount, other: BankAccount): boolean {
  if (one.accountId === other.accountId || hasSamePersistentId(one, other)) return true
  return one.mask !== null && resembles(one, other) && !differInPersistentId(one, other)
}

/** Finds the card of a user's account id; an account that no card ever had stands for itself. */
export type CardOf = (userId: UserId, accountId: string | null) => string | null

/** An account that has a new id, or is linked again after it was unlinked, is the same card. */
export function cardsByAccount(spans: readonly CardSpan[]): CardOf {
  const cards = new Map<string, CardId>()
  const keyOf = (userId: UserId, accountId: string): string => `${userId} ${accountId}`
  for (const [userId, own] of Map.groupBy(spans, (span) => span.userId))
    for (const span of own) {
      const first = own.find((other) => other.cardId === span.cardId || isFormer(other, span)) ?? span
      cards.set(keyOf(userId, span.accountId), cards.get(keyOf(userId, first.accountId)) ?? first.cardId)
    }
  return (userId, accountId) => (accountId === null ? null : (cards.get(keyOf(userId, accountId)) ?? accountId))
}

/** Cards that are linked at the same time are two, however alike. */
function isFormer(one: CardSpan, other: CardSpan): boolean {
  const isGone = one.unlinkedAt !== null && one.unlinkedAt <= other.linkedAt
  return isGone ? isOneAccount(one, other) : one.accountId === other.accountId || hasSamePersistentId(one, other)
}

/** same: certainly one account; alike: possibly. */
type Likeness = 'same' | 'alike'

/**
 * How the accounts of one login resemble those of other users. A common id is certain. Name, mask and subtype are not:
 * at a large bank many pairs of customers have accounts that agree in these three. Two such accounts of one user are
 * certain again (decision 0011 has the numbers). Accounts without a mask resemble nothing.
 */
export function likenessOf(
  accounts: readonly BankAccount[],
  others: readonly (BankAccount & { readonly userId: UserId })[],
): Map<BankAccount, Likeness> {
  const likeness = new Map<BankAccount, Likeness>()
  for (const userId of new Set(others.map((other) => other.userId))) {
    const alike = pairAlike(
      accounts,
      others.filter((other) => other.userId === userId),
    )
    for (const account of alike)
      if (likeness.get(account) !== 'same') likeness.set(account, alike.length > 1 ? 'same' : 'alike')
  }
  for (const account of accounts) {
    const known = others.some((other) => other.accountId === account.accountId || hasSamePersistentId(other, account))
    if (known) likeness.set(account, 'same')
  }
  return likeness
}

/** The accounts that resemble one of the others; each of those counts for one account only. */
function pairAlike(accounts: readonly BankAccount[], others: readonly BankAccount[]): BankAccount[] {
  const open = new Set(others)
  return accounts.filter((account) => {
    const other = [...open].find(
      (candidate) =>
        account.mask !== null && resembles(candidate, account) && !differInPersistentId(candidate, account),
    )
    return other !== undefined && open.delete(other)
  })
}

/**
 * The accounts that may be among those that other users unlinked today. Where the bank gives no masks, name and subtype
 * suffice: a false match costs the purchases of a day, a missed one pays them twice.
 */
export function takenOverOf(accounts: readonly BankAccount[], former: readonly BankAccount[]): Set<BankAccount> {
  const isOf = (account: BankAccount) => (other: BankAccount) => CRITERIA.some((same) => same(other, account))
  return new Set(accounts.filter((account) => former.some(isOf(account))))
}

function hasSamePersistentId(one: BankAccount, other: BankAccount): boolean {
  return one.persistentAccountId !== null && one.persistentAccountId === other.persistentAccountId
}

function differInPersistentId(one: BankAccount, other: BankAccount): boolean {
  return (
    one.persistentAccountId !== null &&
    other.persistentAccountId !== null &&
    one.persistentAccountId !== other.persistentAccountId
  )
}

function resembles(one: BankAccount, other: BankAccount): boolean {
  return one.name === other.name && one.mask === other.mask && one.subtype === other.subtype
}
