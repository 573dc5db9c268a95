import type { Command } from 'commander'
import { rescan } from '../../src/linker/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { PublisherId } from '../../src/platform/ids.ts'
import { getPublisher, publisherNow } from '../../src/publishers/index.ts'
import { getUser } from '../../src/users/index.ts'
import { UserError } from '../errors.ts'
import { readPublisherId } from '../options.ts'
import { withStorage } from '../storage.ts'
import { answer, answerJson, counted } from '../terminal.ts'

export function rescanCommand(linker: Command): void {
  linker
    .command('rescan')
    .description("read a user's feeds from the beginning; known purchases stay, missing ones count as removed")
    .requiredOption('--publisher <id>', 'the publisher of the user (pub_…)', readPublisherId)
    .requiredOption('--user <publisher_user_id>', "the publisher's identifier of the user")
    .option('--institution <id>', "only the logins at this institution, by the provider's id")
    .option('--json', 'print one JSON object')
    .action(run)
}

type Rescan = {
  readonly publisher: PublisherId
  readonly user: string
  readonly institution?: string
  readonly json?: true
}

async function run({ publisher: publisherId, user: name, institution, json }: Rescan): Promise<void> {
  const count = await withStorage(async ({ db }) => {
    const publisher = await getPublisher(db.reader, publisherId)
    const { user } = await getUser(db.reader, publisher, name, publisherNow(publisher, systemClock))
    return rescan({ db, clock: systemClock }, publisher, user.userId, institution ?? null)
  })
  if (count === 0) throw new UserError('Nothing is linked there.')
  if (json) return answerJson({ logins: count })
  answer(`${counted(count, 'login')} will be read from the beginning by the running service.`)
}
