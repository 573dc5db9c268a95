import { openDatabase } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Loop } from '../platform/loops.ts'
import { createDeliverer, type Deliverer } from './deliverer.ts'
import type { EventDeps } from './deps.ts'
import { createPoster } from './post.ts'
import { sequenceEvents } from './sequencer.ts'
import { sweepDeliveries } from './sweep.ts'

/** A loop that holds work between its passes, and the way to finish that work before the process ends. */
export type DrainableLoop = Loop & { readonly drain: () => Promise<void> }

// Two rests lie between a commit and its first delivery; polling costs one short statement each.
const POLL_MS = 50
const SWEEP_MS = 60_000
// One to number events, one to claim lanes and one to record tries. The same few statements, thousands of times: in the
// turns that a large pool gives its connections, each would plan and learn all of them (measured: 1.6 times the work of the
// server), and wait behind whatever else runs there.
const CONNECTIONS = 3

/** The worker's half: numbers events, delivers them, sweeps up. `drain` of the deliverer is for after the last pass. */
export function eventLoops(deps: EventDeps & { readonly log: Log }): [Loop, DrainableLoop, Loop] {
  const poster = createPoster()
  const db = openDatabase(deps.db.url, { connections: CONNECTIONS })
  const deliverer: Deliverer = createDeliverer({ ...deps, db, poster, random: Math.random })
  return [
    { name: 'event sequencer', everyMs: POLL_MS, pass: () => sequenceEvents(db) },
    {
      name: 'webhook deliverer',
      everyMs: POLL_MS,
      pass: deliverer.pass,
      drain: async () => {
        try {
          await deliverer.drain()
        } finally {
          await poster.close()
          await db.close()
        }
      },
    },
    { name: 'webhook sweep', everyMs: SWEEP_MS, pass: () => sweepDeliveries(deps.db) },
  ]
}
