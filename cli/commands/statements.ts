import type { Command } from 'commander'
import {
  closeMonthAs,
  countStatements,
  HEADING,
  listStatements,
  openCut,
  presentClosed,
  verifyStatements,
  writeStatement,
} from '../../src/books/statements/index.ts'
import { encodeId, type Id, type PublisherId } from '../../src/platform/ids.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { writeWhole } from '../files.ts'
import { parseChoice, parseId, parsePattern, parseWholeNumber, readPublisherId, usage } from '../options.ts'
import { shell } from '../shell.ts'
import { withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, formatCount, note, printOut, styled } from '../terminal.ts'

// The cut waits for earlier bookings to commit, and an import may run for minutes.
const CUT_WAIT_MAX_MS = 600_000
const SHOWN = 100
const SHOWN_MAX = 10_000
const KINDS = ['advertiser', 'publisher', 'service'] as const
const readMonth = parsePattern('The month', /^(19[7-9]|2\d\d)\d-(0[1-9]|1[0-2])$/, 'a month such as 2026-11')

export function define(statements: Command): void {
  defineChange(statements, 'close', 'close a month that is over and create its statements, which never change')
    .argument('<month>', 'yyyy-MM', readMonth)
    .option(
      '--publisher <id>',
      'only the books of this publisher; a sandbox is always closed separately',
      readPublisherId,
    )
    .action(close)
  defineCommand(statements, 'list', 'list statements, newest month first')
    .option('--publisher <id>', 'only for this publisher', readPublisherId)
    .option('--kind <kind>', KINDS.join(', '), parseChoice(...KINDS))
    .option('--brand <uid>', 'only for this advertiser')
    .option('--month <month>', 'only for this month, yyyy-MM', readMonth)
    .option('--limit <count>', `how many (default: ${SHOWN})`, parseWholeNumber(SHOWN_MAX))
    .action(list)
  defineCommand(statements, 'show', 'print a statement, or write it to a file')
    .argument('<id>', 'the statement (stm_…)', parseId('stm', 'a statement', 'statements list'))
    .option('--format <format>', 'json, csv, pdf (default: csv)', parseChoice('json', 'csv', 'pdf'))
    .option('--file <file>', 'file to write to; a PDF is not printed')
    .action(show)
  defineCommand(statements, 'verify', 'recompute all statements from the journals and list those that differ').action(
    verify,
  )
}

type Close = By & { readonly publisher?: PublisherId; readonly json?: true }

async function close(month: string, { publisher, by, json }: Close): Promise<void> {
  const closed = await withChanges(by, null, async ({ db }, actor) => {
    const cut = await openCut(db, CUT_WAIT_MAX_MS)
    const asked = { month, publisherId: publisher ?? null }
    return db.transaction((tx) => closeMonthAs(tx, asked, { cut, by: actor }, new Date()))
  })
  const shown = presentClosed(month, closed)
  if (json) return answerJson(shown)
  for (const { books, statements } of shown.content)
    answer(`${books}: ${month} was closed with ${formatCount(statements, 'statement')}.`)
}

type List = {
  readonly publisher?: PublisherId
  readonly kind?: (typeof KINDS)[number]
  readonly brand?: string
  readonly month?: string
  readonly limit?: number
  readonly json?: true
}

async function list({ publisher, kind, brand, month, limit = SHOWN, json }: List): Promise<void> {
  const filter = {
    publisherId: publisher ?? null,
    kind: brand === undefined ? (kind ?? null) : ('advertiser' as const),
    party: brand ?? null,
    month: month ?? null,
  }
  const { rows, total } = await withStorage(async ({ db }) => ({
    rows: (await listStatements(db.reader, filter, { size: limit, offset: 0, sort: [] })).map(HEADING.present),
    total: await countStatements(db.reader, filter),
  }))
  if (json) return answerJson({ statements: rows, total })
  if (rows.length === 0) return note('There are no such statements.')
  answerTable(
    ['month', 'kind', 'party', 'name', 'environment', 'currency', 'statement'],
    rows.map((one) => [
      ...[one.month, one.kind, one.party, one.party_name, one.environment, one.currency, one.statement_id],
    ]),
  )
  if (total > rows.length) note(`Showing ${rows.length} of ${total}. Use --limit to show more.`)
}

type Show = { readonly format?: 'json' | 'csv' | 'pdf'; readonly file?: string }

async function show(id: Id<string>, { format = 'csv', file }: Show): Promise<void> {
  if (format === 'pdf' && file === undefined) throw usage('A PDF must be written to a file. Specify one with --file.')
  const { content } = await withStorage(({ db }) => writeStatement(db.reader, null, encodeId('stm', id), format))
  if (file === undefined) return printOut([content])
  await writeWhole(file, [content])
  note(`Written to ${file}.`)
}

async function verify({ json }: { readonly json?: true }): Promise<void> {
  const { statements, differences } = await withStorage(({ db }) => db.snapshot(verifyStatements))
  if (differences.length > 0) shell().exitCode = 1
  if (json) return answerJson({ ok: differences.length === 0, statements, differences })
  if (differences.length === 0)
    return answer(`Recomputed: ${formatCount(statements, 'statement is', 'statements are')} identical, byte for byte.`)
  answerTable(
    ['check', 'where', 'expected', 'found'],
    differences.map((one) => [one.check, one.where, one.expected, one.found]),
  )
  answer(styled('red', `${formatCount(differences.length, 'difference')}.`))
}
