import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countEntries, draftMap, emptyMap, iterateValues, lookUp, type ShardedMap } from './sharded-map.ts'

const makeKeys = (count: number, prefix = 'copperkettle') => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

function makeMap(keys: readonly string[]): ShardedMap<string> {
  const draft = draftMap<string>(emptyMap)
  for (const key of keys) draft.change(key, () => key.toUpperCase())
  return draft.done()
}

test('lookUp returns the value of a key, or undefined for a missing key', () => {
  const keys = ['', 'a', 'b', 'ab', 'ba', 'velmora', 'Velmora', 'žluť', ...makeKeys(3000)]
  const map = makeMap(keys)
  for (const key of keys) assert.equal(lookUp(map, key), key.toUpperCase(), key)
  for (const key of ['c', 'abc', 'copperkettle', 'copperkettle3000']) assert.equal(lookUp(map, key), undefined, key)
  assert.equal(lookUp(emptyMap, 'a'), undefined)
  assert.equal(countEntries(map), keys.length)
  assert.deepEqual([...iterateValues(map)].sort(), keys.map((key) => key.toUpperCase()).sort())
})

test('a change replaces a value or removes the key', () => {
  const draft = draftMap(makeMap(['velmora', 'orvane']))
  const seen: (string | undefined)[] = []
  draft.change('velmora', (value) => {
    seen.push(value)
    return 'once'
  })
  draft.change('velmora', (value) => `${value} twice`)
  draft.change('orvane', () => undefined)
  draft.change('tarnby', (value) => {
    seen.push(value)
    return undefined
  })
  assert.deepEqual(seen, ['VELMORA', undefined])
  const keys = ['velmora', 'orvane', 'tarnby', 'absent']
  const expected = ['once twice', undefined, undefined, undefined]
  assert.deepEqual(
    keys.map((key) => draft.get(key)),
    expected,
  )
  assert.deepEqual(
    keys.map((key) => lookUp(draft.done(), key)),
    expected,
  )
})

test('changing a draft leaves the original map unchanged', () => {
  const old = makeMap(makeKeys(3000))
  const draft = draftMap(old)
  draft.change('copperkettle7', () => 'other')
  draft.set('newcomer', 'new')
  assert.deepEqual(
    ['copperkettle7', 'newcomer'].map((key) => lookUp(old, key)),
    ['COPPERKETTLE7', undefined],
  )
  assert.equal(draft.get('copperkettle8'), 'COPPERKETTLE8', 'what the draft did not touch')
})

test('a draft copies only the shards that it changes', () => {
  const old = makeMap(makeKeys(6000))
  const sizes = old.map((shard) => shard?.size ?? 0)
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    6000,
  )
  assert.ok(Math.max(...sizes) < 30, `${Math.max(...sizes)} of 6,000 in one map`)
  const draft = draftMap(old)
  for (const key of ['copperkettle1', 'copperkettle2', 'copperkettle1']) draft.change(key, () => 'other')
  const changed = draft.done().filter((shard, at) => shard !== old[at])
  assert.equal(changed.length, 2)
  assert.equal(draftMap(old).done(), old)
})
