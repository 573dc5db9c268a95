import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../test/support/brands.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'

// A rule book of how a descriptor gives a store's location without a state, and of words that belong to the brand's own
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
  ['NIKE SOHO 325', 'Nike', 'a quarter before the number'],
  ['NIKE FENNWOLD 325', null, 'an unknown word'],
  ['MACYS GILDER SQUARE', "Macy's", 'a square is called by a word'],
  ['MACYS GREAT GILDER MALL', "Macy's", 'or a mall by two'],
  ['MACYS GREAT OLD GILDER MALL', null, 'not by three'],
  ['MACYS GILDER', null, 'nothing says that it is a square'],
  ['COMPASS GILDER SQUARE', null, 'a plain word that the packs do not know stays in doubt'],
  ['NIKE F/S #2207', 'Nike', 'single letters before the number are the shop’s own code'],
  ['NIKE F/S', null, 'without a number they are not'],
  ['MACYS RALEIGH US', "Macy's", 'the country in the place of the state'],
  ['MACYS RALEIGH RALEIGH US', "Macy's", 'the town twice'],
  ['MACYS FENNWOLD US', null, 'no town that the packs know'],
  ['MACYS 97 RALEIGH US', "Macy's", 'after a short number'],
  ['VELMORA #3 ATLANTA US', 'Velmora', 'a sign makes one digit a number'],
  ['EAGLES #4', null, 'of a plain word it may be the lodge'],
  ['EAGLES #4 ATLANTA US', null, 'at any position'],
  ['MACYS COLUMBU', null, 'a town cut short needs a text as long as the field'],
  ['MACYS OUTLET OF COLUMBU', "Macy's", 'here it is'],
  ['MACYS OUTLET OF FENNWOL', null, 'no town begins so'],
  ['MACYS FENNWOLDVILLE', "Macy's", 'what sounds like a town at the end'],
  ['MACYS FENNWOLDVILLE TRACK', null, 'and not before other words'],
  ['QUORN CORPORATION', 'Quorn', 'a company’s form says nothing'],
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
  ['Velmora', software, true, 'a program is bought from anywhere'],
  ['Velmora', rides, true, 'and a ride is taken where one is'],
  ['Velmora', electronics, false, 'a shop has doors'],
  ['Velmora', ['7372'], false, 'one code proves little'],
  ['Velmora', ['5817'], false, 'and so does the other'],
  ['Velmora', [...software, '7011'], false, 'a hotel has a place'],
  ['Velmora', [...software, '5399'], false, 'so does a shop of all goods'],
]
for (const [name, mccs, paid, why] of countries) {
  test(`a brand from one country with the codes ${mccs.join(' ')} in another one: ${why}`, () => {
    const abroad = buildBrandIndex([brand(name, { mccs, countries: ['us'] })])
    const match = matchBrand(abroad, { merchantDescriptor: 'VELMORA', country: 'ca' })
    assert.equal(match.brandUid, paid ? name : null)
  })
}
