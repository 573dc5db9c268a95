import type { Command } from 'commander'
import { beginFeedEpoch } from '../../src/events/index.ts'
import { audit } from '../../src/operators/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { actorHere } from '../actor.ts'
import { withStorage } from '../storage.ts'
import { answer, answerJson } from '../terminal.ts'

export function define(events: Command): void {
  events
    .command('restored')
    .description('after the database was restored from a backup, before the service starts: readers of the feed notice')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { readonly json?: true }) => {
      const now = systemClock.now()
      const epoch = await withStorage(({ db }) =>
        db.transaction(async (tx) => {
          const epoch = await beginFeedEpoch(tx, now)
          await audit(tx, { actor: actorHere(), action: 'feed.restored', subject: String(epoch) }, now)
          return epoch
        }),
      )
      if (json) return answerJson({ epoch })
      answer(`The feed epoch is ${epoch}. Cursors that saw events which are lost are answered 409 from now on.`)
    })
}
