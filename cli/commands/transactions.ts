import { basename } from 'node:path'
import type { Command } from 'commander'
import { type CatalogStore, createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { toDay } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, type PublisherId, type TransactionId } from '../../src/platform/ids.ts'
import { formatDecimal, toJsonNumber } from '../../src/platform/money.ts'
import {
  findMerchantBrand,
  ingestEvents,
  listCardEvents,
  listTransactionsById,
  type SourceEventInput,
} from '../../src/purchases/transactions/index.ts'
import { getPublisher, type Publisher, publisherNow, resolveCurrency } from '../../src/tenants/publishers/index.ts'
import { getUser } from '../../src/users/users/index.ts'
import type { By } from '../actor.ts'
import { defineChange } from '../define.ts'
import { type Encoded, readText, withEncoding } from '../files.ts'
import { parseChoice, readPublisherId, usage } from '../options.ts'
import { createProgressBar } from '../progress.ts'
import type { NamedColumns } from '../statement/columns.ts'
import { buildEvents, STATEMENT_ID_PREFIX } from '../statement/events.ts'
import { readStatement, shortenFaults } from '../statement/read.ts'
import type { Manner, ReadOptions, ReadStatement } from '../statement/statement.ts'
import { ROLES } from '../statement/titles.ts'
import { type Storage, withChanges } from '../storage.ts'
import { answer, answerJson, formatCount, note, styled } from '../terminal.ts'

type Import = By &
  Encoded &
  Pick<ReadOptions, 'debits' | 'dates' | 'moneyIn' | 'completed' | 'skipInvalid'> & {
    readonly publisher: PublisherId
    readonly user: string
    readonly currency?: string
    readonly decimal?: 'point' | 'comma'
    readonly column?: NamedColumns
    readonly json?: true
  }

export function define(transactions: Command): void {
  withEncoding(
    defineChange(
      transactions,
      'import',
      "import a bank's CSV statement as purchases of a user; importing it again changes nothing",
    ),
  )
    .argument(
      '<file>',
      'a table with a date, a description and an amount (or a debit and a credit) column, separated by commas, ' +
        'semicolons, tabs or pipes',
    )
    .requiredOption('--publisher <id>', 'the publisher of the user (pub_…)', readPublisherId)
    .requiredOption('--user <publisher_user_id>', "the publisher's identifier for the user")
    .option('--currency <code>', "currency of the amounts (default: the publisher's first currency)")
    .option(
      '--debits <sign>',
      'sign of spending in the amount or debit column, negative or positive; detected by default',
      parseChoice('negative', 'positive'),
    )
    .option(
      '--dates <order>',
      'day-first or month-first, for dates such as 03/04/2026; detected if possible',
      parseChoice('day-first', 'month-first'),
    )
    .option('--decimal <mark>', 'decimal mark, point or comma; detected if possible', parseChoice('point', 'comma'))
    .option(
      '--column <role=title>',
      `title of a column that is not recognized: ${[...ROLES, 'ignore'].join(', ')}; may be repeated`,
      addColumn,
    )
    .option(
      '--money-in <words...>',
      'words in the direction column that mean money in, or + for amounts with a plus sign; everything else is spending',
    )
    .option(
      '--completed <words...>',
      'words in the status column that mean a completed purchase; other rows are skipped',
    )
    .option('--skip-invalid', 'skip rows that cannot be parsed, and list them')
    .action(importStatement)
}

/** Parses an option such as `status=Vorgang`, which may be repeated. */
function addColumn(text: string, named: NamedColumns = {}): NamedColumns {
  const [, name = '', title = ''] = /^([^=]*)=(.*)$/.exec(text) ?? []
  const role = [...ROLES, 'ignore' as const].find((one) => one === name.trim())
  if (role === undefined || title.trim() === '')
    throw usage(`"${text}" must be ROLE=TITLE, with one of the roles ${[...ROLES, 'ignore'].join(', ')}.`)
  return { ...named, [role]: [...(named[role] ?? []), title] }
}

// Also the largest batch that POST /transactions accepts. A batch needs only a handful of SQL statements.
const BATCH_ROWS = 500

async function importStatement(file: string, options: Import): Promise<void> {
  const text = await readText(file, options.encoding)
  const after = { publisher_user_id: options.user, file: basename(file) }
  const entry = { action: 'transactions.imported', subject: encodeId('pub', options.publisher), after }
  await withChanges(options.by, entry, async (storage) => {
    const publisher = await getPublisher(storage.db.reader, options.publisher)
    const now = publisherNow(publisher, systemClock)
    const { user } = await getUser(storage.db.reader, publisher, options.user, now)
    const today = toDay(now, publisher.timeZone)
    const currency = resolveCurrency(publisher, options.currency)
    const { debits, dates, column, moneyIn, completed, skipInvalid } = options
    const decimal = options.decimal === undefined ? undefined : options.decimal === 'comma' ? ',' : '.'
    const overrides = { debits, dates, decimal, columns: column, moneyIn, completed, skipInvalid } as const
    const statement = readStatement(text, { currency, today, ...overrides })
    const { rows, manner, leftOut, skipped } = statement
    if (!options.json) note(describeManner(manner))
    for (const sentence of describeLeftOut(statement, currency)) note(sentence)
    const catalog = createCatalogStore(storage.db)
    const assortment = await catalog.getAssortment(publisher)
    const leadsToBrand = (merchantDescriptor: string) => findMerchantBrand(assortment, { merchantDescriptor }) !== null
    const stored = await listCardEvents(storage.db.reader, publisher.id, user.userId, STATEMENT_ID_PREFIX)
    const events = buildEvents({ publisher, publisherUserId: options.user, currency }, rows, leadsToBrand, stored)
    const ids = await takeUp(storage, catalog, publisher, events, now)
    const read = { rows: rows.length, ignored_credits: rows.length - events.length }
    const left_out = { pending: leftOut.pending, void: leftOut.void, other_currency: leftOut.otherCurrency }
    const { cashback, ...summary } = await summarise(storage, publisher, ids, read, now)
    const user_cashback = toJsonNumber(cashback, currency)
    if (options.json)
      answerJson({
        ...summary,
        left_out,
        skipped_rows: skipped.length,
        currency,
        user_cashback,
        debits: manner.debits,
        dates: manner.dates,
      })
    else describe(summary, `${formatDecimal(cashback, currency)} ${currency}`)
  })
}

/** Ingests the events, one commit per batch. If it is interrupted, repeating the command completes the import. */
async function takeUp(
  { db }: Storage,
  catalog: CatalogStore,
  publisher: Publisher,
  events: readonly SourceEventInput[],
  now: Date,
): Promise<TransactionId[]> {
  const bar = createProgressBar('{bar} {value}/{total} rows')
  const ids: TransactionId[] = []
  bar.start(events.length, 0)
  try {
    for (let begin = 0; begin < events.length; begin += BATCH_ROWS) {
      const batch = events.slice(begin, begin + BATCH_ROWS)
      for (const outcome of await db.transaction((tx) =>
        ingestEvents(tx, { catalog, findsRefunded: true }, publisher, batch, now),
      )) {
        if ('refusal' in outcome) throw outcome.refusal
        ids.push(outcome.transactionId)
      }
      bar.update(begin + batch.length)
    }
  } finally {
    bar.stop()
  }
  return ids
}

async function summarise(
  { db }: Storage,
  publisher: Publisher,
  ids: readonly TransactionId[],
  read: { readonly rows: number; readonly ignored_credits: number },
  now: Date,
) {
  const unrewarded: Record<string, number> = {}
  let [rewarded, fresh, cashback] = [0, 0, 0n]
  const distinct = [...new Set(ids)]
  for (let begin = 0; begin < distinct.length; begin += BATCH_ROWS) {
    for (const one of await listTransactionsById(db.reader, publisher.id, distinct.slice(begin, begin + BATCH_ROWS))) {
      cashback += one.amounts.user
      if (one.createdAt.getTime() === now.getTime()) fresh++
      if (one.statusReason === null) rewarded++
      else unrewarded[one.statusReason] = (unrewarded[one.statusReason] ?? 0) + 1
    }
  }
  return {
    ...read,
    transactions: distinct.length,
    new_transactions: fresh,
    rewarded,
    without_reward: unrewarded,
    cashback,
  }
}

type Summary = Awaited<ReturnType<typeof summarise>>

function describe(summary: Omit<Summary, 'cashback'>, cashback: string): void {
  const verb = summary.rows === 1 ? 'is' : 'are'
  const found = `${formatCount(summary.rows, 'row')} ${verb} ${formatCount(summary.transactions, 'transaction')}`
  answer(`${found}, ${summary.new_transactions} of them new.`)
  if (summary.ignored_credits > 0) answer(`${formatCount(summary.ignored_credits, 'credit')} skipped: not refunds.`)
  answer(`${styled('green', String(summary.rewarded))} rewarded, ${cashback} for the user`)
  for (const [reason, count] of Object.entries(summary.without_reward).sort(([, a], [, b]) => b - a)) {
    answer(`${styled('yellow', String(count))} without a reward: ${reason}`)
  }
}

const MONEY: Readonly<Record<Manner['debits'], string>> = {
  negative: 'Debits are the negative amounts',
  positive: 'Debits are the positive amounts',
  'own column': 'Debits have their own column',
  'direction column': 'A column tells debits from credits',
  'marked amounts': 'Marks after the amounts tell debits from credits',
}

/** Describes the rows that were left out, with the option that would include them, if any. */
function describeLeftOut({ leftOut, skipped }: ReadStatement, currency: string): string[] {
  const sentence = (count: number, why: string) =>
    count === 0 ? [] : [`${formatCount(count, 'row')} skipped: ${why}.`]
  return [
    ...sentence(leftOut.pending, 'pending; import them with a later file'),
    ...sentence(leftOut.void, 'declined, reversed or not completed'),
    ...sentence(leftOut.otherCurrency, `not in ${currency}; import them with --currency`),
    ...sentence(skipped.length, 'unreadable'),
    ...shortenFaults(skipped),
  ]
}

function describeManner({ debits, dates, datesAssumed }: Manner): string {
  const money = MONEY[debits]
  if (dates === 'unambiguous') return `${money}.`
  const assumed = datesAssumed ? ', which is a guess (to change it, add --dates day-first)' : ''
  return `${money}; dates are ${dates}${assumed}.`
}
