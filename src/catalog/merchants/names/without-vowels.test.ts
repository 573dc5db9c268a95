import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex, changeBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'
import { toConsonantKey } from '../text/consonant-key.ts'
import type { Band } from '../types.ts'

// A rule book for names whose vowels a till dropped. Each row has the statement's text, the brand it refers to, the
// band of the match, and why.

const brands = [
  brand('Walgreens'),
  brand('Dollar Tree', { domains: ['dollartree.com'] }),
  brand('Velmora Outfitters'),
  brand('Orvane Tackle'),
  brand('Lucky Corner'),
  brand('Barnaby Wells'),
  brand('Burnaby Wells'),
  brand('Pellworm Ferry Cafe', { domains: [] }),
  brand('Kaufmarkt', { countries: ['de'] }),
  brand('Dodgers', { domains: ['dodgers-shop.com'] }),
  brand('Marchels'),
  brand('Teasdel'),
  brand('Superings'),
  brand('Breakwater'),
]
const index = buildBrandIndex(brands)

const rows: readonly (readonly [text: string, named: string | null, band: Band, why: string])[] = [
  ['WLGRNS #04471 SALEM OR', 'Walgreens', 'automatic', 'all vowels dropped'],
  ['WALGRNS 04471', 'Walgreens', 'automatic', 'some vowels dropped'],
  ['WLGREENS 04471', 'Walgreens', 'automatic', 'the first vowel dropped'],
  ['WLGRNS 447 OAKLND PLAZ', 'Walgreens', 'automatic', 'a known name, with a truncated city'],
  ['WLGRNS', null, 'none', 'no store number'],
  ['WLGRNS SALEM OR', null, 'none', 'a place but no store number'],
  ['WLGRNS *PHOTO', null, 'none', 'a star is not a store number'],
  ['WLGRNS PARTY 04471', null, 'none', 'a word that is not in the name'],
  ['WLGRND 04471', null, 'none', 'a different consonant'],
  ['WLGRN 04471', null, 'none', 'a consonant is missing'],
  ['WALGRNSS 04471', null, 'none', 'a doubled consonant'],
  ['WULGRNS 04471', null, 'none', 'a vowel that is not in the name'],
  ['WG *WLGRNS 04471', 'Walgreens', 'review', 'a name after an unknown payee'],
  ['DLLR TREE 04471', 'Dollar Tree', 'automatic', 'plain words, one of them abbreviated'],
  ['VLMR OTFTTRS 04471', 'Velmora Outfitters', 'automatic', 'two words that no other brand has'],
  ['VLMRA OUTFITTERS #4', 'Velmora Outfitters', 'review', 'one digit could be anything'],
  ['ORVN TAKL 04471', 'Orvane Tackle', 'automatic', 'only the k of ck printed'],
  ['LCKY CRNR 04471', 'Lucky Corner', 'review', 'plain words missing from the packs'],
  ['BRNBY WLLS 04471', null, 'none', 'two brands with the same consonants'],
  ['PLLWRM FRRY CF 04471', null, 'none', 'a brand known only by name'],
  ['KFMRKT 04471 SALEM OR', null, 'none', 'a brand that does not sell in that country'],
  ['DDGRS 04471', 'Dodgers', 'review', 'five letters and two dropped vowels, but a name missing from the packs'],
  ['DGRS 04471', null, 'none', 'four letters could be anything'],
  ['POS PURCHASE DGRS 04471', null, 'none', 'four letters after the bank’s words'],
  ['TSDEL 04471', null, 'none', 'one dropped vowel is too few for five letters'],
  ['DODGRS 04471', 'Dodgers', 'review', 'six letters and one dropped vowel'],
  ['SPRINGS 04471', null, 'none', 'a complete word'],
  ['POS PURCHASE SPRINGS 04471', null, 'none', 'a complete word after the bank’s words'],
  ['BREKWATER 04471', null, 'none', 'a dropped vowel next to another vowel'],
  ['MRCHLS 04471', 'Marchels', 'review', 'too short for a name missing from the packs'],
]
for (const [text, named, band, why] of rows) {
  test(`${text}: ${why}`, () => {
    const match = matchBrand(index, { merchantDescriptor: text })
    assert.deepEqual([match.brandUid ?? match.proposedUid, match.band], [named, band])
  })
}

test('a name that lost one of two adjacent vowels does not match', () => {
  const brands = [brand('Michaels', { domains: ['michaels.com'] })]
  const match = matchBrand(buildBrandIndex(brands), { merchantDescriptor: 'MICHELS 04471' })
  assert.equal(match.brandUid, null)
})

test('matching without vowels reflects brands removed and added', () => {
  const text = { merchantDescriptor: 'VLMR OTFTTRS 04471' }
  const without = changeBrandIndex(index, [], ['Velmora Outfitters'])
  assert.equal(matchBrand(without, text).band, 'none')
  assert.equal(matchBrand(changeBrandIndex(without, brands, []), text).brandUid, 'Velmora Outfitters')
})

const consonantKeys: readonly (readonly [form: string, consonantKey: string])[] = [
  ['walgreens', 'wlgrns'],
  ['outback', 'otbk'],
  ['academy', 'acdm'],
  ['parker', 'prkr'],
  ['dollartree', 'dlrtr'],
  ['7eleven', '7lvn'],
  ['cloud9', 'cld9'],
  ['театр', 'театр'],
  ['', ''],
]
for (const [form, consonantKey] of consonantKeys) {
  test(`${form} becomes ${consonantKey} without its vowels`, () => assert.equal(toConsonantKey(form), consonantKey))
}
