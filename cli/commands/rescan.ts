import type { Command } from 'commander'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { rescan } from '../../src/purchases/linker/index.ts'
import { getPublisher, publisherNow } from '../../src/tenants/publishers/index.ts'
import { getUser } from '../../src/users/users/index.ts'
import type { By } from '../actor.ts'
import { defineChange } from '../define.ts'
import { UserError } from '../errors.ts'
import { readPublisherId } from '../options.ts'
import { withChanges } from '../storage.ts'
import { answer, answerJson, formatCount } from '../terminal.ts'

export function rescanCommand(linker: Command): void {
  defineChange(
    linker,
    'rescan',
    "read a user's feeds from the beginning; known purchases stay, missing ones count as removed",
  )
    .requiredOption('--publisher <id>', 'the publisher of the user (pub_…)', readPublisherId)
    .requiredOption('--user <publisher_user_id>', "the publisher's identifier for the user")
    .option('--institution <id>', "only logins at this institution, by the provider's id")
    .action(run)
}

type Rescan = {
  readonly publisher: PublisherId
  readonly user: string
  readonly institution?: string
  readonly json?: true
}

async function run({ publisher: publisherId, user: name, institution, by, json }: Rescan & By): Promise<void> {
  const after = { publisher_user_id: name, institution_id: institution ?? null }
  const entry = { action: 'feed.rescanned', subject: encodeId('pub', publisherId), after }
  const count = await withChanges(by, entry, async ({ db }) => {
    const publisher = await getPublisher(db.reader, publisherId)
    const { user } = await getUser(db.reader, publisher, name, publisherNow(publisher, systemClock))
    return rescan({ db, clock: systemClock }, publisher, user.userId, institution ?? null)
  })
  if (count === 0) throw new UserError('The user has no linked login there.')
  if (json) return answerJson({ logins: count })
  answer(`The running service will read ${formatCount(count, 'login')} from the beginning.`)
}
