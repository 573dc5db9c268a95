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

const SIGNS: readonly ((card: Card, account: Account) => boolean)[] = [
  (card, account) => card.accountId === account.accountId,
  (card, account) => card.persistentAccountId !== null && card.persistentAccountId === account.persistentAccountId,
  (card, account) =>
    // Two lasting ids that differ are two accounts, whatever they are called.
    (card.persistentAccountId === null || account.persistentAccountId === null) &&
    card.name === account.name &&
    card.mask === account.mask &&
    card.subtype === account.subtype,
]
