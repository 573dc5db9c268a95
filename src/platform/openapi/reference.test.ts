import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { REFUSALS } from '../../refusals.ts'
import { createApp } from '../http/index.ts'
import { createLog } from '../telemetry/log.ts'
import { referenceRoutes } from './reference.ts'

test('concurrent first requests for the API document share a single read and buffer', async () => {
  const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [] })
  after(() => app.close())
  const payloads: unknown[] = []
  app.addHook('onSend', (_request, _reply, payload, done) => {
    payloads.push(payload)
    done()
  })
  const content = { tags: {}, introduction: '', descriptions: {}, schemas: {}, webhooks: {} }
  let url = 'https://one.example'
  await referenceRoutes(app, content, () => url, 1_000)
  const ask = async () => (await app.inject('/openapi.json')).json().servers
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, ask)), Array(20).fill([{ url }]))
  assert.deepEqual([payloads.length, new Set(payloads).size], [20, 1])
  url = 'https://other.example'
  assert.deepEqual(await ask(), [{ url }])
})
