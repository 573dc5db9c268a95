import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { describeNetworkFault } from './network-fault.ts'

const coded = (code: string): Error => Object.assign(new Error('it failed'), { code })
const wrapped = (cause: Error): Error => new TypeError('fetch failed', { cause })

test("describeNetworkFault finds the cause of a failed call inside the HTTP client's wrapper errors", () => {
  const rows: [error: unknown, reason: string | null][] = [
    [wrapped(coded('CERT_HAS_EXPIRED')), 'its certificate has expired'],
    [wrapped(coded('DEPTH_ZERO_SELF_SIGNED_CERT')), 'its certificate is self-signed and therefore not trusted'],
    [wrapped(coded('ERR_TLS_CERT_ALTNAME_INVALID')), 'its certificate is for another name'],
    [wrapped(coded('CERT_REVOKED')), 'its certificate is not trusted (CERT_REVOKED)'],
    [wrapped(coded('ERR_SSL_WRONG_VERSION_NUMBER')), 'the TLS handshake failed (ERR_SSL_WRONG_VERSION_NUMBER)'],
    [wrapped(coded('ENOTFOUND')), 'its name does not resolve'],
    [wrapped(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])), 'it refuses the connection'],
    [new DOMException('late', 'TimeoutError'), 'it did not respond in time'],
    [coded('EMFILE'), 'the connection failed (EMFILE)'],
    [new Error('the report is too large'), null],
    [null, null],
  ]
  for (const [error, reason] of rows) assert.equal(describeNetworkFault(error), reason)
})

test("Node's HTTP client fails with the error codes that describeNetworkFault recognizes", async () => {
  const faultAt = (url: string) => fetch(url).then(() => null, describeNetworkFault)
  const closing = createServer((socket) => socket.resume().end('not TLS')).listen(0, '127.0.0.1')
  await once(closing, 'listening')
  const { port } = closing.address() as { port: number }
  assert.match((await faultAt(`https://127.0.0.1:${port}/`)) ?? '', /TLS/)
  closing.close()
  await once(closing, 'close')
  assert.equal(await faultAt(`http://127.0.0.1:${port}/`), 'it refuses the connection')
})
