import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms } from '../../../catalog/offers/index.ts'
import { restoreTerms, toStoredTerms } from './stored-terms.ts'

const row = {
  brandUid: 'acme',
  offerUid: 'card',
  offerType: 'CARD_LINKED',
  rewardType: 'CASHBACK_PERCENTAGE',
  currency: 'USD',
} as const
const group = { name: null, ratePpm: 50_000, amount: null, minAmount: null, maxAmount: null }
const terms: Terms = {
  ...row,
  offerVersion: 1,
  groups: [group],
  feePpm: 0,
  sharePpm: 0,
  minSpend: null,
  maxSpend: '900',
  refundPeriodDays: 0,
  oneTimeUse: false,
  newCustomerDays: null,
}

const stored = (of: Terms, inRow: { readonly brandUid: string } = row) =>
  toStoredTerms({ ...row, ...inRow, terms: of }) as Terms

test("stored terms omit empty members and members in the row's columns, and read back in full", () => {
  const lean = {
    offerVersion: 1,
    groups: [{ ratePpm: 50_000 }],
    feePpm: 0,
    sharePpm: 0,
    maxSpend: '900',
    refundPeriodDays: 0,
  }
  assert.deepEqual(stored(terms), lean)
  assert.deepEqual(restoreTerms({ ...row, terms: stored(terms) }), terms)
})

test("terms store their own brand when it differs from the row's", () => {
  const other = { ...row, brandUid: 'other' }
  assert.deepEqual(restoreTerms({ ...other, terms: stored(terms, other) }), terms)
})

test('terms stored in full by earlier versions read back unchanged', () => {
  assert.deepEqual(restoreTerms({ ...row, brandUid: 'moved', terms }), terms)
})

test('one-time use, new-customer days and group members survive storage', () => {
  const rich = { ...terms, oneTimeUse: true, newCustomerDays: 30, groups: [{ ...group, name: 'Shoes', skus: ['a'] }] }
  assert.deepEqual(restoreTerms({ ...row, terms: stored(rich) }), rich)
})
