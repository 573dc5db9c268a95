import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book of names that are not at the start: after a dealer's name or after an airport. Each row has the
// statement's text, the brand it refers to (`null` means no reward without a review), and why.

const index = buildBrandIndex([
  brand('Citgo', { domains: ['citgo.com'], mccs: ['5541', '5542'] }),
  brand('Ace Hardware', { domains: ['acehardware.com'], mccs: ['5251'] }),
  brand("Peet's Coffee", { domains: ['peets.com'], aliases: ["Peet's"] }),
  brand('Marriott', { domains: ['marriott.com'], mccs: ['7011'] }),
  brand('Target', { domains: ['target.com'] }),
  brand('Velmora'),
  brand('Bonefish Grill'),
  brand('KFC'),
])

const rows: readonly (readonly [text: string, paid: string | null, why: string])[] = [
  ['GILDER CITGO SALEM OR', 'Citgo', 'the owner, then the fuel'],
  ['GILDER FENN CITGO 000SALEM', 'Citgo', 'two words before it'],
  ['OLD GILDER FENN CITGO SALEM OR', null, 'three words are another merchant’s text'],
  ['GILDER 4471 CITGO', null, 'a number between them is a house'],
  ["GILDER'S ACE HARDWARE", 'Ace Hardware', 'a dealer of a co-operative'],
  ['GILDERS ACE HDWE 0447', 'Ace Hardware', 'with the trade shortened'],
  ['TRUE CITGO SALEM OR', 'Citgo', 'an owner called as another dealer’s name begins'],
  ['TARGET CITGO SALEM OR', 'Citgo', 'an owner, or a town, who is called like another brand'],
  ['TARGET 0412 CITGO SALEM OR', 'Target', 'whose own shop it is where a number says so'],
  ['VELMORA CITGO SALEM OR', 'Velmora', 'and whose name no other brand has'],
  ['GILDER ACE PLUMBING', null, 'another Ace'],
  ['GILDER CITGO DENTAL', null, 'a trade that is not the brand’s'],
  ['GILDER MARRIOTT', null, 'a hotel prints its group after its name'],
  ['GILDER VELMORA', null, 'dealers of no brand'],
  ['JFK PEETS B23 JAMAICA US', "Peet's Coffee", 'in an airport'],
  ['PHILLY AIR PEETS 2', "Peet's Coffee", 'that two words name'],
  ['J F K PEETS', null, 'separate letters are initials'],
  ['JFK BONEFISH', null, 'a short name that the packs trust only by itself'],
  ['JFK KFC', null, 'three letters may be any merchant'],
  ['JFK TARGET', null, 'a plain word may be any merchant'],
  ['JFK VELMORA', null, 'a name that the packs do not know'],
  ['SAN PEETS COFFEE T2E 4310SAN DIEGO CA', "Peet's Coffee", 'an airport that is also a saint'],
  ['SAN CARLOS CAFE', null, 'and mostly is'],
  ['SALEM PEETS B23', null, 'no airport'],
]
for (const [text, paid, why] of rows) {
  test(`${text}: ${why}`, () => {
    assert.equal(matchBrand(index, { merchantDescriptor: text }).brandUid, paid)
  })
}

const contradicted = [
  ['after its owner', 'GILDER CITGO SALEM OR', 'Citgo'],
  ['in an airport', 'JFK PEETS B23 JAMAICA US', "Peet's Coffee"],
] as const
for (const [where, merchantDescriptor, proposed] of contradicted) {
  test(`${where} a brand that the cleaned name contradicts is only proposed`, () => {
    const match = matchBrand(index, { merchantName: 'Gilder Motors', merchantDescriptor })
    assert.deepEqual([match.proposedUid, match.band], [proposed, 'review'])
  })
}

test('after an owner, a name shared by two brands matches neither', () => {
  const citgo = brand('Citgo', { mccs: ['5541', '5542'] })
  const two = buildBrandIndex([citgo, brand('Citgo', { brandUid: 'Citgo of old', domains: ['citgo-of-old.com'] })])
  assert.equal(matchBrand(two, { merchantDescriptor: 'GILDER CITGO SALEM OR' }).band, 'none')
})
