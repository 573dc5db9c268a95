import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../test/support/brands.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'
import type { Band } from './types.ts'

// A rule book of texts that contain a brand's name but mean something else: a loan, a small business of that name, a
// sister brand. Each row has the text, the brand it names, how far that is trusted, and why.

const bank = ['6010', '6011', '6012', '6050', '6300']
const cars = ['5511', '5521', '5592', '7538']
const insurer = ['5960', '6010', '6011', '6300']

const index = buildBrandIndex([
  brand('Velmora', { mccs: cars }),
  brand('Orvath Trust', { mccs: bank }),
  brand('Tarnby Mutual', { mccs: insurer }),
  brand('Copperkettle'),
  brand('Qx', { domains: ['qx.com'] }),
  brand('Qxb', { domains: ['qxb.com'] }),
  brand('Lantern', { mccs: ['5812'] }),
  brand('Mirabon Coffee', { aliases: ['Mirabon'], mccs: ['5812', '5814'] }),
  brand('Compass', { domains: ['compass-books.com'] }),
  brand('Lucky Garden'),
  brand('Quillon'),
  brand('Quillon Place', { domains: ['quillon.com'] }),
  brand('Google', { domains: ['about.google'] }),
])

type Row = readonly [text: string, named: string | null, band: Band, why: string]

const lenders: readonly Row[] = [
  ['VELMORA #0417 SERVICE', 'Velmora', 'automatic', 'a dealer'],
  ['VELMORA CAPITAL', 'Velmora', 'review', 'the maker’s lender, not the maker'],
  ['VELMORA CAPITAL BLVD 0417', 'Velmora', 'automatic', 'a street'],
  ['VELMORA FINANCIAL SVCS', 'Velmora', 'review', 'a lender'],
  ['VELMORA MOTOR ACCEPTANCE', 'Velmora', 'review', 'a lender'],
  ['ACH DEBIT VELMORA', 'Velmora', 'review', 'from account to account a car maker is paid back'],
  ['ACH DEBIT COPPERKETTLE', 'Copperkettle', 'automatic', 'a shop may be paid so'],
  ['COPPERKETTLE BILL PAY', 'Copperkettle', 'review', 'a shop’s bill is its card'],
  ['ORVATH TRUST', 'Orvath Trust', 'review', 'a bank’s name alone means an account'],
  ['ORVATH TRUST SERVICES RENDERED', 'Orvath Trust', 'review', 'and with words after it'],
  ['ELECTRONIC WITHDRAWAL ORVATH TRUST 04412', 'Orvath Trust', 'review', 'an entry'],
  ['ORVATH TRUST 04412', 'Orvath Trust', 'automatic', 'a shop of that name with a number'],
  ['TARNBY MUTUAL AUTOPAY', 'Tarnby Mutual', 'automatic', 'what an insurer draws is its premium'],
  ['TARNBY MUTUAL DES:PREM COLL ID:04412', 'Tarnby Mutual', 'automatic', 'the same between banks'],
  ['TARNBY MUTUAL CLAIM PAYMENT', null, 'none', 'what it pays'],
]
const smallShops: readonly Row[] = [
  ['SQ *COMPASS', 'Compass', 'review', 'a plain word after a small shop’s till'],
  ['SQ *COMPASS LLC', 'Compass', 'review', 'and a company’s form'],
  ['SQ *COMPASS LLCSALEM OR', 'Compass', 'review', 'with the town printed onto it'],
  ['SQ *COMPASS #0417', 'Compass', 'automatic', 'its shop’s number speaks for the chain'],
  ['COMPASS 0417', 'Compass', 'automatic', 'no processor'],
  ['SQ *LUCKY GARDEN LLC', 'Lucky Garden', 'review', 'plain words and a company’s form'],
  ['SQ *COPPERKETTLE', 'Copperkettle', 'automatic', 'the name of no other brand'],
  ['SQ *MIRABON BAKERY SALEM OR', 'Mirabon Coffee', 'review', 'a trade that the brand does not call itself'],
  ['SQ *MIRABON COFFEE SALEM OR', 'Mirabon Coffee', 'automatic', 'the one it does'],
  ['SQ *MIRABON BAKERY #0417', 'Mirabon Coffee', 'automatic', 'its shop’s number'],
  ['SP MIRABON BAKERY', 'Mirabon Coffee', 'automatic', 'its own shop online'],
  ['MIRABON BAKERY SALEM OR', 'Mirabon Coffee', 'automatic', 'no processor'],
  ['COPPERKETTLE CRAB HOUSE', 'Copperkettle', 'review', 'a restaurant of that name'],
  ['LANTERN CRAB HOUSE 0417', 'Lantern', 'automatic', 'the trade of a restaurant'],
]
const sisters: readonly Row[] = [
  ['QX-COPPERKETTLE 0417', 'Copperkettle', 'automatic', 'two letters and a dash say where the shop is'],
  ['QX-COMPASS RIDGEWAY', null, 'none', 'before a plain word it is uncertain'],
  ['QX-SALEM OR', 'Qx', 'automatic', 'a place'],
  ['QX - COPPERKETTLE 0417', 'Qx', 'review', 'a dash between spaces'],
  ['QXB-COPPERKETTLE 0417', 'Qxb', 'review', 'three letters'],
  ['QUILLON PL OAKDALE TECH CTR', 'Quillon Place', 'automatic', 'the shortened word is the sister’s'],
  ['QUILLON PLA OAKDALE TECH', 'Quillon', 'review', 'a word that may be the sister’s, cut'],
  ['QUILLON OAKDALE TECH CTR', 'Quillon', 'automatic', 'no sister goes on so'],
]
const parents: readonly Row[] = [
  ['GOOGLE *NEST', 'Google', 'automatic', 'what it sells itself'],
  ['GOOGLE*WORKSPACE_RAVENNA', 'Google', 'automatic', 'followed by the customer’s site'],
  ['GOOGLE *STORAGE', 'Google', 'automatic', 'the same'],
  ['GOOGLE *CLOUD 4KT7 MOUNTAIN VIEW CA', 'Google', 'automatic', 'with a code'],
  ['GOOGLE *ONE MOUNTAIN VIEW CA', 'Google', 'automatic', 'with its head office'],
  ['GOOGLE *VOICE RECORDER', null, 'none', 'a word that begins another’s app'],
  ['GOOGLE *NESTLING GAME', null, 'none', 'another’s app'],
]
for (const [text, named, band, why] of [...lenders, ...smallShops, ...sisters, ...parents]) {
  test(`${text}: ${why}`, () => {
    const match = matchBrand(index, { merchantDescriptor: text })
    assert.deepEqual([match.brandUid ?? match.proposedUid, match.band], [named, band])
  })
}

test('a matching category confirms a plain word after a processor for small businesses', () => {
  const match = matchBrand(index, { merchantDescriptor: 'SQ *LANTERN', mcc: '5812' })
  assert.equal(match.brandUid, 'Lantern')
})
