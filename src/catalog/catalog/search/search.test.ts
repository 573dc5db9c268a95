import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBrand, makeCatalog, makeOffer } from '../../../../test/support/catalog.ts'
import { carryWholeCatalog } from '../assortment/assortment.ts'
import { everything, selectBrands } from '../listing/select-brands.ts'
import { anyUser, type UserFilter } from '../listing/user-filter.ts'

const NAMES = [
  'Target',
  'Tarjet Optics',
  'Bullseye Target Range',
  'Targeted Fitness',
  'Café Müller',
  'Macy’s',
  'Best Buy',
  'Buyers Best Friend',
  'HomeDepot',
  '7-Eleven',
  '6-Pack Gym',
  'H&M',
  'Straße & Söhne',
  'Starbucks',
  'Aldi',
]
/** Offers of the brand at that index of NAMES. The second one has ended. */
const OFFERS = [
  { brand: 14, name: 'Weekly groceries', endDate: null },
  { brand: 14, name: 'Advent calendar', endDate: '2025-12-24' },
  { brand: 13, name: 'Buy one get one', endDate: null },
]

const brands = NAMES.map((name, ordinal) => makeBrand({ brandUid: `brd_${ordinal}`, ordinal, name }))
const offers = OFFERS.map(({ brand, ...rest }, ordinal) =>
  makeOffer({ ...rest, offerUid: `off_${ordinal}`, brandUid: `brd_${brand}`, ordinal }),
)
const catalog = await makeCatalog({ brands, offers })
const found = (searchText: string, personal: UserFilter = anyUser): string[] => {
  const context = { assortment: carryWholeCatalog(catalog, { feePpm: 0, sharePpm: 0 }), day: '2026-11-21', personal }
  return [...selectBrands(context, { ...everything, searchText }).places].map((place) => NAMES[place] ?? '')
}

test('a search finds the matching brands, best first', () => {
  const cases: [string, string[]][] = [
    // The exact name, then names that contain the word, then names with a word that begins with it, then typos.
    ['target', ['Target', 'Bullseye Target Range', 'Targeted Fitness', 'Tarjet Optics']],
    ['TARG', ['Target', 'Targeted Fitness', 'Bullseye Target Range']],
    ['tarjet', ['Tarjet Optics', 'Target', 'Bullseye Target Range']],
    ['range target', ['Bullseye Target Range']],
    // Accents, and letters missing from many keyboards.
    ['cafe muller', ['Café Müller']],
    ['MÜLLER', ['Café Müller']],
    ['strasse', ['Straße & Söhne']],
    ['sohne', ['Straße & Söhne']],
    // Neither punctuation nor spaces matter.
    ["macy's", ['Macy’s']],
    ['macys', ['Macy’s']],
    ['bestbuy', ['Best Buy']],
    ['best buy', ['Best Buy', 'Buyers Best Friend']],
    ['home depot', ['HomeDepot']],
    ['7 eleven', ['7-Eleven']],
    ['h&m', ['H&M']],
    ['hm', ['H&M']],
    // Typos: one in words of at least four letters, two in words of at least seven, none in shorter words or in
    // numbers.
    ['starbuks', ['Starbucks']],
    ['satrbucks', ['Starbucks']],
    ['strabuks', ['Starbucks']],
    ['aldy', ['Aldi']],
    ['alldy', []],
    ['ald', ['Aldi']],
    ['alx', []],
    ['8 eleven', []],
    // Parts of words, if at least three letters long.
    ['depot', ['HomeDepot']],
    ['po', []],
    // Currently valid offers, ranked after brands.
    ['groceries', ['Aldi']],
    ['aldi groceries', ['Aldi']],
    ['advent', []],
    ['buy', ['Best Buy', 'Starbucks', 'Buyers Best Friend']],
    // Blank text does not filter. Text without letters or digits finds nothing.
    ['  ', NAMES],
    ['%&!', []],
    ['nothing of this', []],
  ]
  for (const [text, names] of cases) assert.deepEqual(found(text), names, text)
})

test('an offer unavailable to a user is not found for that user', () => {
  assert.deepEqual(found('groceries', { ...anyUser, key: 'x', usedUp: new Set(['off_0']) }), [])
})

test('any text can be searched for: many words, long words, any characters', () => {
  for (const text of ['a '.repeat(127), 'x'.repeat(255), '\u0000\u0001', '😀 😀', 'ﬁ ß İ'.repeat(40)]) {
    assert(found(text).length <= NAMES.length)
  }
})
