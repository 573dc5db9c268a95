import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeBrand, makeOffer, makeStore } from '../../../../test/support/catalog.ts'
import type { CatalogOffer } from '../catalog.ts'
import { getChannels } from '../offer-location.ts'
import { buildBlock } from '../table/block.ts'
import { createVocabulary } from '../table/vocabulary.ts'
import { matchesLocation, readLocation } from './location-filter.ts'
import { isSortedFromHome } from './service.ts'

const store = makeStore({ state: 'NY', zipCode: '10001-1234', latitude: 40.7506, longitude: -73.9972 })
const fits = (one: CatalogOffer, values: string[]): boolean =>
  matchesLocation(buildBlock([makeBrand({})], [[one]], createVocabulary()), 0, filter(values))
const filter = (values: string[], radius = 1000) => {
  const read = readLocation(values, radius)
  assert('filter' in read)
  return read.filter
}

test("an offer's channels are set by the catalog or derived from its type, stores and location", () => {
  const cases: [Partial<CatalogOffer>, string][] = [
    [{}, 'IN_STORE ONLINE'],
    [{ stores: [store] }, 'IN_STORE'],
    [{ location: 'NY' }, 'IN_STORE'],
    [{ offerType: 'AFFILIATE' }, 'ONLINE'],
    [{ offerType: 'GIFT_CARD' }, 'ONLINE'],
    [{ offerType: 'VOUCHER_CODE', stores: [store] }, 'IN_STORE'],
    [{ offerType: 'AFFILIATE', channels: ['IN_STORE', 'ONLINE'] }, 'IN_STORE ONLINE'],
    [{ stores: [store], channels: ['ONLINE'] }, 'ONLINE'],
  ]
  for (const [more, expected] of cases) assert.equal(getChannels(makeOffer(more)).join(' '), expected)
})

test('a place filter finds stores by state, zip code and distance, and locations by their words', () => {
  const here = makeOffer({ stores: [store] })
  const cases: [CatalogOffer, string[], boolean][] = [
    [here, ['NY'], true],
    [here, ['ny'], true],
    [here, ['CA'], false],
    [here, ['10001'], true],
    [here, ['10001-9999'], true],
    [here, ['10002'], false],
    [here, ['40.7510', '-73.9970'], true],
    [here, ['40.8', '-73.9970'], false],
    [makeOffer({ location: 'New York, NY' }), ['NY'], true],
    [makeOffer({ location: '10001' }), ['10001'], true],
    [makeOffer({ location: 'NYACK' }), ['NY'], false],
    [makeOffer({ stores: [makeStore({ zipCode: 'SW1A 1AA' })] }), ['sw1a1aa'], true],
    [makeOffer({ stores: [makeStore({ zipCode: 'SW1A 1AA' })] }), ['SW1A 2AA'], false],
    [makeOffer({ stores: [makeStore({ zipCode: '1010' })] }), ['1010'], true],
    [makeOffer({ location: 'SW1A 1AA' }), ['SW1A 1AA'], true],
    [makeOffer({}), ['NY'], false],
    [makeOffer({ stores: [store], channels: ['ONLINE'] }), ['NY'], false],
  ]
  for (const [one, values, expected] of cases) assert.equal(fits(one, values), expected, values.join(','))
})

test('an offer matches if any of its channels does, and places narrow only in-store offers', () => {
  const cases: [Partial<CatalogOffer>, string[], boolean][] = [
    [{ offerType: 'AFFILIATE' }, ['ONLINE'], true],
    [{ offerType: 'AFFILIATE' }, ['IN_STORE'], false],
    [{ stores: [store] }, ['ONLINE'], false],
    [{ stores: [store] }, ['IN_STORE', 'ONLINE'], true],
    [{ stores: [store] }, ['IN_STORE', 'CA'], false],
    [{ offerType: 'AFFILIATE' }, ['ONLINE', 'CA'], true],
    [{ stores: [store] }, ['CA', 'NY'], true],
  ]
  for (const [more, values, expected] of cases) assert.equal(fits(makeOffer(more), values), expected, values.join(','))
})

test('an invalid location is rejected, and the invalid value is returned', () => {
  for (const [values, unknown] of [
    [['MARS'], 'MARS'],
    [['NY', '40.7'], '40.7'],
    [['40.7', 'NY'], '40.7'],
    [['95', '10'], '95'],
    [['40', '181'], '40'],
    [[''], ''],
    [['12'], '12'],
    [['12345678901'], '12345678901'],
  ] as const) {
    assert.deepEqual(readLocation(values, 1), { unknown })
  }
})

test('parsing places never throws', () => {
  fc.assert(fc.property(fc.array(fc.string()), (values) => void readLocation(values, 1)))
})

test('distances are measured from home unless the query has a place with known coordinates', () => {
  const cases: [string[] | undefined, string[] | undefined, boolean][] = [
    [['distance'], undefined, true],
    [['name', '-distance'], ['IN_STORE', 'NY'], true],
    // Not the zip code of any place.
    [['distance', 'asc'], ['00000'], true],
    [['distance'], ['10001'], false],
    [['distance'], ['40.75', '-74.00'], false],
    [['name'], undefined, false],
    [undefined, ['00000'], false],
  ]
  for (const [sort, location, expected] of cases)
    assert.equal(
      isSortedFromHome({ ...(sort && { sort }), ...(location && { location }) }),
      expected,
      `${sort} ${location}`,
    )
})
