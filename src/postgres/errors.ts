/** The embedded server is unavailable; the message is one sentence that says why and what to do. */
export class EmbeddedPostgresError extends Error {}

/** For a machine, account or file system on which the binaries cannot run at all. */
export function cannotRun(reason: string): EmbeddedPostgresError {
  const why = reason.trim().replace(/\.$/, '')
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot run here (${why}), so set DATABASE_URL to a PostgreSQL 15 or later server.`,
  )
}

/** The code of an error of the system (ENOENT) or of PostgreSQL (an SQLSTATE), or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
