import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * One JSON line an entry. Bodies, headers and addresses with their query are never given to the logger; the paths
 * below are the second line of defence, should an object with such a member slip through.
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
  // To stderr: stdout belongs to the answers of the command line. Written in the background and some lines at a time, for
  // under load a write for each line took a tenth of the process; pino writes out the rest at the exit.
  return pino(options, pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 }))
}

/** A driver's error object carries the statement's parameters and an HTTP client's carries headers: keep neither. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = (error as { code?: unknown }).code
  return { name: error.name, message: error.message, stack: error.stack, ...(code === undefined ? {} : { code }) }
}
