import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { makeCaller, startTestApp, type TestApp } from '../support/app.ts'

// Once a catalog batch is acknowledged, no process may report its brands as unknown, because a client would then drop
// the purchase.

let app: TestApp
before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.catalog({ categories: [{ category_id: 1, category: 'GROCERY' }] })
  assert.equal((await app.call('POST', '/users', { publisher_user_id: 'ada' })).status, 200)
})
after(() => app.close())

const purchase = (name: string) => ({
  publisher_user_id: 'ada',
  source: 'CARD',
  external_id: name,
  kind: 'CLEARING',
  amount: 50,
  brand_uid: name,
  offer_uid: `${name}-offer`,
})

async function putBrand(name: string): Promise<void> {
  const offer = {
    offer_uid: `${name}-offer`,
    offer_type: 'CARD_LINKED',
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate: 5 },
    activation_required: true,
  }
  const brands = [{ brand_uid: name, category_id: 1, name, offers: [offer] }]
  const { status, body } = await app.operator('PUT', '/operator/catalog', { brands })
  assert.equal(status, 200, JSON.stringify(body))
}

/** Builds requests of several kinds that reference a brand or an offer. */
function buildRequests(name: string): [string, string, object?][] {
  return [
    ['POST', '/transactions', purchase(name)],
    ['POST', '/transactions', { transactions: [purchase(name)] }],
    ['POST', '/transactions/evaluate', purchase(name)],
    ['POST', `/offers/${name}-offer/activate`, { publisher_user_id: 'ada' }],
    ['GET', `/publishers/brands/${name}?publisher_user_id=ada`],
  ]
}

async function nothingIsUnknown(round: string, call: TestApp['call']): Promise<void> {
  for (const index of buildRequests('').keys()) {
    const name = `${round}-${index}`
    await putBrand(name)
    const [method, path, body] = buildRequests(name)[index] ?? ['', '']
    const answer = await call(method, path, body)
    assert.doesNotMatch(JSON.stringify(answer.body), /unknown|not_found|No such/, `${method} ${path}`)
    assert.ok([200, 409].includes(answer.status), `${answer.status} ${path} ${JSON.stringify(answer.body)}`)
  }
}

test('the process that acknowledges a brand recognizes it immediately', () => nothingIsUnknown('own', app.call))

test('no other process rejects an acknowledged brand as unknown', async () => {
  const config = readConfig({
    DATABASE_URL: app.service.db.url,
    PORT: '0',
    LAUREL_LOG_LEVEL: 'silent',
    LAUREL_MASTER_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
  })
  const other = await startService(config, {
    log: createLog('silent'),
    linkerUrls: { sandbox: app.simulatorUrl },
    drainMs: 0,
  })
  try {
    await nothingIsUnknown('other', makeCaller(other.url, app.apiKey))
  } finally {
    await other.close()
  }
})
