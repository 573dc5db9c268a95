import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBrand, makeCatalog, makeGroup, makeOffer, makeStore } from '../../../../test/support/catalog.ts'
import { carryWholeCatalog } from '../assortment/assortment.ts'
import { createLruCache } from './lru-cache.ts'
import { createBrandPages, type PageTemplate } from './page-templates.ts'
import { everything } from './select-brands.ts'
import { anyUser } from './user-filter.ts'

const stores = Array.from({ length: 2_000 }, (_, at) =>
  makeStore({
    streetAddress1: `${at} Main Street`,
    city: 'Springfield',
    completeAddress: `${at} Main St, Springfield`,
  }),
)
const catalog = await makeCatalog({
  brands: ['small', 'large 1', 'large 2'].map((brandUid, ordinal) => makeBrand({ brandUid, ordinal })),
  offers: [1, 2].flatMap((at) =>
    Array.from({ length: 4 }, (_, nth) =>
      makeOffer({ offerUid: `${at} ${nth}`, brandUid: `large ${at}`, groups: [makeGroup({ ratePpm: 1 })], stores }),
    ),
  ),
})
const context = {
  assortment: carryWholeCatalog(catalog, { feePpm: 0, sharePpm: 0 }),
  day: '2026-11-21',
  personal: anyUser,
}

test('rendered pages are cached, large ones only within a memory limit', () => {
  const pages = createBrandPages({ baseUrl: () => 'https://a.example', linkStart: () => 'https://a.example/r/' })
  const page = (key: string, size: number): PageTemplate => pages(context, key, { size }, () => everything)
  const small = page('small', 1)
  const large = page('large', 3)
  assert(large.bytes.length > 1_000 * small.bytes.length)
  assert.equal(page('large', 3), large)
  assert.equal(page('small', 1), small)
  const more = Math.ceil((192 * 1024 * 1024) / large.bytes.length)
  for (let at = 0; at < more; at++) {
    page(`large ${at}`, 3)
    // A page in constant use stays cached.
    assert.equal(page('small', 1), small)
  }
  assert.notEqual(page('large', 3), large)
})

test('the cache is bounded by count and size and evicts the least recently used entry', () => {
  const recent = createLruCache<string, string>(3, { of: (text) => text.length, max: 10 })
  const held = (): string => ['a', 'b', 'c', 'd'].filter((key) => recent.get(key) !== undefined).join('')
  for (const key of ['a', 'b', 'c']) recent.set(key, '123')
  recent.get('a')
  recent.set('d', '1')
  assert.equal(held(), 'acd')
  recent.set('c', '1234567')
  assert.equal(held(), 'cd')
  recent.set('c', '1')
  recent.set('a', '12345678')
  assert.equal(held(), 'acd')
  recent.set('b', 'longer than all')
  assert.equal(held(), '')
})
