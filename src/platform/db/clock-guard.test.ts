import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { createLog } from '../telemetry/log.ts'
import { renderMetrics } from '../telemetry/metrics.ts'
import { createClockGuard, measureDrift } from './clock-guard.ts'

const { reader } = await openTestDatabase('clock_guard')
const ahead = (ms: number) => ({ now: () => new Date(Date.now() + ms) })
const HOUR_MS = 3_600_000

test("drift is measured against the database's clock, and a slow response does not count as drift", async () => {
  assert.equal(await measureDrift(reader, ahead(0)), 0)
  const [early, late] = [await measureDrift(reader, ahead(-HOUR_MS)), await measureDrift(reader, ahead(HOUR_MS))]
  assert(early < -HOUR_MS / 2 && late > HOUR_MS / 2, `${early} ${late}`)
  const instants = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + HOUR_MS)]
  assert.equal(await measureDrift(reader, { now: () => instants.shift() ?? new Date() }), 0)
})

test('concurrent checks share one query', async () => {
  let looks = 0
  const clock = {
    now: () => {
      looks++
      return new Date()
    },
  }
  const agrees = createClockGuard(reader, clock, createLog('silent'))
  assert.deepEqual(await Promise.all([agrees(), agrees(), agrees()]), [true, true, true])
  assert.equal(looks, 2)
  await agrees()
  assert.equal(looks, 4)
})

test('drift is exported as a metric and logged once when it begins and once when it ends', async () => {
  let driftMs = 0
  const said: string[] = []
  const log = createLog('silent')
  const note = (_: object, text?: string) => void said.push(text ?? '')
  const clock = { now: () => new Date(Date.now() + driftMs) }
  const agrees = createClockGuard(reader, clock, Object.assign(Object.create(log), { error: note, info: note }))
  assert.equal(await agrees(), true)
  driftMs = HOUR_MS
  assert.deepEqual([await agrees(), await agrees(), said.length], [false, false, 1])
  const { text } = await renderMetrics()
  assert(Number(/^laurel_clock_drift_seconds (\S+)$/m.exec(text)?.[1]) > 1_800)
  driftMs = 0
  assert.deepEqual([await agrees(), said.length], [true, 2])
})
