import type { Command } from 'commander'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { openProviders, replaceTokens } from '../../src/purchases/linker/index.ts'
import { getPublisher, publisherNow } from '../../src/tenants/publishers/index.ts'
import { getUser } from '../../src/users/users/index.ts'
import type { By } from '../actor.ts'
import { defineChange } from '../define.ts'
import { readPublisherId, usage } from '../options.ts'
import { findRuntime } from '../runtime.ts'
import { shell } from '../shell.ts'
import { type Storage, withChanges } from '../storage.ts'
import { answer, answerJson, note } from '../terminal.ts'
import { rescanCommand } from './rescan.ts'

export function define(linker: Command): void {
  rescanCommand(linker)
  defineChange(linker, 'replace-tokens', 'after a leak, replace access tokens; the old ones stop working immediately')
    .requiredOption('--publisher <id>', 'the publisher of the logins (pub_…)', readPublisherId)
    .option('--user <publisher_user_id>', 'only this user')
    .option('--all', 'all users of the publisher')
    .action(replace)
}

type Replace = {
  readonly publisher: PublisherId
  readonly user?: string
  readonly all?: true
  readonly json?: true
}

async function replace({ publisher, user, all, by, json }: Replace & By): Promise<void> {
  if ((user === undefined) === (all === undefined)) throw usage('Specify a user with --user, or --all.')
  const after = { publisher_user_id: user ?? null }
  const entry = { action: 'access_tokens.replaced', subject: encodeId('pub', publisher), after }
  const { replaced, refused, uncertain } = await withChanges(by, entry, async (storage) => {
    const userId = await findUserId(storage, publisher, user)
    const { db, vault } = storage
    return replaceTokens({ db, vault, providers: await providers(storage) }, publisher, userId)
  })
  if (refused.length + uncertain.length > 0) shell().exitCode = 1
  // Uses the link ids that appear in the log.
  if (json) return answerJson({ replaced: replaced.length, refused, uncertain })
  answer(`${replaced.length} replaced, ${refused.length} refused, ${uncertain.length} uncertain`)
  if (refused.length > 0) note('The refused ones still have their old tokens. Try again later.')
  if (uncertain.length > 0)
    note('The uncertain ones got no response. If the old token no longer works, the user must link their cards again.')
}

async function findUserId({ db }: Storage, publisherId: PublisherId, publisherUserId: string | undefined) {
  const publisher = await getPublisher(db.reader, publisherId)
  if (publisherUserId === undefined) return null
  const { user } = await getUser(db.reader, publisher, publisherUserId, publisherNow(publisher, systemClock))
  return user.userId
}

/** Opens the providers that this installation's service uses. */
async function providers({ db }: Storage) {
  const config = readConfig(shell().env)
  const running = config.linkerUrl === null ? await findRuntime(config.dataDir) : null
  const sandbox = config.linkerUrl ?? running?.simulator_url ?? `http://127.0.0.1:${config.simulatorPort}`
  return openProviders(config.linkers, { sandbox }, db.reader)
}
