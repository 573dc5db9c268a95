import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book of codes that tills print between the name and its number, without a space.

const index = buildBrandIndex([
  brand('Velmora', { mccs: ['5411', '5541'] }),
  brand('QXB'),
  brand('Target'),
  brand('Orvath', { domains: [] }),
  brand('Kaufmarkt', { countries: ['de'] }),
  brand('QX'),
  brand('Tarnby Grill'),
  brand('Bonefish Grill'),
])

const rows: readonly (readonly [text: string, paid: string | null, why: string])[] = [
  ['QXBJ433018 SALEM', 'QXB', 'a letter for the register'],
  ['QXBT433018 SALEM', 'QXB', 'another register'],
  ['QXBX433018 SALEM', 'QXB', 'and one more'],
  ['QXBK433018 SALEM', null, 'a letter that no register has'],
  ['QXBJ433 SALEM', null, 'too few digits'],
  ['QXBJ 433018 SALEM', null, 'the number is separate'],
  ['VELMORATX418 SALEM', 'Velmora', 'a shop of that state'],
  ['VELMORATX41 SALEM', null, 'two digits'],
  ['VELMORATX 418 SALEM', null, 'apart'],
  ['VELMORAQX418 SALEM', null, 'no state'],
  ['TARGETTX418 SALEM', null, 'a plain word may be any merchant'],
  ['QXBTX418 SALEM', null, 'three letters may be any merchant'],
  ['VELMORATX0418 SALEM', 'Velmora', 'a longer number'],
  ['VELMORAFUEL0417', 'Velmora', 'the pump'],
  ['VELMORAFUELCTR0417', 'Velmora', 'the same, longer'],
  ['VELMORAFUELCENTER0417', 'Velmora', 'in full'],
  ['VELMORAGAS0417', 'Velmora', 'fuel by another word'],
  ['VELMORAMKT0417', 'Velmora', 'the market'],
  ['VELMORAMARKET0417', 'Velmora', 'in full'],
  ['VELMORAPHARMACY0417', 'Velmora', 'the counter for medicine'],
  ['VELMORAPHARM0417', 'Velmora', 'shortened'],
  ['VELMORASUPERCENTER0417', 'Velmora', 'a large house'],
  ['VELMORACTR0417', 'Velmora', 'a house that does not say of what'],
  ['QXFUEL0417', null, 'two letters are no name'],
  ['TARNBYFUEL0417', null, 'a name without its trade'],
  ['BONEFISHFUEL0417', null, 'a short name that the packs trust only by itself'],
  ['VELMORAGRILL0417', null, 'another trade'],
  ['ORVATHFUEL0417', null, 'of that brand only the name is known'],
  ['KAUFMARKTFUEL0417 SALEM OR', null, 'not met in that country'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
