import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SETTINGS, type SettingName } from './settings.ts'
import { findUnknownSettings } from './unknown-settings.ts'

/** The settings (see settings.ts), read once from the environment. */
export type Config = Readonly<ReturnType<typeof parse>>

/** Days to retain data before it may be deleted. */
export type RetentionDays = { readonly clicks: number; readonly events: number; readonly deliveries: number }

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
/** Returns the value of a setting, or its default; empty if it has neither. */
type ReadVariable = (name: SettingName) => string

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
function parse(env: Variables) {
  const text: ReadVariable = (name) => env[name] || (SETTINGS.find((setting) => setting.name === name)?.fallback ?? '')
  const optional = (name: SettingName): string | null => text(name) || null
  const count = (name: SettingName, max?: number): number => parseCount(name, text(name), max)
  const baseUrl = readWebAddress(text, 'LAUREL_BASE_URL')
  const role = readChoice(text, 'LAUREL_ROLE', ['api', 'worker', 'all'])
  return {
    role,
    host: text('HOST'),
    ...readPorts(role, text),
    baseUrl,
    // The default is relative to the checkout, but a configured folder is relative to the working directory.
    dataDir: env['LAUREL_DATA_DIR'] ? resolve(env['LAUREL_DATA_DIR']) : resolve(CHECKOUT, text('LAUREL_DATA_DIR')),
    databaseUrl: readDatabaseUrl(text, 'DATABASE_URL'),
    databaseDirectUrl: readDatabaseUrl(text, 'DATABASE_DIRECT_URL'),
    databaseOwnerUrl: readDatabaseUrl(text, 'DATABASE_OWNER_URL'),
    /** Configurable sizes of this process's connection pools, by kind of work. */
    connections: {
      calls: count('LAUREL_CALL_CONNECTIONS', CONNECTIONS_MAX),
      reports: count('LAUREL_REPORT_CONNECTIONS', CONNECTIONS_MAX),
      background: count('LAUREL_BACKGROUND_CONNECTIONS', CONNECTIONS_MAX),
    },
    databaseAccount: optional('LAUREL_DB_ACCOUNT'),
    /** Empty if the keys are in the data folder. */
    masterKeys: parseMasterKeys(text('LAUREL_MASTER_KEY')),
    demo: readChoice(text, 'LAUREL_DEMO', ['0', '1']) === '1',
    logLevel: readChoice(text, 'LAUREL_LOG_LEVEL', LOG_LEVELS),
    ...readLinkers(text),
    simulatorPort: readPort(text, 'SIMULATOR_PORT'),
    /** URL of the simulated bank for sandbox payouts; null to use the bank in the simulator. */
    payoutBankUrl: readWebAddress(text, 'LAUREL_PAYOUT_BANK_URL'),
    giftCardSupplierUrl: readWebAddress(text, 'LAUREL_GIFT_CARD_SUPPLIER_URL'),
    simulatorHost: text('SIMULATOR_HOST'),
    webhooks: {
      /**
       * True if sandbox publishers' webhooks may be sent to this machine; null to allow this only if the service itself
       * is reachable only from this machine.
       */
      privateAddresses: readFlag(text, 'LAUREL_WEBHOOK_PRIVATE_ADDRESSES'),
      /** Each entry is `public`, a host name or an IP range. */
      allowed: readReceivers(text, 'LAUREL_WEBHOOK_ALLOW'),
      denied: readReceivers(text, 'LAUREL_WEBHOOK_DENY'),
      proxy: readWebAddress(text, 'LAUREL_WEBHOOK_PROXY'),
    },
    trustedProxies: readAddressRanges(text, 'LAUREL_TRUSTED_PROXIES'),
    operatorCallsPerSecond: count('LAUREL_OPERATOR_CALLS_PER_SECOND'),
    strangerCallsPerSecond: count('LAUREL_STRANGER_CALLS_PER_SECOND'),
    clicksPerSecond: count('LAUREL_CLICKS_PER_SECOND'),
    retentionDays: readRetentionDays(text),
    /** Storage and retention of report files. */
    reports: readReportSettings(text),
    /** Without a server, mail is written to files in the data folder. */
    mail: { smtpUrl: readMailServer(text, 'LAUREL_SMTP_URL'), from: text('LAUREL_MAIL_FROM') },
    /** True if traces are recorded and exported. */
    traces: sendsTraces(text),
    /** A warning about each variable that looks like a setting but is not one. */
    unknownSettings: findUnknownSettings(env),
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** A worker does not listen on PORT, so it may serve its metrics there. */
function readPorts(role: string, text: ReadVariable): { readonly port: number; readonly metricsPort: number | null } {
  const port = readPort(text, 'PORT')
  // Without this port, no metrics are served.
  if (text('LAUREL_METRICS_PORT') === '') return { port, metricsPort: null }
  const metricsPort = readPort(text, 'LAUREL_METRICS_PORT')
  if (role !== 'worker' && port === metricsPort && port !== 0)
    throw new ConfigError(`LAUREL_METRICS_PORT must differ from PORT, which is also ${port}.`, ['LAUREL_METRICS_PORT'])
  return { port, metricsPort }
}

function sendsTraces(text: ReadVariable): boolean {
  const exporter = readChoice(text, 'OTEL_TRACES_EXPORTER', ['', 'otlp', 'none'])
  if (text('OTEL_SDK_DISABLED').toLowerCase() === 'true' || exporter === 'none') return false
  for (const name of COLLECTORS) readWebAddress(text, name)
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

type Linkers = {
  /** The card linker for each environment: the simulator, or Plaid with our credentials. */
  readonly linkers: { readonly sandbox: 'simulator' | PlaidSettings; readonly production: PlaidSettings | null }
  /** The provider's URL for sandbox publishers; null to use the simulator that runs with the service. */
  readonly linkerUrl: string | null
}

function readLinkers(text: ReadVariable): Linkers {
  const linker = readChoice(text, 'LAUREL_LINKER', ['simulator', 'plaid'], LINKER_SETTINGS)
  const environment = readChoice(text, 'LAUREL_PLAID_ENV', ['sandbox', 'production'], LINKER_SETTINGS)
  const syncs = text('LAUREL_LINKER_SYNCS_PER_MINUTE') || SYNCS_PER_MINUTE[environment]
  const syncsPerMinute = parseCount('LAUREL_LINKER_SYNCS_PER_MINUTE', syncs)
  const address = readSandboxAddress(text)
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

function readSandboxAddress(text: ReadVariable): string | null {
  const address = readWebAddress(text, 'LAUREL_LINKER_URL')
  if (address !== null && new URL(address).hostname === 'production.plaid.com')
    throw linkerError('LAUREL_LINKER_URL is where sandbox publishers link cards, so it cannot be the production URL.')
  return address
}

/** @param together this setting and those that cannot be validated while it is invalid */
function readChoice<const T extends string>(
  text: ReadVariable,
  name: SettingName,
  allowed: readonly T[],
  together: readonly SettingName[] = [name],
): T {
  const found = allowed.find((candidate) => candidate === text(name))
  if (found === undefined)
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text(name)}".`, together)
  return found
}

function readPort(text: ReadVariable, name: SettingName): number {
  const port = Number(text(name))
  if (!/^\d{1,5}$/.test(text(name)) || port > 65535)
    throw new ConfigError(`${name} must be a port from 0 to 65535, not "${text(name)}".`, [name])
  return port
}

const COUNT_MAX = 1_000_000
// Ten times PostgreSQL's default limit.
const CONNECTIONS_MAX = 1_000

function parseCount(
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

function readRetentionDays(text: ReadVariable): RetentionDays {
  const days = (name: SettingName): number => parseCount(name, text(name), COUNT_MAX, RETENTION)
  const clicks = parseCount('LAUREL_CLICK_RETENTION_DAYS', text('LAUREL_CLICK_RETENTION_DAYS'))
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

function readReportSettings(text: ReadVariable) {
  const linkSeconds = parseCount('LAUREL_REPORT_LINK_SECONDS', text('LAUREL_REPORT_LINK_SECONDS'), LINK_SECONDS_MAX)
  const retentionDays = parseCount('LAUREL_REPORT_RETENTION_DAYS', text('LAUREL_REPORT_RETENTION_DAYS'))
  return { s3: readS3Settings(text), retentionDays, linkSeconds }
}

/** Returns null to store reports in the data folder. */
function readS3Settings(text: ReadVariable): S3Settings | null {
  const missing = S3_SETTINGS.filter((name) => text(name) === '')
  if (missing.length === S3_SETTINGS.length) return null
  // Otherwise reports would end up in the data folder, where nobody looks for them.
  if (missing.length > 0)
    throw new ConfigError(`Storing reports in S3 also requires ${missing.join(' and ')}.`, S3_SETTINGS)
  return {
    endpoint: readWebAddress(text, 'LAUREL_REPORT_S3_ENDPOINT') ?? '',
    region: text('LAUREL_REPORT_S3_REGION'),
    bucket: parseBucketName(text('LAUREL_REPORT_S3_BUCKET')),
    accessKeyId: text('LAUREL_REPORT_S3_ACCESS_KEY_ID'),
    secretAccessKey: text('LAUREL_REPORT_S3_SECRET_ACCESS_KEY'),
  }
}

const S3_SETTINGS = [
  'LAUREL_REPORT_S3_ENDPOINT',
  'LAUREL_REPORT_S3_BUCKET',
  'LAUREL_REPORT_S3_ACCESS_KEY_ID',
  'LAUREL_REPORT_S3_SECRET_ACCESS_KEY',
] as const

function parseBucketName(value: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)) return value
  throw new ConfigError(
    `LAUREL_REPORT_S3_BUCKET must be 3 to 63 lowercase letters, digits, dots and hyphens, not "${value}".`,
    S3_SETTINGS,
  )
}

function readUrl(text: ReadVariable, name: SettingName, protocol: RegExp, begins: string): string | null {
  const url = text(name)
  if (url === '') return null
  if (URL.canParse(url) && protocol.test(new URL(url).protocol)) return url
  throw new ConfigError(`${name} must be a URL that begins with ${begins}.`, [name])
}

function readWebAddress(text: ReadVariable, name: SettingName): string | null {
  return readUrl(text, name, /^https?:$/, 'http:// or https://')?.replace(/\/+$/, '') ?? null
}

function readMailServer(text: ReadVariable, name: SettingName): string | null {
  return readUrl(text, name, /^smtps?:$/, 'smtps:// or smtp://')
}

function readAddressRanges(text: ReadVariable, name: SettingName): readonly string[] {
  const ranges = splitList(text(name))
  const wrong = ranges.find((range) => !isRange(range))
  if (wrong !== undefined)
    throw new ConfigError(`${name} must list addresses or CIDR ranges; "${wrong}" is neither.`, [name])
  return ranges
}

function readFlag(text: ReadVariable, name: SettingName): boolean | null {
  return text(name) === '' ? null : readChoice(text, name, ['0', '1']) === '1'
}

const HOST_NAME = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

function readReceivers(text: ReadVariable, name: SettingName): readonly string[] {
  const entries = splitList(text(name))
  const wrong = entries.find((entry) => !isRange(entry) && !HOST_NAME.test(entry))
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} must list names such as hooks.example.com or *.example.com, and ranges such as 10.2.0.0/16; "${wrong}" is neither.`,
      [name],
    )
  return entries
}

function splitList(value: string): string[] {
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

function readDatabaseUrl(text: ReadVariable, name: SettingName): string | null {
  const url = text(name)
  if (url === '') return null
  if (/^postgres(ql)?:\/\//.test(url)) return url
  throw new ConfigError(`${name} must begin with postgres:// or postgresql://.`, [name])
}

/** Rejects weak keys at startup, because a weak key would leave every stored token effectively in plain text. */
function parseMasterKeys(value: string): readonly string[] {
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
