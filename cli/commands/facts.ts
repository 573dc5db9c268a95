import type { Command } from 'commander'
import { FAILED_FACT, retryFactsAs } from '../../src/back-office/index.ts'
import { listFailedFacts } from '../../src/platform/queue/outbox.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { parsePattern, usage } from '../options.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, formatCount, note, shorten } from '../terminal.ts'

const WIDTH = 80
const readFactId = parsePattern('the fact', /^[1-9][0-9]{0,17}$/, 'a number listed by `laurel facts list`')

export function define(facts: Command): void {
  defineCommand(facts, 'list', 'list facts that have failed for good, oldest first, with the reason').action(list)
  defineChange(facts, 'retry', 'retry one failed fact, or all of them, immediately')
    .argument('[fact]', "the fact's id, as listed by `facts list`", readFactId)
    .option('--all', 'retry all of them')
    .action(retry)
}

async function list({ json }: { readonly json?: true }): Promise<void> {
  const failed = (await withStorage(({ db }) => listFailedFacts(db.reader))).map(FAILED_FACT.present)
  if (json) return answerJson({ facts: failed })
  if (failed.length === 0) return note('No fact has failed for good.')
  const columns = ['fact', 'recorded', 'publisher_id', 'what', '>tries', 'reason']
  const rows = failed.map((one) => [
    ...[one.fact_id, one.recorded_at.slice(0, 16).replace('T', ' '), one.publisher_id, one.name],
    ...[String(one.attempts), shorten(one.error, WIDTH)],
  ])
  answerTable(columns, rows)
}

type Retry = By & { readonly all?: true; readonly json?: true }

async function retry(fact: string | undefined, { all, by, json }: Retry): Promise<void> {
  if ((fact === undefined) !== (all === true)) throw usage('Specify the id of one fact, or --all.')
  const ordinal = fact === undefined ? null : BigInt(fact)
  const retried = await changeAs(by, (tx, { actor, now }) => retryFactsAs(tx, { ordinal, by: actor }, now))
  if (json) return answerJson({ retried })
  answer(`The worker will retry ${formatCount(retried, 'fact')} now.`)
}
