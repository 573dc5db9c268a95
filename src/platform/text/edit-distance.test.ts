import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { EDITED_LENGTH_MAX, editsFrom } from './edit-distance.ts'

test('an extra, missing or wrong letter counts as one edit, and so does a swap of adjacent letters', () => {
  const rows: [string, string, number][] = [
    ['target', 'target', 0],
    ['target', 'targget', 1],
    ['target', 'taget', 1],
    ['target', 'tarqet', 1],
    ['target', 'tagret', 1],
    ['starbuks', 'starbucks', 1],
    ['amazon', 'amzaon', 1],
    ['amazon', 'amzn', 2],
    ['söhne', 'sohne', 1],
    ['abc', '', 3],
  ]
  for (const [word, other, edits] of rows) assert.equal(editsFrom(word)(other), edits, `${word} ${other}`)
})

/** Computes the textbook table cell by cell. */
function editsByTable(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j))
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const differs = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const row = rows[i] ?? []
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + differs,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}

test('the bit-parallel distance equals the textbook one for any words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 1, maxLength: EDITED_LENGTH_MAX })
  const other = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 60 })
  fc.assert(
    fc.property(word, other, (a, b) => {
      assert.equal(editsFrom(a)(b), editsByTable(a, b))
    }),
    { numRuns: runs(500) },
  )
})
