import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInSlices } from './slices.ts'

test('concurrent long computations share one slice per turn of the event loop', async () => {
  let turn = 0
  const probe = (): void => {
    turn++
    immediate = setImmediate(probe)
  }
  let immediate = setImmediate(probe)
  const slices: number[] = []
  function* work(): Generator<undefined, string> {
    for (let step = 0; step < 4; step++) {
      const began = performance.now()
      // Longer than a slice, so that the computation pauses after each step.
      while (performance.now() - began < 6);
      slices.push(turn)
      yield
    }
    return 'done'
  }
  const results = await Promise.all(Array.from({ length: 5 }, () => runInSlices(work())))
  clearImmediate(immediate)
  assert.deepEqual(new Set(results), new Set(['done']))
  // Each computation's first slice starts immediately.
  const later = slices.slice(5)
  assert.equal(later.length, 15)
  assert.equal(new Set(later).size, later.length)
})
