import type { UserId } from '../../platform/ids.ts'
import type { BankAccount, Card, CardId, CardSpan } from './queries.ts'

export type Pairing = {
  readonly kept: readonly { readonly card: Card; readonly account: BankAccount }[]
  readonly gone: readonly Card[]
  readonly fresh: readonly BankAccount[]
}

/**
 * Matches accounts with existing cards, trying the strongest criterion first: the provider's id, then the institution's
 * persistent id, then name, mask and subtype together. The last is needed because linking a login again changes all its
 * ids.
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
  // Different persistent ids mean different accounts, regardless of their names.
  (card, account) => resembles(card, account) && !differInPersistentId(card, account),
]

/**
 * Returns true if a user's cards belong to the login that shows these accounts now. Unless a match is certain, all the
 * cards or all the accounts must match, because two logins of one user may have accounts with the same name.
 */
export function isSameLogin(cards: readonly Card[], accounts: readonly BankAccount[]): boolean {
  const { kept } = pairAccounts(cards, accounts)
  if (kept.some(({ card, account }) => isOneAccount(card, account))) return true
  return kept.length > 0 && kept.length === Math.min(cards.length, accounts.length)
}

/**
 * Returns true if two accounts of one user are the same. Between logins of one user, the same name, mask and subtype
 * suffice, but only if there is a mask and the persistent ids do not differ.
 */
export function isOneAccount(one: BankAccount, other: BankAccount): boolean {
  if (one.accountId === other.accountId || hasSamePersistentId(one, other)) return true
  return one.mask !== null && resembles(one, other) && !differInPersistentId(one, other)
}

/** Maps a user's account id to its card. An account id that no card has ever had maps to itself. */
export type FindCard = (userId: UserId, accountId: string | null) => string | null

/**
 * Builds the lookup from account ids to cards. An account keeps its card when it gets a new id or is linked again after
 * it was unlinked.
 */
export function indexCardsByAccount(spans: readonly CardSpan[]): FindCard {
  const cards = new Map<string, CardId>()
  const toKey = (userId: UserId, accountId: string): string => `${userId} ${accountId}`
  for (const [userId, own] of Map.groupBy(spans, (span) => span.userId))
    for (const span of own) {
      const first = own.find((other) => other.cardId === span.cardId || isFormer(other, span)) ?? span
      cards.set(toKey(userId, span.accountId), cards.get(toKey(userId, first.accountId)) ?? first.cardId)
    }
  return (userId, accountId) => (accountId === null ? null : (cards.get(toKey(userId, accountId)) ?? accountId))
}

/** Cards that are linked at the same time are distinct unless they share an id, even if they look alike. */
function isFormer(one: CardSpan, other: CardSpan): boolean {
  const isGone = one.unlinkedAt !== null && one.unlinkedAt <= other.linkedAt
  return isGone ? isOneAccount(one, other) : one.accountId === other.accountId || hasSamePersistentId(one, other)
}

/** `same` is a certain match; `alike` is only a possible one. */
type Likeness = 'same' | 'alike'

/**
 * Compares the accounts of one login with those of other users. A shared id is certain evidence. A match on name, mask
 * and subtype is not, because at a large bank, many pairs of customers have accounts that match in all three. Two such
 * matches with one user are certain (decision 0011 has the numbers). Accounts without a mask match only by id.
 */
export function compareAccounts(
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

/** Returns the accounts that resemble an account in `others`. Each account in `others` matches at most one. */
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
 * Returns the accounts that other users might have unlinked today. Where the bank provides no masks, name and subtype
 * suffice, because a false positive costs the user one day of purchases, while a false negative pays for those
 * purchases twice.
 */
export function findTakenOver(accounts: readonly BankAccount[], former: readonly BankAccount[]): Set<BankAccount> {
  const matches = (account: BankAccount) => (other: BankAccount) => CRITERIA.some((same) => same(other, account))
  return new Set(accounts.filter((account) => former.some(matches(account))))
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
