import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { REFUSALS } from '../../refusals.ts'
import type { Database } from '../db/database.ts'
import { createLog } from '../telemetry/log.ts'
import { healthRoutes } from './health.ts'
import { createApp } from './index.ts'

test('readiness queries the database at most once a second, however many probes arrive', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let [asked, isUp] = [0, true]
  const reader = async () => {
    asked++
    if (!isUp) throw new Error('the database is down')
    return [{ one: 1 }]
  }
  const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [] })
  after(() => app.close())
  healthRoutes(app, {
    db: { reader } as unknown as Database,
    isDraining: () => false,
    notReady: new Set(),
    strangerCallsPerSecond: 100,
  })
  const statuses = () =>
    Promise.all(Array.from({ length: 200 }, async () => (await app.inject('/readyz')).statusCode)).then(
      (all) => new Set(all),
    )
  assert.deepEqual([await statuses(), asked], [new Set([200]), 1])
  isUp = false
  assert.deepEqual([await statuses(), asked], [new Set([200]), 1], 'the answer is kept')
  context.mock.timers.tick(1_000)
  assert.deepEqual([await statuses(), asked], [new Set([503]), 2], 'and asked for again')
})
