import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Cost, pairUp } from './assignment.ts'

const costs = fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 9 })), { minLength: 4, maxLength: 4 }), {
  minLength: 1,
  maxLength: 5,
})

/** The size and cost of the best matching, by brute force. */
function bestOf(rows: readonly (readonly Cost[])[], taken: ReadonlySet<number> = new Set()): [number, number] {
  const [row, ...rest] = rows
  if (row === undefined) return [0, 0]
  const tries = row.flatMap((cost, to): [number, number][] => {
    if (cost === null || taken.has(to)) return []
    const [size, sum] = bestOf(rest, new Set([...taken, to]))
    return [[size + 1, sum + cost]]
  })
  return [bestOf(rest, taken), ...tries].reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a))
}

test('as many as possible are paired, each once, at the least cost', () => {
  fc.assert(
    fc.property(costs, (rows) => {
      const left = rows.map((_row, index) => index)
      const pairs = pairUp(left, [0, 1, 2, 3], (from, to) => rows[from]?.[to] ?? null)
      const sum = pairs.reduce((total, [from, to]) => total + (rows[from]?.[to] ?? Number.NaN), 0)
      assert.deepEqual([pairs.length, sum], bestOf(rows))
      assert.equal(new Set(pairs.map(([from]) => from)).size, pairs.length)
      assert.equal(new Set(pairs.map(([, to]) => to)).size, pairs.length)
    }),
  )
})
