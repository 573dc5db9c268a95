import { ConfigError } from '../src/platform/config/config.ts'
import { ExplainedError } from '../src/platform/explained-error.ts'

/** A user's mistake: one sentence that explains how to fix it, plus details such as its location. */
export class UserError extends Error {
  readonly details: readonly string[]
  readonly exitCode: 1 | 2

  constructor(sentence: string, options: { readonly details?: readonly string[]; readonly exitCode?: 1 | 2 } = {}) {
    super(sentence)
    this.details = options.details ?? []
    this.exitCode = options.exitCode ?? 1
  }
}

type Failure = { readonly lines: readonly string[]; readonly exitCode: number }

/**
 * Turns an error into the lines to print and an exit code. Shows the stack trace only if the error is a bug in Laurel
 * itself.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof UserError) return { lines: [error.message, ...error.details], exitCode: error.exitCode }
  if (error instanceof ConfigError) return { lines: [error.message], exitCode: 2 }
  if (error instanceof ExplainedError) return { lines: [error.message], exitCode: 1 }
  const unreachable = describeUnreachable(error)
  if (unreachable !== null) return { lines: [unreachable], exitCode: 1 }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { lines: ['This is a bug in Laurel. Please report it with the lines below.', text], exitCode: 1 }
}

// Driver and system error codes for a server that cannot be reached or refuses the connection.
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'its host is unknown',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  ETIMEDOUT: 'it does not respond',
  CONNECT_TIMEOUT: 'it does not respond',
  '28P01': 'it rejects the password',
  '28000': 'it rejects the account',
  '3D000': 'it has no such database',
}

function describeUnreachable(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const why = UNREACHABLE[String(error.code)]
  if (why === undefined) return null
  // A code that begins with a digit comes from PostgreSQL, so the server is up.
  const remedy = /^\d/.test(String(error.code)) ? 'Correct DATABASE_URL' : 'Start it or correct DATABASE_URL'
  return `The database cannot be used: ${why}. ${remedy}.`
}
