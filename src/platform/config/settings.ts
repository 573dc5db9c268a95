import { LIMITS } from '../db/kinds-of-work.ts'

type SettingOptions = { readonly fallback?: string; readonly secret?: true; readonly about: string }

const TABLE = {
  LAUREL_ROLE: { fallback: 'all', about: 'which half of the service this process runs: api, worker or all' },
  HOST: { fallback: '127.0.0.1', about: 'address to listen on' },
  PORT: { fallback: '8080', about: 'port to listen on; 0 for any free one' },
  LAUREL_METRICS_PORT: {
    about: 'port of /metrics, in every role; 0 for any free one. Without it, no metrics are served',
  },
  LAUREL_BASE_URL: { about: 'public address of the service, used in links; default http://HOST:PORT' },
  LAUREL_DATA_DIR: { fallback: '.laurel', about: 'folder for the embedded database and generated secrets' },
  DATABASE_URL: { secret: true, about: 'PostgreSQL 15 or later; without it, the embedded one runs' },
  DATABASE_DIRECT_URL: {
    secret: true,
    about:
      'if DATABASE_URL is a pooler such as PgBouncer in transaction mode: the address of the server itself, for commands, migrations and announcements',
  },
  DATABASE_OWNER_URL: {
    secret: true,
    about:
      'the same database under the account that owns its tables, for migrations; the account in DATABASE_URL then cannot alter tables, or change what is append-only',
  },
  LAUREL_CALL_CONNECTIONS: {
    fallback: String(LIMITS.calls.connections),
    about: 'database connections per process for API calls',
  },
  LAUREL_REPORT_CONNECTIONS: {
    fallback: String(LIMITS.reports.connections),
    about: 'database connections per process for reports and exports, which is how many run concurrently',
  },
  LAUREL_BACKGROUND_CONNECTIONS: {
    fallback: String(LIMITS.background.connections),
    about: "database connections per process for the worker's and operators' work",
  },
  LAUREL_DB_ACCOUNT: {
    about: 'system account that runs the embedded database if the service starts as root; default nobody',
  },
  LAUREL_MASTER_KEY: {
    secret: true,
    about:
      '32 bytes in base64 that wrap every stored secret, the same for every process of a database; generated into the data folder if missing. During a rotation: the new and the old key, separated by a comma',
  },
  LAUREL_DEMO: {
    fallback: '1',
    about: '0: do not fill an empty database with the sample sandbox, and refuse `laurel demo`',
  },
  LAUREL_LOG_LEVEL: { fallback: 'info', about: 'trace, debug, info, warn, error, fatal or silent' },
  LAUREL_LINKER: {
    fallback: 'simulator',
    about: 'the linking provider: simulator or plaid. Only sandbox publishers can link against the simulator',
  },
  LAUREL_PLAID_CLIENT_ID: { about: 'client id at the provider; required with plaid' },
  LAUREL_PLAID_SECRET: { secret: true, about: "the client id's secret for LAUREL_PLAID_ENV; required with plaid" },
  LAUREL_PLAID_ENV: {
    fallback: 'sandbox',
    about:
      "the provider's environment: sandbox or production. With sandbox, production publishers cannot link cards. With production, sandbox publishers link against the simulator unless LAUREL_PLAID_SANDBOX_SECRET is set",
  },
  LAUREL_PLAID_SANDBOX_SECRET: {
    secret: true,
    about:
      "with LAUREL_PLAID_ENV=production: the client id's secret for the provider's sandbox, where sandbox publishers then link",
  },
  LAUREL_LINKER_URL: {
    about:
      "where sandbox publishers link cards; default: the simulator started with the service, or the host of the provider's sandbox. Production publishers always link against the provider's production host",
  },
  LAUREL_LINKER_SYNCS_PER_MINUTE: {
    about: 'feed reads per minute that the provider allows in LAUREL_PLAID_ENV; default 2500, or 1000 in its sandbox',
  },
  LAUREL_PAYOUT_BANK_URL: {
    about: 'the simulated bank that pays out for sandboxes; default: the simulator started with the service',
  },
  LAUREL_GIFT_CARD_SUPPLIER_URL: {
    about: 'the simulated gift card supplier for sandboxes; default: the simulator started with the service',
  },
  SIMULATOR_PORT: { fallback: '8081', about: 'port of the simulator; if it is in use, the next free one' },
  SIMULATOR_HOST: {
    fallback: '127.0.0.1',
    about: 'address the simulator listens on; with 0.0.0.0, phones on the network can open its link pages',
  },
  LAUREL_TRUSTED_PROXIES: { about: 'CIDR ranges of proxies whose X-Forwarded-For is trusted, comma-separated' },
  LAUREL_WEBHOOK_PRIVATE_ADDRESSES: {
    about:
      '1: sandbox publishers may send webhooks to this machine; 0: nobody may; default: 1 if LAUREL_BASE_URL points to this machine or, without it, if HOST does and LAUREL_ROLE is not worker',
  },
  LAUREL_WEBHOOK_ALLOW: {
    fallback: 'public',
    about:
      'where webhooks may go, comma-separated: public for every public address, names such as hooks.example.com or *.example.com, and ranges such as 10.2.0.0/16, which may be private',
  },
  LAUREL_WEBHOOK_DENY: { about: 'where webhooks may not go: names and ranges, comma-separated; takes precedence' },
  LAUREL_WEBHOOK_PROXY: {
    secret: true,
    about:
      'HTTP proxy for webhooks, http://user:password@host:port; CONNECT requests contain the IP address that was checked',
  },
  LAUREL_OPERATOR_CALLS_PER_SECOND: {
    fallback: '100',
    about: 'calls per second for each operator, with bursts of up to twice as many',
  },
  LAUREL_STRANGER_CALLS_PER_SECOND: {
    fallback: '10',
    about:
      'calls per second from one address (one /64 for IPv6) without a valid key or to unknown paths, with bursts of up to forty times as many',
  },
  LAUREL_CLICKS_PER_SECOND: {
    fallback: '20',
    about: 'tracking links followed per second from one address, with bursts of up to twenty times as many',
  },
  LAUREL_CLICK_RETENTION_DAYS: {
    fallback: '400',
    about:
      'days until a click without a reported sale is deleted; at least 90 plus the lock period of the slowest network',
  },
  LAUREL_EVENT_RETENTION_DAYS: {
    fallback: '400',
    about: 'days until events leave the feed and can no longer be replayed; at least LAUREL_DELIVERY_RETENTION_DAYS',
  },
  LAUREL_DELIVERY_RETENTION_DAYS: {
    fallback: '90',
    about:
      'days until finished webhook deliveries with their attempts, and deliveries waiting for a stopped endpoint, are deleted; at least 14. All processes need the same retention settings',
  },
  LAUREL_SMTP_URL: {
    secret: true,
    about:
      'mail server, such as smtps://user:password@mail.example.com; if unset, mail is written to files in the data folder, and a sandbox shows them at /sandbox/mail',
  },
  LAUREL_MAIL_FROM: { fallback: 'Laurel <laurel@localhost>', about: 'sender address for mail' },
  LAUREL_REPORT_RETENTION_DAYS: { fallback: '30', about: 'days until the file of an ordered report is removed' },
  LAUREL_REPORT_LINK_SECONDS: {
    fallback: '3600',
    about: 'seconds until a link to a report file expires; at most 604800, a week',
  },
  LAUREL_REPORT_S3_ENDPOINT: {
    about:
      'S3-compatible storage for reports, such as https://s3.eu-central-1.amazonaws.com; without it, reports are in the data folder, which processes of both roles must then share',
  },
  LAUREL_REPORT_S3_REGION: { fallback: 'us-east-1', about: 'region of that storage' },
  LAUREL_REPORT_S3_BUCKET: { about: 'bucket in that storage; required with it' },
  LAUREL_REPORT_S3_ACCESS_KEY_ID: {
    about: 'access key for that storage; required with it, and must be able to put, get and delete objects',
  },
  LAUREL_REPORT_S3_SECRET_ACCESS_KEY: { secret: true, about: 'secret of that access key; required with it' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about:
      'OpenTelemetry collector to send traces to, using OTLP over HTTP. The other OTEL_ variables for traces apply too, such as OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { about: 'the same, only for traces, with its path' },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    fallback: 'http/json',
    about:
      'http/json, the only protocol over which traces are sent; collectors accept it on their HTTP port, usually 4318',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { fallback: 'http/json', about: 'the same, only for traces' },
  OTEL_TRACES_EXPORTER: { about: 'otlp or none; default otlp if a collector is set, otherwise none' },
  OTEL_SDK_DISABLED: { fallback: 'false', about: 'true: send no traces, regardless of other settings' },
} as const satisfies Readonly<Record<string, SettingOptions>>

export type SettingName = keyof typeof TABLE

type Setting = SettingOptions & { readonly name: SettingName; readonly fallback: string }

/**
 * Every Laurel setting. docs/reference/settings.md lists them, and `doctor` displays them. No setting exists outside
 * this list.
 */
export const SETTINGS: readonly Setting[] = Object.entries(TABLE).map(([name, options]) => ({
  name: name as SettingName,
  fallback: '',
  ...options,
}))
