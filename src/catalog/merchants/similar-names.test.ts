import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'
import type { Band } from './types.ts'

// A rule book for texts that contain a brand's name but mean something else: a loan, a small business of that name, a
// sister brand. Each row has the text, the brand it names, the band of the match, and why.

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
  ['VELMORA #0417 SERVICE', 'Velmora', 'automatic', 'a dealership'],
  ['VELMORA CAPITAL', 'Velmora', 'review', 'the manufacturer’s lender'],
  ['VELMORA CAPITAL BLVD 0417', 'Velmora', 'automatic', 'a street name'],
  ['VELMORA FINANCIAL SVCS', 'Velmora', 'review', 'a lender named with “financial”'],
  ['VELMORA MOTOR ACCEPTANCE', 'Velmora', 'review', 'a lender named with “acceptance”'],
  ['ACH DEBIT VELMORA', 'Velmora', 'review', 'a bank transfer to a car maker repays a loan'],
  ['ACH DEBIT COPPERKETTLE', 'Copperkettle', 'automatic', 'a bank transfer to a store may be a purchase'],
  ['COPPERKETTLE BILL PAY', 'Copperkettle', 'review', 'a bill payment to a store pays off its card'],
  ['ORVATH TRUST', 'Orvath Trust', 'review', 'a bank’s name by itself means an account'],
  ['ORVATH TRUST SERVICES RENDERED', 'Orvath Trust', 'review', 'a bank’s name with words after it means an account'],
  ['ELECTRONIC WITHDRAWAL ORVATH TRUST 04412', 'Orvath Trust', 'review', 'a bank transfer to a bank'],
  ['ORVATH TRUST 04412', 'Orvath Trust', 'automatic', 'a store number shows that it is a store'],
  ['TARNBY MUTUAL AUTOPAY', 'Tarnby Mutual', 'automatic', 'a payment to an insurer is a premium'],
  ['TARNBY MUTUAL DES:PREM COLL ID:04412', 'Tarnby Mutual', 'automatic', 'a premium paid by bank transfer'],
  ['TARNBY MUTUAL CLAIM PAYMENT', null, 'none', 'a payment from the insurer'],
]
const smallShops: readonly Row[] = [
  ['SQ *COMPASS', 'Compass', 'review', 'a plain word after a small-business processor'],
  ['SQ *COMPASS LLC', 'Compass', 'review', 'a legal form after the name'],
  ['SQ *COMPASS LLCSALEM OR', 'Compass', 'review', 'a legal form joined to the city'],
  ['SQ *COMPASS #0417', 'Compass', 'automatic', 'a store number indicates the chain'],
  ['COMPASS 0417', 'Compass', 'automatic', 'no small-business processor'],
  ['SQ *LUCKY GARDEN LLC', 'Lucky Garden', 'review', 'plain words and a legal form'],
  ['SQ *COPPERKETTLE', 'Copperkettle', 'automatic', 'a name that no other brand has'],
  ['SQ *MIRABON BAKERY SALEM OR', 'Mirabon Coffee', 'review', 'a trade that is not in the brand’s name'],
  ['SQ *MIRABON COFFEE SALEM OR', 'Mirabon Coffee', 'automatic', 'the trade in the brand’s name'],
  ['SQ *MIRABON BAKERY #0417', 'Mirabon Coffee', 'automatic', 'a store number'],
  ['SP MIRABON BAKERY', 'Mirabon Coffee', 'automatic', 'the brand’s online store'],
  ['MIRABON BAKERY SALEM OR', 'Mirabon Coffee', 'automatic', 'no small-business processor'],
  ['COPPERKETTLE CRAB HOUSE', 'Copperkettle', 'review', 'an unrelated restaurant with that name'],
  ['LANTERN CRAB HOUSE 0417', 'Lantern', 'automatic', 'the brand is itself a restaurant'],
]
const sisters: readonly Row[] = [
  ['QX-COPPERKETTLE 0417', 'Copperkettle', 'automatic', 'a two-letter prefix with a dash is the store’s location'],
  ['QX-COMPASS RIDGEWAY', null, 'none', 'a dash before a plain word is uncertain'],
  ['QX-SALEM OR', 'Qx', 'automatic', 'a place after the dash'],
  ['QX - COPPERKETTLE 0417', 'Qx', 'review', 'a dash with spaces around it'],
  ['QXB-COPPERKETTLE 0417', 'Qxb', 'review', 'a three-letter prefix is a brand'],
  ['QUILLON PL OAKDALE TECH CTR', 'Quillon Place', 'automatic', 'the abbreviated word belongs to the sister brand'],
  ['QUILLON PLA OAKDALE TECH', 'Quillon', 'review', 'a word that may be the sister brand’s, cut off'],
  ['QUILLON OAKDALE TECH CTR', 'Quillon', 'automatic', 'no sister brand continues like that'],
]
const parents: readonly Row[] = [
  ['GOOGLE *NEST', 'Google', 'automatic', 'a product of the parent'],
  ['GOOGLE*WORKSPACE_RAVENNA', 'Google', 'automatic', 'a product followed by the customer’s site'],
  ['GOOGLE *STORAGE', 'Google', 'automatic', 'another product of the parent'],
  ['GOOGLE *CLOUD 4KT7 MOUNTAIN VIEW CA', 'Google', 'automatic', 'a product followed by a code'],
  ['GOOGLE *ONE MOUNTAIN VIEW CA', 'Google', 'automatic', 'a product followed by the head office'],
  ['GOOGLE *VOICE RECORDER', null, 'none', 'a product word that begins another company’s app'],
  ['GOOGLE *NESTLING GAME', null, 'none', 'another company’s app'],
]
for (const [text, named, band, why] of [...lenders, ...smallShops, ...sisters, ...parents]) {
  test(`${text}: ${why}`, () => {
    const match = matchBrand(index, { merchantDescriptor: text })
    assert.deepEqual([match.brandUid ?? match.proposedUid, match.band], [named, band])
  })
}

test('a matching category confirms a plain word after the prefix of a small-business processor', () => {
  const match = matchBrand(index, { merchantDescriptor: 'SQ *LANTERN', mcc: '5812' })
  assert.equal(match.brandUid, 'Lantern')
})
