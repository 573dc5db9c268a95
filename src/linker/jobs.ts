import type { Loop } from '../platform/loops.ts'
import type { Publisher } from '../publishers/index.ts'
import { checkDue } from './check.ts'
import { tellClocks } from './clock.ts'
import type { LinkerDeps } from './deps.ts'
import { requestByPublisher } from './item-queries.ts'
import { syncDue } from './sync.ts'
import { removeDue } from './unlink.ts'

// Links of a sandbox that one move of its clock tells and reads; more than any sandbox has that a person looks at.
const SANDBOX_LINKS_MAX = 500

/** Apart from each other, so that feeds that are slow to read do not delay the news that a login is broken. */
export function linkerLoops(deps: LinkerDeps): Loop[] {
  return [
    { name: 'linker checks', everyMs: 250, pass: () => checkDue(deps, null) },
    { name: 'linker syncs', everyMs: 250, pass: () => syncDue(deps, null) },
    { name: 'linker removals', everyMs: 1_000, pass: () => removeDue(deps, null) },
  ]
}

/** Does all that one publisher's links have to do, now: tells them the time, reads every feed, asks about logins, removes what is unlinked. */
export async function syncPublisher(deps: LinkerDeps, publisher: Publisher): Promise<void> {
  await tellClocks(deps, publisher, SANDBOX_LINKS_MAX)
  await deps.db.transaction((tx) => requestByPublisher(tx, publisher.id, SANDBOX_LINKS_MAX, deps.clock.now()))
  for (const due of [checkDue, syncDue, removeDue]) {
    let more = true
    while (more) more = await due(deps, publisher.id)
  }
}
