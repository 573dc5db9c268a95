import { ExplainedError } from '../explained-error.ts'

/** Thrown if the embedded server is unavailable. The message states the reason and the remedy. */
export class EmbeddedPostgresError extends ExplainedError {}

/** Builds the error for a machine, account or file system that cannot run the binaries at all. */
export function cannotRun(reason: string): EmbeddedPostgresError {
  const why = reason.trim().replace(/\.$/, '')
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot run here (${why}). Set DATABASE_URL to a PostgreSQL 15 or later server.`,
  )
}

/** Returns the code of a system error (ENOENT) or a PostgreSQL error (an SQLSTATE); null for any other. */
export function findErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
