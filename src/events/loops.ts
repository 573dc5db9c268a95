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

/** The worker's half: numbers events, delivers them, sweeps up. `drain` of the deliverer is for after the last pass. */
export function eventLoops(deps: EventDeps & { readonly log: Log }): [Loop, DrainableLoop, Loop] {
  const poster = createPoster()
  const deliverer: Deliverer = createDeliverer({ ...deps, poster, random: Math.random })
  return [
    { name: 'event sequencer', everyMs: POLL_MS, pass: () => sequenceEvents(deps.db) },
    {
      name: 'webhook deliverer',
      everyMs: POLL_MS,
      pass: deliverer.pass,
      drain: async () => {
        await deliverer.drain()
        await poster.close()
      },
    },
    { name: 'webhook sweep', everyMs: SWEEP_MS, pass: () => sweepDeliveries(deps.db) },
  ]
}
