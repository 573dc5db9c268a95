import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import { REFUSALS } from '../../refusals.ts'
import { createLog } from '../telemetry/log.ts'
import { createApp } from './app.ts'

const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [], strangerCallsPerSecond: 1 })
let started = 0
app.get('/', async () => ({ number: ++started }))
const Body = Type.Object({ nth: Type.Integer(), text: Type.String() })
app.post('/', { schema: { body: Body } }, async ({ body }) => ({ nth: body.nth }))
await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

const OF_TURN_MAX = 10
const READ_BYTES = 64 * 1024
// An idle machine takes half as long. Other load on the same core can double that.
const COST_MAX_MS = 100
const TRIES = 4

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Sends the bytes in one write. Returns the responses and the load of the busiest event-loop turn. */
async function pipeline(bytes: string, isAnswered: (text: string) => boolean) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(bytes)
  let [mostStarted, mostMs] = [0, 0]
  while (!isAnswered(text) && !socket.destroyed) {
    const [before, beganMs] = [started, usedMs()]
    await setImmediate()
    mostStarted = Math.max(mostStarted, started - before)
    mostMs = Math.max(mostMs, usedMs() - beganMs)
  }
  socket.destroy()
  return { text, mostStarted, mostMs }
}

const countOccurrences = (text: string, part: string) => text.split(part).length - 1

/** Returns the load of the busiest turn in the best of several tries. */
async function leastCostMs(once: () => Promise<number>): Promise<number> {
  let leastMs = Infinity
  for (let tries = 0; tries < TRIES; tries++) leastMs = Math.min(leastMs, await once())
  return leastMs
}

test('pipelined requests are spread over event-loop turns and answered in order', async () => {
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  const count = Math.floor(READ_BYTES / request.length)
  const leastMs = await leastCostMs(async () => {
    started = 0
    const { text, mostStarted, mostMs } = await pipeline(request.repeat(count), (all) =>
      all.endsWith(`{"number":${count}}`),
    )
    // One turn can start the requests of its own read plus a share of those waiting.
    assert.ok(mostStarted <= 2 * OF_TURN_MAX, `${mostStarted} were started in one turn`)
    const numbers = [...text.matchAll(/\{"number":(\d+)\}/g)].map(([, number]) => Number(number))
    assert.deepEqual(
      numbers,
      Array.from({ length: count }, (_, nth) => nth + 1),
    )
    return mostMs
  })
  assert.ok(leastMs < COST_MAX_MS, `${leastMs} ms of processor time in one turn`)
})

for (const [what, request, status] of [
  ['without a Host header', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['with unsupported expectations', 'GET / HTTP/1.1\r\nHost:\r\nExpect:x\r\n\r\n', 400],
  ['with the expectation 100-continue', 'GET / HTTP/1.1\r\nHost:\r\nExpect:100-continue\r\n\r\n', 100],
] as const)
  test(`pipelined requests ${what} do not block the event loop`, async () => {
    const leastMs = await leastCostMs(async () => {
      const { text, mostMs } = await pipeline(request.repeat(READ_BYTES / request.length), (all) => all !== '')
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
      return mostMs
    })
    assert.ok(leastMs < COST_MAX_MS, `${leastMs} ms of processor time in one turn`)
  })

for (const [what, request, fault] of [
  ['without a Host header', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 requires a Host header.'],
  [
    'with an unsupported expectation',
    'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n',
    'The only supported expectation is 100-continue.',
  ],
] as const)
  test(`a request ${what} is rejected with the reason, and its connection is closed`, async () => {
    const { text } = await pipeline(request.repeat(20), (all) => all.endsWith('}'))
    const [, head, body = ''] = /^HTTP\/1\.1 400 (.+?)\r\n\r\n(.+)$/s.exec(text) ?? []
    assert.match(head ?? '', /\r\nconnection: close/i)
    const { code, detail } = JSON.parse(body)
    assert.deepEqual([code, detail], ['request_unreadable', fault])
  })

for (const [what, request] of [
  ['over HTTP/1.0 without a Host header', 'GET / HTTP/1.0\r\n\r\n'],
  ['with the expectation 100-continue', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n\r\n'],
] as const)
  test(`a request ${what} is answered`, async () => {
    const { text } = await pipeline(request, (all) => all.endsWith('}'))
    assert.match(text, /^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 /)
  })

test('every pipelined request with a body gets its own response', async () => {
  const bodies = Array.from({ length: 200 }, (_, nth) => JSON.stringify({ nth, text: 'x'.repeat(2_000) }))
  const requests = bodies.map(
    (body) =>
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const { text } = await pipeline(requests.join(''), (all) => countOccurrences(all, '"nth"') === bodies.length)
  const found = [...text.matchAll(/"nth":(\d+)/g)].map(([, nth]) => Number(nth))
  assert.deepEqual(
    found,
    bodies.map((_, nth) => nth),
  )
})

test('endless pipelines delay another connection by less than one read from each pipeline', async () => {
  const { port } = app.server.address() as AddressInfo
  const floods = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'))
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  const piece = request.repeat(2_000)
  for (const flood of floods) {
    flood.on('error', () => undefined)
    flood.on('data', () => undefined)
    const more = () => {
      while (flood.writable && flood.write(piece));
    }
    flood.on('connect', more).on('drain', more)
  }
  started = 0
  while (started === 0) await setImmediate()
  const meanwhile: number[] = []
  for (let nth = 0; nth < 5; nth++) {
    const before = started
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)
    meanwhile.push(started - before - 1)
  }
  for (const flood of floods) flood.destroy()
  // One read from each flood brings in this many requests.
  const max = (floods.length * READ_BYTES) / request.length
  assert.ok(
    meanwhile.every((count) => count > 0 && count < max),
    `${meanwhile} of at most ${max}`,
  )
})
