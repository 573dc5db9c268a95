import type { Command } from 'commander'
import { allowAs, disallowAs } from '../../src/back-office/index.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { listAllowed } from '../../src/tenants/publishers/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { readPublisherId } from '../options.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

type Asked = (value: string) => Parameters<typeof allowAs>[2]
type Options = { readonly publisher: PublisherId; readonly json?: true }

export function define(allow: Command): void {
  addCommand(
    allow,
    'redirect-uri',
    { description: 'allow a redirect URI', value: 'https, no query; * may stand for a subdomain' },
    (redirectUri) => ({ redirectUri }),
  )
  const app = { description: 'allow an Android application', value: 'the package name, such as com.example.app' }
  addCommand(allow, 'android-package', app, (androidPackage) => ({ androidPackage }))
  defineCommand(allow, 'list', 'list the allowed redirect URIs and Android packages')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .action(list)
  defineChange(allow, 'remove', 'stop allowing an entry for link tokens created from now on')
    .argument('<value>', 'a redirect URI or Android package, as listed by `allow list`')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .action(remove)
}

type ValueHelp = { readonly description: string; readonly value: string }

function addCommand(allow: Command, name: string, help: ValueHelp, asked: Asked): void {
  const member = name.replace('-', '_')
  defineChange(allow, name, help.description)
    .argument('<value>', help.value)
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .action(async (value: string, { publisher, json, by }: Options & By) => {
      const publisher_id = encodeId('pub', publisher)
      await changeAs(by, (tx, { actor, now }) => allowAs(tx, publisher, asked(value), actor, now))
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
  if (rows.length === 0)
    return note('Nothing is allowed yet. Use `laurel allow redirect-uri` or `laurel allow android-package`.')
  answerTable(['what', 'value'], rows)
}

async function remove(value: string, { publisher, json, by }: Options & By): Promise<void> {
  const publisher_id = encodeId('pub', publisher)
  await changeAs(by, (tx, { actor, now }) => disallowAs(tx, publisher, value, actor, now))
  if (json) return answerJson({ publisher_id, removed: value })
  answer(`${value} is no longer allowed for ${publisher_id}.`)
}
