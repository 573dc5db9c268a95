import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashStart, hashWith } from '../text/hash.ts'
import { emptyFilter, filterDraftOf, type HashFilter, mayHold } from './hash-filter.ts'
import { draftOf, lookUp, noShards, type Shards } from './sharded-map.ts'

const keysOf = (count: number, prefix = 'copperkettle') => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

function shardsOf(keys: readonly string[]): Shards<string> {
  const draft = draftOf<string>(noShards)
  for (const key of keys) draft.change(key, () => key.toUpperCase())
  return draft.done()
}

test('what was put under a key is found under it, and nothing under others', () => {
  const keys = ['', 'a', 'b', 'ab', 'ba', 'velmora', 'Velmora', 'žluť', ...keysOf(3000)]
  const shards = shardsOf(keys)
  for (const key of keys) assert.equal(lookUp(shards, key), key.toUpperCase(), key)
  for (const key of ['c', 'abc', 'copperkettle', 'copperkettle3000']) assert.equal(lookUp(shards, key), undefined, key)
  assert.equal(lookUp(noShards, 'a'), undefined)
})

test('a change is made of what stands there, and can take it away', () => {
  const draft = draftOf(shardsOf(['velmora', 'orvane']))
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
  const keys = ['velmora', 'orvane', 'tarnby', 'nobody']
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

test('the old map stays as it was, and so does what a draft has given', () => {
  const old = shardsOf(keysOf(3000))
  const draft = draftOf(old)
  draft.change('copperkettle7', () => 'other')
  draft.change('newcomer', () => 'new')
  assert.deepEqual(
    ['copperkettle7', 'newcomer'].map((key) => lookUp(old, key)),
    ['COPPERKETTLE7', undefined],
  )
  assert.equal(draft.get('copperkettle8'), 'COPPERKETTLE8', 'what the draft did not touch')
})

test('a change copies the few small maps that it meets, and none where nothing changes', () => {
  const old = shardsOf(keysOf(6000))
  const sizes = old.map((shard) => shard?.size ?? 0)
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    6000,
  )
  assert.ok(Math.max(...sizes) < 30, `${Math.max(...sizes)} of 6,000 in one map`)
  const draft = draftOf(old)
  for (const key of ['copperkettle1', 'copperkettle2', 'copperkettle1']) draft.change(key, () => 'other')
  const changed = draft.done().filter((shard, at) => shard !== old[at])
  assert.equal(changed.length, 2)
  assert.equal(draftOf(old).done(), old)
})

// The reader grows the hash letter by letter while it goes through a text.
function mayHoldText(filter: HashFilter, text: string): boolean {
  let hash = hashStart
  for (let at = 0; at < text.length; at += 1) hash = hashWith(hash, text.charCodeAt(at))
  return mayHold(filter, hash)
}

test('a filter holds all that was added, and few others by mistake', () => {
  const keys = ['', 'a', 'ab', 'ba', ...keysOf(20_000)]
  const draft = filterDraftOf(emptyFilter)
  for (const key of keys) draft.add(key)
  const filter = draft.done()
  assert.deepEqual(
    keys.filter((key) => !mayHoldText(filter, key)),
    [],
  )
  const mistaken = keysOf(5000, 'harrowgate').filter((key) => mayHoldText(filter, key)).length
  assert.ok(mistaken < 250, `${mistaken} of 5,000`)
})

test('an old filter stays as it was, and shares what was not added to', () => {
  const first = filterDraftOf(emptyFilter)
  first.add('velmora')
  const old = first.done()
  const second = filterDraftOf(old)
  for (const key of ['orvane', 'velmora', 'tarnby']) second.add(key)
  const next = second.done()
  const held = (filter: HashFilter) => ['velmora', 'orvane', 'tarnby'].filter((key) => mayHoldText(filter, key))
  assert.deepEqual([held(emptyFilter), held(old), held(next)], [[], ['velmora'], ['velmora', 'orvane', 'tarnby']])
  assert.equal(next.filter((piece, at) => piece !== old[at]).length, 2)
  assert.deepEqual([next.length, old.length], [emptyFilter.length, emptyFilter.length])
  const again = filterDraftOf(next)
  again.add('velmora')
  assert.deepEqual(
    again.done().map((piece, at) => piece === next[at]),
    next.map(() => true),
  )
})
