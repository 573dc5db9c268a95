import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/runs.ts'
import { type Amounts, noAmounts, splitGross, type Terms } from '../../../catalog/offers/index.ts'
import { type Book, mature } from '../../../ledger/index.ts'
import { addDays, DAY_MS, type Day, toDay } from '../../../platform/calendar.ts'
import { deriveUuid, newUuid } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { type Group, type PurchaseState, settle, toCause } from './settle.ts'
import type { Transaction } from './transaction.ts'

// One purchase on in-memory books, with a 30-day refund period.
const REFUND_DAYS = 30
const START = Date.parse('2026-01-01T12:00:00Z')
const userId = deriveUuid<'user'>('settle')
const publisher = { timeZone: 'UTC', currency: 'USD', limits: new Map([['USD', {}]]) } as unknown as Publisher

type Split = Pick<Terms, 'feePpm' | 'sharePpm' | 'rewardType'>
const CASHBACK = 'CASHBACK_PERCENTAGE'
const buildTerms = (split: Split, ratePpm: number): Terms => ({
  offerUid: 'offer',
  brandUid: 'brand',
  offerType: 'CARD_LINKED',
  currency: 'USD',
  ...split,
  minSpend: null,
  maxSpend: null,
  refundPeriodDays: REFUND_DAYS,
  oneTimeUse: false,
  newCustomerDays: null,
  groups: [{ name: null, ratePpm, amount: null, minAmount: null, maxAmount: null }],
})

const blank: Transaction = {
  userId,
  transactionId: newUuid<'transaction'>(),
  source: 'CARD',
  externalId: 'a',
  adjusts: null,
  brandUid: 'brand',
  matchMethod: 'brand_uid',
  merchantName: null,
  merchantDescriptor: null,
  orderId: null,
  accountId: null,
  currency: 'USD',
  amount: 0n,
  refunded: 0n,
  authorizedAt: new Date(START),
  clearedOn: null,
  status: 'PENDING',
  statusReason: null,
  offerUid: null,
  offerType: null,
  rewardType: null,
  terms: null,
  amounts: noAmounts,
  availableOn: null,
  maturesAt: null,
  lapsesAt: null,
  earnedAt: null,
  judgedIn: null,
  version: 1,
  createdAt: new Date(START),
  updatedAt: new Date(START),
}

/** Opens a purchase that can be settled and matured day by day. */
function openPurchase(terms: Terms) {
  const book: Book = { publisher, wallets: new Map([[userId, new Map()]]), journals: [] }
  let rows: Transaction[] = [{ ...blank, transactionId: newUuid<'transaction'>() }]
  let [bought, refunded, clearedDay, isNew] = [0n, 0n, 0, true]
  const settleOn = (day: number, ruled = terms): number => {
    const [root, ...adjustments] = rows as [Transaction, ...Transaction[]]
    const group: Group = ruled === terms ? { root, isNew, adjustments } : { root, isNew, adjustments, former: root }
    const changes = settle(
      book,
      group,
      buildState(bought, refunded, clearedDay),
      { terms: ruled, reason: null },
      at(day),
    )
    isNew = false
    for (const { after } of changes) {
      const known = rows.some(({ transactionId }) => transactionId === after.transactionId)
      rows = known ? rows.map((row) => (row.transactionId === after.transactionId ? after : row)) : [...rows, after]
    }
    return changes.length
  }
  return {
    rows: () => rows,
    settleOn,
    clear: (amount: bigint, day: number): void => {
      bought += amount
      clearedDay = day
      settleOn(day)
    },
    refund: (amount: bigint, day: number): void => {
      refunded += amount < bought - refunded ? amount : bought - refunded
      settleOn(day)
    },
    matureOn: (day: number): void => {
      rows = rows.map((row) => {
        if (row.status !== 'PENDING' || row.maturesAt === null || row.maturesAt > at(day)) return row
        mature(book, userId, toCause({ ...row, version: row.version + 1 }, at(day)), row.amounts)
        return { ...row, status: 'EARNED', maturesAt: null, earnedAt: at(day), version: row.version + 1 }
      })
    },
    left: () => ({ amount: bought - refunded, clearedDay }),
    /** Each party's balance according to the postings, before and after maturity. */
    booked: () => ({ pending: partiesIn(book, PENDING), matured: partiesIn(book, MATURED) }),
  }
}

const at = (day: number): Date => new Date(START + day * DAY_MS)
const dayAt = (day: number): Day => addDays(toDay(new Date(START), 'UTC'), day)

function buildState(amount: bigint, refunded: bigint, clearedDay: number): PurchaseState {
  return {
    amount,
    refunded,
    reported: amount,
    items: [],
    authorizedAt: new Date(START),
    changedAt: at(clearedDay),
    clearedOn: dayAt(clearedDay),
    clearsOn: dayAt(clearedDay),
    lapsesAt: null,
    emptyReason: amount === refunded ? 'refunded' : null,
  } as unknown as PurchaseState
}

type Parties = { readonly user: bigint; readonly share: bigint; readonly fee: bigint }
const PENDING = { user: ['user_pending'], share: ['publisher_pending'], fee: ['fee_pending'] }
const MATURED = { user: ['user_available', 'user_debt'], share: ['publisher_payable'], fee: ['fee_earned'] }

function partiesIn({ journals }: Book, accounts: Record<keyof Parties, readonly string[]>): Parties {
  const postings = journals.flatMap((journal) => journal.postings)
  const sum = (names: readonly string[]): bigint =>
    postings.reduce((total, { account, amount }) => (names.includes(account) ? total - amount : total), 0n)
  return { user: sum(accounts.user), share: sum(accounts.share), fee: sum(accounts.fee) }
}

const toParties = ({ user, publisher: share, fee }: Amounts): Parties => ({ user, share, fee })
const each = (a: Parties, b: Parties, of: (a: bigint, b: bigint) => bigint): Parties => ({
  user: of(a.user, b.user),
  share: of(a.share, b.share),
  fee: of(a.fee, b.fee),
})
const none: Parties = { user: 0n, share: 0n, fee: 0n }
const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const shownRows = (rows: readonly Transaction[]): string[] =>
  rows.map(({ status, amount, amounts: { user, publisher: share, fee }, statusReason, availableOn }) =>
    [status, amount, user, share, fee, statusReason ?? availableOn].join(' '),
  )

const MOSTLY_SHARE: Split = { feePpm: 50_000, sharePpm: 950_000, rewardType: CASHBACK }

test("clawing back a user's cent does not make the publisher's share of a new clearing payable early", () => {
  const purchase = openPurchase(buildTerms(MOSTLY_SHARE, 10_000))
  purchase.clear(1_000n, 0)
  purchase.matureOn(31)
  assert.deepEqual(purchase.booked().matured, { user: 1n, share: 9n, fee: 0n })
  purchase.clear(5_001n, 40)
  assert.deepEqual(purchase.booked(), {
    pending: { user: 0n, share: 48n, fee: 3n },
    matured: { user: 0n, share: 9n, fee: 0n },
  })
  const before = 'EARNED 1000 1 9 0 2026-02-01'
  const taken = 'EARNED 0 -1 0 0 adjusted'
  assert.deepEqual(shownRows(purchase.rows()), [before, 'PENDING 5001 0 48 3 2026-03-13', taken])
  assert.equal(purchase.settleOn(40), 0, 'settled again')
  purchase.matureOn(70)
  assert.deepEqual(purchase.booked().pending, { user: 0n, share: 48n, fee: 3n })
  purchase.matureOn(71)
  assert.deepEqual(purchase.booked(), { pending: none, matured: { user: 0n, share: 57n, fee: 3n } })
})

test('new terms after maturity claw back decreases and leave increases pending', () => {
  const before: Split = { feePpm: 100_000, sharePpm: 200_000, rewardType: CASHBACK }
  const purchase = openPurchase(buildTerms(before, 50_000))
  purchase.clear(10_000n, 0)
  purchase.matureOn(31)
  assert.deepEqual(purchase.booked().matured, { user: 350n, share: 100n, fee: 50n })
  purchase.settleOn(40, buildTerms({ ...before, sharePpm: 0 }, 60_000))
  assert.deepEqual(purchase.booked(), {
    pending: { user: 190n, share: 0n, fee: 10n },
    matured: { user: 350n, share: 0n, fee: 50n },
  })
})

test('after any clearings, refunds and waits, all parties have what they are owed and no increase is early', () => {
  const stepArbitrary = fc.record({
    kind: fc.constantFrom('clear', 'refund'),
    amount: fc.bigInt(1n, 9_999n),
    wait: fc.integer({ min: 0, max: 45 }),
  })
  const split = fc.record({
    feePpm: fc.nat(300_000),
    sharePpm: fc.nat(700_000),
    rewardType: fc.constantFrom(CASHBACK as Terms['rewardType'], 'DISCOUNT_PERCENTAGE'),
  })
  fc.assert(
    fc.property(split, fc.integer({ min: 1_000, max: 100_000 }), fc.array(stepArbitrary), (by, ratePpm, steps) => {
      const purchase = openPurchase(buildTerms(by, ratePpm))
      purchase.clear(2_000n, 0)
      let [day, isEarned, matured] = [0, false, none]
      for (const { kind, amount, wait } of steps) {
        day += wait
        purchase.matureOn(day)
        const isDue = day > purchase.left().clearedDay + REFUND_DAYS
        if (isDue) matured = owedNow(by, ratePpm, purchase.left().amount)
        isEarned ||= isDue && purchase.rows()[0]?.status === 'EARNED'
        if (kind === 'clear') purchase.clear(amount, day)
        else purchase.refund(amount, day)
        const owed = owedNow(by, ratePpm, purchase.left().amount)
        matured = isEarned ? each(matured, owed, lesser) : none
        assert.deepEqual(purchase.booked(), { pending: each(owed, matured, (a, b) => a - b), matured })
        assert.equal(purchase.settleOn(day), 0, 'settled again')
      }
    }),
    { numRuns: runs(300) },
  )
})

function owedNow(split: Split, ratePpm: number, minor: bigint): Parties {
  return toParties(splitGross(split, (minor * BigInt(ratePpm) + 500_000n) / 1_000_000n))
}
