import type { Command } from 'commander'
import { beginFeedEpoch } from '../../src/events/index.ts'
import type { By } from '../actor.ts'
import { defineChange } from '../define.ts'
import { change } from '../storage.ts'
import { answer, answerJson } from '../terminal.ts'

export function define(events: Command): void {
  defineChange(
    events,
    'restored',
    'tell feed readers that the database was restored from a backup; run it before the service starts',
  ).action(async ({ by, json }: By & { readonly json?: true }) => {
    const epoch = await change(by, async (tx, _storage, now) => {
      const result = await beginFeedEpoch(tx, now)
      return { action: 'feed.restored', subject: String(result), result }
    })
    if (json) return answerJson({ epoch })
    answer(`The feed epoch is ${epoch}. Readers whose cursor has passed lost events now receive 409.`)
  })
}
