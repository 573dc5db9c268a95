import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { showBacklog } from '../../src/events/metrics.ts'
import { showDeltas } from '../../src/ledger/index.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { recordFact, showFacts } from '../../src/platform/queue/outbox.ts'
import { renderMetrics } from '../../src/platform/telemetry/metrics.ts'
import { showMaturing } from '../../src/purchases/transactions/index.ts'
import { CATALOG, fetchPatiently, startTestApp } from '../support/app.ts'

/** Starts the service in a role with a metrics port, and captures its log. */
async function start(role: 'api' | 'worker') {
  const entries: Record<string, unknown>[] = []
  const stream = new Writable({
    write: (line, _encoding, done) => {
      entries.push(JSON.parse(String(line)))
      done()
    },
  })
  const settings = { LAUREL_ROLE: role, LAUREL_METRICS_PORT: '0', LAUREL_LOGLEVEL: 'info' }
  const app = await startTestApp({ log: pino({ level: 'info' }, stream), settings })
  after(() => app.close())
  const address = entries.find(({ msg }) => msg === 'metrics')?.['address']
  return { app, entries, metrics: `${address}/metrics` }
}

const { app, entries, metrics } = await start('api')

test('metrics are served only on their own port, even by a worker', async () => {
  assert.equal((await fetchPatiently(`${app.service.url}/metrics`, {})).status, 404)
  const worker = await start('worker')
  for (const address of [metrics, worker.metrics]) {
    const answer = await fetchPatiently(address, {})
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /^laurel_http_request_seconds/m)
  }
  assert.equal((await fetchPatiently(metrics.replace('/metrics', '/'), {})).status, 404)
})

test('the log warns about a variable that looks like a misspelled setting', () => {
  const warned = entries.find(({ msg }) => String(msg).startsWith('LAUREL_LOGLEVEL'))
  assert.equal(warned?.['level'], 40)
  assert.equal(warned?.['msg'], 'LAUREL_LOGLEVEL is not a setting of Laurel; did you mean LAUREL_LOG_LEVEL?')
})

test("the access log contains each request's publisher and key, or its operator", async () => {
  await app.call('GET', '/users')
  await app.operator('GET', '/operator/me')
  const [ofPublisher, ofOperator] = ['/users', '/operator/me'].map((route) =>
    entries.find((entry) => entry['route'] === route),
  )
  assert.equal(ofPublisher?.['publisher_id'], encodeId('pub', app.publisher.id))
  assert.match(String(ofPublisher?.['key_id']), /^key_[0-9a-z]{26}$/)
  assert.match(String(ofOperator?.['operator_id']), /^opr_[0-9a-z]{26}$/)
})

test('gauges show the backlog of events, webhooks, facts, deltas and rewards, but identify no publisher', async () => {
  await app.catalog(CATALOG)
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  const gift = { publisher_user_id: 'ada', external_id: 'gift', source: 'GIFT_CARD', amount: 50 }
  await app.call('POST', '/transactions', { ...gift, offer_uid: 'offer-gadgets-gift' })
  const { db } = app.service
  await db.transaction((tx) => recordFact(tx, app.publisher.id, 'sale.reported', {}))
  const later = new Date(Date.now() + 90 * 86_400_000)
  await showBacklog(db.reader, later)
  await showFacts(db.reader)
  await showDeltas(db.reader)
  await showMaturing(db.reader, later)
  const { text } = await renderMetrics()
  const figure = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  assert(figure('laurel_events_oldest_unsequenced_seconds') > 86_400)
  assert(figure('laurel_maturing_lag_seconds') > 86_400)
  assert(figure('laurel_ledger_deltas') > 0)
  assert.equal(figure('laurel_facts{state="waiting"}'), 1)
  assert.equal(figure('laurel_webhook_queues_due{environment="sandbox"}'), 0)
  assert(!text.includes(app.publisher.id) && !text.includes('pub_'))
})
