import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildBrandIndex, changeBrandIndex } from './brand-index.ts'
import { matchBrand } from './brands.ts'
import { brand, buildCatalog } from './testing.ts'
import type { BrandFacts, MerchantFacts } from './types.ts'

const names = [
  'Copperkettle',
  'Copper Kettle Grill',
  'Target',
  'Harrowgate',
  'Harrowgate Outfitters',
  'BQX',
  'Lucky Garden',
]
const anyBrand: fc.Arbitrary<BrandFacts> = fc
  .record({
    at: fc.integer({ min: 0, max: 11 }),
    name: fc.constantFrom(...names),
    aliases: fc.array(fc.constantFrom(...names, 'CPK', 'Harrowgate Outdoor'), { maxLength: 2 }),
    domains: fc.array(fc.constantFrom('copperkettle.com', 'target.com', 'harrowgate.com'), { maxLength: 1 }),
    merchantIds: fc.array(fc.constantFrom('m-1', 'm-2'), { maxLength: 1 }),
    countries: fc.constantFrom([], ['us'], ['de'], ['us-ca']),
    mccs: fc.constantFrom([], ['5411'], ['5812', '5814']),
  })
  .map(({ at, ...facts }) => ({ brandUid: `brd_${at}`, ...facts }))

const questions: readonly MerchantFacts[] = [
  ...names.flatMap((name) => [
    { merchantName: name },
    { merchantDescriptor: `${name.toUpperCase()} #0412 BOISE ID` },
    { merchantDescriptor: `${name.toUpperCase()} BOISE ID`, country: 'us' },
    { merchantDescriptor: `${name.toUpperCase()} GLEE`, mcc: '5812' },
    { merchantDescriptor: name.toUpperCase().slice(0, -3) },
  ]),
  { merchantId: 'm-1' },
  { website: 'copperkettle.com' },
  { merchantDescriptor: 'HARROWGATE OUTF44000064402' },
  { merchantDescriptor: 'COPERKETTLE 12' },
]

const unique = (brands: readonly BrandFacts[]) => [...new Map(brands.map((facts) => [facts.brandUid, facts])).values()]

test('an index changed in steps answers like one built afresh, and the old one as before', () => {
  const step = fc.record({
    changed: fc.array(anyBrand, { maxLength: 4 }),
    removed: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(anyBrand, { maxLength: 8 }), fc.array(step, { maxLength: 4 }), (first, steps) => {
      let brands = unique(first)
      let index = buildBrandIndex(brands)
      for (const { changed, removed } of steps) {
        const before = questions.map((facts) => matchBrand(index, facts))
        const gone = new Set(removed.map((at) => `brd_${at}`))
        const next = changeBrandIndex(index, unique(changed), [...gone])
        assert.deepEqual(
          questions.map((facts) => matchBrand(index, facts)),
          before,
        )
        brands = unique([...brands.filter(({ brandUid }) => !gone.has(brandUid)), ...changed])
        index = next
      }
      const fresh = buildBrandIndex(brands)
      for (const facts of questions) assert.deepEqual(matchBrand(index, facts), matchBrand(fresh, facts))
    }),
    { numRuns: 150 },
  )
})

test('the order in which brands come decides nothing', () => {
  fc.assert(
    fc.property(fc.array(anyBrand, { maxLength: 10 }), (list) => {
      const brands = unique(list)
      const [one, other] = [buildBrandIndex(brands), buildBrandIndex(brands.toReversed())]
      for (const facts of questions) assert.deepEqual(matchBrand(one, facts), matchBrand(other, facts))
    }),
    { numRuns: 150 },
  )
})

test('a change leaves alone what it does not touch', () => {
  const catalog = buildCatalog()
  const next = changeBrandIndex(catalog, [brand('Newcomer Bagels')], ['BQX'])
  const shared = catalog.byForm.filter((shard, at) => shard === next.byForm[at])
  assert.ok(shared.length > catalog.byForm.length - 20, `${shared.length} of ${catalog.byForm.length}`)
  assert.equal(matchBrand(next, { merchantDescriptor: 'NEWCOMER BAGELS #12' }).brandUid, 'Newcomer Bagels')
  assert.equal(matchBrand(next, { merchantDescriptor: 'BQX 0123' }).brandUid, null)
  assert.equal(matchBrand(catalog, { merchantDescriptor: 'BQX 0123' }).brandUid, 'BQX')
})

test('a changed brand loses the names it had', () => {
  const old = buildBrandIndex([brand('Copperkettle', { merchantIds: ['m-1'] })])
  const renamed = changeBrandIndex(old, [brand('Kupferkessel', { brandUid: 'Copperkettle' })], [])
  assert.equal(matchBrand(renamed, { merchantDescriptor: 'COPPERKETTLE 12' }).brandUid, null)
  assert.equal(matchBrand(renamed, { merchantId: 'm-1' }).brandUid, null)
  assert.equal(matchBrand(renamed, { merchantDescriptor: 'KUPFERKESSEL 12' }).brandUid, 'Copperkettle')
})

test('one brand of two entries of the same id is the last', () => {
  const index = buildBrandIndex([brand('First Name', { brandUid: 'b' }), brand('Second Kettle', { brandUid: 'b' })])
  assert.equal(matchBrand(index, { merchantName: 'Second Kettle' }).brandUid, 'b')
  assert.equal(matchBrand(index, { merchantName: 'First Name' }).brandUid, null)
})
