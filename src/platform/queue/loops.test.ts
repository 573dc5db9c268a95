import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import timers from 'node:timers/promises'
import { createLog } from '../telemetry/log.ts'
import { startLoops } from './loops.ts'

const HOUR_MS = 3_600_000

/** Returns the pauses after the given number of passes of a loop whose first passes fail. */
async function measurePauses(everyMs: number, { failures, passes }: { failures: number; passes: number }) {
  const pauses: number[] = []
  const done = Promise.withResolvers<void>()
  const original = timers.setTimeout
  Object.assign(timers, {
    setTimeout: async (ms: number) => {
      if (pauses.push(ms) >= passes) done.resolve()
      await new Promise(setImmediate)
    },
  })
  syncBuiltinESMExports()
  let count = 0
  const pass = async () => {
    if (count++ < failures) throw new Error('as planned')
    return false
  }
  const loops = startLoops(createLog('silent'), [{ name: 'tested', everyMs, pass }])
  await done.promise
  await loops.stop()
  Object.assign(timers, { setTimeout: original })
  syncBuiltinESMExports()
  return pauses.slice(0, passes)
}

test('a loop pauses for its interval after each pass', async () => {
  assert.deepEqual(await measurePauses(HOUR_MS, { failures: 0, passes: 2 }), [HOUR_MS, HOUR_MS])
})

test('a failing loop backs off up to half a minute', async () => {
  assert.deepEqual(await measurePauses(10_000, { failures: 3, passes: 4 }), [20_000, 30_000, 30_000, 10_000])
  assert.deepEqual(await measurePauses(HOUR_MS, { failures: 1, passes: 2 }), [30_000, HOUR_MS])
})
