import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const PLAID = { LAUREL_LINKER: 'plaid', LAUREL_PLAID_CLIENT_ID: 'id', LAUREL_PLAID_SECRET: 'secret' }

test('without settings cards are linked through the simulator', () => {
  const { linker, linkerUrl } = readConfig({})
  assert.deepEqual([linker, linkerUrl], ['simulator', null])
})

test('with plaid, the environment decides the rate limit, and the host unless an address is given', () => {
  const account = { clientId: 'id', secret: 'secret' }
  const table: [env: Record<string, string>, url: string, linker: object][] = [
    [{}, 'https://sandbox.plaid.com', { environment: 'sandbox', syncsPerMinute: 1_000 }],
    [
      { LAUREL_PLAID_ENV: 'production' },
      'https://production.plaid.com',
      { environment: 'production', syncsPerMinute: 2_500 },
    ],
    [
      { LAUREL_LINKER_URL: 'http://127.0.0.1:8081/', LAUREL_LINKER_SYNCS_PER_MINUTE: '600' },
      'http://127.0.0.1:8081',
      { environment: 'sandbox', syncsPerMinute: 600 },
    ],
  ]
  for (const [env, url, linker] of table) {
    const config = readConfig({ ...PLAID, ...env })
    assert.deepEqual([config.linkerUrl, config.linker], [url, { ...account, ...linker }])
  }
})

test('invalid settings are named', () => {
  const table: [env: Record<string, string>, named: RegExp][] = [
    [{ LAUREL_LINKER: 'plaid' }, /LAUREL_PLAID_CLIENT_ID and LAUREL_PLAID_SECRET/],
    [{ ...PLAID, LAUREL_PLAID_SECRET: '' }, /needs LAUREL_PLAID_SECRET/],
    [{ LAUREL_LINKER: 'other' }, /LAUREL_LINKER must be one of simulator, plaid/],
    [{ ...PLAID, LAUREL_PLAID_ENV: 'development' }, /LAUREL_PLAID_ENV must be one of sandbox, production/],
    [{ ...PLAID, LAUREL_LINKER_SYNCS_PER_MINUTE: '0' }, /LAUREL_LINKER_SYNCS_PER_MINUTE must be from 1/],
    [{ ...PLAID, LAUREL_LINKER_SYNCS_PER_MINUTE: '2e3' }, /LAUREL_LINKER_SYNCS_PER_MINUTE must be from 1/],
    [{ LAUREL_OPERATOR_CALLS_PER_SECOND: '0' }, /LAUREL_OPERATOR_CALLS_PER_SECOND must be from 1/],
    [{ LAUREL_WEBHOOK_ALLOW: 'public, 10.0.0.0/33' }, /LAUREL_WEBHOOK_ALLOW must list .*"10.0.0.0\/33" is neither/],
    [{ LAUREL_WEBHOOK_DENY: 'https://example.com' }, /LAUREL_WEBHOOK_DENY must list names/],
    [{ LAUREL_WEBHOOK_PRIVATE_ADDRESSES: 'yes' }, /LAUREL_WEBHOOK_PRIVATE_ADDRESSES must be one of 0, 1/],
    [{ LAUREL_WEBHOOK_PROXY: 'proxy:3128' }, /LAUREL_WEBHOOK_PROXY must be an address/],
    [{ LAUREL_STRANGER_CALLS_PER_SECOND: '1.5' }, /LAUREL_STRANGER_CALLS_PER_SECOND must be from 1/],
  ]
  for (const [env, named] of table)
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof ConfigError && named.test(error.message) && !error.message.includes('secret'),
    )
})
