import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashStart, hashWith } from '../../../platform/text/text-hash.ts'
import { draftFilter, emptyFilter, type HashFilter, mayHold } from './hash-filter.ts'

const makeKeys = (count: number, prefix = 'copperkettle') => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

// Extends the hash letter by letter, as the reader does while scanning a text.
function mayHoldText(filter: HashFilter, text: string): boolean {
  let hash = hashStart
  for (let at = 0; at < text.length; at += 1) hash = hashWith(hash, text.charCodeAt(at))
  return mayHold(filter, hash)
}

test('a filter contains every added hash and few others', () => {
  const keys = ['', 'a', 'ab', 'ba', ...makeKeys(20_000)]
  const draft = draftFilter(emptyFilter)
  for (const key of keys) draft.add(key)
  const filter = draft.done()
  assert.deepEqual(
    keys.filter((key) => !mayHoldText(filter, key)),
    [],
  )
  const mistaken = makeKeys(5000, 'harrowgate').filter((key) => mayHoldText(filter, key)).length
  assert.ok(mistaken < 250, `${mistaken} of 5,000`)
})

test('an old filter stays unchanged and shares its unchanged pieces with the new one', () => {
  const first = draftFilter(emptyFilter)
  first.add('velmora')
  const old = first.done()
  const second = draftFilter(old)
  for (const key of ['orvane', 'velmora', 'tarnby']) second.add(key)
  const next = second.done()
  const held = (filter: HashFilter) => ['velmora', 'orvane', 'tarnby'].filter((key) => mayHoldText(filter, key))
  assert.deepEqual([held(emptyFilter), held(old), held(next)], [[], ['velmora'], ['velmora', 'orvane', 'tarnby']])
  assert.equal(next.filter((piece, at) => piece !== old[at]).length, 2)
  assert.deepEqual([next.length, old.length], [emptyFilter.length, emptyFilter.length])
  const again = draftFilter(next)
  again.add('velmora')
  assert.deepEqual(
    again.done().map((piece, at) => piece === next[at]),
    next.map(() => true),
  )
})
