import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { egressWith } from '../../../test/support/egress.ts'
import { startNameServer } from '../../../test/support/name-server.ts'
import { CERTIFICATE } from '../../../test/support/receiver-certificate.ts'
import { createPoster } from '../delivery/post.ts'
import { createNames } from './names.ts'

setDefaultCACertificates([CERTIFICATE.cert])
const names = createNames([
  (await startNameServer({ 'receiver.example': '127.0.0.1', 'public.example': '8.8.8.8' })).address,
])

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const received: string[] = []
const port = await listening(
  createTlsServer(CERTIFICATE, (request, response) => {
    received.push(`${request.headers.host}${request.url}`)
    response.statusCode = request.url === '/hook' ? 200 : 500
    response.end('the answer')
  }),
)

/** The tunnels requested from the forward proxy, which opens them only with the right credentials. */
const tunnels: string[] = []
const proxyPort = await listening(
  createServer((_request, response) => response.writeHead(405).end()).on('connect', (request, socket) => {
    tunnels.push(`${request.url}`)
    if (request.headers['proxy-authorization'] !== `Basic ${Buffer.from('laurel:s@cret').toString('base64')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const [host, target] = (request.url ?? '').split(':')
    const tunnel = connect(Number(target), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    for (const end of [tunnel, socket]) end.on('error', () => [tunnel, socket].map((one) => one.destroy()))
  }),
)

const RECEIVERS = { allowed: ['public', '127.0.0.0/8'], isLocal: true }
function posterWith(settings: Parameters<typeof egressWith>[0]) {
  const poster = createPoster(egressWith({ ...RECEIVERS, ...settings }), { names, deadlineMs: 30_000 })
  after(() => poster.close())
  return (url: string) => poster.post(new URL(url), {}, '{}')
}

test('a private receiver allowed by the operator can be called by host name', async () => {
  const post = posterWith({})
  assert.equal((await post(`https://receiver.example:${port}/hook`)).error, null)
  assert.equal(received.at(-1), `receiver.example:${port}/hook`)
  assert.equal((await post(`https://receiver.example:${port}/other`)).responseStatus, 500)
})

test('a proxy tunnels to the checked address, and TLS runs end to end between service and receiver', async () => {
  const post = posterWith({ proxy: `http://laurel:s%40cret@127.0.0.1:${proxyPort}` })
  const before = received.length
  assert.equal((await post(`https://receiver.example:${port}/hook`)).error, null)
  assert.equal((await post(`https://receiver.example:${port}/hook`)).error, null)
  assert.deepEqual(tunnels.splice(0), [`127.0.0.1:${port}`], 'the tunnel is used again')
  assert.equal(received.length, before + 2)
})

test('the service never asks a proxy for a tunnel to an address blocked by the lists', async () => {
  const post = posterWith({ allowed: ['public'], proxy: `http://laurel:s%40cret@127.0.0.1:${proxyPort}` })
  assert.equal((await post(`https://receiver.example:${port}/hook`)).error, 'name_not_resolved')
  assert.equal((await post(`https://10.0.0.1:${port}/hook`)).error, 'address_refused')
  assert.deepEqual(tunnels, [])
})

test('a call through a proxy that refuses or is unreachable fails with a refused connection', async () => {
  assert.equal(
    (await posterWith({ proxy: `http://127.0.0.1:${proxyPort}` })(`https://receiver.example:${port}/hook`)).error,
    'connection_refused',
  )
  assert.deepEqual(tunnels.splice(0), [`127.0.0.1:${port}`])
  const vacant = createServer()
  const vacantPort = await listening(vacant)
  await new Promise((resolve) => vacant.close(resolve))
  const post = posterWith({ proxy: `http://127.0.0.1:${vacantPort}` })
  assert.equal((await post(`https://receiver.example:${port}/hook`)).error, 'connection_refused')
})

test('a service reachable by others reveals nothing about ports on private addresses', async () => {
  const vacant = createServer()
  const closedPort = await listening(vacant)
  await new Promise((resolve) => vacant.close(resolve))
  const plainPort = await listening(createServer((_request, response) => response.end()))
  const post = posterWith({ isLocal: false, allowsLoopback: true })
  const outcomes = await Promise.all(
    [
      `https://receiver.example:${closedPort}/hook`,
      `https://receiver.example:${plainPort}/hook`,
      `https://receiver.example:${port}/other`,
      `http://127.0.0.1:${closedPort}/hook`,
      `https://127.0.0.1:${port}/hook`,
      `http://127.0.0.1:${port}/hook`,
    ].map(post),
  )
  assert.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 1)
  assert.equal(outcomes[0]?.error, 'network_error')
  const { error, answer } = await post(`https://receiver.example:${port}/hook`)
  assert.deepEqual([error, answer], [null, null])
})
