import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startEventWorld, startReceiver, statuses } from '../../test/support/webhook-world.ts'
import { createApp } from '../platform/http/index.ts'
import { REFUSALS } from '../refusals.ts'
import { authenticatePublishers, createApiKey } from '../tenants/access/index.ts'
import { eventRoutes } from './routes.ts'

const world = await startEventWorld('waits_for')
const app = createApp({ log: world.log, refusals: REFUSALS, trustedProxies: [] })
await app.register(async (guarded) => {
  await authenticatePublishers(guarded, { ...world, baseUrl: 'http://localhost' })
  eventRoutes(guarded, world)
})
after(() => app.close())

test('a pending delivery shows whether it is waiting for its endpoint, an earlier delivery or a retry', async () => {
  const publisher = await world.newPublisher()
  const { apiKey } = await world.db.transaction((tx) => createApiKey(tx, publisher, null, world.clock.now()))
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    return (await app.inject({ method, url, headers, ...(payload && { payload }) })).json()
  }
  const overloaded = await startReceiver((_request, response) =>
    response.writeHead(429, { 'retry-after': '3600' }).end(),
  )
  const failing = await call('POST', '/webhooks/endpoints', { url: (await startReceiver(statuses(500))).url })
  const busy = await call('POST', '/webhooks/endpoints', { url: overloaded.url })
  const deliverer = world.newDeliverer()
  for (const users of [['ada'], ['ada', 'ben']]) {
    await world.record(publisher, users)
    await world.settle(deliverer)
  }
  const causes = async ({ endpoint_id }: { endpoint_id: string }) => {
    const { content } = await call('GET', `/webhooks/deliveries?endpoint_id=${endpoint_id}&status=pending`)
    return content.map((one: { waits_for: string }) => one.waits_for).sort()
  }
  assert.deepEqual(await causes(failing), ['earlier_delivery', 'next_attempt', 'next_attempt'])
  assert.deepEqual(await causes(busy), ['endpoint', 'endpoint', 'endpoint'])
})
