import type { Command } from 'commander'
import { type AuditEntry, listAudit } from '../../src/tenants/accounts/index.ts'
import { defineCommand } from '../define.ts'
import { parseWholeNumber } from '../options.ts'
import { shell } from '../shell.ts'
import { withStorage } from '../storage.ts'
import { answerJson, answerTable, note, shorten } from '../terminal.ts'

const SHOWN = 50
const SHOWN_MAX = 10_000
const WIDTH = 80

export function define(audit: Command): void {
  defineCommand(audit, 'list', 'list the entries, newest first')
    .option('--subject <id>', 'only entries about this subject')
    .option('--actor <who>', 'only entries of this operator, by id or name')
    .option('--limit <count>', `how many (default: ${SHOWN})`, parseWholeNumber(SHOWN_MAX))
    .action(list)
}

type List = {
  readonly subject?: string
  readonly actor?: string
  readonly limit?: number
  readonly json?: true
}

async function list({ subject = '', actor = '', limit = SHOWN, json }: List): Promise<void> {
  const filter = { subject: subject || null, actor: actor || null, limit }
  const entries = await withStorage(({ db }) => listAudit(db.reader, filter))
  if (json) return answerJson({ entries: entries.map(present) })
  if (entries.length === 0) return note(subject + actor === '' ? 'The audit log is empty.' : 'No entry matches.')
  const { isTTY } = shell().stdout
  const columns = ['when', 'who', 'what', 'to', 'how']
  const rows = entries.map((one) => [
    ...[one.at.toISOString().slice(0, 19).replace('T', ' '), one.actorName, one.action, one.subject],
    isTTY ? shorten(formatChange(one), WIDTH) : formatChange(one),
  ])
  answerTable(columns, rows)
}

function formatChange({ before, after }: AuditEntry): string {
  const texts = [before, after].map((value) => (value === null ? '' : JSON.stringify(value)))
  return before === null ? (texts[1] ?? '') : texts.join(' → ')
}

function present(entry: AuditEntry): object {
  return {
    at: entry.at.toISOString(),
    actor: entry.actor,
    actor_name: entry.actorName,
    action: entry.action,
    subject: entry.subject,
    before: entry.before,
    after: entry.after,
  }
}
