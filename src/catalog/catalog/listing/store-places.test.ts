import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStorePlaces, isIn } from './store-places.ts'

/** Creates the given number of points, each in a separate cell. */
const scattered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    latitude: -90 + ((n % 1_000) * 180) / 1_000,
    longitude: -180 + Math.floor(n / 1_000) * 3.6,
  }))

function collectPlaces(points: readonly { latitude: number; longitude: number }[]) {
  const places = createStorePlaces()
  for (const point of points) places.add(point)
  return places.list()
}

test('stores in the same 0.1° cell form one place at their average position', () => {
  assert.deepEqual(
    collectPlaces([
      { latitude: 40.71, longitude: -74.01 },
      { latitude: 40.69, longitude: -74.01 },
      { latitude: 40.72, longitude: -74.02 },
    ]),
    [
      { place: '0-1307-1059', latitude: 40.715, longitude: -74.015, stores: 2 },
      { place: '0-1306-1059', latitude: 40.69, longitude: -74.01, stores: 1 },
    ],
  )
})

test('the number of places is limited, every store is counted, and the store order does not matter', () => {
  for (const count of [0, 1, 2_000, 2_001, 50_000]) {
    const points = scattered(count)
    const places = collectPlaces(points)
    assert.equal(places.length <= 2_000, true, `${places.length} of ${count}`)
    for (const { place, stores } of places.slice(0, 3)) assert.equal(points.filter(isIn(place)).length, stores)
    assert.equal(
      places.reduce((sum, { stores }) => sum + stores, 0),
      count,
    )
    const named = (list: typeof places) => list.map(({ place, stores }) => `${place} ${stores}`)
    assert.deepEqual(named(collectPlaces(points.toReversed())), named(places))
  }
})

test('stores at the poles and the antimeridian have places', () => {
  const ends = [90, -90].flatMap((latitude) => [180, -180].map((longitude) => ({ latitude, longitude })))
  assert.equal(collectPlaces(ends).length, 4)
})
