import type { Command } from 'commander'
import type { Tx } from '../../src/platform/database.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { allowAndroidPackage, allowRedirectUri, disallow, listAllowed } from '../../src/publishers/index.ts'
import { type By, withBy } from '../actor.ts'
import { readPublisherId } from '../options.ts'
import { change, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

type Allow = (tx: Tx, publisherId: PublisherId, value: string, now: Date) => Promise<void>
type Options = { readonly publisher: PublisherId; readonly json?: true }

export function define(allow: Command): void {
  addCommand(
    allow,
    'redirect-uri',
    { description: 'allow a redirect URI', value: 'https, no query; * may stand for a subdomain' },
    allowRedirectUri,
  )
  const app = { description: 'allow an Android application', value: 'its package, such as com.example.app' }
  addCommand(allow, 'android-package', app, allowAndroidPackage)
  allow
    .command('list')
    .description('list what is allowed')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .option('--json', 'print one JSON object')
    .action(list)
  withBy(allow.command('remove'))
    .description('stop allowing it, for link tokens created from now on')
    .argument('<value>', 'a redirect URI or Android package, as `allow list` shows it')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .option('--json', 'print one JSON object')
    .action(remove)
}

type ValueHelp = { readonly description: string; readonly value: string }

function addCommand(allow: Command, name: string, help: ValueHelp, verb: Allow): void {
  const member = name.replace('-', '_')
  withBy(allow.command(name))
    .description(help.description)
    .argument('<value>', help.value)
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .option('--json', 'print one JSON object')
    .action(async (value: string, { publisher, json, by }: Options & By) => {
      const publisher_id = encodeId('pub', publisher)
      await change(by, async (tx, _storage, now) => ({
        action: 'return_address.allowed',
        subject: publisher_id,
        after: { [member]: value },
        result: await verb(tx, publisher, value, now),
      }))
      if (json) return answerJson({ publisher_id, [member]: value })
      answer(`${value} is allowed for ${publisher_id}.`)
    })
}

async function list({ publisher, json }: Options): Promise<void> {
  const { redirectUris, androidPackages } = await withStorage(({ db }) => listAllowed(db.reader, publisher))
  const publisher_id = encodeId('pub', publisher)
  if (json) return answerJson({ publisher_id, redirect_uris: redirectUris, android_packages: androidPackages })
  const rows = [
    ...redirectUris.map((uri) => ['redirect-uri', uri]),
    ...androidPackages.map((name) => ['android-package', name]),
  ]
  if (rows.length === 0) return note('Nothing is allowed yet; `laurel allow redirect-uri` and `android-package` do.')
  answerTable(['what', 'value'], rows)
}

async function remove(value: string, { publisher, json, by }: Options & By): Promise<void> {
  const publisher_id = encodeId('pub', publisher)
  await change(by, async (tx) => {
    const before = { [await disallow(tx, publisher, value)]: value }
    return { action: 'return_address.removed', subject: publisher_id, before, result: undefined }
  })
  if (json) return answerJson({ publisher_id, removed: value })
  answer(`${value} is allowed for ${publisher_id} no more.`)
}
