import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../secrets/index.ts'
import type { Poster } from './post.ts'

/** What the routes need. */
export type EventDeps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }

export type DelivererDeps = EventDeps & {
  readonly log: Log
  readonly poster: Poster
  /** From 0 to 1, for jitter. */
  readonly random: () => number
}
