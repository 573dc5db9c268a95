import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '../../platform/ids.ts'
import type { BankAccount, Card } from './queries.ts'
import { compareAccounts, indexCardsByAccount, isSameLogin, pairAccounts } from './rules.ts'

function account(accountId: string, rest: Partial<BankAccount> = {}): BankAccount {
  return { accountId, persistentAccountId: null, name: 'Card', mask: '1111', subtype: 'credit card', ...rest }
}
function card(cardId: string, accountId: string, rest: Partial<BankAccount> = {}): Card {
  const when = new Date('2026-01-01T00:00:00Z')
  const known = { linkId: 'link', version: 1, linkedAt: when, unlinkedAt: null }
  return { ...account(accountId, rest), ...known, cardId } as Card
}

const cases: readonly [
  what: string,
  cards: Card[],
  accounts: BankAccount[],
  kept: string[],
  gone: string[],
  fresh: string[],
][] = [
  ['same account id', [card('1', 'a')], [account('a', { name: 'New name' })], ['1=a'], [], []],
  ['new account id, everything else equal', [card('1', 'a')], [account('b')], ['1=b'], [], []],
  [
    'same persistent id, although name and mask changed',
    [card('1', 'a', { persistentAccountId: 'p' })],
    [account('b', { persistentAccountId: 'p', mask: '2222', name: 'Other' })],
    ['1=b'],
    [],
    [],
  ],
  [
    'different persistent ids, everything else equal',
    [card('1', 'a', { persistentAccountId: 'p' })],
    [account('b', { persistentAccountId: 'q' })],
    [],
    ['1'],
    ['b'],
  ],
  ['a different mask', [card('1', 'a')], [account('b', { mask: '2222' })], [], ['1'], ['b']],
  ['no mask on either side', [card('1', 'a', { mask: null })], [account('b', { mask: null })], ['1=b'], [], []],
  ['two identical cards and one account', [card('1', 'a'), card('2', 'b')], [account('b')], ['2=b'], ['1'], []],
  [
    'an id outranks a resemblance',
    [card('1', 'a'), card('2', 'b')],
    [account('c'), account('a')],
    ['1=a', '2=c'],
    [],
    [],
  ],
]

for (const [what, cards, accounts, kept, gone, fresh] of cases) {
  test(`accounts are matched with existing cards: ${what}`, () => {
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

const NO_MASK = { mask: null }
const logins: readonly [what: string, cards: Card[], accounts: BankAccount[], same: boolean][] = [
  ['new ids and one account missing', [card('1', 'a'), card('2', 'b', { mask: '2222' })], [account('c')], true],
  [
    'one account in common',
    [card('1', 'a'), card('2', 'b', { mask: '2222' })],
    [account('c'), account('d', { mask: '3333' })],
    true,
  ],
  ['a different mask', [card('1', 'a')], [account('b', { mask: '2222' })], false],
  [
    'no masks, and every account matches a card',
    [card('1', 'a', NO_MASK), card('2', 'b', { name: 'Two', ...NO_MASK })],
    [account('c', NO_MASK)],
    true,
  ],
  [
    'no masks, and one of two names in common',
    [card('1', 'a', NO_MASK), card('2', 'b', { name: 'Two', ...NO_MASK })],
    [account('c', NO_MASK), account('d', { name: 'Three', ...NO_MASK })],
    false,
  ],
  ['no accounts', [card('1', 'a')], [], false],
]

for (const [what, cards, accounts, same] of logins) {
  test(`a login is recognized by its accounts: ${what}`, () => assert.equal(isSameLogin(cards, accounts), same))
}

const other = (userId: string, accountId: string, rest: Partial<BankAccount> = {}) => ({
  ...account(accountId, rest),
  userId: userId as UserId,
})
const second = { mask: '2222', name: 'Checking' }
const likenesses: readonly [
  what: string,
  accounts: BankAccount[],
  others: ReturnType<typeof other>[],
  found: string[],
][] = [
  ['no other cards', [account('a')], [], []],
  ['a shared account id', [account('a', { mask: '9999' })], [other('u', 'a')], ['a=same']],
  [
    'a shared persistent id',
    [account('a', { persistentAccountId: 'p', mask: '9999' })],
    [other('u', 'b', { persistentAccountId: 'p' })],
    ['a=same'],
  ],
  [
    'one account with the same name, mask and type',
    [account('a'), account('b', second)],
    [other('u', 'c')],
    ['a=alike'],
  ],
  [
    'two accounts with the same names, masks and types',
    [account('a'), account('b', second)],
    [other('u', 'c'), other('u', 'd', second)],
    ['a=same', 'b=same'],
  ],
  [
    'one resemblance to each of two users',
    [account('a'), account('b', second)],
    [other('u', 'c'), other('v', 'd', second)],
    ['a=alike', 'b=alike'],
  ],
  ['two accounts that resemble the same card', [account('a'), account('b')], [other('u', 'c')], ['a=alike']],
  ['a different account type', [account('a')], [other('u', 'c', { subtype: 'checking' })], []],
  [
    'no masks',
    [account('a', NO_MASK), account('b', { ...second, ...NO_MASK })],
    [other('u', 'c', NO_MASK), other('u', 'd', { ...second, ...NO_MASK })],
    [],
  ],
  [
    'different persistent ids',
    [account('a', { persistentAccountId: 'p' })],
    [other('u', 'c', { persistentAccountId: 'q' })],
    [],
  ],
]

for (const [what, accounts, others, found] of likenesses) {
  test(`accounts are compared with other users' cards: ${what}`, () => {
    const likeness = compareAccounts(accounts, others)
    assert.deepEqual([...likeness].map(([one, how]) => `${one.accountId}=${how}`).toSorted(), found)
  })
}

test('an account keeps its card when its id changes or when it is linked again', () => {
  const unlinkedAt = new Date('2026-01-01T00:00:00Z')
  const span = (cardId: string, accountId: string, rest: Partial<Card> = {}) => ({
    ...card(cardId, accountId),
    ...rest,
    userId: 'user' as UserId,
    takenOver: false,
  })
  const [gone, other] = [{ unlinkedAt }, { mask: '2222' }]
  const spans = [
    ...[span('1', 'a', gone), span('1', 'b', gone), span('2', 'c', other), span('3', 'd'), span('4', 'c', other)],
    // These two are linked at the same time.
    ...[span('5', 'e', { mask: '3333' }), span('6', 'f', { mask: '3333' })],
  ]
  const findCard = indexCardsByAccount(spans)
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e', 'f', 'unknown', null].map((one) => findCard('user' as UserId, one)),
    ['1', '1', '2', '1', '5', '6', 'unknown', null],
  )
  assert.equal(findCard('other' as UserId, 'a'), 'a')
})
