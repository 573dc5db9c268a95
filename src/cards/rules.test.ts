import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Card } from './queries.ts'
import { type Account, pairAccounts } from './rules.ts'

function account(accountId: string, rest: Partial<Account> = {}): Account {
  return { accountId, persistentAccountId: null, name: 'Card', mask: '1111', subtype: 'credit card', ...rest }
}
function card(cardId: string, accountId: string, rest: Partial<Account> = {}): Card {
  const when = new Date('2026-01-01T00:00:00Z')
  const known = { linkId: 'link', version: 1, linkedAt: when, unlinkedAt: null }
  return { ...account(accountId, rest), ...known, cardId } as Card
}

const cases: readonly [
  what: string,
  cards: Card[],
  accounts: Account[],
  kept: string[],
  gone: string[],
  fresh: string[],
][] = [
  ['the same id', [card('1', 'a')], [account('a', { name: 'New name' })], ['1=a'], [], []],
  ['new ids, all else equal', [card('1', 'a')], [account('b')], ['1=b'], [], []],
  [
    'a lasting id though name and digits changed',
    [card('1', 'a', { persistentAccountId: 'p' })],
    [account('b', { persistentAccountId: 'p', mask: '2222', name: 'Other' })],
    ['1=b'],
    [],
    [],
  ],
  [
    'different lasting ids though all else is equal',
    [card('1', 'a', { persistentAccountId: 'p' })],
    [account('b', { persistentAccountId: 'q' })],
    [],
    ['1'],
    ['b'],
  ],
  ['other digits', [card('1', 'a')], [account('b', { mask: '2222' })], [], ['1'], ['b']],
  ['no digits on either side', [card('1', 'a', { mask: null })], [account('b', { mask: null })], ['1=b'], [], []],
  ['two alike, one left', [card('1', 'a'), card('2', 'b')], [account('b')], ['2=b'], ['1'], []],
  ['an id beats a likeness', [card('1', 'a'), card('2', 'b')], [account('c'), account('a')], ['1=a', '2=c'], [], []],
]

for (const [what, cards, accounts, kept, gone, fresh] of cases) {
  test(`which card an account is: ${what}`, () => {
    const pairing = pairAccounts(cards, accounts)
    assert.deepEqual(pairing.kept.map((pair) => `${pair.card.cardId}=${pair.account.accountId}`).toSorted(), kept)
    assert.deepEqual(
      pairing.gone.map((one) => one.cardId),
      gone,
    )
    assert.deepEqual(
      pairing.fresh.map((one) => one.accountId),
      fresh,
    )
  })
}
