import { LIMITS } from '../db/kinds-of-work.ts'

type Setting = { readonly name: string; readonly fallback: string; readonly secret?: true; readonly about: string }

/**
 * Every setting of Laurel. docs/reference/settings.md lists them, and `doctor` displays them. No setting exists outside
 * this list.
 */
export const SETTINGS = [
  { name: 'LAUREL_ROLE', fallback: 'all', about: 'api, worker or all: which half of the service this process runs' },
  { name: 'HOST', fallback: '127.0.0.1', about: 'address the service listens on' },
  { name: 'PORT', fallback: '8080', about: 'port the service listens on; 0 takes any free one' },
  {
    name: 'LAUREL_METRICS_PORT',
    fallback: '',
    about: 'port for /metrics, in every role; 0 takes any free one; without it, metrics are not served',
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
  {
    name: 'LAUREL_DEMO',
    fallback: '1',
    about: '0: do not fill an empty database with the sandbox and its story, and refuse `laurel demo`',
  },
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
    name: 'LAUREL_PAYOUT_BANK_URL',
    fallback: '',
    about: 'address of the simulated bank by which sandboxes pay out; default: the simulator beside the service',
  },
  {
    name: 'LAUREL_GIFT_CARD_SUPPLIER_URL',
    fallback: '',
    about: 'address of the simulated supplier of gift cards for sandboxes; default: the simulator beside the service',
  },
  {
    name: 'SIMULATOR_PORT',
    fallback: '8081',
    about: 'port of the simulator; the next free one is taken if it is in use',
  },
  {
    name: 'SIMULATOR_HOST',
    fallback: '127.0.0.1',
    about: 'address at which the simulator listens; 0.0.0.0: phones on the network can open its link pages',
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
    name: 'LAUREL_SMTP_URL',
    fallback: '',
    secret: true,
    about:
      'mail server, such as smtps://user:password@mail.example.com; without it, mails are files in the data folder, and a sandbox shows them at /sandbox/mail',
  },
  { name: 'LAUREL_MAIL_FROM', fallback: 'Laurel <laurel@localhost>', about: 'sender of mails' },
  {
    name: 'LAUREL_REPORT_RETENTION_DAYS',
    fallback: '30',
    about: 'days after which the file of an ordered report is removed',
  },
  {
    name: 'LAUREL_REPORT_LINK_SECONDS',
    fallback: '3600',
    about: 'seconds for which a link to the file of a report holds; at most 604800, a week',
  },
  {
    name: 'LAUREL_REPORT_S3_ENDPOINT',
    fallback: '',
    about:
      'address of the S3-compatible storage of reports, such as https://s3.eu-central-1.amazonaws.com; without it they are in the data folder, which processes of both roles then share',
  },
  { name: 'LAUREL_REPORT_S3_REGION', fallback: 'us-east-1', about: 'region of that storage' },
  { name: 'LAUREL_REPORT_S3_BUCKET', fallback: '', about: 'bucket of that storage; required with it' },
  {
    name: 'LAUREL_REPORT_S3_ACCESS_KEY_ID',
    fallback: '',
    about: 'access key of that storage; required with it; it may put, get and delete objects',
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
      'address of an OpenTelemetry collector, to which traces are sent by OTLP over HTTP; the other OTEL_ variables for traces, such as OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER, apply as well',
  },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', fallback: '', about: 'the same for traces alone, with its path' },
  {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    fallback: 'http/json',
    about:
      'http/json, the only protocol in which traces are sent; collectors accept it at their HTTP port, usually 4318',
  },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', fallback: 'http/json', about: 'the same for traces alone' },
  {
    name: 'OTEL_TRACES_EXPORTER',
    fallback: '',
    about: 'otlp or none; default otlp if the address of a collector is set, otherwise none',
  },
  { name: 'OTEL_SDK_DISABLED', fallback: 'false', about: 'true: no traces, whatever else is set' },
] as const satisfies readonly Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']
