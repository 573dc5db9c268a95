import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, afterEach, test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { endProcesses, startProcess } from './processes.ts'

type Value = { readonly stringValue?: string; readonly intValue?: number }
type SentSpan = {
  readonly name: string
  readonly traceId: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly links: readonly { readonly traceId: string }[]
}
type Sent = { readonly resourceSpans: { readonly scopeSpans: { readonly spans: SentSpan[] }[] }[] }

const sent: Sent[] = []
const collector = createServer(async (request, response) => {
  sent.push((await json(request)) as Sent)
  response.setHeader('Content-Type', 'application/json').end('{}')
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
after(() => collector.close())
afterEach(endProcesses)

const app = await startTestApp({ settings: { LAUREL_ROLE: 'api' } })
after(app.close)

// The metrics bring along its interface, which does nothing by itself.
const loaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) => /@opentelemetry\/(?!api\/)/.test(path))

test('nothing of OpenTelemetry is loaded unless a variable asks for traces', async () => {
  assert.equal((await app.call('GET', '/users/ada')).status, 404)
  assert.deepEqual(loaded(), [])
  await import('../../src/platform/open-telemetry.ts')
  assert(loaded().length > 0)
})

test('each request is one span with its route, its caller and no secret; callers are linked, not followed', async () => {
  const { port } = collector.address() as AddressInfo
  const running = await startProcess({
    DATABASE_URL: app.owner.url,
    LAUREL_MASTER_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
    LAUREL_DEMO: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'laurel-here',
  })
  const [ours, strangers] = ['a'.repeat(32), 'b'.repeat(32)]
  const ask = (path: string, key: string, traceId: string) =>
    fetch(`${running.url}${path}`, {
      headers: { Authorization: `Bearer ${key}`, traceparent: `00-${traceId}-${'c'.repeat(16)}-01` },
    })
  assert.equal((await ask('/users/somebody%40example.com', app.apiKey, ours)).status, 404)
  assert.equal((await ask('/publishers/brands?search=coffee', 'no-such-key', strangers)).status, 401)
  assert.equal(await running.end('SIGTERM'), 0)

  const spans = sent
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans[0]?.spans ?? [])
  const spanOf = (name: string): SentSpan => {
    const found = spans.filter((span) => span.name === name)
    assert.equal(found.length, 1, `${name} in ${spans.map((span) => span.name)}`)
    return found[0] as SentSpan
  }
  const attributesOf = ({ attributes }: SentSpan) => new Map(attributes.map(({ key, value }) => [key, value]))
  const asked = spanOf('GET /users/:publisher_user_id')
  assert.equal(asked.kind, 2)
  assert.equal(attributesOf(asked).get('http.response.status_code')?.intValue, 404)
  assert.match(attributesOf(asked).get('laurel.publisher_id')?.stringValue ?? '', /^pub_/)
  assert.deepEqual(
    asked.links.map(({ traceId }) => traceId),
    [ours],
  )
  assert.notEqual(asked.traceId, ours)
  const stranger = spanOf('GET /publishers/brands')
  assert.equal(attributesOf(stranger).get('http.response.status_code')?.intValue, 401)
  assert.deepEqual(stranger.links, [])
  const text = JSON.stringify(sent)
  assert(text.includes('laurel-here'))
  for (const secret of [app.apiKey, 'no-such-key', 'somebody', 'example.com', 'coffee', app.owner.url])
    assert(!text.includes(secret), secret)
})
