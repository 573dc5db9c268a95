import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import Type from 'typebox'
import { REFUSALS } from '../../refusals.ts'
import { createLog } from '../telemetry/log.ts'
import { createApp } from './app.ts'

const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [] })
after(() => app.close())
const never = new Promise(() => undefined)
app.get('/unread', async () => ({}))
app.post('/read', { schema: { body: Type.Any() } }, async ({ body }) => body)
app.post('/waiting', { onRequest: () => never }, async () => ({}))
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const WAITED_MAX_MS = 20_000

/**
 * Sends an endless chunked body until the connection is closed. If the path does not read the body, sending starts
 * after the response begins.
 */
async function flood(method: string, path: string, piece: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const [closed, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  socket.on('error', () => undefined)
  socket.once('close', closed.resolve)
  socket.on('data', () => answered.resolve())
  socket.write(`${method} ${path} ${HEAD}`)
  if (UNREAD.includes(path)) await answered.promise
  const pieces = piece.repeat(Math.ceil(65_536 / piece.length))
  const untilMs = performance.now() + WAITED_MAX_MS
  while (!socket.destroyed && performance.now() < untilMs)
    if (!socket.write(pieces))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed.promise])
  assert(socket.destroyed, 'the body is read without end')
}

const UNREAD = ['/nowhere', '/unread']
const HEAD = 'HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
const TINY = '1\r\na\r\n'
const LARGE = `10000\r\n${'a'.repeat(65_536)}\r\n`

for (const [method, path, piece] of [
  ['POST', '/nowhere', TINY],
  ['POST', '/nowhere', LARGE],
  ['GET', '/unread', TINY],
  ['POST', '/read', TINY],
  ['POST', '/waiting', TINY],
] as const)
  test(`an endless body of ${piece.length}-byte chunks to ${method} ${path} closes the connection`, async () => {
    await flood(method, path, piece)
  })

test('a body in too many small chunks is refused for that reason, unless the response has begun', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /waiting ${HEAD}${TINY.repeat(200)}`)
  assert.match(await text(socket), /^HTTP\/1\.1 400 .*"code":"chunks_too_small"/s)
})

test('a body of a hundred one-byte chunks or very many 70-byte chunks is accepted', async () => {
  const some = JSON.stringify({ a: 'x'.repeat(90) })
  const many = JSON.stringify({ a: 'x'.repeat(500_000) })
  for (const [body, size] of [
    [some, 1],
    [many, 70],
  ] as const) {
    const parts = body.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
    const answer = await fetch(`http://127.0.0.1:${port}/read`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ReadableStream.from(parts.map((part) => Buffer.from(part))),
      duplex: 'half',
    } as RequestInit)
    assert.equal(await answer.text(), body)
  }
})

test('a client that keeps sending slowly after the response does not prevent shutdown', async () => {
  const stopping = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [] })
  await stopping.listen({ host: '127.0.0.1', port: 0 })
  const heads = [HEAD, HEAD.replace('Transfer-Encoding: chunked', 'Content-Length: 1000')]
  const drips = await Promise.all(
    heads.map(async (head) => {
      const socket = connect((stopping.server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`POST /nowhere ${head}`)
      await once(socket, 'data')
      return setInterval(() => socket.write(`40\r\n${'a'.repeat(64)}\r\n`), 50)
    }),
  )
  await stopping.close()
  for (const drip of drips) clearInterval(drip)
})
