import { openDatabase } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Loop } from '../platform/loops.ts'
import { createDeliverer } from './deliverer.ts'
import type { EventDeps } from './deps.ts'
import { createPoster } from './post.ts'
import { hurryRecovered } from './recovery.ts'
import { sequenceEvents } from './sequencer.ts'
import { sweepDeliveries } from './sweep.ts'

// At most two polls separate a commit from its first delivery; a poll costs one short statement.
const POLL_MS = 50
const RECOVERY_MS = 250
const SWEEP_MS = 60_000
// One each to number events, claim queues and record attempts. These are a few statements that run thousands of times:
// a large pool would plan them on every connection (measured: 1.6 times the server's work), and in the common pool
// they would wait for all other work.
const CONNECTIONS = 3

/** The worker's half: numbers events, delivers them, hurries what recovered endpoints wait for, deletes old deliveries. */
export function eventLoops(deps: EventDeps & { readonly log: Log }): Loop[] {
  const poster = createPoster(deps.egress)
  const db = openDatabase(deps.db.url, { connections: CONNECTIONS })
  const deliverer = createDeliverer({ ...deps, db, poster, random: Math.random })
  const drain = async (): Promise<void> => {
    try {
      await deliverer.drain()
    } finally {
      await poster.close()
      await db.close()
    }
  }
  return [
    { name: 'event sequencer', everyMs: POLL_MS, pass: () => sequenceEvents(db) },
    { ...deliverer, drain },
    { name: 'webhook recovery', everyMs: RECOVERY_MS, pass: () => hurryRecovered(deps.db, deps.clock.now()) },
    { name: 'webhook sweep', everyMs: SWEEP_MS, pass: () => sweepDeliveries(deps.db) },
  ]
}
