import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brand, buildCatalog } from '../../../test/support/brands.ts'
import { runs } from '../../../test/support/runs.ts'
import { buildBrandIndex } from './brands/brand-index.ts'
import { matchBrand } from './match.ts'
import { deriveTemplate } from './template.ts'
import { buildForms, fold } from './text/tokens.ts'
import type { AliasVerdict, MatchOptions, MerchantFacts } from './types.ts'

type Case = readonly [what: string, facts: MerchantFacts, brandUid: string | null, methodOrReason: string]

function holds(cases: readonly Case[], options?: MatchOptions): void {
  const catalog = buildCatalog()
  for (const [what, facts, brandUid, methodOrReason] of cases) {
    const match = matchBrand(catalog, facts, options)
    assert.deepEqual([match.brandUid, match.reason ?? match.method], [brandUid, methodOrReason], what)
  }
}

test('exact evidence wins, in order of precedence', () => {
  holds([
    ['a brand id', { brandUid: 'BQX', merchantName: 'Copperkettle' }, 'BQX', 'brand_uid'],
    [
      'an unknown brand id stops the search',
      { brandUid: 'x', merchantName: 'Copperkettle' },
      null,
      'unknown_brand_uid',
    ],
    ['a merchant id', { merchantId: ' m-1 ', website: 'hulu.com' }, 'Copperkettle', 'merchant_id'],
    ['an unknown merchant id', { merchantId: 'm-2', website: 'hulu.com' }, 'Hulu', 'domain'],
    ['a website', { website: 'https://shop.copperkettle.com/x?y' }, 'Copperkettle', 'domain'],
    ['a website before the name', { website: 'hulu.com', merchantName: 'BQX' }, 'Hulu', 'domain'],
    ['a name after an unknown website', { website: 'unknown.example', merchantName: 'BQX' }, 'BQX', 'name'],
    ['a URL in the text', { merchantDescriptor: 'CK DIGITAL COPPERKETTLE.COM/BILL' }, 'Copperkettle', 'domain'],
    ['no facts', {}, null, 'no_merchant_facts'],
    ['blank facts', { merchantName: ' ', merchantDescriptor: '' }, null, 'no_merchant_facts'],
  ])
})

test('a website matches only under a domain that exactly one brand declares', () => {
  const index = buildBrandIndex([
    brand('Quillon Inns', { domains: ['inns.quillon.com'] }),
    brand('Quillon Suites', { domains: ['suites.quillon.com'] }),
    brand('Tarn Pizza', { domains: ['tarn.com'] }),
    brand('Tarn Bakery', { domains: ['tarn.com'] }),
  ])
  const at = (facts: MerchantFacts) => matchBrand(index, facts).brandUid
  assert.equal(at({ website: 'www.inns.quillon.com' }), 'Quillon Inns')
  assert.equal(at({ website: 'quillon.com' }), null)
  assert.equal(at({ website: 'mytarn.com' }), null)
  assert.equal(at({ website: 'tarn.com' }), null)
  assert.equal(at({ website: 'tarn.com', merchantName: 'TARN BAKERY' }), 'Tarn Bakery')
})

test("a person's decision for or against a brand overrides names", () => {
  const diner = { merchantDescriptor: 'SQ *MARGES DINER 0442 BOISE ID' }
  const learnt = new Map<string, AliasVerdict>([
    [deriveTemplate(diner) ?? '', { aliasUid: 'als_1', brandUid: 'Copperkettle' }],
    [deriveTemplate({ merchantDescriptor: 'TARGET 1' }) ?? '', { aliasUid: 'als_2', brandUid: null }],
    ['provider:p-1', { aliasUid: 'als_3', brandUid: 'BQX' }],
    [deriveTemplate({ merchantDescriptor: 'GONE AWAY' }) ?? '', { aliasUid: 'als_4', brandUid: 'no more' }],
  ])
  holds(
    [
      [
        'another store of the same merchant',
        { merchantDescriptor: 'SQ *MARGES DINER 0017 RENO NV' },
        'Copperkettle',
        'alias',
      ],
      ['a verdict of no brand', { merchantDescriptor: 'TARGET 0412 RENO NV' }, null, 'not_a_brand'],
      ['the provider’s id before the text', { ...diner, providerMerchantId: 'p-1' }, 'BQX', 'provider_merchant_id'],
      ['an unknown provider id', { ...diner, providerMerchantId: 'p-2' }, 'Copperkettle', 'alias'],
      ['a brand that was removed', { merchantDescriptor: 'GONE AWAY' }, null, 'name_unknown'],
      ['a brand id before any verdict', { ...diner, brandUid: 'Hulu' }, 'Hulu', 'brand_uid'],
    ],
    { aliases: learnt },
  )
  const [evidence] = matchBrand(buildCatalog(), diner, { aliases: learnt }).evidence
  assert.deepEqual(evidence, { field: 'alias', value: 'marges diner', matched: 'als_1' })
})

test('the cleaned name and the printed text are weighed against each other', () => {
  const both = (merchantName: string, merchantDescriptor: string): MerchantFacts => ({
    merchantName,
    merchantDescriptor,
  })
  holds([
    ['both name the brand', both('Copperkettle', 'COPPERKETTLE 12'), 'Copperkettle', 'name'],
    ['only the cleaned name', both('Copperkettle', 'ZX 9912'), 'Copperkettle', 'name'],
    ['only the printed text', both('Somebody', 'COPPERKETTLE 1'), 'Copperkettle', 'name'],
    ['the text is more specific', both('Uber', 'UBER   EATS HELP'), 'Uber Eats', 'name'],
    ['the cleaned name contradicts the text', both('Delta Something', 'DELTA 0123'), null, 'name_unconfirmed'],
    ['two brands', both('Copperkettle', 'HARROWGATE OUTFITTERS 12'), null, 'name_ambiguous'],
  ])
  const match = matchBrand(buildCatalog(), both('Copperkettle', 'HARROWGATE OUTFITTERS 12'))
  assert.deepEqual(
    [match.band, match.proposedUid, match.runnerUp?.brandUid],
    ['review', 'Copperkettle', 'Harrowgate Outfitters'],
  )
})

test('a publisher chooses whether a marketplace or the known brand selling on it is matched', () => {
  const catalog = buildCatalog()
  const sold = { merchantDescriptor: 'DOORDASH*CHIPOTLE', merchantName: 'Chipotle' }
  assert.equal(matchBrand(catalog, sold).brandUid, 'DoorDash')
  assert.equal(matchBrand(catalog, sold, { marketplace: 'MERCHANT' }).brandUid, 'Chipotle')
  const unknown = { merchantDescriptor: 'DOORDASH*UNHEARDOF' }
  assert.equal(matchBrand(catalog, unknown, { marketplace: 'MERCHANT' }).brandUid, 'DoorDash')
  const without = buildBrandIndex([brand('Chipotle')])
  assert.equal(matchBrand(without, sold).brandUid, null, 'the marketplace was paid, even if it is not in the catalog')
  assert.equal(matchBrand(without, { merchantDescriptor: 'DD *CHIPOTLE' }).brandUid, null)
})

test("only the automatic band sets a brand, and the evidence includes the store's details", () => {
  const catalog = buildCatalog()
  const automatic = matchBrand(catalog, { merchantDescriptor: 'SQ *Copper Kettle 12' })
  assert.deepEqual(automatic.evidence, [
    {
      field: 'merchant_descriptor',
      value: 'SQ *Copper Kettle 12',
      matched: 'copper kettle',
      kind: 'number',
      strategy: 'whole_name',
    },
    { field: 'merchant_descriptor', value: 'SQ *Copper Kettle 12', matched: '12', kind: 'store_number' },
  ])
  const evidence = matchBrand(catalog, { merchantDescriptor: 'TARGET #0412 800-555-0199 BOISE ID' }).evidence
  assert.deepEqual(
    evidence.map(({ kind, matched }) => [kind, matched]),
    [
      ['number', 'target'],
      ['store_number', '0412'],
      ['phone', '800-555-0199'],
      ['place', 'boise id'],
    ],
  )
  assert.deepEqual([automatic.band, automatic.score >= 0.9], ['automatic', true])
  const review = matchBrand(catalog, { merchantDescriptor: 'COPPERKETTLE DENTAL' })
  assert.deepEqual([review.band, review.score >= 0.5 && review.score < 0.9, review.brandUid], ['review', true, null])
  const none = matchBrand(catalog, { merchantDescriptor: 'UNHEARD OF' })
  assert.deepEqual([none.band, none.score, none.method, none.evidence], ['none', 0, 'none', []])
})

const wild = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }))
const words = fc.constantFrom(
  ...'copperkettle harrowgate outfit target shell giant sq* doordash* purchase #12 0412 boise id ca & the card 1234 *'.split(
    ' ',
  ),
)
const likely = fc.array(words, { maxLength: 9 }).map((list) => list.join(' '))

test('text is split at capital letters if it otherwise matches no brand', () => {
  const catalog = buildCatalog()
  const read = (merchantDescriptor: string) => matchBrand(catalog, { merchantDescriptor })
  assert.equal(read('CopperkettleHwy 160-163 BOISE ID').brandUid, 'Copperkettle')
  assert.equal(read('COPPERKETTLEHWY 160-163 BOISE ID').brandUid, null)
  assert.equal(read('CopperkettleDental').band, 'review')
  assert.equal(read('TarGetSomewhere').band, 'none')
})

test('the evidence shows truncated text as it was printed', () => {
  const { evidence } = matchBrand(buildCatalog(), { merchantDescriptor: 'APLPAY HARROWGATE OUBOISE               ID' })
  assert.deepEqual(
    evidence.map(({ matched }) => matched),
    ['harrowgate ou', 'boise               id'],
  )
})

test('matching returns a consistent result for any text, and evidence is always part of the text', () => {
  const catalog = buildCatalog()
  fc.assert(
    fc.property(fc.oneof(wild, likely), fc.oneof(wild, likely), wild, (merchantDescriptor, merchantName, city) => {
      const match = matchBrand(catalog, { merchantDescriptor, merchantName, website: merchantName, city })
      assert.equal(match.brandUid === null, match.reason !== null)
      assert.equal(match.band === 'automatic', match.brandUid !== null)
      assert.equal(match.band === 'review', match.proposedUid !== null)
      for (const { value, matched } of match.evidence) assert.ok(squeezed(value).includes(squeezed(matched)), matched)
    }),
    { numRuns: runs(3000) },
  )
})

const squeezed = (text: string) => fold(text).replaceAll(' ', '')

test("a brand's own name, in any characters, matches that brand or none", () => {
  const names = fc.array(wild, { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(names, (list) => {
      const index = buildBrandIndex(list.map((name, at) => brand(name, { brandUid: `brd_${at}`, domains: [] })))
      list.forEach((name, at) => {
        const { brandUid } = matchBrand(index, { merchantName: name })
        const same = list.findIndex((other) => buildForms(other).some((form) => buildForms(name).includes(form)))
        assert.ok(brandUid === null || brandUid === `brd_${at}` || same < at || same === -1, `${name}: ${brandUid}`)
      })
    }),
    { numRuns: runs(500) },
  )
})

test('of ten kilobytes of hostile text, only the first 256 characters are read', () => {
  const catalog = buildCatalog()
  const hostile = ['a.', 'sq *', '* ', 'purchase authorized on ', ' ', '1', "'", 'x/', '#1 ', 'id ', 'copper '].map(
    (text) => text.repeat(Math.ceil(10_240 / text.length)),
  )
  for (const text of hostile) {
    // Text is truncated before it is read, so anything beyond the limit cannot change the answer.
    const [whole, bounded] = [text, text.slice(0, 256)].map((merchantDescriptor) =>
      matchBrand(catalog, { merchantDescriptor }),
    )
    assert.deepEqual(whole, bounded)
  }
})
