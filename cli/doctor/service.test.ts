import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createEncryptedServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { readConfig } from '../../src/platform/config/config.ts'
import { CERTIFICATE } from '../../test/support/receiver-certificate.ts'
import { checkPublicAddress, checkWebhooks } from './service.ts'

const PLAID = { LAUREL_LINKER: 'plaid', LAUREL_PLAID_CLIENT_ID: 'id', LAUREL_PLAID_SECRET: 'secret' }
const PRODUCTION = { ...PLAID, LAUREL_PLAID_ENV: 'production' }

test('doctor checks that webhooks can reach the service: a remote provider needs an https address', () => {
  const table: [env: Record<string, string>, ok: boolean | undefined][] = [
    // The service's own simulator is covered by another check.
    [{}, undefined],
    [PLAID, false],
    [{ ...PLAID, LAUREL_BASE_URL: 'http://laurel.example' }, false],
    [{ ...PLAID, LAUREL_BASE_URL: 'https://laurel.example' }, true],
    [{ ...PLAID, LAUREL_LINKER_URL: 'http://127.0.0.1:8081' }, true],
    [{ ...PLAID, LAUREL_LINKER_URL: 'http://localhost:8081' }, true],
    [{ ...PLAID, LAUREL_LINKER_URL: 'http://127.0.0.1.example' }, false],
    [{ LAUREL_LINKER_URL: 'https://simulator.example' }, false],
    [PRODUCTION, false],
    [{ ...PRODUCTION, LAUREL_LINKER_URL: 'http://127.0.0.1:8081' }, false],
    [{ ...PRODUCTION, LAUREL_BASE_URL: 'https://laurel.example' }, true],
  ]
  for (const [env, ok] of table)
    assert.deepEqual(
      checkWebhooks(readConfig(env)).map((check) => check.ok),
      ok === undefined ? [] : [ok],
      JSON.stringify(env),
    )
})

test('doctor probes the public address unless it equals the listening address', async () => {
  const proxy = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => proxy.close())
  const reached = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const encrypted = createEncryptedServer(CERTIFICATE, (_, response) => response.end()).listen(0, '127.0.0.1')
  await once(encrypted, 'listening')
  after(() => encrypted.close())
  const selfSigned = `https://127.0.0.1:${(encrypted.address() as AddressInfo).port}`
  const address = 'http://127.0.0.1:1'
  const table: [url: string, ok: boolean[]][] = [
    [address, []],
    [reached, [true]],
    ['http://127.0.0.1:2', [false]],
  ]
  for (const [url, ok] of table) {
    const runtime = { pid: 1, url, address, simulator_url: null, started_at: '' }
    assert.deepEqual(
      (await checkPublicAddress(runtime)).map((check) => check.ok),
      ok,
      url,
    )
  }
  const [check] = await checkPublicAddress({ pid: 1, url: selfSigned, address, simulator_url: null, started_at: '' })
  assert.match(
    check?.detail ?? '',
    /^https:\S+\/healthz, requested from here: its certificate is self-signed and therefore not trusted$/,
  )
})
