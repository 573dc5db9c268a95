import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book for codes that tills print between the name and its number, without a space.

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
  ['QXBJ433018 SALEM', 'QXB', 'a register letter'],
  ['QXBT433018 SALEM', 'QXB', 'another register letter'],
  ['QXBX433018 SALEM', 'QXB', 'a third register letter'],
  ['QXBK433018 SALEM', null, 'a letter that is not a register’s'],
  ['QXBJ433 SALEM', null, 'too few digits'],
  ['QXBJ 433018 SALEM', null, 'a space before the number'],
  ['VELMORATX418 SALEM', 'Velmora', 'the code of the store’s state'],
  ['VELMORATX41 SALEM', null, 'only two digits'],
  ['VELMORATX 418 SALEM', null, 'a space after the state'],
  ['VELMORAQX418 SALEM', null, 'not a state code'],
  ['TARGETTX418 SALEM', null, 'a plain word could be any merchant'],
  ['QXBTX418 SALEM', null, 'three letters could be any merchant'],
  ['VELMORATX0418 SALEM', 'Velmora', 'a longer number'],
  ['VELMORAFUEL0417', 'Velmora', 'the fuel pump'],
  ['VELMORAFUELCTR0417', 'Velmora', 'an abbreviated fuel center'],
  ['VELMORAFUELCENTER0417', 'Velmora', 'fuel center in full'],
  ['VELMORAGAS0417', 'Velmora', 'another word for fuel'],
  ['VELMORAMKT0417', 'Velmora', 'an abbreviated market'],
  ['VELMORAMARKET0417', 'Velmora', 'market in full'],
  ['VELMORAPHARMACY0417', 'Velmora', 'the pharmacy'],
  ['VELMORAPHARM0417', 'Velmora', 'an abbreviated pharmacy'],
  ['VELMORASUPERCENTER0417', 'Velmora', 'a supercenter'],
  ['VELMORACTR0417', 'Velmora', 'a center without a trade'],
  ['QXFUEL0417', null, 'two letters are too short for a name'],
  ['TARNBYFUEL0417', null, 'a brand name without its trade'],
  ['BONEFISHFUEL0417', null, 'a short name that the packs accept only by itself'],
  ['VELMORAGRILL0417', null, 'a trade the till does not print'],
  ['ORVATHFUEL0417', null, 'a brand known only by name'],
  ['KAUFMARKTFUEL0417 SALEM OR', null, 'a brand that does not sell in that country'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
