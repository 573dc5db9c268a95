import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'

// A rule book for names that are not at the start, but after an owner's name or an airport. Each row has the
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
  ['GILDER CITGO SALEM OR', 'Citgo', 'the owner before the fuel brand'],
  ['GILDER FENN CITGO 000SALEM', 'Citgo', 'a two-word owner'],
  ['OLD GILDER FENN CITGO SALEM OR', null, 'three words before the brand'],
  ['GILDER 4471 CITGO', null, 'a number between owner and brand'],
  ["GILDER'S ACE HARDWARE", 'Ace Hardware', 'a co-op dealer'],
  ['GILDERS ACE HDWE 0447', 'Ace Hardware', 'an abbreviated trade'],
  ['TRUE CITGO SALEM OR', 'Citgo', 'an owner whose name starts another dealer brand’s name'],
  ['TARGET CITGO SALEM OR', 'Citgo', 'an owner or town named like another brand'],
  ['TARGET 0412 CITGO SALEM OR', 'Target', 'a store number makes it the first brand’s store'],
  ['VELMORA CITGO SALEM OR', 'Velmora', 'a first brand with a distinctive name'],
  ['GILDER ACE PLUMBING', null, 'a different Ace'],
  ['GILDER CITGO DENTAL', null, 'a trade other than the brand’s'],
  ['GILDER MARRIOTT', null, 'hotels print their group after their name'],
  ['GILDER VELMORA', null, 'a brand without dealers'],
  ['JFK PEETS B23 JAMAICA US', "Peet's Coffee", 'an airport code before the brand'],
  ['PHILLY AIR PEETS 2', "Peet's Coffee", 'an airport named by two words'],
  ['J F K PEETS', null, 'spaced letters are initials'],
  ['JFK BONEFISH', null, 'a short name that the packs accept only by itself'],
  ['JFK KFC', null, 'three letters could be any merchant'],
  ['JFK TARGET', null, 'a plain word could be any merchant'],
  ['JFK VELMORA', null, 'a name missing from the packs'],
  ['SAN PEETS COFFEE T2E 4310SAN DIEGO CA', "Peet's Coffee", 'an airport code that also begins city names'],
  ['SAN CARLOS CAFE', null, 'an airport code that begins a city name'],
  ['SALEM PEETS B23', null, 'not an airport code'],
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
  test(`${where}, a brand that the cleaned name contradicts is only proposed`, () => {
    const match = matchBrand(index, { merchantName: 'Gilder Motors', merchantDescriptor })
    assert.deepEqual([match.proposedUid, match.band], [proposed, 'review'])
  })
}

test("after an owner's name, a name shared by two brands matches neither", () => {
  const citgo = brand('Citgo', { mccs: ['5541', '5542'] })
  const two = buildBrandIndex([citgo, brand('Citgo', { brandUid: 'Citgo of old', domains: ['citgo-of-old.com'] })])
  assert.equal(matchBrand(two, { merchantDescriptor: 'GILDER CITGO SALEM OR' }).band, 'none')
})
