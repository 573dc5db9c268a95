import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../log.ts'
import { createApp } from './app.ts'

test('long work pauses while a request waits for its answer, and not otherwise', async () => {
  const app = createApp({ log: createLog('silent'), refusals: {} as never, trustedProxies: [] })
  const [arrived, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.get('/', async () => {
    arrived.resolve()
    await answers.promise
    return {}
  })
  // The part takes a millisecond, the pause then two.
  const part = (): string => {
    const beganMs = performance.now()
    while (performance.now() - beganMs < 1);
    return 'done'
  }
  const afterATurn = () => new Promise<string>((resolve) => setImmediate(resolve, 'pauses'))
  assert.equal(await Promise.race([app.givingWay(part), afterATurn()]), 'done')
  const answered = app.inject('/')
  await arrived.promise
  const paused = app.givingWay(part)
  assert.equal(await Promise.race([paused, afterATurn()]), 'pauses')
  assert.equal(await paused, 'done')
  answers.resolve()
  await answered
  assert.equal(await Promise.race([app.givingWay(part), afterATurn()]), 'done')
  await app.close()
})
