import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBrandIndex } from './brand-index.ts'
import { matchBrand } from './brands.ts'
import { brand } from './testing.ts'

// A rule book of what a shop's line says of where the shop stands when no state is printed, and of words that belong to
// the brand's own trade or company. `null`: a person is asked, or nobody.

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
  ['NIKE FENNWOLD 325', null, 'a word that nobody knows'],
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
  ['MACYS 97 RALEIGH US', "Macy's", 'behind a short number'],
  ['VELMORA #3 ATLANTA US', 'Velmora', 'a sign makes one digit a number'],
  ['EAGLES #4', null, 'of a plain word it may be the lodge'],
  ['EAGLES #4 ATLANTA US', null, 'wherever it stands'],
  ['QUORN CORPORATION', 'Quorn', 'a company’s form says nothing'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
