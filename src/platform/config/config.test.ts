import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, ConfigError, readConfig, readValidConfig } from './config.ts'

const PLAID = { LAUREL_LINKER: 'plaid', LAUREL_PLAID_CLIENT_ID: 'id', LAUREL_PLAID_SECRET: 'secret' }
const S3 = {
  LAUREL_REPORT_S3_ENDPOINT: 'https://s3.example.com',
  LAUREL_REPORT_S3_BUCKET: 'reports',
  LAUREL_REPORT_S3_ACCESS_KEY_ID: 'id',
  LAUREL_REPORT_S3_SECRET_ACCESS_KEY: 'secret',
}
const TRACES = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

test('settings select the linker for each environment but cannot change the production URL', () => {
  const production = { ...PLAID, LAUREL_PLAID_ENV: 'production' }
  const account = (syncsPerMinute: number, secret = 'secret') => ({ clientId: 'id', secret, syncsPerMinute })
  const live = account(2_500)
  const [simulator, host] = ['http://127.0.0.1:8081', 'https://sandbox.plaid.com']
  const table: [env: Record<string, string>, linkers: Config['linkers'], linkerUrl: string | null][] = [
    [{}, { sandbox: 'simulator', production: null }, null],
    [{ LAUREL_LINKER_URL: `${simulator}/` }, { sandbox: 'simulator', production: null }, simulator],
    [PLAID, { sandbox: account(1_000), production: null }, host],
    [
      { ...PLAID, LAUREL_LINKER_URL: simulator, LAUREL_LINKER_SYNCS_PER_MINUTE: '600' },
      { sandbox: account(600), production: null },
      simulator,
    ],
    [production, { sandbox: 'simulator', production: live }, null],
    [{ ...production, LAUREL_LINKER_URL: simulator }, { sandbox: 'simulator', production: live }, simulator],
    [
      { ...production, LAUREL_PLAID_SANDBOX_SECRET: 'other', LAUREL_LINKER_SYNCS_PER_MINUTE: '900' },
      { sandbox: account(1_000, 'other'), production: account(900) },
      host,
    ],
  ]
  for (const [env, linkers, linkerUrl] of table) {
    const config = readConfig(env)
    assert.deepEqual([config.linkers, config.linkerUrl], [linkers, linkerUrl], JSON.stringify(env))
  }
})

test('the error identifies each invalid setting', () => {
  const table: [env: Record<string, string>, named: RegExp][] = [
    [{ LAUREL_REPORT_S3_BUCKET: 'reports' }, /also requires LAUREL_REPORT_S3_ENDPOINT and .*KEY_ID and .*ACCESS_KEY/],
    [{ ...S3, LAUREL_REPORT_S3_SECRET_ACCESS_KEY: '' }, /also requires LAUREL_REPORT_S3_SECRET_ACCESS_KEY\.$/],
    [{ ...S3, LAUREL_REPORT_S3_ENDPOINT: 'storage' }, /LAUREL_REPORT_S3_ENDPOINT must be a URL/],
    [{ ...S3, LAUREL_REPORT_S3_BUCKET: 'a/b' }, /LAUREL_REPORT_S3_BUCKET must be/],
    [{ LAUREL_REPORT_LINK_SECONDS: '604801' }, /LAUREL_REPORT_LINK_SECONDS must be from 1 to 604800/],
    [{ LAUREL_LINKER: 'plaid' }, /LAUREL_PLAID_CLIENT_ID and LAUREL_PLAID_SECRET/],
    [{ ...PLAID, LAUREL_PLAID_SECRET: '' }, /requires LAUREL_PLAID_SECRET/],
    [{ LAUREL_LINKER: 'other' }, /LAUREL_LINKER must be one of simulator, plaid/],
    [{ ...PLAID, LAUREL_PLAID_ENV: 'development' }, /LAUREL_PLAID_ENV must be one of sandbox, production/],
    [{ LAUREL_PLAID_ENV: 'production' }, /LAUREL_PLAID_ENV=production requires LAUREL_LINKER=plaid/],
    [
      { ...PLAID, LAUREL_LINKER: '' },
      /LAUREL_PLAID_CLIENT_ID and LAUREL_PLAID_SECRET require LAUREL_LINKER=plaid\. .* simulator/,
    ],
    [{ LAUREL_PLAID_SANDBOX_SECRET: 'other' }, /LAUREL_PLAID_SANDBOX_SECRET requires LAUREL_LINKER=plaid/],
    [
      { ...PLAID, LAUREL_PLAID_SANDBOX_SECRET: 'other' },
      /LAUREL_PLAID_SANDBOX_SECRET requires LAUREL_PLAID_ENV=production/,
    ],
    [
      { ...PLAID, LAUREL_PLAID_ENV: 'production', LAUREL_PLAID_SANDBOX_SECRET: 'secret' },
      /LAUREL_PLAID_SANDBOX_SECRET must be .* not the production one/,
    ],
    [
      { ...PLAID, LAUREL_PLAID_ENV: 'production', LAUREL_LINKER_URL: 'https://production.plaid.com' },
      /LAUREL_LINKER_URL .* cannot be the production URL/,
    ],
    [{ ...PLAID, LAUREL_LINKER_SYNCS_PER_MINUTE: '0' }, /LAUREL_LINKER_SYNCS_PER_MINUTE must be from 1/],
    [{ ...PLAID, LAUREL_LINKER_SYNCS_PER_MINUTE: '2e3' }, /LAUREL_LINKER_SYNCS_PER_MINUTE must be from 1/],
    [{ PORT: '9000', LAUREL_METRICS_PORT: '9000' }, /LAUREL_METRICS_PORT must differ from PORT, .* 9000/],
    [{ LAUREL_OPERATOR_CALLS_PER_SECOND: '0' }, /LAUREL_OPERATOR_CALLS_PER_SECOND must be from 1/],
    [{ LAUREL_WEBHOOK_ALLOW: 'public, 10.0.0.0/33' }, /LAUREL_WEBHOOK_ALLOW must list .*"10.0.0.0\/33" is neither/],
    [{ LAUREL_WEBHOOK_DENY: 'https://example.com' }, /LAUREL_WEBHOOK_DENY must list names/],
    [{ LAUREL_WEBHOOK_PRIVATE_ADDRESSES: 'yes' }, /LAUREL_WEBHOOK_PRIVATE_ADDRESSES must be one of 0, 1/],
    [{ LAUREL_WEBHOOK_PROXY: 'proxy:3128' }, /LAUREL_WEBHOOK_PROXY must be a URL/],
    [{ LAUREL_EVENT_RETENTION_DAYS: '89' }, /LAUREL_EVENT_RETENTION_DAYS .* LAUREL_DELIVERY_.*: 89 is less than 90/],
    [{ LAUREL_DELIVERY_RETENTION_DAYS: '13' }, /LAUREL_DELIVERY_RETENTION_DAYS must be at least 14, not 13/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
    [
      { ...TRACES, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/json, .* not "grpc"/,
    ],
    [{ ...TRACES, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }, /OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be/],
    [{ LAUREL_STRANGER_CALLS_PER_SECOND: '1.5' }, /LAUREL_STRANGER_CALLS_PER_SECOND must be from 1/],
  ]
  for (const [env, named] of table)
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof ConfigError && named.test(error.message) && !error.message.includes('secret'),
    )
})

test('all invalid settings are reported together, except those that depend on another invalid one', () => {
  const lines = (env: Record<string, string>): string[] => {
    try {
      readConfig(env)
    } catch (error) {
      assert(error instanceof ConfigError)
      return error.message.split('\n').map((line) => line.split(' ')[0] ?? '')
    }
    return []
  }
  assert.deepEqual(lines({ PORT: 'eighty', LAUREL_DEMO: 'no', DATABASE_URL: 'mysql://db' }), [
    'PORT',
    'DATABASE_URL',
    'LAUREL_DEMO',
  ])
  assert.deepEqual(lines({ ...PLAID, LAUREL_LINKER: 'plaId', LAUREL_ROLE: 'web' }), ['LAUREL_ROLE', 'LAUREL_LINKER'])
  const sandboxSecret = { LAUREL_PLAID_SANDBOX_SECRET: 'other', LAUREL_PLAID_ENV: 'prod' }
  assert.deepEqual(lines({ ...PLAID, ...sandboxSecret }), ['LAUREL_PLAID_ENV'])
  assert.deepEqual(lines({ LAUREL_EVENT_RETENTION_DAYS: 'x', LAUREL_DELIVERY_RETENTION_DAYS: '500' }), [
    'LAUREL_EVENT_RETENTION_DAYS',
  ])
})

test('an unknown variable that looks like a setting is reported along with the closest match', () => {
  const table: [name: string, nearest: string | null][] = [
    ['LAUREL_MASTERKEY', 'LAUREL_MASTER_KEY'],
    ['LAUREL_LOG_LEVLE', 'LAUREL_LOG_LEVEL'],
    ['LAUREL_DATABASE_URL', 'DATABASE_URL'],
    ['LAUREL_PORT', 'PORT'],
    ['LAUREL_RUNS', null],
    ['LAUREL_', null],
    [`LAUREL_${'LONG_'.repeat(20)}`, null],
  ]
  for (const [name, nearest] of table)
    assert.deepEqual(readConfig({ [name]: 'secret' }).unknownSettings, [
      `${name} is not a setting of Laurel${nearest === null ? '.' : `; did you mean ${nearest}?`}`,
    ])
  // Kubernetes and Docker set these for a service named laurel.
  const links = { LAUREL_SERVICE_HOST: '10.0.0.1', LAUREL_SERVICE_PORT: '80', LAUREL_PORT: 'tcp://10.0.0.1:80' }
  assert.deepEqual(readConfig({ ...links, LAUREL_PORT_80_TCP_ADDR: '10.0.0.1' }).unknownSettings, [])
})

test('readValidConfig reads the valid settings despite invalid ones', () => {
  const { config, errors } = readValidConfig({
    LAUREL_LINKER: 'plaid',
    LAUREL_EVENT_RETENTION_DAYS: '20',
    PORT: 'eighty',
    HOST: '0.0.0.0',
  })
  assert.deepEqual(
    errors.map(({ message }) => message.split(' ')[0]),
    ['PORT', 'LAUREL_LINKER=plaid', 'LAUREL_EVENT_RETENTION_DAYS'],
  )
  const { host, port, linkers, retentionDays } = config
  assert.deepEqual([host, port, linkers.sandbox, retentionDays.events], ['0.0.0.0', 8080, 'simulator', 400])
})

test('the trace protocol is not validated when tracing is off', () => {
  assert.equal(readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).traces, false)
})

test('a worker may serve metrics on PORT, because it does not otherwise listen there', () => {
  const { port, metricsPort } = readConfig({ LAUREL_ROLE: 'worker', PORT: '9000', LAUREL_METRICS_PORT: '9000' })
  assert.deepEqual([port, metricsPort], [9000, 9000])
})
