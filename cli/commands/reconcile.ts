import type { Command } from 'commander'
import {
  type Comparison,
  compareBankFile,
  compareNetworkReport,
  compareSupplierFile,
  reconcile,
  toComparedSpan,
} from '../../src/books/reconciliation/index.ts'
import { addDays, DAY_MS, toDay } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { PublisherId } from '../../src/platform/ids.ts'
import { getPublisher, publisherNow } from '../../src/tenants/publishers/index.ts'
import { toFailure, UserError } from '../errors.ts'
import { type Encoded, readText, withEncoding } from '../files.ts'
import { parseChoice, readDay, readPublisherId, usage } from '../options.ts'
import { createJsonPrinter, createTextPrinter } from '../reconcile/print.ts'
import { shell } from '../shell.ts'
import { withStorage } from '../storage.ts'

const KINDS = ['bank', 'network', 'supplier'] as const

export function define(command: Command): void {
  withEncoding(command)
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .option('--date <day>', "a day in the publisher's time zone (default: yesterday)", readDay)
    .option('--from <day>', 'first of several days, instead of --date', readDay)
    .option('--to <day>', 'last of several days (default: yesterday)', readDay)
    .option('--file <file>', "an external file to compare with Laurel's records")
    .option('--kind <kind>', 'who created the file: bank, network or supplier', parseChoice(...KINDS))
    .option('--network <name>', 'which network')
    .option('--json', 'print one JSON object per line for each difference and each comparison')
    .action(run)
}

type Options = Encoded & {
  readonly publisher: PublisherId
  readonly date?: string
  readonly from?: string
  readonly to?: string
  readonly file?: string
  readonly kind?: (typeof KINDS)[number]
  readonly network?: string
  readonly json?: true
}

/** Exits with 0 if the books agree, 1 if they differ, and 2 if they could not be compared. */
async function run(options: Options): Promise<void> {
  try {
    if ((await countDifferences(options)) > 0) shell().exitCode = 1
  } catch (error) {
    const { lines } = toFailure(error)
    throw new UserError(lines[0] ?? '', { details: lines.slice(1), exitCode: 2 })
  }
}

async function countDifferences({ publisher: id, json, ...asked }: Options): Promise<number> {
  const outside = await readOutside(asked)
  const { deliveries } = readConfig(shell().env).retentionDays
  return withStorage(async ({ db }) => {
    const publisher = await getPublisher(db.reader, id)
    const today = toDay(publisherNow(publisher, systemClock), publisher.timeZone)
    const days = parseDays(asked, addDays(today, -1))
    // A future day has no rows, so a mistyped date would look like a clean day.
    if (days.to > today) throw usage(`${days.to} has not begun. The publisher's current date is ${today}.`)
    const span = toComparedSpan(publisher, days, new Date(systemClock.now().getTime() - deliveries * DAY_MS))
    const printer = json ? createJsonPrinter(span) : createTextPrinter(span)
    const differences = await reconcile(db, span, outside, printer)
    printer.end(differences)
    return differences
  })
}

function parseDays({ date, from, to }: Pick<Options, 'date' | 'from' | 'to'>, yesterday: string) {
  if (date !== undefined && (from !== undefined || to !== undefined)) throw usage('Specify --date, or --from and --to.')
  if (to !== undefined && from === undefined) throw usage('--to needs --from.')
  const days = {
    from: date ?? from ?? yesterday,
    to: date ?? to ?? (from === undefined || from < yesterday ? yesterday : from),
  }
  if (days.from > days.to) throw usage('--from must not be after --to.')
  return days
}

async function readOutside({
  file,
  kind,
  network,
  encoding,
}: Pick<Options, 'file' | 'kind' | 'network' | 'encoding'>): Promise<Comparison | null> {
  if ((file === undefined) !== (kind === undefined)) throw usage('--file and --kind go together.')
  if ((kind === 'network') !== (network !== undefined)) throw usage('--network goes with --kind network.')
  if (file === undefined) return null
  const text = await readText(file, encoding)
  if (network !== undefined) return compareNetworkReport(network, text)
  return kind === 'bank' ? compareBankFile(text) : compareSupplierFile(text)
}
