import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brand, buildCatalog } from '../../../../test/support/brands.ts'
import { runs } from '../../../../test/support/runs.ts'
import { lookUp, type ShardedMap } from '../../../platform/sharded-map.ts'
import { matchBrand } from '../match.ts'
import type { BrandFacts, MerchantFacts } from '../types.ts'
import { type BrandIndex, buildBrandIndex, changeBrandIndex, findOwners } from './brand-index.ts'

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

test('an incrementally updated index matches like a fresh one, and the old index is unaffected', () => {
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
    { numRuns: runs(150) },
  )
})

test('the order of the catalog does not affect matching', () => {
  fc.assert(
    fc.property(fc.array(anyBrand, { maxLength: 10 }), (list) => {
      const brands = unique(list)
      const [one, other] = [buildBrandIndex(brands), buildBrandIndex(brands.toReversed())]
      for (const facts of questions) assert.deepEqual(matchBrand(one, facts), matchBrand(other, facts))
    }),
    { numRuns: runs(150) },
  )
})

test('a change affects only its own brand', () => {
  const catalog = buildCatalog()
  const next = changeBrandIndex(catalog, [brand('Newcomer Bagels')], ['BQX'])
  const shared = catalog.byForm.filter((shard, at) => shard === next.byForm[at])
  assert.ok(shared.length > catalog.byForm.length - 20, `${shared.length} of ${catalog.byForm.length}`)
  assert.equal(matchBrand(next, { merchantDescriptor: 'NEWCOMER BAGELS #12' }).brandUid, 'Newcomer Bagels')
  assert.equal(matchBrand(next, { merchantDescriptor: 'BQX 0123' }).brandUid, null)
  assert.equal(matchBrand(catalog, { merchantDescriptor: 'BQX 0123' }).brandUid, 'BQX')
})

test('a changed brand loses its former names', () => {
  const old = buildBrandIndex([brand('Copperkettle', { merchantIds: ['m-1'] })])
  const renamed = changeBrandIndex(old, [brand('Kupferkessel', { brandUid: 'Copperkettle' })], [])
  assert.equal(matchBrand(renamed, { merchantDescriptor: 'COPPERKETTLE 12' }).brandUid, null)
  assert.equal(matchBrand(renamed, { merchantId: 'm-1' }).brandUid, null)
  assert.equal(matchBrand(renamed, { merchantDescriptor: 'KUPFERKESSEL 12' }).brandUid, 'Copperkettle')
})

test('the last of two entries with the same id wins', () => {
  const index = buildBrandIndex([brand('First Name', { brandUid: 'b' }), brand('Second Kettle', { brandUid: 'b' })])
  assert.equal(matchBrand(index, { merchantName: 'Second Kettle' }).brandUid, 'b')
  assert.equal(matchBrand(index, { merchantName: 'First Name' }).brandUid, null)
})

test("a brand's area is derived from its countries and states", () => {
  const rows: readonly (readonly [areas: readonly string[] | undefined, countries: string, states: string])[] = [
    [undefined, 'everywhere', 'not limited'],
    [[], 'everywhere', 'not limited'],
    [['us'], 'us', 'not limited'],
    [['US'], 'us', 'not limited'],
    [['us', 'de'], 'us de', 'not limited'],
    [['us-pa', 'us-md'], 'us', 'pa md'],
    [['US-PA'], 'us', 'pa'],
    [['us-pa', 'de'], 'us de', 'not limited'],
    [['001'], 'everywhere', 'not limited'],
    [['de', '001'], 'everywhere', 'not limited'],
  ]
  for (const [areas, countries, states] of rows) {
    const index = buildBrandIndex([brand('Orvane', areas === undefined ? {} : { countries: areas })])
    const market = lookUp(index.byUid, 'Orvane')?.market
    const sets = [market?.countries, market?.states].map((set) => (set == null ? null : [...set].join(' ')))
    assert.deepEqual([sets[0] ?? 'everywhere', sets[1] ?? 'not limited'], [countries, states], `${areas?.join(' ')}`)
  }
})

test('a brand known only by its name is marked as name-only', () => {
  const rows: readonly (readonly [facts: BrandFacts, isNameOnly: boolean, isWellKnown: boolean, form: string])[] = [
    [brand('Orvane', { domains: [] }), true, false, 'orvane'],
    [brand('Orvane'), false, false, 'orvane'],
    [brand('Orvane', { domains: [], aliases: ['Tarnby'] }), false, false, 'orvane'],
    [brand('Orvane', { domains: ['etsy.com'] }), true, false, 'orvane'],
    [brand('7-Eleven', { domains: [] }), false, true, '7eleven'],
    [brand('**', { domains: [] }), true, false, ''],
    [brand('**', { domains: [], aliases: ['Orvane'] }), false, false, ''],
  ]
  for (const [facts, isNameOnly, isWellKnown, form] of rows) {
    const entry = lookUp(buildBrandIndex([facts]).byUid, facts.brandUid)
    assert.deepEqual(
      [entry?.isNameOnly, entry?.isWellKnown, entry?.form],
      [isNameOnly, isWellKnown, form],
      JSON.stringify(facts),
    )
  }
})

test('identifiers and websites are normalized before lookup', () => {
  const index = buildBrandIndex([
    brand('Orvane', {
      merchantIds: [' m-1 ', '', ' '],
      domains: ['www.orvane.com', 'https://orvane.com/x', 'etsy.com'],
    }),
  ])
  const found = (facts: MerchantFacts) => matchBrand(index, facts).brandUid
  assert.deepEqual([found({ merchantId: 'm-1' }), found({ website: 'orvane.com' })], ['Orvane', 'Orvane'])
  assert.deepEqual(
    [found({ merchantId: '' }), found({ merchantId: ' ' }), found({ website: 'etsy.com' })],
    [null, null, null],
  )
})

test('keys released by a brand become available, and shared keys stay with the other brands', () => {
  const both = buildBrandIndex([
    brand('Orvane Outfitters', { brandUid: 'a', merchantIds: ['m-1'], domains: ['orvane.com'] }),
    brand('Orvane Outfitters', { brandUid: 'b', merchantIds: ['m-1'], domains: ['orvane.com'] }),
  ])
  const questions: readonly MerchantFacts[] = [
    { merchantDescriptor: 'ORVANE OUTFITTERS 12' },
    { merchantDescriptor: 'ORVANE OUTFITTE44000064402' },
    { merchantId: 'm-1' },
    { website: 'orvane.com' },
  ]
  const answers = (index: BrandIndex) => questions.map((facts) => matchBrand(index, facts).brandUid)
  const one = changeBrandIndex(both, [], ['a'])
  assert.deepEqual(answers(both), [null, null, null, null])
  assert.deepEqual(answers(one), ['b', 'b', 'b', 'b'])
  assert.deepEqual(answers(changeBrandIndex(one, [], ['b', 'unknown'])), [null, null, null, null])
})

test('a word is rare if few names contain it, even after a change', () => {
  const isNameOnly = (at: number) => brand(`Pellworm Ferry ${at}`, { brandUid: `tail ${at}`, domains: [] })
  const asked = (index: BrandIndex) => matchBrand(index, { merchantName: 'Pellworm Ferry 1' }).brandUid
  const few = buildBrandIndex([isNameOnly(1), isNameOnly(2), isNameOnly(3)])
  const many = changeBrandIndex(few, [isNameOnly(4), isNameOnly(5)], [])
  assert.deepEqual(
    [asked(few), asked(many), asked(changeBrandIndex(many, [], ['tail 4', 'tail 5']))],
    ['tail 1', null, 'tail 1'],
  )
})

/** Returns everything in an index except its filter, which may retain removed keys. */
function readContent({ filter: _, ...maps }: BrandIndex) {
  return Object.entries(maps).map(([name, shards]) => {
    const entries = (shards as ShardedMap<unknown>).flatMap((shard) => [...(shard ?? [])])
    return [name, entries.sort(([one], [other]) => (one < other ? -1 : 1))]
  })
}

test('removing a brand leaves nothing of it behind, and other brands stay intact', () => {
  const stays = [
    brand('Harrowgate Outfitters', { brandUid: 'a', merchantIds: ['m-1'], aliases: ['Harrowgate Outdoor'] }),
    brand('7-Eleven', { brandUid: 'b', domains: ['7-eleven.com'] }),
  ]
  const goes = [
    brand('Harrowgate Outfitters', { brandUid: 'c', merchantIds: ['m-1', 'm-2'] }),
    brand('Harrowgate Outlet', { brandUid: 'd', domains: [] }),
    brand('Harrowgate Inn', { brandUid: 'e' }),
    brand('Outfitters Eleven', { brandUid: 'f', aliases: ['Harrowgate Outdoor'] }),
  ]
  const left = changeBrandIndex(buildBrandIndex([...stays, ...goes]), [], ['c', 'd', 'e', 'f'])
  assert.deepEqual(readContent(left), readContent(buildBrandIndex(stays)))
  assert.deepEqual(readContent(changeBrandIndex(left, [], ['a', 'b'])), readContent(buildBrandIndex([])))
  const again = changeBrandIndex(left, stays, [])
  assert.deepEqual(readContent(again), readContent(buildBrandIndex(stays)))
})

test('a name that may be truncated is found by its first letters', () => {
  const index = buildBrandIndex([
    brand('Harrowgate Grill', { aliases: ['Harrowgate Outdoor'] }),
    brand('Harrowgate Inn', { domains: [] }),
    brand('Velmor'),
    brand('Quillon'),
    brand('Alaska Airlines', { domains: ['alaskaair.com'] }),
  ])
  const opened = (letters: string) => findOwners(index.byOpening, letters).map(({ form }) => form)
  assert.deepEqual(
    opened('harrow'),
    ['harrowgategrill', 'harrowgateoutdoor'],
    'in order, without partial and name-only forms',
  )
  assert.deepEqual(opened('velmor'), [], 'six letters are not truncated')
  assert.deepEqual(opened('quillo'), ['quillon'])
  assert.deepEqual(opened('alaska'), ['alaskaairinfl', 'alaskaairl', 'alaskaairline', 'alaskaairlines'], 'spellings')
})
