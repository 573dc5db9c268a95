import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Edge, pairUp } from './assignment.ts'

type Cost = number | null

const costs = fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 9 })), { minLength: 4, maxLength: 4 }), {
  minLength: 1,
  maxLength: 5,
})

/** Finds the size and cost of the best matching by brute force. */
function findBest(rows: readonly (readonly Cost[])[], taken: ReadonlySet<number> = new Set()): [number, number] {
  const [row, ...rest] = rows
  if (row === undefined) return [0, 0]
  const tries = row.flatMap((cost, to): [number, number][] => {
    if (cost === null || taken.has(to)) return []
    const [size, sum] = findBest(rest, new Set([...taken, to]))
    return [[size + 1, sum + cost]]
  })
  return [findBest(rest, taken), ...tries].reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a))
}

test('pairing yields the most pairs at the lowest total cost and uses each item once', () => {
  fc.assert(
    fc.property(costs, (rows) => {
      const edges = rows.flatMap((row, from) =>
        row.flatMap((cost, to) => (cost === null ? [] : [{ left: `left ${from}`, right: `right ${to}`, cost }])),
      )
      const pairs = pairUp(edges)
      const sum = pairs.reduce((total, { cost }) => total + cost, 0)
      assert.deepEqual([pairs.length, sum], findBest(rows))
      assert.equal(new Set(pairs.map(({ left }) => left)).size, pairs.length)
      assert.equal(new Set(pairs.map(({ right }) => right)).size, pairs.length)
    }),
  )
})

test('each round reads each possible pair at most once', () => {
  const size = 60
  let reads = 0
  const computeCost = (from: number, to: number): number => ((from * 7919 + to * 104_729) % 1_009) + (from - to) ** 2
  const edges = Array.from({ length: size * size }, (_, index): Edge<string> => {
    const [from, to] = [Math.floor(index / size), index % size]
    return {
      left: `left ${from}`,
      right: `right ${to}`,
      get cost() {
        reads++
        return computeCost(from, to)
      },
    }
  })
  assert.equal(pairUp(edges).length, size)
  assert.ok(reads <= size * edges.length, `${reads} reads`)
})
