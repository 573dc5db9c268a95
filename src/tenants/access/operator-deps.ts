import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Vault } from '../../platform/vault/index.ts'

/** Dependencies of the operator routes. */
export type OperatorDeps = {
  readonly db: Database
  /** The pool for responses that are streamed at the reader's pace. */
  readonly exports: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Log
}
