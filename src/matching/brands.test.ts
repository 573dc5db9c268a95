import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildBrandIndex, matchBrand } from './brands.ts'
import { formsOf } from './names.ts'
import type { BrandFacts, MerchantFacts } from './types.ts'

const brand = (name: string, more: Partial<BrandFacts> = {}): BrandFacts => ({
  brandUid: `brd_${name}`,
  name,
  aliases: [],
  domains: [],
  merchantIds: [],
  mccs: [],
  ...more,
})

const catalog = buildBrandIndex([
  brand('Copperkettle', { aliases: ['CPRKTL MKTP'], domains: ['https://www.copperkettle.com'], merchantIds: ['m-1'] }),
  brand('Copperkettle Fresh'),
  brand("Wendell's"),
  brand('Target', { domains: ['target.com'], mccs: ['5310', '5411'] }),
  brand('Delta Air Lines', { aliases: ['Delta'] }),
  brand('BQX'),
  brand('5 Below Zero'),
  brand('Marlow & Finch'),
  brand('Giant', { brandUid: 'brd_giant_east', domains: ['giant-east.com'], mccs: ['5411'] }),
  brand('Giant', { brandUid: 'brd_giant_west', domains: ['giant-west.com'], mccs: ['5541'] }),
  brand('Quillon Inns', { domains: ['inns.quillon.com'] }),
  brand('Quillon Suites', { domains: ['suites.quillon.com'] }),
  brand('Tarn Pizza', { domains: ['tarn.com'] }),
  brand('Tarn Bakery', { domains: ['tarn.com'] }),
])

type Case = [what: string, facts: MerchantFacts, brandUid: string | null, methodOrReason: string]

function holds(cases: readonly Case[]): void {
  for (const [what, facts, brandUid, methodOrReason] of cases) {
    const match = matchBrand(catalog, facts)
    assert.deepEqual([match.brandUid, match.reason ?? match.method], [brandUid, methodOrReason], what)
    assert.equal(match.evidence.length > 0, brandUid !== null, `${what}: evidence goes with a brand`)
  }
}

test('exact evidence wins, in its order', () => {
  holds([
    ['its id', { brandUid: 'brd_BQX', merchantName: 'Copperkettle' }, 'brd_BQX', 'brand_uid'],
    ['an unknown id ends it', { brandUid: 'brd_x', merchantName: 'Copperkettle' }, null, 'unknown_brand_uid'],
    ['a merchant id', { merchantId: ' m-1 ', website: 'target.com' }, 'brd_Copperkettle', 'merchant_id'],
    ['an unknown merchant id', { merchantId: 'm-2', website: 'target.com' }, 'brd_Target', 'domain'],
    ['a website', { website: 'https://shop.copperkettle.com/x?y' }, 'brd_Copperkettle', 'domain'],
    ['before the name', { website: 'target.com', merchantName: 'BQX' }, 'brd_Target', 'domain'],
    ['a name after an unknown site', { website: 'nobody.example', merchantName: 'BQX' }, 'brd_BQX', 'name'],
    ['nothing', {}, null, 'no_merchant_facts'],
    ['blank', { merchantName: ' ', merchantDescriptor: '' }, null, 'no_merchant_facts'],
  ])
})

test('a domain counts only for the part that a brand declares', () => {
  holds([
    ['its part', { website: 'www.inns.quillon.com' }, 'brd_Quillon Inns', 'domain'],
    ['the group', { website: 'quillon.com' }, null, 'name_unknown'],
    ['a longer name of a domain', { website: 'mytarget.com' }, null, 'name_unknown'],
    ['two on one domain', { website: 'tarn.com' }, null, 'name_unknown'],
    ['the name decides', { website: 'tarn.com', merchantName: 'TARN BAKERY 12' }, 'brd_Tarn Bakery', 'name'],
    ['inside a descriptor', { merchantDescriptor: 'CK DIGITAL COPPERKETTLE.COM/BILL' }, 'brd_Copperkettle', 'domain'],
  ])
})

test('a name is found from the start, at whole tokens, whatever stands around it', () => {
  const uid = 'brd_Copperkettle'
  const found = [
    'COPPERKETTLE #0412 BOISE ID',
    'Copper Kettle Downtown',
    'COPPERKETTLE0412',
    'THE COPPERKETTLE',
    'CPRKTL MKTP US*2K3',
    'SQ *COPPERKETTLE Boise ID',
    'PURCHASE AUTHORIZED ON 01/02 COPPERKETTLE BOISE ID S0123 CARD 4567',
    'CHECKCARD XXXX PAYPAL *COPPERKETTLE',
  ]
  holds([
    ...found.map((merchantDescriptor): Case => [merchantDescriptor, { merchantDescriptor }, uid, 'name']),
    ['longest', { merchantDescriptor: 'COPPERKETTLE FRESH 01' }, 'brd_Copperkettle Fresh', 'name'],
    ['a middle', { merchantDescriptor: 'OLD COPPERKETTLE' }, null, 'name_unknown'],
    ['a longer word', { merchantDescriptor: 'COPPERKETTLES' }, null, 'name_unknown'],
    ['a glued word', { merchantDescriptor: 'COPPERKETTLEWARE 12' }, null, 'name_unknown'],
    ['a leading digit', { merchantDescriptor: '5 BELOW ZERO 77' }, 'brd_5 Below Zero', 'name'],
    ['spoken sign', { merchantDescriptor: 'MARLOW AND FINCH' }, 'brd_Marlow & Finch', 'name'],
    ['silent sign', { merchantDescriptor: 'MARLOW FINCH 0113' }, 'brd_Marlow & Finch', 'name'],
    ['apostrophe', { merchantDescriptor: 'WENDELL S 4412' }, "brd_Wendell's", 'name'],
    ['glued city', { merchantDescriptor: 'COPPERKETTLEBOISE ID', city: 'Boise' }, uid, 'name'],
  ])
})

test('a common word and a short name need the rest of the text to agree', () => {
  const uid = 'brd_Target'
  holds([
    ['alone', { merchantDescriptor: 'TARGET' }, uid, 'name'],
    ['store number', { merchantDescriptor: 'TARGET 00012345 MINNEAPOLIS MN' }, uid, 'name'],
    ['register', { merchantDescriptor: 'TARGET T-2429' }, uid, 'name'],
    ['city and state', { merchantDescriptor: 'TARGET SALT LAKE CITY UT' }, uid, 'name'],
    ['the city of the purchase', { merchantDescriptor: 'TARGET TRUTH', city: 'Truth' }, uid, 'name'],
    ['another word', { merchantDescriptor: 'TARGET MARLIN BOISE ID' }, null, 'name_unconfirmed'],
    ['another trade', { merchantDescriptor: 'TARGET PLUMBING 0123' }, null, 'name_unconfirmed'],
    ['category agrees', { merchantDescriptor: 'TARGET MARLIN', mcc: '5411' }, uid, 'name'],
    ['category differs', { merchantDescriptor: 'TARGET 0123', mcc: '1711' }, null, 'mcc_conflict'],
    ['short and whole', { merchantDescriptor: 'BQX 0123' }, 'brd_BQX', 'name'],
    ['short and more', { merchantDescriptor: 'BQX HOLDINGS' }, null, 'name_unconfirmed'],
    ['a code before a star', { merchantDescriptor: 'BQX *SOMEBODY' }, null, 'name_unconfirmed'],
    ['distinctive, another trade', { merchantDescriptor: 'COPPERKETTLE DENTAL' }, null, 'name_unconfirmed'],
    [
      'the clean name says otherwise',
      { merchantName: 'Delta Dental', merchantDescriptor: 'DELTA 0123' },
      null,
      'name_unconfirmed',
    ],
    [
      'an unknown clean name',
      { merchantName: 'Somebody', merchantDescriptor: 'COPPERKETTLE 1' },
      'brd_Copperkettle',
      'name',
    ],
  ])
})

test('two brands of one name are told apart by category or domain, otherwise not at all', () => {
  holds([
    ['alone', { merchantDescriptor: 'GIANT 0412' }, null, 'name_ambiguous'],
    ['category', { merchantDescriptor: 'GIANT 0412', mcc: '5541' }, 'brd_giant_west', 'name'],
    ['a category of neither', { merchantDescriptor: 'GIANT 0412', mcc: '1711' }, null, 'name_ambiguous'],
    ['address', { merchantDescriptor: 'GIANT 0412 GIANT-EAST.COM' }, 'brd_giant_east', 'domain'],
  ])
})

test('the evidence names the field, what it said and what it met', () => {
  const { evidence } = matchBrand(catalog, { merchantDescriptor: 'SQ *Copper Kettle 12' })
  assert.deepEqual(evidence, [
    { field: 'merchant_descriptor', value: 'SQ *Copper Kettle 12', matched: 'copper kettle' },
  ])
})

const wild = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }))

test('no text makes it fail', () => {
  const texts = ['\0', '🛒🛒', 'x'.repeat(10_240), '* '.repeat(5_000), "'".repeat(10_000), 'purchase '.repeat(1_200)]
  for (const text of texts) matchBrand(catalog, { merchantDescriptor: text, merchantName: text, website: text })
  fc.assert(
    fc.property(wild, wild, wild, (merchantDescriptor, website, city) => {
      const match = matchBrand(catalog, { merchantDescriptor, merchantName: website, website, city })
      assert.equal(match.brandUid === null, match.reason !== null)
    }),
    { numRuns: 2000 },
  )
})

test("a brand's own name, of whatever characters, is that brand or ambiguous", () => {
  const names = fc.array(wild, { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(names, (list) => {
      const index = buildBrandIndex(list.map((name, at) => brand(name, { brandUid: `brd_${at}` })))
      list.forEach((name, at) => {
        if (formsOf(name).length === 0) return
        for (const facts of [{ merchantName: name }, { merchantDescriptor: name }]) {
          const { brandUid, reason } = matchBrand(index, facts)
          assert.ok(brandUid === `brd_${at}` || reason === 'name_ambiguous', `${name}: ${brandUid} ${reason}`)
        }
      })
    }),
    { numRuns: 1000 },
  )
})

test('letters before or behind a name hide it', () => {
  const letters = fc.stringMatching(/^[a-z]{1,12}$/)
  fc.assert(
    fc.property(letters, fc.boolean(), (more, before) => {
      const text = before ? `${more}copperkettle` : `copperkettle${more}`
      assert.equal(matchBrand(catalog, { merchantDescriptor: text }).brandUid, null)
    }),
  )
})

test('ten kilobytes take no longer than a long descriptor', () => {
  const hostile = ['a.'.repeat(5_120), 'sq *'.repeat(2_560), 'purchase authorized on '.repeat(450), ' '.repeat(10_240)]
  const began = performance.now()
  for (let round = 0; round < 200; round += 1) {
    for (const text of hostile) matchBrand(catalog, { merchantDescriptor: text, website: text })
  }
  // 800 texts; even a slow machine needs a few hundredths of this, a backtracking pattern far more.
  assert.ok(performance.now() - began < 2_000)
})
