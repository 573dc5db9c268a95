import type { Command } from 'commander'
import { systemClock } from '../../src/platform/clock.ts'
import type { Tx } from '../../src/platform/database.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { allowAndroidPackage, allowRedirectUri } from '../../src/publishers/index.ts'
import { readPublisherId } from '../options.ts'
import { answer, answerJson } from '../terminal.ts'
import { withWorkplace } from '../workplace.ts'

type Allow = (tx: Tx, publisherId: PublisherId, value: string, now: Date) => Promise<void>

export function allowCommands(program: Command): void {
  const allow = program.command('allow').description("the operator's lists for linking cards")
  addCommand(
    allow,
    'redirect-uri',
    'allow a redirect URI (https, no query; * may stand for a subdomain)',
    allowRedirectUri,
  )
  addCommand(allow, 'android-package', 'allow an Android application', allowAndroidPackage)
}

function addCommand(allow: Command, name: string, description: string, verb: Allow): void {
  allow
    .command(name)
    .description(description)
    .argument('<value>')
    .requiredOption('--publisher <id>', 'for whom (pub_…)')
    .option('--json', 'print one JSON object')
    .action(async (value: string, options: { readonly publisher: string; readonly json?: true }) => {
      const publisherId = readPublisherId(options.publisher)
      await withWorkplace(({ db }) => db.transaction((tx) => verb(tx, publisherId, value, systemClock.now())))
      const publisher_id = encodeId('pub', publisherId)
      if (options.json) return answerJson({ publisher_id, [name.replace('-', '_')]: value })
      answer(`${value} is allowed for ${publisher_id}.`)
    })
}
