import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compare } from '../../../platform/compare.ts'
import { noOrder, type SortKeys, selectInOrder, sortBy, type TextOrder, updateOrder } from './sort.ts'

function sortedBy(places: Uint32Array, keys: SortKeys, descending: boolean): Uint32Array {
  const sorted = places.slice()
  sortBy(sorted, keys, descending)
  return sorted
}
const makeOrder = (...places: number[]): TextOrder => ({
  texts: [],
  places: Uint32Array.from(places),
  ranks: new Uint32Array(places.length),
})
const none = async (): Promise<void> => undefined

test('sorting places is stable and works for keys of any size', () => {
  const key = fc.oneof(fc.nat(5), fc.nat(100_000), fc.maxSafeInteger().map(Math.abs))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), fc.boolean(), (list, descending) => {
      const places = Uint32Array.from(list.keys()).reverse()
      const keys = Float64Array.from(list)
      const toKey = (place: number): number => list[place] ?? 0
      const expected = [...places].sort((a, b) => (descending ? toKey(b) - toKey(a) : toKey(a) - toKey(b)))
      assert.deepEqual([...sortedBy(places, keys, descending)], expected)
    }),
  )
})

test('successive sorts by single fields sort by all of those fields', () => {
  const [minor, major] = [Uint32Array.of(3, 1, 2, 0), Uint32Array.of(1, 0, 1, 0)]
  const byMinor = sortedBy(Uint32Array.of(0, 1, 2, 3), minor, true)
  assert.deepEqual([...sortedBy(byMinor, major, false)], [1, 3, 0, 2])
  assert.deepEqual([...selectInOrder(makeOrder(2, 0, 3, 1), Uint32Array.of(0, 1, 2), true)], [1, 0, 2])
})

test('keys wider than 32 bits sort correctly in both directions', () => {
  const keys = Float64Array.of(6e9, 1, 5e9, 7)
  const picked = selectInOrder(makeOrder(2, 0, 3, 1), Uint32Array.of(0, 1, 2, 3), false)
  assert.deepEqual([...sortedBy(picked, keys, false)], [1, 3, 2, 0])
  const sorted = sortedBy(Uint32Array.of(0, 1, 2, 3), Uint32Array.of(1, 2, 3, 4), true)
  assert.deepEqual([...sortedBy(sorted, keys, true)], [0, 2, 3, 1])
})

test('an incrementally updated order equals one built from scratch', async () => {
  const step = fc.array(fc.tuple(fc.nat(30), fc.constantFrom('', 'a', 'b', 'ab', 'é')), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const texts: string[] = []
      const tieRanks = Uint32Array.from({ length: 31 }, (_, place) => (place * 7) % 31)
      let order: TextOrder = noOrder
      for (const changes of steps) {
        const changed = new Map<number, string>()
        for (const [at, text] of changes) {
          const place = Math.min(at, texts.length)
          texts[place] = text
          changed.set(place, text)
        }
        order = await updateOrder(order, changed, tieRanks, none)
        const expected = [...texts.keys()].sort(
          (a, b) => compare(texts[a] ?? '', texts[b] ?? '') || (tieRanks[a] ?? 0) - (tieRanks[b] ?? 0),
        )
        assert.deepEqual([...order.places], expected)
        const distinct = [...new Set(texts)].sort(compare)
        assert.deepEqual(
          [...order.ranks],
          texts.map((text) => distinct.indexOf(text)),
        )
      }
    }),
  )
})
