import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBrandIndex } from './brand-index.ts'
import { matchBrand } from './brands.ts'
import { brand } from './testing.ts'

// A rule book of codes that a till prints between the name and its number, without a space.

const index = buildBrandIndex([
  brand('Velmora', { mccs: ['5411', '5541'] }),
  brand('QXB'),
  brand('Orvath', { domains: [] }),
  brand('Kaufmarkt', { countries: ['de'] }),
])

const rows: readonly (readonly [text: string, paid: string | null, why: string])[] = [
  ['QXBJ433018 SALEM', 'QXB', 'a letter for the register'],
  ['QXBK433018 SALEM', null, 'a letter that no register has'],
  ['QXBJ433 SALEM', null, 'too few digits'],
  ['QXBJ 433018 SALEM', null, 'the number stands apart'],
  ['VELMORAFUEL0417', 'Velmora', 'the pump'],
  ['VELMORAFUELCTR0417', 'Velmora', 'the same, longer'],
  ['VELMORAMKT0417', 'Velmora', 'the market'],
  ['VELMORAGRILL0417', null, 'another trade'],
  ['ORVATHFUEL0417', null, 'of that brand only the name is known'],
  ['KAUFMARKTFUEL0417 SALEM OR', null, 'not met in that country'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}
