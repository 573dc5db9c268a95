import type { Command } from 'commander'
import { decodeId, encodeId, toUserId } from '../src/platform/ids.ts'
import { getPublisher, listPublishers } from '../src/tenants/publishers/index.ts'
import { findUser, listUserNames } from '../src/users/users/index.ts'
import { UserError } from './errors.ts'
import { readPublisherId, usage } from './options.ts'
import type { SimulatorItem } from './simulator-client.ts'
import { withStorage } from './storage.ts'

/** Options that select a card or a login. */
export type TargetOptions = {
  readonly user?: string
  readonly publisher?: string
  readonly item?: string
  readonly account?: string
}

/** The same selection as parameters of the control interface. */
type Target = Readonly<Partial<Record<'client_user_id' | 'item_id' | 'account_id', string>>>

export function targetOptions(command: Command): Command {
  return command
    .option(
      '--user <publisher_user_id>',
      "the user, by the publisher's identifier or usr_…; selects their newest linked login",
    )
    .option(
      '--publisher <id>',
      'the publisher of the user (pub_…), if several publishers have a user with that identifier',
    )
    .option('--item <id>', 'the login, as listed by `simulator list`')
    .option('--account <id>', 'the account, as listed by `simulator list` and by the service')
}

/** @throws UserError if nothing is selected, or several users match */
export async function readTarget(options: TargetOptions): Promise<Target> {
  const target = await readFilter(options)
  if (Object.keys(target).length > 0) return target
  throw usage('Specify --user, --item or --account. List what is linked with `laurel simulator list`.')
}

/** Like `readTarget`, but selects all logins if no option is passed. */
export async function readFilter({ user, publisher, item, account }: TargetOptions): Promise<Target> {
  if (publisher !== undefined && user === undefined) throw usage('--publisher can only be used with --user.')
  return {
    ...(item === undefined ? {} : { item_id: item }),
    ...(account === undefined ? {} : { account_id: account }),
    ...(user === undefined ? {} : { client_user_id: await clientUserId(user, publisher) }),
  }
}

/** Returns the user's id at the provider, which is the service's own id. */
async function clientUserId(user: string, publisher: string | undefined): Promise<string> {
  // A bare UUID could be the publisher's own identifier, so only the `usr_` form is accepted here.
  if (user.startsWith('usr_') && decodeId('usr', user) !== null) return user
  const publisherId = publisher === undefined ? null : readPublisherId(publisher)
  return withStorage(async ({ db }) => {
    const asked = publisherId === null ? await listPublishers(db.reader) : [await getPublisher(db.reader, publisherId)]
    const found = await Promise.all(asked.map(({ id }) => findUser(db.reader, id, toUserId(id, user))))
    const known = found.filter((one) => one !== null)
    const [first, ...others] = known
    if (first === undefined) throw new UserError(`There is no user "${user}". Register one with POST /users.`)
    if (others.length === 0) return encodeId('usr', first.userId)
    const named = asked.filter((_, index) => found[index] !== null)
    throw new UserError(`Several publishers have a user "${user}". Choose one with --publisher.`, {
      details: named.map(({ id, name }) => `  ${encodeId('pub', id)}  ${name}`),
    })
  })
}

/** Adds each user's name, as passed to --user. The simulator has only the service's own ids. */
export async function addUserNames(items: readonly SimulatorItem[]): Promise<readonly SimulatorItem[]> {
  const ids = [...new Set(items.map(({ client_user_id }) => decodeId<'user'>('usr', client_user_id)))]
  const userIds = ids.filter((id) => id !== null)
  if (userIds.length === 0) return items
  const names = await withStorage(async ({ db }) => {
    const publishers = await listPublishers(db.reader)
    const found = await Promise.all(publishers.map(({ id }) => listUserNames(db.reader, id, userIds)))
    return new Map(found.flatMap((users) => [...users].map(([id, name]) => [encodeId('usr', id), name] as const)))
  })
  return items.map((item) => {
    const name = names.get(item.client_user_id)
    return name === undefined ? item : { ...item, publisher_user_id: name }
  })
}
