import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'
import type { BrandFacts, MerchantFacts } from '../types.ts'
import { isOneSlipAway } from './truncated.ts'

// Tests which brands a text can match at all: as whole words, run together with the city, cut off, or misspelled.

type Row = readonly [text: string, brand: string, why?: string, more?: MerchantFacts]

function reads(brands: readonly BrandFacts[], rows: readonly Row[]): void {
  const index = buildBrandIndex(brands)
  for (const [text, expected, why, more] of rows) {
    const { brandUid, proposedUid } = matchBrand(index, { merchantDescriptor: text, ...more })
    assert.equal(brandUid ?? (proposedUid === null ? '-' : `${proposedUid}?`), expected, `${text}: ${why}`)
  }
}

test('a misspelling is one extra, missing or wrong letter, or two swapped letters', () => {
  const rows: readonly (readonly [written: string, is: boolean, why?: string])[] = [
    ['orvane', true, 'no mistake'],
    ['orvanne', true, 'one extra letter'],
    ['orvanes', true, 'an extra letter at the end'],
    ['sorvane', true, 'an extra letter at the start'],
    ['orane', true, 'one missing letter'],
    ['orvan', true],
    ['rvane', true],
    ['orvine', true, 'a wrong letter'],
    ['ervane', true],
    ['orvani', true],
    ['ovrane', true, 'two swapped letters'],
    ['rovane', true],
    ['orvaen', true],
    ['orvannes', false, 'two extra letters'],
    ['orva', false, 'two missing letters'],
    ['orinne', false, 'two wrong letters'],
    ['ornave', false, 'two swapped letters that are not adjacent'],
    ['ovraen', false, 'two swaps'],
    ['oraxne', false, 'a moved letter with another in its place'],
    ['orxvne', false],
    ['arvanes', false, 'an extra letter and a wrong letter'],
    ['tarnby', false],
    ['', false],
  ]
  for (const [written, is, why] of rows)
    assert.deepEqual(
      [isOneSlipAway(written, 'orvane'), isOneSlipAway('orvane', written)],
      [is, is],
      `${written}: ${why}`,
    )
})

test('misspellings are found only after the first six letters and in the words before a number', () => {
  const brands = [brand('Copperkettle'), brand('Harrowgate Outfitters')]
  reads(brands, [
    ['COPPERKETLE', 'Copperkettle?', 'one missing letter'],
    ['COPPERKETTTLE 0412', 'Copperkettle?', 'one extra letter'],
    ['COPPERKETLTE BOISE ID', 'Copperkettle?', 'two swapped letters'],
    ['THE COPPERKETLE', 'Copperkettle?', 'an article before the name'],
    ['COPPER KETLE', 'Copperkettle?', 'a name in two words'],
    ['COPERKETTLE', '-', 'within the first six letters'],
    ['COPPERKETEL', '-', 'two mistakes'],
    ['HARROWGATE OUTFITERS', 'Harrowgate Outfitters?'],
    ['HARROWGATE OUTFITERS SUNDAY', 'Harrowgate Outfitters?', 'words after the name'],
    ['KETTLE COPPERKETLE', '-', 'not at the start of the text'],
  ])
  reads([brand('Copperkettle 55')], [['COPPERKETLE 55', '-', 'a number is not one of the name’s words']])
  reads(
    [brand('Harrowgate Photography Instruments Outfitters Orvanest')],
    [['HARROWGATE PHOTOGRPAHY INSTRUMENTS OUTFITTERS ORVANEST', '-', 'a name longer than forty letters']],
  )
  reads([brand('Orvanest')], [['ORVANETS', 'Orvanest?', 'an eight-letter name']])
  reads([brand('Orvanet')], [['ORVANEK', '-', 'a seven-letter name could be anything']])
})

test('if many names share a prefix, only the six nearest on each side are tried', () => {
  const copper = (letters: string) => [...letters].map((letter) => brand(`Copper${letter}umber`))
  const slips = ['COPPERZETTLE', 'COPPERAETTLE'] as const
  const rows = (expected: string): Row[] => slips.map((slip) => [slip, expected])
  reads([brand('Copperkettle'), ...copper('bcdef'), ...copper('lmnop')], rows('Copperkettle?'))
  reads([brand('Copperkettle'), ...copper('bcdefg'), ...copper('lmnopq')], rows('-'))
})

test('a misspelled name is reported as printed', () => {
  const index = buildBrandIndex([brand('Copperkettle')])
  const [found] = matchBrand(index, { merchantDescriptor: 'COPPER KETLE 0412' }).evidence
  assert.deepEqual([found?.matched, found?.kind], ['copper ketle', 'number'])
})

test('a name ends at a word boundary, or where at least three digits follow it directly', () => {
  reads(
    [brand('Orvane'), brand('Orvane 5')],
    [
      ['ORVANE', 'Orvane'],
      ['ORVANE0412', 'Orvane'],
      ['ORVANE041', 'Orvane'],
      ['ORVANE41', '-', 'two digits may belong to the word'],
      ['ORVANEXXX', '-', 'letters belong to the word'],
      ['ORVANE5', 'Orvane 5'],
      ['ORVANE5 0412', 'Orvane 5'],
      ['ORVANE5X', '-'],
      ['ORVANE-41', 'Orvane'],
      ['THE ORVANE', 'Orvane'],
      ['THE', '-'],
      ['THE THE ORVANE', '-', 'only one article'],
    ],
  )
})

test('a name of 64 letters is found, but a longer one is not', () => {
  const name = `Orvane ${'tarnby '.repeat(9)}fenn`
  reads([brand(name, { domains: ['orvane.com'] })], [[name, name]])
  reads([brand(`${name}s`, { domains: ['orvane.com'] })], [[`${name}s`, '-']])
})

test('an article on its own is a name', () => {
  reads([brand('The')], [['THE', 'The']])
})

test('a name of four or more letters may be run together with the city that ends the field', () => {
  reads(
    [brand('Orvane'), brand('Tarn', { mccs: ['5812'] }), brand('Qua', { mccs: ['5812'] })],
    [
      ['ORVANEBOISE ID', 'Orvane'],
      ['ORVANEBOISE ID 83702', 'Orvane'],
      ['TARNBOISE ID', 'Tarn', 'a four-letter name', { mcc: '5812' }],
      ['QUABOISE ID', '-', 'a three-letter name', { mcc: '5812' }],
      ['ORVANEOAKLAND ID', '-', 'a city in another state'],
      ['ORVANEBOISE', '-', 'no state'],
      ['ORVANEBOISE', 'Orvane', 'the city of the purchase', { city: 'Boise' }],
      ['ORVANESALT LAKE CITY UT', 'Orvane', 'a three-word city'],
      ['OR VANEBOISE ID', 'Orvane', 'a name in two words'],
      ['THE QUABOISE ID', '-', 'an article does not count as letters', { mcc: '5812' }],
      ['ORVANEBOISE SALT LAKE CITY UT', '-', 'another city follows'],
      ['ORVANEBOISE BOISE ID', '-', 'the city is also a separate token'],
      ['ORVANETRUTH X TRUTH', '-', 'the purchase’s city is also a separate token', { city: 'Truth' }],
    ],
  )
  reads(
    [brand('Orvane', { countries: ['de'] })],
    [['ORVANEBOISE ID', '-', 'a brand that does not sell in that country']],
  )
})

test("a truncated name is a prefix of exactly one brand's name and not much shorter than it", () => {
  const outfitters = brand('Harrowgate Outfitters')
  reads(
    [outfitters],
    [
      ['HARROWGATE OUTFITT BOISE ID', 'Harrowgate Outfitters'],
      ['HARROWGATE O', 'Harrowgate Outfitters', 'eleven of twenty letters'],
      ['HARROWGATE', '-', 'ten of twenty letters'],
      ['HARROWGATEOUTFITTE BOISE ID', 'Harrowgate Outfitters', 'the words joined'],
      ['THE HARROWGATE OUTFI', 'Harrowgate Outfitters', 'an article before the name'],
      ['HARROWGATE OUTDATED', '-', 'different letters'],
      ['HARROWGATE OUTFI*TT BOISE ID', 'Harrowgate Outfitters?', 'a star interrupts the words'],
      ['HARROWGATE OUTFITT A B C D E', 'Harrowgate Outfitters?', 'five words after the name'],
      ['HARROWGATE OUTFITT A B C D E F', '-', 'six words after the name'],
    ],
  )
  reads(
    [outfitters, brand('Harrowgate Outdoors')],
    [
      ['HARROWGATE OUTFITT BOISE ID', 'Harrowgate Outfitters'],
      ['HARROWGATE OUT44000064402', '-', 'two brands continue like that'],
    ],
  )
  reads(
    [outfitters, brand('Harrowgate Outdoors', { domains: [] })],
    [['HARROWGATE OUT44000064402', 'Harrowgate Outfitters', 'a brand known only by name does not compete']],
  )
  reads(
    [outfitters, brand('Harrowgate Outfitters', { brandUid: 'name only', domains: [] })],
    [['HARROWGATE OUT44000064402', 'Harrowgate Outfitters']],
  )
  reads(
    [brand('Wendell Tarnby Tackle'), brand('Wendells Tarnby Tackle')],
    [['WENDELL TARNBY TACK BOISE ID', 'Wendell Tarnby Tackle', 'another brand’s optional s does not compete']],
  )
  reads(
    [brand('99 Harrowgate Outfitters')],
    [['99 HARROWGATE OUTFITT BOISE ID', '99 Harrowgate Outfitters', 'a leading number']],
  )
  // A name without its trades is never matched as truncated.
  reads([brand('Harrowgate Photography Instruments')], [['HARROWGA0412', '-']])
  reads([brand('Orvanet')], [['ORVANE0412', '-', 'a six-letter truncated name']])
  reads([brand('Orvaneta')], [['ORVANET0412', 'Orvaneta', 'a seven-letter truncated name']])
})

test('a brand that does not sell in the country does not compete for a name', () => {
  reads(
    [brand('Copperkettle Fresh', { countries: ['de'] }), brand('Copperkettle')],
    [
      ['COPPERKETTLE FRESH 0412', 'Copperkettle', 'in the United States', { country: 'us' }],
      ['COPPERKETTLE FRESH 0412', 'Copperkettle Fresh', 'in Germany', { country: 'de' }],
      ['COPPERKETTLE FRESH 0412', 'Copperkettle Fresh', 'in an unknown country'],
    ],
  )
})

test('the evidence records the strategy that found the name', () => {
  const index = buildBrandIndex([
    brand('Orvane'),
    brand('Walgreens'),
    brand('Harrowgate Outfitters'),
    brand('Copperkettle'),
    brand('Velmora Market'),
    brand('HP'),
    brand('Citgo', { domains: ['citgo.com'] }),
    brand("Peet's Coffee", { domains: ['peets.com'], aliases: ["Peet's"] }),
  ])
  const rows: readonly (readonly [text: string, strategy: string])[] = [
    ['ORVANE 0412', 'whole_name'],
    ['ORVANEBOISE ID', 'city_attached'],
    ['HP-ORVANE 0412', 'after_initials'],
    ['HP-HARROWGATE OUTFITT BOISE ID', 'truncated'],
    ['VELMORA MKT 0412', 'abbreviated'],
    ['WLGRNS 04471', 'without_vowels'],
    ['GILDER CITGO SALEM OR', 'after_owner'],
    ['JFK PEETS', 'after_airport'],
    ['HARROWGATE OUTFITT BOISE ID', 'truncated'],
    ['PAYPAL *ORVANEUSA', 'company_suffix'],
    ['ORVANEFUEL0412', 'till_code'],
    ['COPPERKETLE', 'misspelt'],
  ]
  for (const [merchantDescriptor, strategy] of rows)
    assert.equal(matchBrand(index, { merchantDescriptor }).evidence[0]?.strategy, strategy, merchantDescriptor)
})
