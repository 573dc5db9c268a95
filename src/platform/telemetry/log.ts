import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * The log has one JSON line per entry. Bodies, headers and URLs are never passed to the logger. These members are
 * redacted in case an object containing one is passed by mistake.
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
  // Logs to stderr, because stdout carries the output of commands. Lines are written asynchronously in batches, because
  // one write per line took a tenth of the process's time under load. pino flushes the remaining lines on exit.
  return pino(options, pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 }))
}

/**
 * Logs only a few members of an error. Driver errors contain statement parameters, and HTTP client errors contain
 * headers, neither of which may be logged.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = (error as { code?: unknown }).code
  return { name: error.name, message: error.message, stack: error.stack, ...(code === undefined ? {} : { code }) }
}
