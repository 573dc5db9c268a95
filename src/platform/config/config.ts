import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PoolSizes } from '../db/pools.ts'
import { SETTINGS, type SettingName } from './settings.ts'
import { findUnknownSettings } from './unknown-settings.ts'

/** The settings (see settings.ts), read once from the environment. */
export type Config = {
  readonly role: 'api' | 'worker' | 'all'
  readonly host: string
  readonly port: number
  /** The port for metrics; null if they are not served. */
  readonly metricsPort: number | null
  readonly baseUrl: string | null
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databaseOwnerUrl: string | null
  readonly databaseDirectUrl: string | null
  /** Configurable sizes of this process's connection pools, by kind of work. */
  readonly connections: PoolSizes
  readonly databaseAccount: string | null
  /** Empty if the keys are in the data folder. */
  readonly masterKeys: readonly string[]
  readonly demo: boolean
  readonly logLevel: string
  /** The card linker for each environment: the simulator, or Plaid with our credentials. */
  readonly linkers: { readonly sandbox: 'simulator' | PlaidSettings; readonly production: PlaidSettings | null }
  /** The provider's URL for sandbox publishers; null to use the simulator that runs with the service. */
  readonly linkerUrl: string | null
  readonly simulatorPort: number
  /** URL of the simulated bank for sandbox payouts; null to use the bank in the simulator. */
  readonly payoutBankUrl: string | null
  readonly giftCardSupplierUrl: string | null
  readonly simulatorHost: string
  readonly trustedProxies: readonly string[]
  readonly webhooks: WebhookSettings
  readonly operatorCallsPerSecond: number
  readonly strangerCallsPerSecond: number
  readonly clicksPerSecond: number
  readonly retentionDays: RetentionDays
  readonly reports: ReportSettings
  readonly mail: MailSettings
  /** True if traces are recorded and exported. */
  readonly traces: boolean
  /** A warning about each variable that looks like a setting but is not one. */
  readonly unknownSettings: readonly string[]
}

/** Days to retain data before it may be deleted. */
export type RetentionDays = { readonly clicks: number; readonly events: number; readonly deliveries: number }

type WebhookSettings = {
  /**
   * True if sandbox publishers' webhooks may be sent to this machine; null to allow this only if the service itself is
   * reachable only from this machine.
   */
  readonly privateAddresses: boolean | null
  /** Each entry is `public`, a host name or an IP range. */
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
  readonly proxy: string | null
}

/** Storage and retention of report files. */
type ReportSettings = {
  /** Null to store reports in the data folder. */
  readonly s3: S3Settings | null
  readonly retentionDays: number
  readonly linkSeconds: number
}

/** @property smtpUrl null to write mail to files in the data folder */
type MailSettings = { readonly smtpUrl: string | null; readonly from: string }

export type S3Settings = {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export type PlaidSettings = {
  readonly clientId: string
  readonly secret: string
  readonly syncsPerMinute: number
}

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))

type Variables = Readonly<Record<string, string | undefined>>

/** Thrown for invalid settings. Each line of the message identifies one setting and states its accepted values. */
export class ConfigError extends Error {
  /**
   * The invalid settings and those that depend on them. Resetting all of them to their defaults makes the others
   * readable.
   */
  readonly settings: readonly SettingName[]

  constructor(message: string, settings: readonly SettingName[] = []) {
    super(message)
    this.settings = settings
  }
}

/** Reads the settings with defaults in place of invalid ones, to inspect an installation that cannot start. */
export function readValidConfig(env: Variables): { config: Config; errors: readonly ConfigError[] } {
  try {
    return { config: parse(env), errors: [] }
  } catch (error) {
    if (!(error instanceof ConfigError) || error.settings.length === 0) throw error
    const { config, errors } = readValidConfig({
      ...env,
      ...Object.fromEntries(error.settings.map((one) => [one, ''])),
    })
    return { config, errors: [error, ...errors] }
  }
}

/**
 * Reads and validates the environment.
 * @throws ConfigError listing every invalid setting and its accepted values
 */
export function readConfig(env: Variables = process.env): Config {
  const { config, errors } = readValidConfig(env)
  if (errors.length === 0) return config
  throw new ConfigError(
    errors.map(({ message }) => message).join('\n'),
    errors.flatMap(({ settings }) => settings),
  )
}

/** @throws ConfigError for the first invalid setting */
function parse(env: Variables): Config {
  const text = (name: SettingName): string => {
    const given = env[name]
    const setting = SETTINGS.find((candidate) => candidate.name === name)
    return given === undefined || given === '' ? (setting?.fallback ?? '') : given
  }
  const optional = (name: SettingName): string | null => text(name) || null
  const baseUrl = webAddress('LAUREL_BASE_URL', optional('LAUREL_BASE_URL'))
  const role = readChoice('LAUREL_ROLE', text('LAUREL_ROLE'), ['api', 'worker', 'all'] as const)
  return {
    role,
    host: text('HOST'),
    ...readPorts(role, text),
    baseUrl,
    // The default is relative to the checkout, but a configured folder is relative to the working directory.
    dataDir: env['LAUREL_DATA_DIR'] ? resolve(env['LAUREL_DATA_DIR']) : resolve(CHECKOUT, text('LAUREL_DATA_DIR')),
    databaseUrl: databaseUrl('DATABASE_URL', optional('DATABASE_URL')),
    databaseDirectUrl: databaseUrl('DATABASE_DIRECT_URL', optional('DATABASE_DIRECT_URL')),
    databaseOwnerUrl: databaseUrl('DATABASE_OWNER_URL', optional('DATABASE_OWNER_URL')),
    connections: {
      calls: readCount('LAUREL_CALL_CONNECTIONS', text('LAUREL_CALL_CONNECTIONS'), CONNECTIONS_MAX),
      reports: readCount('LAUREL_REPORT_CONNECTIONS', text('LAUREL_REPORT_CONNECTIONS'), CONNECTIONS_MAX),
      background: readCount('LAUREL_BACKGROUND_CONNECTIONS', text('LAUREL_BACKGROUND_CONNECTIONS'), CONNECTIONS_MAX),
    },
    databaseAccount: optional('LAUREL_DB_ACCOUNT'),
    masterKeys: masterKeys(text('LAUREL_MASTER_KEY')),
    demo: readChoice('LAUREL_DEMO', text('LAUREL_DEMO'), ['0', '1'] as const) === '1',
    logLevel: readChoice('LAUREL_LOG_LEVEL', text('LAUREL_LOG_LEVEL'), [
      'trace',
      'debug',
      'info',
      'warn',
      'error',
      'fatal',
      'silent',
    ] as const),
    ...readLinkers(text),
    simulatorPort: portNumber('SIMULATOR_PORT', text('SIMULATOR_PORT')),
    payoutBankUrl: webAddress('LAUREL_PAYOUT_BANK_URL', text('LAUREL_PAYOUT_BANK_URL') || null),
    giftCardSupplierUrl: webAddress('LAUREL_GIFT_CARD_SUPPLIER_URL', text('LAUREL_GIFT_CARD_SUPPLIER_URL') || null),
    simulatorHost: text('SIMULATOR_HOST'),
    webhooks: {
      privateAddresses: flag('LAUREL_WEBHOOK_PRIVATE_ADDRESSES', text('LAUREL_WEBHOOK_PRIVATE_ADDRESSES')),
      allowed: receivers('LAUREL_WEBHOOK_ALLOW', text('LAUREL_WEBHOOK_ALLOW')),
      denied: receivers('LAUREL_WEBHOOK_DENY', text('LAUREL_WEBHOOK_DENY')),
      proxy: webAddress('LAUREL_WEBHOOK_PROXY', optional('LAUREL_WEBHOOK_PROXY')),
    },
    trustedProxies: addressRanges('LAUREL_TRUSTED_PROXIES', text('LAUREL_TRUSTED_PROXIES')),
    operatorCallsPerSecond: readCount('LAUREL_OPERATOR_CALLS_PER_SECOND', text('LAUREL_OPERATOR_CALLS_PER_SECOND')),
    strangerCallsPerSecond: readCount('LAUREL_STRANGER_CALLS_PER_SECOND', text('LAUREL_STRANGER_CALLS_PER_SECOND')),
    clicksPerSecond: readCount('LAUREL_CLICKS_PER_SECOND', text('LAUREL_CLICKS_PER_SECOND')),
    retentionDays: retentionDays(text),
    reports: readReportSettings(text),
    mail: { smtpUrl: mailServer('LAUREL_SMTP_URL', optional('LAUREL_SMTP_URL')), from: text('LAUREL_MAIL_FROM') },
    traces: sendsTraces(text),
    unknownSettings: findUnknownSettings(env),
  }
}

/** A worker does not listen on PORT, so it may serve its metrics there. */
function readPorts(role: Config['role'], text: (name: SettingName) => string): Pick<Config, 'port' | 'metricsPort'> {
  const port = portNumber('PORT', text('PORT'))
  if (text('LAUREL_METRICS_PORT') === '') return { port, metricsPort: null }
  const metricsPort = portNumber('LAUREL_METRICS_PORT', text('LAUREL_METRICS_PORT'))
  if (role !== 'worker' && port === metricsPort && port !== 0)
    throw new ConfigError(`LAUREL_METRICS_PORT must differ from PORT, which is also ${port}.`, ['LAUREL_METRICS_PORT'])
  return { port, metricsPort }
}

function sendsTraces(text: (name: SettingName) => string): boolean {
  const exporter = readChoice('OTEL_TRACES_EXPORTER', text('OTEL_TRACES_EXPORTER'), ['', 'otlp', 'none'] as const)
  if (text('OTEL_SDK_DISABLED').toLowerCase() === 'true' || exporter === 'none') return false
  for (const name of COLLECTORS) webAddress(name, text(name) || null)
  const sends = exporter === 'otlp' || COLLECTORS.some((name) => text(name) !== '')
  const other = PROTOCOLS.find((name) => text(name) !== 'http/json')
  // Otherwise traces would be lost silently.
  if (sends && other !== undefined)
    throw new ConfigError(`${other} must be http/json, the only supported protocol for traces, not "${text(other)}".`, [
      other,
    ])
  return sends
}

const COLLECTORS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] as const

// The provider's default rate limits.
const SYNCS_PER_MINUTE = { production: '2500', sandbox: '1000' } as const

function readLinkers(text: (name: SettingName) => string): Pick<Config, 'linkers' | 'linkerUrl'> {
  const linker = readChoice('LAUREL_LINKER', text('LAUREL_LINKER'), ['simulator', 'plaid'] as const, LINKER_SETTINGS)
  const environment = readChoice(
    'LAUREL_PLAID_ENV',
    text('LAUREL_PLAID_ENV'),
    ['sandbox', 'production'] as const,
    LINKER_SETTINGS,
  )
  const syncs = text('LAUREL_LINKER_SYNCS_PER_MINUTE') || SYNCS_PER_MINUTE[environment]
  const syncsPerMinute = readCount('LAUREL_LINKER_SYNCS_PER_MINUTE', syncs)
  const address = sandboxAddress(text('LAUREL_LINKER_URL') || null)
  if (linker === 'simulator') {
    // Otherwise production publishers would appear to be configured.
    if (environment === 'production') throw linkerError('LAUREL_PLAID_ENV=production requires LAUREL_LINKER=plaid.')
    const unused = CREDENTIALS.filter((name) => text(name) !== '')
    if (unused.length > 0)
      throw linkerError(
        `${unused.join(' and ')} ${unused.length > 1 ? 'require' : 'requires'} LAUREL_LINKER=plaid. Without it, ` +
          'cards are linked against the simulator.',
      )
    return { linkers: { sandbox: 'simulator', production: null }, linkerUrl: address }
  }
  const missing = (['LAUREL_PLAID_CLIENT_ID', 'LAUREL_PLAID_SECRET'] as const).filter((name) => text(name) === '')
  if (missing.length > 0) throw linkerError(`LAUREL_LINKER=plaid requires ${missing.join(' and ')}.`)
  const clientId = text('LAUREL_PLAID_CLIENT_ID')
  const account = { clientId, secret: text('LAUREL_PLAID_SECRET'), syncsPerMinute }
  const secret = text('LAUREL_PLAID_SANDBOX_SECRET')
  if (environment === 'sandbox') {
    if (secret !== '')
      throw linkerError(
        'LAUREL_PLAID_SANDBOX_SECRET requires LAUREL_PLAID_ENV=production. With sandbox, LAUREL_PLAID_SECRET is the ' +
          'one for the sandbox.',
      )
    return { linkers: { sandbox: account, production: null }, linkerUrl: address ?? SANDBOX_ADDRESS }
  }
  if (secret === '') return { linkers: { sandbox: 'simulator', production: account }, linkerUrl: address }
  if (secret === account.secret)
    throw linkerError("LAUREL_PLAID_SANDBOX_SECRET must be the one for the provider's sandbox, not the production one.")
  const sandbox = { clientId, secret, syncsPerMinute: Number(SYNCS_PER_MINUTE.sandbox) }
  return { linkers: { sandbox, production: account }, linkerUrl: address ?? SANDBOX_ADDRESS }
}

const CREDENTIALS = ['LAUREL_PLAID_CLIENT_ID', 'LAUREL_PLAID_SECRET', 'LAUREL_PLAID_SANDBOX_SECRET'] as const

/** The settings that jointly determine where cards are linked. */
export const LINKER_SETTINGS = ['LAUREL_LINKER', 'LAUREL_LINKER_URL', 'LAUREL_PLAID_ENV', ...CREDENTIALS] as const

function linkerError(message: string): ConfigError {
  return new ConfigError(message, LINKER_SETTINGS)
}

const SANDBOX_ADDRESS = 'https://sandbox.plaid.com'

function sandboxAddress(value: string | null): string | null {
  const address = webAddress('LAUREL_LINKER_URL', value)
  if (address !== null && new URL(address).hostname === 'production.plaid.com')
    throw linkerError('LAUREL_LINKER_URL is where sandbox publishers link cards, so it cannot be the production URL.')
  return address
}

/** @param together this setting and those that cannot be validated while it is invalid */
function readChoice<const T extends string>(
  name: SettingName,
  value: string,
  allowed: readonly T[],
  together: readonly SettingName[] = [name],
): T {
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined)
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}".`, together)
  return found
}

function portNumber(name: SettingName, value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65535)
    throw new ConfigError(`${name} must be a port from 0 to 65535, not "${value}".`, [name])
  return port
}

const COUNT_MAX = 1_000_000
// Ten times PostgreSQL's default limit.
const CONNECTIONS_MAX = 1_000

function readCount(
  name: SettingName,
  value: string,
  max = COUNT_MAX,
  together: readonly SettingName[] = [name],
): number {
  if (!/^[1-9]\d{0,6}$/.test(value) || Number(value) > max)
    throw new ConfigError(`${name} must be from 1 to ${max}, not "${value}".`, together)
  return Number(value)
}

// Longer than both a delivery's retry schedule and the time an endpoint may fail before it is paused.
const DELIVERY_DAYS_MIN = 14
const RETENTION = ['LAUREL_EVENT_RETENTION_DAYS', 'LAUREL_DELIVERY_RETENTION_DAYS'] as const

function retentionDays(text: (name: SettingName) => string): RetentionDays {
  const days = (name: SettingName): number => readCount(name, text(name), COUNT_MAX, RETENTION)
  const clicks = readCount('LAUREL_CLICK_RETENTION_DAYS', text('LAUREL_CLICK_RETENTION_DAYS'))
  const deliveries = days('LAUREL_DELIVERY_RETENTION_DAYS')
  const events = days('LAUREL_EVENT_RETENTION_DAYS')
  if (deliveries < DELIVERY_DAYS_MIN)
    throw new ConfigError(
      `LAUREL_DELIVERY_RETENTION_DAYS must be at least ${DELIVERY_DAYS_MIN}, not ${deliveries}.`,
      RETENTION,
    )
  if (events < deliveries)
    throw new ConfigError(
      `LAUREL_EVENT_RETENTION_DAYS must be at least LAUREL_DELIVERY_RETENTION_DAYS: ${events} is less than ${deliveries}.`,
      RETENTION,
    )
  return { clicks, events, deliveries }
}

// Presigned S3 URLs are valid for at most a week.
const LINK_SECONDS_MAX = 604_800

function readReportSettings(text: (name: SettingName) => string): ReportSettings {
  const linkSeconds = readCount('LAUREL_REPORT_LINK_SECONDS', text('LAUREL_REPORT_LINK_SECONDS'), LINK_SECONDS_MAX)
  const retentionDays = readCount('LAUREL_REPORT_RETENTION_DAYS', text('LAUREL_REPORT_RETENTION_DAYS'))
  const missing = S3_SETTINGS.filter((name) => text(name) === '')
  if (missing.length === S3_SETTINGS.length) return { s3: null, retentionDays, linkSeconds }
  // Otherwise reports would end up in the data folder, where nobody looks for them.
  if (missing.length > 0)
    throw new ConfigError(`Storing reports in S3 also requires ${missing.join(' and ')}.`, S3_SETTINGS)
  const s3 = {
    endpoint: webAddress('LAUREL_REPORT_S3_ENDPOINT', text('LAUREL_REPORT_S3_ENDPOINT')) ?? '',
    region: text('LAUREL_REPORT_S3_REGION'),
    bucket: bucketName(text('LAUREL_REPORT_S3_BUCKET')),
    accessKeyId: text('LAUREL_REPORT_S3_ACCESS_KEY_ID'),
    secretAccessKey: text('LAUREL_REPORT_S3_SECRET_ACCESS_KEY'),
  }
  return { s3, retentionDays, linkSeconds }
}

const S3_SETTINGS = [
  'LAUREL_REPORT_S3_ENDPOINT',
  'LAUREL_REPORT_S3_BUCKET',
  'LAUREL_REPORT_S3_ACCESS_KEY_ID',
  'LAUREL_REPORT_S3_SECRET_ACCESS_KEY',
] as const

function bucketName(value: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)) return value
  throw new ConfigError(
    `LAUREL_REPORT_S3_BUCKET must be 3 to 63 lowercase letters, digits, dots and hyphens, not "${value}".`,
    S3_SETTINGS,
  )
}

function webAddress(name: SettingName, value: string | null): string | null {
  if (value === null) return null
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(`${name} must be a URL that begins with http:// or https://.`, [name])
  }
  return value.replace(/\/+$/, '')
}

function mailServer(name: SettingName, value: string | null): string | null {
  if (value !== null && !(URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol)))
    throw new ConfigError(`${name} must be a URL that begins with smtps:// or smtp://.`, [name])
  return value
}

function addressRanges(name: SettingName, value: string): string[] {
  const ranges = listed(value)
  const wrong = ranges.find((range) => !isRange(range))
  if (wrong !== undefined)
    throw new ConfigError(`${name} must list addresses or CIDR ranges; "${wrong}" is neither.`, [name])
  return ranges
}

function flag(name: SettingName, value: string): boolean | null {
  return value === '' ? null : readChoice(name, value, ['0', '1'] as const) === '1'
}

const HOST_NAME = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

function receivers(name: SettingName, value: string): string[] {
  const entries = listed(value)
  const wrong = entries.find((entry) => !isRange(entry) && !HOST_NAME.test(entry))
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} must list names such as hooks.example.com or *.example.com, and ranges such as 10.2.0.0/16; "${wrong}" is neither.`,
      [name],
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

function databaseUrl(name: SettingName, value: string | null): string | null {
  if (value !== null && !/^postgres(ql)?:\/\//.test(value)) {
    throw new ConfigError(`${name} must begin with postgres:// or postgresql://.`, [name])
  }
  return value
}

/** Rejects weak keys at startup, because a weak key would leave every stored token effectively in plain text. */
function masterKeys(value: string): string[] {
  const keys = value === '' ? [] : value.split(',').map((key) => key.trim())
  const all = keys.map((key) => Buffer.from(key, 'base64'))
  if (all.some((bytes) => bytes.length !== 32 || new Set(bytes).size < 8)) {
    throw new ConfigError(
      'LAUREL_MASTER_KEY must be 32 random bytes in base64, for example from `openssl rand -base64 32`, or several such keys separated by commas.',
      ['LAUREL_MASTER_KEY'],
    )
  }
  if (new Set(all.map((bytes) => bytes.toString('hex'))).size < all.length) {
    throw new ConfigError('LAUREL_MASTER_KEY contains the same key twice.', ['LAUREL_MASTER_KEY'])
  }
  return keys
}
