import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changedOrder, compareTexts, noOrder, pickedFrom, sortedBy, type TextOrder } from './sort.ts'

const none = async (): Promise<void> => undefined

test('places are in order of their keys, and as they were where keys are equal, for keys of any size', () => {
  const key = fc.oneof(fc.nat(5), fc.nat(100_000), fc.maxSafeInteger().map(Math.abs))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), fc.boolean(), (list, descending) => {
      const places = Uint32Array.from(list.keys()).reverse()
      const keys = Float64Array.from(list)
      const keyOf = (place: number): number => list[place] ?? 0
      const expected = [...places].sort((a, b) => (descending ? keyOf(b) - keyOf(a) : keyOf(a) - keyOf(b)))
      assert.deepEqual([...sortedBy(places, keys, descending)], expected)
    }),
  )
})

test('sorting by one field after the other sorts by all of them', () => {
  const [minor, major] = [Uint32Array.of(3, 1, 2, 0), Uint32Array.of(1, 0, 1, 0)]
  const byMinor = sortedBy(Uint32Array.of(0, 1, 2, 3), minor, true)
  assert.deepEqual([...sortedBy(byMinor, major, false)], [1, 3, 0, 2])
  assert.deepEqual([...pickedFrom(Uint32Array.of(2, 0, 3, 1), Uint32Array.of(0, 1, 2), true)], [1, 0, 2])
})

test('keys of any size sort what an order or a sort before has answered', () => {
  const keys = Float64Array.of(6e9, 1, 5e9, 7)
  const picked = pickedFrom(Uint32Array.of(2, 0, 3, 1), Uint32Array.of(0, 1, 2, 3), false)
  assert.deepEqual([...sortedBy(picked, keys, false)], [1, 3, 2, 0])
  const sorted = sortedBy(Uint32Array.of(0, 1, 2, 3), Uint32Array.of(1, 2, 3, 4), true)
  assert.deepEqual([...sortedBy(sorted, keys, true)], [0, 2, 3, 1])
})

test('an order that is changed again and again is the order made from nothing', async () => {
  const step = fc.array(fc.tuple(fc.nat(30), fc.constantFrom('', 'a', 'b', 'ab', 'é')), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const texts: string[] = []
      const idOf = (place: number): string => `id${(place * 7) % 31}`
      let order: TextOrder = noOrder
      for (const changes of steps) {
        const changed = new Set<number>()
        for (const [at, text] of changes) {
          const place = Math.min(at, texts.length)
          texts[place] = text
          changed.add(place)
        }
        const textOf = (place: number): string => texts[place] ?? ''
        order = await changedOrder(order, texts.length, { textOf, idOf }, changed, none)
        const expected = [...texts.keys()].sort(
          (a, b) => compareTexts(textOf(a), textOf(b)) || compareTexts(idOf(a), idOf(b)),
        )
        assert.deepEqual([...order.places], expected)
        const distinct = [...new Set(texts)].sort(compareTexts)
        assert.deepEqual(
          [...order.ranks],
          texts.map((text) => distinct.indexOf(text)),
        )
      }
    }),
  )
})
