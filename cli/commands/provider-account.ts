import type { Command } from 'commander'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { type AccountSummary, findAccount, removeAccount, setAccount } from '../../src/purchases/linker/index.ts'
import { getPublisher } from '../../src/tenants/publishers/index.ts'
import { type By, getAccountName } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { UserError } from '../errors.ts'
import { readPublisherId, usage } from '../options.ts'
import { askForSecret, readPiped, readSecretFile } from '../secret.ts'
import { change, withStorage } from '../storage.ts'
import { answer, answerJson, note } from '../terminal.ts'

// Far longer than the provider's client ids and secrets.
const TEXT_MAX = 200

export function providerAccountCommands(publishers: Command): void {
  const accounts = defineCommand(
    publishers,
    'provider-account',
    "a publisher's own account at the linking provider, for logins that the publisher hands over",
  )
  defineChange(accounts, 'set', 'set or replace the account; reads the secret from stdin or a file, or prompts for it')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .requiredOption('--client-id <id>', "the publisher's client id at the provider")
    .option('--secret-file <file>', 'a file whose first line is the secret')
    .option(
      '--force',
      'change the client id even if logins are read through the old one; those logins can no longer be read',
    )
    .action(set)
  defineCommand(accounts, 'show', 'show the account without its secret')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .action(show)
  defineChange(accounts, 'remove', 'remove the account; refused while logins are read through it')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .option('--force', 'remove it anyway; its logins cannot be read until the publisher has an account again')
    .action(remove)
}

type Chosen = { readonly publisher: PublisherId; readonly force?: boolean; readonly json?: true }
type Set = Chosen & { readonly clientId: string; readonly secretFile?: string }

async function set({ publisher, clientId: given, secretFile, force = false, by, json }: Set & By): Promise<void> {
  const clientId = given.trim()
  if (!isPlain(clientId)) throw usage('--client-id must be one word of at most 200 characters.')
  const secret = secretFile === undefined ? await askForProviderSecret() : await readSecretFile(secretFile)
  if (!isPlain(secret)) throw new UserError('The secret must be one word of at most 200 characters.')
  const account = { clientId, secret, by: by ?? getAccountName(), force }
  const shown = await change(by, async (tx, { vault }, now) => {
    const former = await findAccount(tx, publisher)
    await setAccount(tx, vault, publisher, account, now)
    const before = former === null ? {} : { before: { client_id: former.clientId } }
    const entry = { action: 'provider_account.set', subject: encodeId('pub', publisher), ...before }
    return { ...entry, after: { client_id: clientId }, result: await findAccount(tx, publisher) }
  })
  if (shown === null) throw new UserError('This publisher has no account of its own.')
  printAccount(shown, json)
}

async function show({ publisher, json }: Chosen): Promise<void> {
  const shown = await withStorage(async ({ db }) => {
    await getPublisher(db.reader, publisher)
    return findAccount(db.reader, publisher)
  })
  if (shown === null)
    throw new UserError('This publisher has no account of its own. Set one with `provider-account set`.')
  printAccount(shown, json)
}

async function remove({ publisher, force = false, by, json }: Chosen & By): Promise<void> {
  await change(by, async (tx) => {
    const former = await findAccount(tx, publisher)
    if (former === null || !(await removeAccount(tx, publisher, { force })))
      throw new UserError('This publisher has no account of its own.')
    const subject = encodeId('pub', publisher)
    return { action: 'provider_account.removed', subject, before: { client_id: former.clientId }, result: null }
  })
  if (json) return answerJson({ publisher_id: encodeId('pub', publisher), removed: true })
  answer(`The account of ${encodeId('pub', publisher)} was removed.`)
}

async function askForProviderSecret(): Promise<string> {
  const secret = (await readPiped()) ?? (await askForSecret('Secret (hidden): '))
  if (secret !== null) return secret
  throw usage('Pipe the secret to stdin, or specify a file with --secret-file.')
}

function isPlain(word: string): boolean {
  return /^[\x21-\x7e]+$/.test(word) && word.length <= TEXT_MAX
}

function printAccount(account: AccountSummary, json: true | undefined): void {
  const shown = {
    publisher_id: encodeId('pub', account.publisherId),
    client_id: account.clientId,
    linked_logins: account.items,
    created_at: account.createdAt.toISOString(),
    created_by: account.createdBy,
    updated_at: account.updatedAt.toISOString(),
    updated_by: account.updatedBy,
  }
  if (json) answerJson(shown)
  else describe(shown)
}

function describe(shown: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(shown)) answer(`${name.padEnd(14)}  ${value}`)
  note('The secret is stored sealed and never shown.')
}
