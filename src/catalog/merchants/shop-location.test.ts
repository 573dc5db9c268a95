import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'

// A rule book for store locations that descriptors print without a state, and for words that belong to the brand's own
// trade or company. `null` means a review or no match.

const index = buildBrandIndex([
  brand("Macy's", { domains: ['macys.com'] }),
  brand('Nike', { domains: ['nike.com'] }),
  brand('Quorn', { domains: ['quorn-shop.com'] }),
  brand('Velmora'),
  brand('Eagles', { domains: ['eagles-lodge.com'] }),
  brand('Compass', { domains: ['compass-books.com'] }),
])

const rows: readonly (readonly [text: string, paid: string | null, why: string])[] = [
  ['NIKE SOHO 325', 'Nike', 'a known neighborhood before the store number'],
  ['NIKE FENNWOLD 325', null, 'an unknown word before the store number'],
  ['MACYS GILDER SQUARE', "Macy's", 'a square with a one-word name'],
  ['MACYS GREAT GILDER MALL', "Macy's", 'a mall with a two-word name'],
  ['MACYS GREAT OLD GILDER MALL', null, 'a three-word name is too long'],
  ['MACYS GILDER', null, 'no word makes it a place'],
  ['COMPASS GILDER SQUARE', null, 'a plain brand name missing from the packs remains uncertain'],
  ['NIKE F/S #2207', 'Nike', 'single letters before the number are an internal code'],
  ['NIKE F/S', null, 'single letters without a number mean nothing'],
  ['MACYS RALEIGH US', "Macy's", 'a country in place of the state'],
  ['MACYS RALEIGH RALEIGH US', "Macy's", 'the city printed twice'],
  ['MACYS FENNWOLD US', null, 'a city missing from the packs'],
  ['MACYS 97 RALEIGH US', "Macy's", 'a city after a short number'],
  ['VELMORA #3 ATLANTA US', 'Velmora', 'a # makes a single digit a store number'],
  ['EAGLES #4', null, 'after a plain word it may be a lodge’s number'],
  ['EAGLES #4 ATLANTA US', null, 'a lodge’s number before a city'],
  ['MACYS COLUMBU', null, 'a truncated city requires a full-length field'],
  ['MACYS OUTLET OF COLUMBU', "Macy's", 'a truncated city in a full-length field'],
  ['MACYS OUTLET OF FENNWOL', null, 'no city begins like that'],
  ['MACYS FENNWOLDVILLE', "Macy's", 'a city-like ending in last position'],
  ['MACYS FENNWOLDVILLE TRACK', null, 'a city-like ending before other words'],
  ['QUORN CORPORATION', 'Quorn', 'a legal form adds no information'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}

const software = ['5734', '5816', '5817', '7372']
const rides = ['4111', '4121', '7372']
const electronics = ['5311', '5734', '5817', '7372']
const countries: readonly (readonly [brand: string, mccs: readonly string[], paid: boolean, why: string])[] = [
  ['Velmora', software, true, 'software sells anywhere'],
  ['Velmora', rides, true, 'rides are taken abroad'],
  ['Velmora', electronics, false, 'stores are local'],
  ['Velmora', ['7372'], false, 'one software code is not enough'],
  ['Velmora', ['5817'], false, 'one digital-goods code is not enough'],
  ['Velmora', [...software, '7011'], false, 'hotels are local'],
  ['Velmora', [...software, '5399'], false, 'a store is local'],
]
for (const [name, mccs, paid, why] of countries) {
  test(`a brand with the codes ${mccs.join(' ')} outside its country: ${why}`, () => {
    const abroad = buildBrandIndex([brand(name, { mccs, countries: ['us'] })])
    const match = matchBrand(abroad, { merchantDescriptor: 'VELMORA', country: 'ca' })
    assert.equal(match.brandUid, paid ? name : null)
  })
}
