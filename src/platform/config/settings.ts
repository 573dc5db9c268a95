import { LIMITS } from '../db/kinds-of-work.ts'

type Setting = { readonly name: string; readonly fallback: string; readonly secret?: true; readonly about: string }

/**
 * Every Laurel setting. docs/reference/settings.md lists them, and `doctor` displays them. No setting exists outside
 * this list.
 */
export const SETTINGS = [
  { name: 'LAUREL_ROLE', fallback: 'all', about: 'which half of the service this process runs: api, worker or all' },
  { name: 'HOST', fallback: '127.0.0.1', about: 'address to listen on' },
  { name: 'PORT', fallback: '8080', about: 'port to listen on; 0 for any free one' },
  {
    name: 'LAUREL_METRICS_PORT',
    fallback: '',
    about: 'port of /metrics, in every role; 0 for any free one. Without it, no metrics are served',
  },
  {
    name: 'LAUREL_BASE_URL',
    fallback: '',
    about: 'public address of the service, used in links; default http://HOST:PORT',
  },
  { name: 'LAUREL_DATA_DIR', fallback: '.laurel', about: 'folder for the embedded database and generated secrets' },
  {
    name: 'DATABASE_URL',
    fallback: '',
    secret: true,
    about: 'PostgreSQL 15 or later; without it, the embedded one runs',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    fallback: '',
    secret: true,
    about:
      'if DATABASE_URL is a pooler such as PgBouncer in transaction mode: the address of the server itself, for commands, migrations and announcements',
  },
  {
    name: 'DATABASE_OWNER_URL',
    fallback: '',
    secret: true,
    about:
      'the same database under the account that owns its tables, for migrations; the account in DATABASE_URL then cannot alter tables, or change what is append-only',
  },
  {
    name: 'LAUREL_CALL_CONNECTIONS',
    fallback: String(LIMITS.calls.connections),
    about: 'database connections per process for API calls',
  },
  {
    name: 'LAUREL_REPORT_CONNECTIONS',
    fallback: String(LIMITS.reports.connections),
    about: 'database connections per process for reports and exports, which is how many run concurrently',
  },
  {
    name: 'LAUREL_BACKGROUND_CONNECTIONS',
    fallback: String(LIMITS.background.connections),
    about: "database connections per process for the worker's and operators' work",
  },
  {
    name: 'LAUREL_DB_ACCOUNT',
    fallback: '',
    about: 'system account that runs the embedded database if the service starts as root; default nobody',
  },
  {
    name: 'LAUREL_MASTER_KEY',
    fallback: '',
    secret: true,
    about:
      '32 bytes in base64 that wrap every stored secret, the same for every process of a database; generated into the data folder if missing. During a rotation: the new and the old key, separated by a comma',
  },
  {
    name: 'LAUREL_DEMO',
    fallback: '1',
    about: '0: do not fill an empty database with the sample sandbox, and refuse `laurel demo`',
  },
  { name: 'LAUREL_LOG_LEVEL', fallback: 'info', about: 'trace, debug, info, warn, error, fatal or silent' },
  {
    name: 'LAUREL_LINKER',
    fallback: 'simulator',
    about: 'the linking provider: simulator or plaid. Only sandbox publishers can link against the simulator',
  },
  { name: 'LAUREL_PLAID_CLIENT_ID', fallback: '', about: 'client id at the provider; required with plaid' },
  {
    name: 'LAUREL_PLAID_SECRET',
    fallback: '',
    secret: true,
    about: "the client id's secret for LAUREL_PLAID_ENV; required with plaid",
  },
  {
    name: 'LAUREL_PLAID_ENV',
    fallback: 'sandbox',
    about:
      "the provider's environment: sandbox or production. With sandbox, production publishers cannot link cards. With production, sandbox publishers link against the simulator unless LAUREL_PLAID_SANDBOX_SECRET is set",
  },
  {
    name: 'LAUREL_PLAID_SANDBOX_SECRET',
    fallback: '',
    secret: true,
    about:
      "with LAUREL_PLAID_ENV=production: the client id's secret for the provider's sandbox, where sandbox publishers then link",
  },
  {
    name: 'LAUREL_LINKER_URL',
    fallback: '',
    about:
      "where sandbox publishers link cards; default: the simulator started with the service, or the host of the provider's sandbox. Production publishers always link against the provider's production host",
  },
  {
    name: 'LAUREL_LINKER_SYNCS_PER_MINUTE',
    fallback: '',
    about: 'feed reads per minute that the provider allows in LAUREL_PLAID_ENV; default 2500, or 1000 in its sandbox',
  },
  {
    name: 'LAUREL_PAYOUT_BANK_URL',
    fallback: '',
    about: 'the simulated bank that pays out for sandboxes; default: the simulator started with the service',
  },
  {
    name: 'LAUREL_GIFT_CARD_SUPPLIER_URL',
    fallback: '',
    about: 'the simulated gift card supplier for sandboxes; default: the simulator started with the service',
  },
  {
    name: 'SIMULATOR_PORT',
    fallback: '8081',
    about: 'port of the simulator; if it is in use, the next free one',
  },
  {
    name: 'SIMULATOR_HOST',
    fallback: '127.0.0.1',
    about: 'address the simulator listens on; with 0.0.0.0, phones on the network can open its link pages',
  },
  {
    name: 'LAUREL_TRUSTED_PROXIES',
    fallback: '',
    about: 'CIDR ranges of proxies whose X-Forwarded-For is trusted, comma-separated',
  },
  {
    name: 'LAUREL_WEBHOOK_PRIVATE_ADDRESSES',
    fallback: '',
    about:
      '1: sandbox publishers may send webhooks to this machine; 0: nobody may; default: 1 if LAUREL_BASE_URL points to this machine or, without it, if HOST does and LAUREL_ROLE is not worker',
  },
  {
    name: 'LAUREL_WEBHOOK_ALLOW',
    fallback: 'public',
    about:
      'where webhooks may go, comma-separated: public for every public address, names such as hooks.example.com or *.example.com, and ranges such as 10.2.0.0/16, which may be private',
  },
  {
    name: 'LAUREL_WEBHOOK_DENY',
    fallback: '',
    about: 'where webhooks may not go: names and ranges, comma-separated; takes precedence',
  },
  {
    name: 'LAUREL_WEBHOOK_PROXY',
    fallback: '',
    secret: true,
    about:
      'HTTP proxy for webhooks, http://user:password@host:port; CONNECT requests contain the IP address that was checked',
  },
  {
    name: 'LAUREL_OPERATOR_CALLS_PER_SECOND',
    fallback: '100',
    about: 'calls per second for each operator, with bursts of up to twice as many',
  },
  {
    name: 'LAUREL_STRANGER_CALLS_PER_SECOND',
    fallback: '10',
    about:
      'calls per second from one address (one /64 for IPv6) without a valid key or to unknown paths, with bursts of up to forty times as many',
  },
  {
    name: 'LAUREL_CLICKS_PER_SECOND',
    fallback: '20',
    about: 'tracking links followed per second from one address, with bursts of up to twenty times as many',
  },
  {
    name: 'LAUREL_CLICK_RETENTION_DAYS',
    fallback: '400',
    about:
      'days until a click without a reported sale is deleted; at least 90 plus the lock period of the slowest network',
  },
  {
    name: 'LAUREL_EVENT_RETENTION_DAYS',
    fallback: '400',
    about: 'days until events leave the feed and can no longer be replayed; at least LAUREL_DELIVERY_RETENTION_DAYS',
  },
  {
    name: 'LAUREL_DELIVERY_RETENTION_DAYS',
    fallback: '90',
    about:
      'days until finished webhook deliveries with their attempts, and deliveries waiting for a stopped endpoint, are deleted; at least 14. All processes need the same retention settings',
  },
  {
    name: 'LAUREL_SMTP_URL',
    fallback: '',
    secret: true,
    about:
      'mail server, such as smtps://user:password@mail.example.com; if unset, mail is written to files in the data ' +
      'folder, and a sandbox shows them at /sandbox/mail',
  },
  { name: 'LAUREL_MAIL_FROM', fallback: 'Laurel <laurel@localhost>', about: 'sender address for mail' },
  {
    name: 'LAUREL_REPORT_RETENTION_DAYS',
    fallback: '30',
    about: 'days until the file of an ordered report is removed',
  },
  {
    name: 'LAUREL_REPORT_LINK_SECONDS',
    fallback: '3600',
    about: 'seconds until a link to a report file expires; at most 604800, a week',
  },
  {
    name: 'LAUREL_REPORT_S3_ENDPOINT',
    fallback: '',
    about:
      'S3-compatible storage for reports, such as https://s3.eu-central-1.amazonaws.com; without it, reports are in the data folder, which processes of both roles must then share',
  },
  { name: 'LAUREL_REPORT_S3_REGION', fallback: 'us-east-1', about: 'region of that storage' },
  { name: 'LAUREL_REPORT_S3_BUCKET', fallback: '', about: 'bucket in that storage; required with it' },
  {
    name: 'LAUREL_REPORT_S3_ACCESS_KEY_ID',
    fallback: '',
    about: 'access key for that storage; required with it, and must be able to put, get and delete objects',
  },
  {
    name: 'LAUREL_REPORT_S3_SECRET_ACCESS_KEY',
    fallback: '',
    secret: true,
    about: 'secret of that access key; required with it',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    about:
      'OpenTelemetry collector to send traces to, using OTLP over HTTP. The other OTEL_ variables for traces apply too, such as OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER',
  },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', fallback: '', about: 'the same, only for traces, with its path' },
  {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    fallback: 'http/json',
    about:
      'http/json, the only protocol over which traces are sent; collectors accept it on their HTTP port, usually 4318',
  },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', fallback: 'http/json', about: 'the same, only for traces' },
  {
    name: 'OTEL_TRACES_EXPORTER',
    fallback: '',
    about: 'otlp or none; default otlp if a collector is set, otherwise none',
  },
  { name: 'OTEL_SDK_DISABLED', fallback: 'false', about: 'true: send no traces, regardless of other settings' },
] as const satisfies readonly Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']
