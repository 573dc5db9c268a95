import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LIMITS } from './kinds-of-work.ts'
import type { PoolSizes } from './pools.ts'

/**
 * Every setting of Laurel, read once from the environment. docs/reference/settings.md lists the table below, and
 * `doctor` shows it; a setting that is not in it does not exist.
 */
export type Config = {
  readonly role: 'api' | 'worker' | 'all'
  readonly host: string
  readonly port: number
  /** Where the metrics are; null: under the address of the service. */
  readonly metricsPort: number | null
  readonly baseUrl: string | null
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databaseOwnerUrl: string | null
  readonly databaseDirectUrl: string | null
  /** Database connections of this process by kind of work, as far as settings decide them. */
  readonly connections: PoolSizes
  readonly databaseAccount: string | null
  /** Empty: they are in the data folder. */
  readonly masterKeys: readonly string[]
  readonly demo: boolean
  readonly logLevel: string
  /** Where the publishers of each environment link: at the simulator, or at Plaid with the credentials of our account. */
  readonly linkers: { readonly sandbox: 'simulator' | PlaidSettings; readonly production: PlaidSettings | null }
  /** The provider's address for sandboxes; null: that of the simulator that is started beside the service. */
  readonly linkerUrl: string | null
  readonly simulatorPort: number
  readonly trustedProxies: readonly string[]
  readonly webhooks: WebhookSettings
  readonly operatorCallsPerSecond: number
  readonly strangerCallsPerSecond: number
  readonly clicksPerSecond: number
  readonly retentionDays: RetentionDays
  /** Whether traces are recorded and sent. */
  readonly traces: boolean
}

/** For how many days what may be dropped is kept. */
export type RetentionDays = { readonly clicks: number; readonly events: number; readonly deliveries: number }

type WebhookSettings = {
  /** null: where the service is reached on this machine only. */
  readonly privateAddresses: boolean | null
  /** `public`, names and ranges of IP addresses. */
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
  readonly proxy: string | null
}

export type PlaidSettings = {
  readonly clientId: string
  readonly secret: string
  readonly syncsPerMinute: number
}

type Setting = { readonly name: string; readonly fallback: string; readonly secret?: true; readonly about: string }

export const SETTINGS = [
  { name: 'LAUREL_ROLE', fallback: 'all', about: 'api, worker or all: which half of the service this process runs' },
  { name: 'HOST', fallback: '127.0.0.1', about: 'address the service listens on' },
  { name: 'PORT', fallback: '8080', about: 'port the service listens on; 0 takes any free one' },
  {
    name: 'LAUREL_METRICS_PORT',
    fallback: '',
    about:
      'port for /metrics, in every role; 0 takes any free one; without it, they are at PORT, which a process with LAUREL_ROLE=worker does not open',
  },
  {
    name: 'LAUREL_BASE_URL',
    fallback: '',
    about: 'public address of the service, for links; default http://HOST:PORT',
  },
  { name: 'LAUREL_DATA_DIR', fallback: '.laurel', about: 'folder of the embedded database and generated secrets' },
  {
    name: 'DATABASE_URL',
    fallback: '',
    secret: true,
    about: 'PostgreSQL 15 or later; without it the embedded one runs',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    fallback: '',
    secret: true,
    about:
      'address of the server itself, where DATABASE_URL is that of a pooler such as PgBouncer in transaction mode: commands, migrations and announcements use it',
  },
  {
    name: 'DATABASE_OWNER_URL',
    fallback: '',
    secret: true,
    about:
      'the same database under the account that owns its tables, for migrations; DATABASE_URL then names one that may change rows but neither tables nor what is append-only',
  },
  {
    name: 'LAUREL_CALL_CONNECTIONS',
    fallback: String(LIMITS.calls.connections),
    about: 'database connections of a process for calls that are answered at once',
  },
  {
    name: 'LAUREL_REPORT_CONNECTIONS',
    fallback: String(LIMITS.reports.connections),
    about: 'database connections of a process for reports and exports: as many run at once',
  },
  {
    name: 'LAUREL_BACKGROUND_CONNECTIONS',
    fallback: String(LIMITS.background.connections),
    about: 'database connections of a process for the work of the worker and of operators',
  },
  {
    name: 'LAUREL_DB_ACCOUNT',
    fallback: '',
    about: 'account that runs the embedded database when started as root; default nobody',
  },
  {
    name: 'LAUREL_MASTER_KEY',
    fallback: '',
    secret: true,
    about:
      '32 bytes in base64 that wrap every stored secret; generated into the data folder when not given; every process of one database needs the same; while it is replaced, the new and the old one separated by a comma',
  },
  { name: 'LAUREL_DEMO', fallback: '1', about: '0: do not fill an empty database with the sandbox and its story' },
  { name: 'LAUREL_LOG_LEVEL', fallback: 'info', about: 'trace, debug, info, warn, error, fatal or silent' },
  {
    name: 'LAUREL_LINKER',
    fallback: 'simulator',
    about: 'simulator or plaid: through which provider cards are linked; at the simulator only sandbox publishers link',
  },
  { name: 'LAUREL_PLAID_CLIENT_ID', fallback: '', about: 'client id at the provider; required with plaid' },
  {
    name: 'LAUREL_PLAID_SECRET',
    fallback: '',
    secret: true,
    about: 'secret of that client id in that environment; required with plaid',
  },
  {
    name: 'LAUREL_PLAID_ENV',
    fallback: 'sandbox',
    about:
      'sandbox or production: which publishers link at the provider, in its environment of that name; with production, sandbox publishers link at the simulator unless LAUREL_PLAID_SANDBOX_SECRET is set, and with sandbox, production publishers cannot link',
  },
  {
    name: 'LAUREL_PLAID_SANDBOX_SECRET',
    fallback: '',
    secret: true,
    about:
      "with LAUREL_PLAID_ENV=production, the client id's secret of the provider's sandbox, where sandbox publishers then link",
  },
  {
    name: 'LAUREL_LINKER_URL',
    fallback: '',
    about:
      "address at which sandbox publishers link; default: the simulator that is started beside the service, or the host of the provider's sandbox; production publishers always link at the provider's production host",
  },
  {
    name: 'LAUREL_LINKER_SYNCS_PER_MINUTE',
    fallback: '',
    about: 'feed reads per minute that the provider allows in LAUREL_PLAID_ENV; default 2500, in its sandbox 1000',
  },
  {
    name: 'SIMULATOR_PORT',
    fallback: '8081',
    about: 'port of the simulator; the next free one is taken if it is in use',
  },
  {
    name: 'LAUREL_TRUSTED_PROXIES',
    fallback: '',
    about: 'comma-separated CIDR ranges of proxies whose X-Forwarded-For is trusted',
  },
  {
    name: 'LAUREL_WEBHOOK_PRIVATE_ADDRESSES',
    fallback: '',
    about:
      '1: sandbox publishers may have webhooks sent to this machine; 0: nobody may; default: 1 where LAUREL_BASE_URL names this machine itself, or without it HOST does and LAUREL_ROLE is not worker',
  },
  {
    name: 'LAUREL_WEBHOOK_ALLOW',
    fallback: 'public',
    about:
      'where webhooks may be sent, comma-separated: public for every public address, names such as hooks.example.com or *.example.com, and ranges such as 10.2.0.0/16, which may be private',
  },
  {
    name: 'LAUREL_WEBHOOK_DENY',
    fallback: '',
    about: 'where webhooks may not be sent, comma-separated names and ranges; takes precedence',
  },
  {
    name: 'LAUREL_WEBHOOK_PROXY',
    fallback: '',
    secret: true,
    about:
      'HTTP proxy for webhooks, http://user:password@host:port; it is asked by CONNECT for the IP address that was checked',
  },
  {
    name: 'LAUREL_OPERATOR_CALLS_PER_SECOND',
    fallback: '100',
    about: 'calls per second that each operator may make; bursts of up to twice as many',
  },
  {
    name: 'LAUREL_STRANGER_CALLS_PER_SECOND',
    fallback: '10',
    about:
      'calls per second that one address (of IPv6, one /64) may make without a live key or to unknown paths; bursts of up to forty times as many',
  },
  {
    name: 'LAUREL_CLICKS_PER_SECOND',
    fallback: '20',
    about: 'tracking links that may be followed per second from one address; bursts of up to twenty times as many',
  },
  {
    name: 'LAUREL_CLICK_RETENTION_DAYS',
    fallback: '400',
    about:
      'days after which a click without a reported sale is deleted; 90 days and the lock period of the slowest network at least',
  },
  {
    name: 'LAUREL_EVENT_RETENTION_DAYS',
    fallback: '400',
    about:
      'days after which events leave the feed and can no longer be replayed; at least LAUREL_DELIVERY_RETENTION_DAYS',
  },
  {
    name: 'LAUREL_DELIVERY_RETENTION_DAYS',
    fallback: '90',
    about:
      'days after which finished webhook deliveries, with their attempts, and what waits for an endpoint that has been stopped as long, are deleted; at least 14. Processes of both roles need the same retention settings',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    about:
      'address of an OpenTelemetry collector, to which traces are sent by OTLP over HTTP; the other OTEL_ variables for traces, such as OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER, apply as well',
  },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', fallback: '', about: 'the same for traces alone, with its path' },
  {
    name: 'OTEL_TRACES_EXPORTER',
    fallback: '',
    about: 'otlp or none; default otlp if the address of a collector is set, otherwise none',
  },
  { name: 'OTEL_SDK_DISABLED', fallback: 'false', about: 'true: no traces, whatever else is set' },
] as const satisfies readonly Setting[]

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url))

type Name = (typeof SETTINGS)[number]['name']

/** An invalid setting. The message names it and says what is accepted. */
export class ConfigError extends Error {}

/**
 * Reads and checks the environment.
 * @throws ConfigError naming the variable and what it accepts.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const text = (name: Name): string => {
    const given = env[name]
    const setting = SETTINGS.find((candidate) => candidate.name === name)
    return given === undefined || given === '' ? (setting?.fallback ?? '') : given
  }
  const optional = (name: Name): string | null => text(name) || null
  const baseUrl = webAddress('LAUREL_BASE_URL', optional('LAUREL_BASE_URL'))
  return {
    role: oneOf('LAUREL_ROLE', text('LAUREL_ROLE'), ['api', 'worker', 'all'] as const),
    host: text('HOST'),
    port: portNumber('PORT', text('PORT')),
    metricsPort:
      optional('LAUREL_METRICS_PORT') === null ? null : portNumber('LAUREL_METRICS_PORT', text('LAUREL_METRICS_PORT')),
    baseUrl,
    // The default is relative to the checkout; a given folder is relative to the working directory.
    dataDir: env['LAUREL_DATA_DIR'] ? resolve(env['LAUREL_DATA_DIR']) : resolve(CHECKOUT, text('LAUREL_DATA_DIR')),
    databaseUrl: databaseUrl('DATABASE_URL', optional('DATABASE_URL')),
    databaseDirectUrl: databaseUrl('DATABASE_DIRECT_URL', optional('DATABASE_DIRECT_URL')),
    databaseOwnerUrl: databaseUrl('DATABASE_OWNER_URL', optional('DATABASE_OWNER_URL')),
    connections: {
      calls: countOf('LAUREL_CALL_CONNECTIONS', text('LAUREL_CALL_CONNECTIONS'), CONNECTIONS_MAX),
      reports: countOf('LAUREL_REPORT_CONNECTIONS', text('LAUREL_REPORT_CONNECTIONS'), CONNECTIONS_MAX),
      background: countOf('LAUREL_BACKGROUND_CONNECTIONS', text('LAUREL_BACKGROUND_CONNECTIONS'), CONNECTIONS_MAX),
    },
    databaseAccount: optional('LAUREL_DB_ACCOUNT'),
    masterKeys: masterKeys(text('LAUREL_MASTER_KEY')),
    demo: oneOf('LAUREL_DEMO', text('LAUREL_DEMO'), ['0', '1'] as const) === '1',
    logLevel: oneOf('LAUREL_LOG_LEVEL', text('LAUREL_LOG_LEVEL'), [
      'trace',
      'debug',
      'info',
      'warn',
      'error',
      'fatal',
      'silent',
    ] as const),
    ...linkersOf(text),
    simulatorPort: portNumber('SIMULATOR_PORT', text('SIMULATOR_PORT')),
    webhooks: {
      privateAddresses: flag('LAUREL_WEBHOOK_PRIVATE_ADDRESSES', text('LAUREL_WEBHOOK_PRIVATE_ADDRESSES')),
      allowed: receivers('LAUREL_WEBHOOK_ALLOW', text('LAUREL_WEBHOOK_ALLOW')),
      denied: receivers('LAUREL_WEBHOOK_DENY', text('LAUREL_WEBHOOK_DENY')),
      proxy: webAddress('LAUREL_WEBHOOK_PROXY', optional('LAUREL_WEBHOOK_PROXY')),
    },
    trustedProxies: addressRanges('LAUREL_TRUSTED_PROXIES', text('LAUREL_TRUSTED_PROXIES')),
    operatorCallsPerSecond: countOf('LAUREL_OPERATOR_CALLS_PER_SECOND', text('LAUREL_OPERATOR_CALLS_PER_SECOND')),
    strangerCallsPerSecond: countOf('LAUREL_STRANGER_CALLS_PER_SECOND', text('LAUREL_STRANGER_CALLS_PER_SECOND')),
    clicksPerSecond: countOf('LAUREL_CLICKS_PER_SECOND', text('LAUREL_CLICKS_PER_SECOND')),
    retentionDays: retentionDays(text),
    traces: sendsTraces(text),
  }
}

function sendsTraces(text: (name: Name) => string): boolean {
  const exporter = oneOf('OTEL_TRACES_EXPORTER', text('OTEL_TRACES_EXPORTER'), ['', 'otlp', 'none'] as const)
  const hasCollector = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const
  if (text('OTEL_SDK_DISABLED').toLowerCase() === 'true' || exporter === 'none') return false
  for (const name of hasCollector) webAddress(name, text(name) || null)
  return exporter === 'otlp' || hasCollector.some((name) => text(name) !== '')
}

// What the provider grants by default.
const SYNCS_PER_MINUTE = { production: '2500', sandbox: '1000' } as const

function linkersOf(text: (name: Name) => string): Pick<Config, 'linkers' | 'linkerUrl'> {
  const linker = oneOf('LAUREL_LINKER', text('LAUREL_LINKER'), ['simulator', 'plaid'] as const)
  const environment = oneOf('LAUREL_PLAID_ENV', text('LAUREL_PLAID_ENV'), ['sandbox', 'production'] as const)
  const syncs = text('LAUREL_LINKER_SYNCS_PER_MINUTE') || SYNCS_PER_MINUTE[environment]
  const syncsPerMinute = countOf('LAUREL_LINKER_SYNCS_PER_MINUTE', syncs)
  const address = sandboxAddress(text('LAUREL_LINKER_URL') || null)
  if (linker === 'simulator') {
    // Otherwise production publishers would seem to be provided for.
    if (environment === 'production') throw new ConfigError('LAUREL_PLAID_ENV=production needs LAUREL_LINKER=plaid.')
    return { linkers: { sandbox: 'simulator', production: null }, linkerUrl: address }
  }
  const missing = (['LAUREL_PLAID_CLIENT_ID', 'LAUREL_PLAID_SECRET'] as const).filter((name) => text(name) === '')
  if (missing.length > 0) throw new ConfigError(`LAUREL_LINKER=plaid needs ${missing.join(' and ')}.`)
  const clientId = text('LAUREL_PLAID_CLIENT_ID')
  const account = { clientId, secret: text('LAUREL_PLAID_SECRET'), syncsPerMinute }
  const secret = text('LAUREL_PLAID_SANDBOX_SECRET')
  if (environment === 'sandbox') {
    if (secret !== '')
      throw new ConfigError(
        'LAUREL_PLAID_SANDBOX_SECRET needs LAUREL_PLAID_ENV=production; with sandbox, LAUREL_PLAID_SECRET is that of the sandbox.',
      )
    return { linkers: { sandbox: account, production: null }, linkerUrl: address ?? SANDBOX_ADDRESS }
  }
  if (secret === '') return { linkers: { sandbox: 'simulator', production: account }, linkerUrl: address }
  if (secret === account.secret)
    throw new ConfigError(
      "LAUREL_PLAID_SANDBOX_SECRET must be the one of the provider's sandbox, not that of production.",
    )
  const sandbox = { clientId, secret, syncsPerMinute: Number(SYNCS_PER_MINUTE.sandbox) }
  return { linkers: { sandbox, production: account }, linkerUrl: address ?? SANDBOX_ADDRESS }
}

const SANDBOX_ADDRESS = 'https://sandbox.plaid.com'

function sandboxAddress(value: string | null): string | null {
  const address = webAddress('LAUREL_LINKER_URL', value)
  if (address !== null && new URL(address).hostname === 'production.plaid.com')
    throw new ConfigError(
      'LAUREL_LINKER_URL is the address at which sandbox publishers link, so it cannot be that of production.',
    )
  return address
}

function oneOf<const T extends string>(name: Name, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}".`)
  return found
}

function portNumber(name: Name, value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65535)
    throw new ConfigError(`${name} must be a port from 0 to 65535, not "${value}".`)
  return port
}

const COUNT_MAX = 1_000_000
// PostgreSQL allows 100 connections by default.
const CONNECTIONS_MAX = 1_000

function countOf(name: Name, value: string, max = COUNT_MAX): number {
  if (!/^[1-9]\d{0,6}$/.test(value) || Number(value) > max)
    throw new ConfigError(`${name} must be from 1 to ${max}, not "${value}".`)
  return Number(value)
}

// Longer than the retry plan of a delivery, and than an endpoint fails before it is paused.
const DELIVERY_DAYS_MIN = 14

function retentionDays(text: (name: Name) => string): RetentionDays {
  const days = (name: Name): number => countOf(name, text(name))
  const clicks = days('LAUREL_CLICK_RETENTION_DAYS')
  const deliveries = days('LAUREL_DELIVERY_RETENTION_DAYS')
  const events = days('LAUREL_EVENT_RETENTION_DAYS')
  if (deliveries < DELIVERY_DAYS_MIN)
    throw new ConfigError(`LAUREL_DELIVERY_RETENTION_DAYS must be at least ${DELIVERY_DAYS_MIN}, not ${deliveries}.`)
  if (events < deliveries)
    throw new ConfigError(
      `LAUREL_EVENT_RETENTION_DAYS must be at least LAUREL_DELIVERY_RETENTION_DAYS: ${events} is less than ${deliveries}.`,
    )
  return { clicks, events, deliveries }
}

function webAddress(name: Name, value: string | null): string | null {
  if (value === null) return null
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(`${name} must be an address that begins with http:// or https://.`)
  }
  return value.replace(/\/+$/, '')
}

function addressRanges(name: Name, value: string): string[] {
  const ranges = listed(value)
  const wrong = ranges.find((range) => !isRange(range))
  if (wrong !== undefined) throw new ConfigError(`${name} must list addresses or CIDR ranges; "${wrong}" is none.`)
  return ranges
}

function flag(name: Name, value: string): boolean | null {
  return value === '' ? null : oneOf(name, value, ['0', '1'] as const) === '1'
}

const HOST_NAME = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

function receivers(name: Name, value: string): string[] {
  const entries = listed(value)
  const wrong = entries.find((entry) => !isRange(entry) && !HOST_NAME.test(entry))
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} must list names such as hooks.example.com or *.example.com, and ranges such as 10.2.0.0/16; "${wrong}" is neither.`,
    )
  return entries
}

function listed(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
}

function isRange(range: string): boolean {
  const [address = '', bits] = range.split('/')
  const family = isIP(address)
  if (family === 0 || bits === '') return false
  try {
    new BlockList().addSubnet(address, bits === undefined ? 32 : Number(bits), family === 6 ? 'ipv6' : 'ipv4')
    return true
  } catch {
    return false
  }
}

function databaseUrl(name: Name, value: string | null): string | null {
  if (value !== null && !/^postgres(ql)?:\/\//.test(value)) {
    throw new ConfigError(`${name} must begin with postgres:// or postgresql://.`)
  }
  return value
}

/** A weak key would leave every stored token practically in plain text, so the service does not start with one. */
function masterKeys(value: string): string[] {
  const keys = value === '' ? [] : value.split(',').map((key) => key.trim())
  const all = keys.map((key) => Buffer.from(key, 'base64'))
  if (all.some((bytes) => bytes.length !== 32 || new Set(bytes).size < 8)) {
    throw new ConfigError(
      'LAUREL_MASTER_KEY must be 32 random bytes in base64, for example from `openssl rand -base64 32`, or several such keys separated by commas.',
    )
  }
  if (new Set(all.map((bytes) => bytes.toString('hex'))).size < all.length) {
    throw new ConfigError('LAUREL_MASTER_KEY names a key twice.')
  }
  return keys
}
