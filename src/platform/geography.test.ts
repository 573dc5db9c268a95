import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeDistanceMetres,
  findCityCentroids,
  findStateCode,
  findZipCentroid,
  findZipState,
  isState,
  isZipRegion,
  parsePlace,
} from './geography.ts'

const austin = { latitude: 30.2672, longitude: -97.7431 }
const newYork = { latitude: 40.7128, longitude: -74.006 }

test('distances are measured along the surface of the earth', () => {
  const rows: [from: typeof austin, to: typeof austin, metres: number, within: number][] = [
    [austin, austin, 0, 0],
    [austin, newYork, 2_431_000, 5_000],
    [newYork, austin, 2_431_000, 5_000],
    [{ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 }, 20_015_000, 1_000],
    [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111_195, 100],
  ]
  for (const [from, to, metres, within] of rows)
    assert.ok(Math.abs(computeDistanceMetres(from, to) - metres) <= within, `${computeDistanceMetres(from, to)}`)
})

test('a zip code has a centroid', () => {
  for (const zip of ['78701', '78701-1234', '787011234']) {
    const middle = findZipCentroid(zip)
    assert.ok(middle !== null && computeDistanceMetres(middle, austin) < 5_000, zip)
  }
  const harvard = findZipCentroid('02138')
  assert.ok(harvard !== null && computeDistanceMetres(harvard, { latitude: 42.377, longitude: -71.126 }) < 5_000)
})

test('a five-digit postal code from another country is not a zip code', () => {
  for (const country of ['DE', 'de', 'Germany']) assert.equal(findZipCentroid('10115', country), null)
  for (const country of [null, ' ', 'us', 'USA', 'United States', 'PR'])
    assert.notEqual(findZipCentroid('10115', country), null, String(country))
})

test('a city whose name starts with a number is not mistaken for a postal code', () => {
  for (const city of ['29 Palms', '100 Mile House'])
    assert.deepEqual(parsePlace(city), { city: city.toUpperCase(), state: null, zip: null })
  for (const code of ['SW1A 1AA', '1234 AB', 'VLT 1117', '110-0001', 'K1A 0B1', 'D02 AF30'])
    assert.equal(parsePlace(code).zip, code.replaceAll(/[ -]/g, ''))
})

test('an unknown zip code has no centroid', () => {
  for (const zip of ['', '0', '00000', '99999', 'SW1A 1AA', '1234', 'abcde'])
    assert.equal(findZipCentroid(zip), null, zip)
})

test('a valid zip code maps to its state, and an invalid one to null', () => {
  const rows = { '78701': 'TX', '10001-1234': 'NY', '02138': 'MA', '00000': null, abcde: null }
  for (const [zip, state] of Object.entries(rows)) assert.equal(findZipState(zip), state, zip)
})

test('findCityCentroids accepts any spelling of a city, with or without a state', () => {
  for (const [city, state, at] of [
    ['Austin', 'TX', austin],
    ['new york', 'NY', newYork],
    ['ST. LOUIS', null, { latitude: 38.627, longitude: -90.199 }],
  ] as const) {
    const middles = findCityCentroids(city, state)
    assert.ok(
      middles.some((middle) => computeDistanceMetres(middle, at) < 10_000),
      city,
    )
  }
  const [all, texan] = [findCityCentroids('Austin', null), findCityCentroids('Austin', 'TX')]
  assert.ok(all.length > texan.length && texan.length > 1)
  assert.deepEqual([findCityCentroids('Nowhere At All', null), findCityCentroids('Austin', 'NY')], [[], []])
})

test('states are recognized by code, and US states by name too', () => {
  for (const code of ['TX', 'DC', 'PR', 'ON']) assert.ok(isState(code), code)
  for (const code of ['XX', 'tx', 'Texas', '']) assert.ok(!isState(code), code)
  const names = { Texas: 'TX', 'north  CAROLINA ': 'NC', 'District of Columbia': 'DC', Ontario: null, Austin: null }
  for (const [name, code] of Object.entries(names)) assert.equal(findStateCode(name), code, name)
})

test('isZipRegion accepts an unknown zip code in a known region', () => {
  for (const zip of ['78701', '78700-1234', '00501']) assert.ok(isZipRegion(zip), zip)
  for (const zip of ['00000', '00099', '']) assert.ok(!isZipRegion(zip), zip)
})
