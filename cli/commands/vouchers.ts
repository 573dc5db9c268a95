import { type Command, Option } from 'commander'
import { createCatalogStore } from '../../src/catalog/index.ts'
import { type Day, dayOf } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { decimalText } from '../../src/platform/money.ts'
import type { Publisher } from '../../src/publishers/index.ts'
import { budgetsOfDay, countCodes, importCodes, NEARLY_SPENT_PERCENT } from '../../src/rewards/index.ts'
import { UserError } from '../errors.ts'
import { readDay } from '../options.ts'
import { answer, answerJson, counted, note, styled, tableOf } from '../terminal.ts'
import { readCodes } from '../vouchers/codes.ts'
import { type Workplace, withWorkplace } from '../workplace.ts'

type Environment = Publisher['environment']
type Options = { readonly offer: string; readonly json?: true }

const ENVIRONMENTS = ['production', 'sandbox'] as const satisfies readonly Environment[]

export function voucherCommands(program: Command): void {
  const vouchers = program.command('vouchers').description('voucher codes that are handed out one by one')
  vouchers
    .command('import')
    .description('add codes to the pool of an offer; those that are in it already are named by their lines and stay')
    .argument('<file>', 'one code a line, or CSV with the columns code and expires_on (yyyy-MM-dd)')
    .requiredOption('--offer <offer_uid>', 'an offer with unique_codes')
    .addOption(
      new Option('--environment <environment>', 'whose users they are for').choices(ENVIRONMENTS).default('production'),
    )
    .option('--json', 'print one JSON object')
    .action(importFile)
  vouchers
    .command('show')
    .description('how many codes an offer has left, for production and for sandboxes')
    .requiredOption('--offer <offer_uid>', 'an offer with unique_codes')
    .option('--json', 'print one JSON object')
    .action(show)
}

export function budgetCommands(program: Command): void {
  program
    .command('budgets')
    .description('what offers have spent of the budgets of today, of this week, month and for good')
    .option('--day <yyyy-MM-dd>', 'another day of UTC than today, as where a sandbox moved its clock', readDay)
    .option('--json', 'print one JSON object')
    .action(listBudgets)
}

// Enough to see what is wrong with a file.
const LINES_NAMED = 20

async function importFile(
  file: string,
  { offer, environment, json }: Options & { readonly environment: Environment },
): Promise<void> {
  const known: number[] = []
  let added = 0
  let duplicates = 0
  await withWorkplace(async (workplace) => {
    await checkOffer(workplace, offer)
    const { db, vault } = workplace
    for await (const batch of readCodes(file)) {
      const found = await db.transaction((tx) =>
        importCodes(tx, vault, { offerUid: offer, environment }, batch, systemClock.now()),
      )
      added += batch.length - found.length
      duplicates += found.length
      known.push(...found.slice(0, LINES_NAMED - known.length).map((index) => batch[index]?.line ?? 0))
      if (process.stderr.isTTY) note(`${counted(added + duplicates, 'code')} read`)
    }
  })
  if (json) return answerJson({ offer_uid: offer, environment, added, duplicates, duplicate_lines: known })
  answer(`${styled('green', counted(added, 'code'))} added to the pool of ${offer} for ${environment}.`)
  if (duplicates > 0)
    answer(`${duplicates} ${duplicates === 1 ? 'was' : 'were'} there already: ${linesOf(known, duplicates)}.`)
}

function linesOf(lines: readonly number[], all: number): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${all > lines.length ? ' and more' : ''}`
}

async function show({ offer, json }: Options): Promise<void> {
  const pools = await withWorkplace(async (workplace) => {
    await checkOffer(workplace, offer)
    const today = dayOf(systemClock.now(), 'UTC')
    return Promise.all(
      ENVIRONMENTS.map(async (environment) => {
        const pool = await countCodes(workplace.db.reader, { offerUid: offer, environment }, today)
        return { environment, ...pool }
      }),
    )
  })
  if (json)
    return answerJson({
      offer_uid: offer,
      pools: pools.map(({ handedOut, ...pool }) => ({ ...pool, handed_out: handedOut })),
    })
  for (const { environment, free, handedOut, used, expired } of pools)
    answer(`${environment}: ${free} free, ${handedOut} handed out, ${used} used, ${expired} expired`)
}

/** @throws UserError for an offer that has no pool */
async function checkOffer({ db }: Workplace, offerUid: string): Promise<void> {
  const found = (await createCatalogStore(db).current()).offers.get(offerUid)
  if (found === undefined) throw new UserError(`There is no offer ${offerUid}.`)
  if (!found.conditions.uniqueCodes) throw new UserError(`The offer ${offerUid} has no unique_codes in the catalog.`)
}

async function listBudgets({ day, json }: { readonly day?: Day; readonly json?: true }): Promise<void> {
  const asked = day ?? dayOf(systemClock.now(), 'UTC')
  const budgets = await withWorkplace(async ({ db }) => {
    const { offers } = await createCatalogStore(db).current()
    return (await budgetsOfDay(db.reader, asked)).map((state) => {
      const currency = offers.get(state.offerUid)?.currency ?? 'USD'
      const spent = state.amount - state.unspent
      return {
        offer_uid: state.offerUid,
        environment: state.environment,
        period: state.period,
        from: state.startsOn,
        amount: decimalText(state.amount, currency),
        spent: decimalText(spent, currency),
        percent: state.amount === 0n ? 100 : Number((spent * 100n) / state.amount),
      }
    })
  })
  if (json) return answerJson({ budgets })
  if (budgets.length === 0)
    return answer(`No offer has spent from a budget of ${asked}, its week or its month, or for good.`)
  const columns = [
    { title: 'offer' },
    { title: 'environment' },
    { title: 'period' },
    { title: 'from' },
    { title: 'amount', right: true },
    { title: 'spent', right: true },
    { title: '%', right: true },
  ] as const
  const rows = budgets
    .toSorted((a, b) => b.percent - a.percent)
    .map((one) => [one.offer_uid, one.environment, one.period, one.from, one.amount, one.spent, warned(one.percent)])
  for (const line of tableOf(columns, rows)) answer(line)
}

function warned(percent: number): string {
  if (percent >= 100) return styled('red', String(percent))
  return percent >= NEARLY_SPENT_PERCENT ? styled('yellow', String(percent)) : String(percent)
}
