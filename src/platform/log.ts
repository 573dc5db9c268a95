import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * One JSON line per entry. Bodies, headers and URLs are never passed to the logger; these members are redacted in case
 * an object with one is passed by mistake.
 */
const NEVER_LOGGED = [
  'authorization',
  'password',
  'secret',
  'token',
  'access_token',
  'public_token',
  'link_token',
  'api_key',
  'email',
  'mask',
]

export function createLog(level: string): Log {
  const options = {
    level,
    redact: { paths: NEVER_LOGGED.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  }
  // To stderr, because stdout has the output of commands. Written asynchronously and several lines at a time: under
  // load, a write per line took a tenth of the process. pino flushes the rest at the exit.
  return pino(options, pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 }))
}

/**
 * Errors of the driver contain parameters of statements, and those of an HTTP client contain headers: neither is
 * logged.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = (error as { code?: unknown }).code
  return { name: error.name, message: error.message, stack: error.stack, ...(code === undefined ? {} : { code }) }
}
