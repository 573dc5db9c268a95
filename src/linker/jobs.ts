import type { Loop } from '../platform/loops.ts'
import type { Publisher } from '../publishers/index.ts'
import { checkDue, createChecks } from './check.ts'
import { tellClocks } from './clock.ts'
import type { LinkerDeps } from './deps.ts'
import { expireHolds } from './feed/expiry.ts'
import { showItems } from './health-metrics.ts'
import { requestByPublisher } from './item-queries.ts'
import type { Pool } from './pool.ts'
import { createSyncs, syncDue } from './sync.ts'
import { removeDue } from './unlink.ts'

// Links of a sandbox that one move of its clock tells and reads; more than any sandbox has that a person looks at.
const SANDBOX_LINKS_MAX = 500

const SHOWN_EVERY_MS = 15_000

/** A loop whose runs outlast a pass; drain() returns when they have ended. */
type PoolLoop = Loop & Pool

/** Apart from each other, so that feeds that are slow to read do not delay the news that a login is broken. */
export function linkerLoops(deps: LinkerDeps): [PoolLoop, PoolLoop, Loop, Loop, Loop] {
  const now = () => deps.clock.now()
  return [
    { name: 'linker checks', everyMs: 250, ...createChecks(deps) },
    { name: 'linker syncs', everyMs: 250, ...createSyncs(deps) },
    { name: 'linker removals', everyMs: 1_000, pass: () => removeDue(deps, null) },
    { name: 'linker holds', everyMs: 1_000, pass: () => expireHolds(deps, null) },
    { name: 'linker gauges', everyMs: SHOWN_EVERY_MS, pass: () => showItems(deps.db.reader, now()) },
  ]
}

/** Does all that one publisher's links have to do, now: tells them the time, reads every feed, asks about logins, removes what is unlinked. */
export async function syncPublisher(deps: LinkerDeps, publisher: Publisher): Promise<void> {
  await tellClocks(deps, publisher, SANDBOX_LINKS_MAX)
  await deps.db.transaction((tx) => requestByPublisher(tx, publisher.id, SANDBOX_LINKS_MAX, deps.clock.now()))
  for (const due of [checkDue, syncDue, expireHolds, removeDue]) {
    let more = true
    while (more) more = await due(deps, publisher.id)
  }
}
