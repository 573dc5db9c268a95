import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, afterEach, test } from 'node:test'
import { makeCaller, startTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { endProcesses, startProcess } from './processes.ts'

type Value = { readonly stringValue?: string; readonly intValue?: number }
type SentSpan = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly links: readonly { readonly traceId: string }[]
}
type Sent = { readonly resourceSpans: { readonly scopeSpans: { readonly spans: SentSpan[] }[] }[] }

let sent: Sent[] = []
const collector = createServer(async (request, response) => {
  sent.push((await json(request)) as Sent)
  response.setHeader('Content-Type', 'application/json').end('{}')
})
const hooked = Promise.withResolvers<void>()
const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(500).end('an answer with a secret')
  hooked.resolve()
})
const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const [collectorUrl, receiverUrl] = [await listen(collector), await listen(receiver)]
afterEach(endProcesses)

const app = await startTestApp({ settings: { LAUREL_ROLE: 'api' } })
after(app.close)

// The metrics load the OpenTelemetry API, which does nothing by itself, so it is excluded.
const loaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) => /@opentelemetry\/(?!api\/)/.test(path))

test('no OpenTelemetry code except its API is loaded unless a variable enables tracing', async () => {
  assert.equal((await app.call('GET', '/users/ada')).status, 404)
  assert.deepEqual(loaded(), [])
  await import('../../src/platform/telemetry/open-telemetry.ts')
  assert(loaded().length > 0)
})

/** Starts the service with a collector. `ended` stops the service and returns its spans. */
async function startTraced(settings: Readonly<Record<string, string>> = {}) {
  sent = []
  const running = await startProcess({
    DATABASE_URL: app.owner.url,
    LAUREL_MASTER_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
    LAUREL_DEMO: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    ...settings,
  })
  const ended = async (): Promise<SentSpan[]> => {
    assert.equal(await running.end('SIGTERM'), 0)
    return sent.flatMap(({ resourceSpans }) => resourceSpans).flatMap(({ scopeSpans }) => scopeSpans[0]?.spans ?? [])
  }
  return { url: running.url ?? '', ended }
}

const getAttributes = ({ attributes }: SentSpan) => new Map(attributes.map(({ key, value }) => [key, value]))
const CLIENT = 3
const FAILED = 2

test("each request is one span with route, caller and no secrets, and links to its caller's trace", async () => {
  const running = await startTraced({ OTEL_SERVICE_NAME: 'laurel-here' })
  const [ours, strangers] = ['a'.repeat(32), 'b'.repeat(32)]
  const ask = (path: string, key: string, traceId: string) =>
    fetch(`${running.url}${path}`, {
      headers: { Authorization: `Bearer ${key}`, traceparent: `00-${traceId}-${'c'.repeat(16)}-01` },
    })
  assert.equal((await ask('/users/somebody%40example.com', app.apiKey, ours)).status, 404)
  assert.equal((await ask('/publishers/brands?search=coffee', 'no-such-key', strangers)).status, 401)
  const spans = await running.ended()
  const findSpan = (name: string): SentSpan => {
    const found = spans.filter((span) => span.name === name)
    assert.equal(found.length, 1, `${name} in ${spans.map((span) => span.name)}`)
    return found[0] as SentSpan
  }
  const asked = findSpan('GET /users/:publisher_user_id')
  assert.equal(asked.kind, 2)
  assert.equal(getAttributes(asked).get('http.response.status_code')?.intValue, 404)
  assert.match(getAttributes(asked).get('laurel.publisher_id')?.stringValue ?? '', /^pub_/)
  assert.deepEqual(
    asked.links.map(({ traceId }) => traceId),
    [ours],
  )
  assert.notEqual(asked.traceId, ours)
  const stranger = findSpan('GET /publishers/brands')
  assert.equal(getAttributes(stranger).get('http.response.status_code')?.intValue, 401)
  assert.deepEqual(stranger.links, [])
  const text = JSON.stringify(sent)
  assert(text.includes('laurel-here'))
  for (const secret of [app.apiKey, 'no-such-key', 'somebody', 'example.com', 'coffee', app.owner.url])
    assert(!text.includes(secret), secret)
})

test('loops, jobs, webhooks and provider calls are spans under their cause, with codes but no URLs', async () => {
  const running = await startTraced({ LAUREL_LINKER_URL: app.simulatorUrl })
  const call = makeCaller(running.url, app.apiKey)
  assert.equal((await call('POST', '/webhooks/endpoints', { url: `${receiverUrl}/hook-path` })).status, 200)
  await call('POST', '/users', { publisher_user_id: 'linking' })
  const made = await fetch(`${app.simulatorUrl}/sandbox/public_token/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'plaid-client-id': 'laurel', 'plaid-secret': 'laurel' },
    body: JSON.stringify({ institution_id: 'ins_109508', initial_products: ['transactions'] }),
  })
  const { public_token } = (await made.json()) as { public_token: string }
  const link = async (token: string) => {
    const bank = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' }
    return (await call('POST', '/linker/public-token/linking', { public_token: token, ...bank })).status
  }
  assert.deepEqual([await link(public_token), await link(`${public_token}-x`)], [200, 422])
  await eventually(async () => (await app.owner.reader`select 1 from feed_rows limit 1`).length > 0)
  await hooked.promise

  const spans = await running.ended()
  const findParent = ({ parentSpanId }: SentSpan) => spans.find(({ spanId }) => spanId === parentSpanId)?.name
  const named = (name: string): SentSpan[] => spans.filter((span) => span.name === name)
  const [webhook] = named('webhook')
  assert.ok(webhook)
  assert.deepEqual([webhook.kind, webhook.status.code, findParent(webhook)], [CLIENT, FAILED, 'work webhook deliverer'])
  const [status, error] = ['http.response.status_code', 'error.type'].map((key) => getAttributes(webhook).get(key))
  assert.deepEqual([status?.intValue, error?.stringValue], [500, 'status_not_2xx'])
  const exchanges = named('provider item/public_token/exchange')
  const linking = 'POST /linker/public-token/:publisher_user_id'
  assert.deepEqual(
    exchanges.map((span) => [span.kind, span.status.code === FAILED, findParent(span)]),
    [
      [CLIENT, false, linking],
      [CLIENT, true, linking],
    ],
  )
  const [reading] = named('provider transactions/sync')
  assert.equal(reading && findParent(reading), 'work linker syncs')
  for (const span of [...named('work linker syncs'), ...named('loop linker syncs')])
    assert.deepEqual([findParent(span), span.attributes], [undefined, []])
  assert(named('loop linker syncs').length > 0)
  const text = JSON.stringify(sent)
  for (const secret of [app.apiKey, public_token, 'linking"', 'hook-path', receiverUrl, app.simulatorUrl, 'a secret'])
    assert(!text.includes(secret), secret)
})
