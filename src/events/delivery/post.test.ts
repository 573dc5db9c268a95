import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { LOCAL } from '../../../test/support/egress.ts'
import { createPoster } from './post.ts'

// Gives a slow machine enough time when a response is expected.
const patient = createPoster(LOCAL, { deadlineMs: 30_000 })
const hasty = createPoster(LOCAL, { deadlineMs: 400 })
after(() => Promise.all([patient.close(), hasty.close()]))

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}
const post = (url: URL, poster = patient) => poster.post(url, { 'webhook-id': 'evt_1' }, '{"a":1}')
const answering = (status: number, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => response.writeHead(status, headers).end('answer')
}

for (const status of [200, 201, 204, 299]) {
  test(`a ${status} response is a success`, async () => {
    assert.deepEqual(await post(await serve(answering(status))), {
      responseStatus: status,
      error: null,
      retryAfter: null,
      answer: status === 204 ? null : 'answer',
      isHidden: false,
    })
  })
}

for (const status of [400, 404, 410, 429, 500, 503]) {
  test(`a ${status} response is recorded as a failure, with its status and Retry-After`, async () => {
    const outcome = await post(await serve(answering(status, { 'retry-after': '7' })))
    assert.deepEqual(outcome, {
      responseStatus: status,
      error: 'status_not_2xx',
      retryAfter: '7',
      answer: 'answer',
      isHidden: false,
    })
  })
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a ${status} redirect is a failure and is not followed`, async () => {
    let followed = 0
    const target = await serve((_request, response) => {
      followed++
      response.end()
    })
    const outcome = await post(await serve(answering(status, { location: target.href })))
    assert.deepEqual([outcome.error, outcome.responseStatus, followed], ['redirect', status, 0])
  })
}

test('a call to a receiver that never responds is aborted at the deadline', async () => {
  assert.equal((await post(await serve(() => undefined), hasty)).error, 'timeout')
})

test('a call whose response body stalls is aborted at the same deadline', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('x')
  })
  assert.equal((await post(url, hasty)).error, 'timeout')
})

test('only the beginning of an endless response is read', async () => {
  let sent = 0
  const url = await serve((_request, response) => {
    const more = (): void => {
      if (response.destroyed) return
      sent += 1024
      response.write('x'.repeat(1024), () => setImmediate(more))
    }
    more()
  })
  assert.equal((await post(url)).error, null)
  assert.ok(sent < 10_000_000)
})

test('the first KB of a response is stored as text that the database accepts', async () => {
  const long = await post(await serve((_request, response) => response.end('é'.repeat(2000))))
  assert.equal(long.answer, 'é'.repeat(512))
  const binary = await post(await serve((_request, response) => response.end(Buffer.from([0, 0xff, 65]))))
  assert.equal(binary.answer, '\uFFFD\uFFFDA')
  assert.equal((await post(await serve((_request, response) => response.end()))).answer, null)
})

test('a connection that the receiver closes is reported as lost', async () => {
  const url = await serve((request) => request.socket.destroy())
  assert.equal((await post(url)).error, 'connection_lost')
})

test('a port without a listener refuses the connection', async () => {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  assert.equal((await post(new URL(`http://127.0.0.1:${port}/`))).error, 'connection_refused')
})

for (const host of ['10.0.0.1', '169.254.169.254', '[::ffff:7f00:1]', '[fd00::1]', '0.0.0.0', '100.100.100.100']) {
  test(`a call to ${host} is never made`, async () => {
    assert.equal((await post(new URL(`https://${host}/`))).error, 'address_refused')
  })
}

test('an https URL served without TLS fails with a specific error', async () => {
  const url = await serve(answering(200))
  assert.equal((await post(new URL(url.href.replace('http:', 'https:')))).error, 'tls_failed')
})

test('a TLS handshake that never finishes is aborted at the same deadline', async () => {
  const server = createTcpServer()
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  assert.deepEqual(await post(new URL(`https://127.0.0.1:${port}/`), hasty), {
    responseStatus: null,
    error: 'timeout',
    retryAfter: null,
    answer: null,
    isHidden: false,
  })
})

for (const [status, error] of [
  [200, null],
  [500, 'status_not_2xx'],
] as const) {
  test(`the outcome of a ${status} response whose body is cut short depends only on its status`, async () => {
    const url = await serve((request, response) => {
      response.writeHead(status, { 'content-length': '10' })
      response.write('x', () => request.socket.destroy())
    })
    const outcome = await post(url)
    assert.deepEqual([outcome.responseStatus, outcome.error], [status, error])
  })
}

test('an interim response is not mistaken for the final one', async () => {
  const url = await serve((_request, response) => {
    response.writeProcessing()
    response.writeHead(503).end()
  })
  assert.equal((await post(url)).responseStatus, 503)
})

test('a receiver that sends endless interim responses is cut off after a few', async () => {
  const seen = Promise.withResolvers<void>()
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('close', seen.resolve)
    const send = (): void => {
      if (!socket.destroyed) socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000), send)
    }
    socket.once('data', send)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const outcome = await post(new URL(`http://127.0.0.1:${port}/`))
  assert.deepEqual([outcome.error, outcome.responseStatus], ['network_error', null])
  await seen.promise
})

test('consecutive calls reuse the same connections', async () => {
  const ports = new Set<number | undefined>()
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort)
    response.end()
  })
  const caller = async (): Promise<void> => {
    for (let count = 0; count < 20; count++) await post(url)
  }
  await Promise.all(Array.from({ length: 8 }, caller))
  assert.equal(ports.size, 8)
})
