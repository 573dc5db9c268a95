import type { Command } from 'commander'
import { verifyPayments, verifyStatements } from '../../src/books/statements/index.ts'
import {
  type Difference,
  presentTrialBalance,
  readTrialBalance,
  type TrialBalance,
  verifyLedger,
} from '../../src/ledger/index.ts'
import { verifyGiftCards } from '../../src/payouts/gift-cards/index.ts'
import { verifyRedemptions } from '../../src/payouts/redemptions/index.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { PublisherId } from '../../src/platform/ids.ts'
import { formatDecimal } from '../../src/platform/money.ts'
import { countTransactionsIn, verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import { getPublisher, listPublishers } from '../../src/tenants/publishers/index.ts'
import { verifyAdjustments } from '../../src/users/adjustments/index.ts'
import { defineCommand } from '../define.ts'
import { readInstant, readPublisherId } from '../options.ts'
import { createProgressBar } from '../progress.ts'
import { shell } from '../shell.ts'
import { withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, formatCount, formatTable, note, styled } from '../terminal.ts'

export function define(ledger: Command): void {
  defineCommand(
    ledger,
    'verify',
    'recompute all balances, rollups and rewards from postings and frozen terms, and list the differences',
  ).action(async ({ json }: { readonly json?: true }) => {
    const { publishers, differences } = await withStorage(({ db }) => verifyAll(db, createProgress()))
    if (differences.length > 0) shell().exitCode = 1
    if (json) return answerJson({ ok: differences.length === 0, publishers, differences })
    if (differences.length === 0)
      return answer(`The books of ${formatCount(publishers, 'publisher')} are correct: no differences.`)
    for (const line of describe(differences)) answer(line)
  })
  defineCommand(
    ledger,
    'trial-balance',
    "total the debits and credits of each of a publisher's ledger accounts as of an instant",
  )
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .option('--at <instant>', 'include what was booked by then, RFC 3339; default: now', readInstant)
    .option('--by-owner', 'break down shared accounts by owner, such as advertiser_receivable by brand')
    .action(trialBalance)
}

type Asked = {
  readonly publisher: PublisherId
  readonly at?: string
  readonly byOwner?: true
  readonly json?: true
}

async function trialBalance({ publisher: id, at, byOwner, json }: Asked): Promise<void> {
  const asked = { at: at ?? null, byOwner: byOwner === true }
  const balance = await withStorage(({ db }) =>
    db.snapshot(async (tx) => readTrialBalance(tx, await getPublisher(tx, id), asked)),
  )
  if (!balance.isBalanced) shell().exitCode = 1
  if (json) return answerJson(presentTrialBalance(id, balance))
  printTrialBalance(balance)
}

function printTrialBalance({ at, accounts, totals, isBalanced }: TrialBalance): void {
  type Row = { readonly account: string; readonly owner?: string } & TrialBalance['totals'][number]
  const toRow = ({ account, owner = '', currency, debits, credits }: Row): string[] => [
    ...[account, owner],
    ...[debits, credits, debits - credits].map((amount) => formatDecimal(amount, currency)),
    currency,
  ]
  const rows = [...accounts, ...totals.map((total) => ({ account: 'total', ...total }))].map(toRow)
  answerTable(['account', 'owner', '>debits', '>credits', '>balance', 'currency'], rows)
  if (isBalanced) note(`As booked by ${at}: debits equal credits.`)
  else
    answer(
      styled(
        'red',
        `As booked by ${at}: debits and credits differ. Run \`laurel ledger verify\` to find the journals.`,
      ),
    )
}

type Progress = {
  /** Starts the next check. Checks of purchases pass the number of purchases. */
  begin(step: string, purchases?: number): void
  checked(purchases: number): void
  stop(): void
}

const untold: Progress = { begin: () => undefined, checked: () => undefined, stop: () => undefined }

/**
 * Runs all checks on one snapshot, so a purchase that arrives in the meantime is either entirely visible or not at all.
 */
export async function verifyAll(
  db: Database,
  progress = untold,
): Promise<{ publishers: number; differences: Difference[] }> {
  return db
    .snapshot(async (tx) => {
      const publishers = await listPublishers(tx)
      const differences = await verifyLedger(tx, progress.begin)
      progress.begin('rewards')
      differences.push(...(await verifyRewards(tx)))
      progress.begin('redemptions')
      differences.push(...(await verifyRedemptions(tx)))
      progress.begin('gift cards')
      differences.push(...(await verifyGiftCards(tx)))
      progress.begin('adjustments and payments')
      differences.push(...(await verifyAdjustments(tx)), ...(await verifyPayments(tx)))
      progress.begin('statements')
      differences.push(...(await verifyStatements(tx)).differences)
      for (const [index, publisher] of publishers.entries()) {
        const purchases = await countTransactionsIn(tx, publisher.id, { status: null, from: null, until: null })
        progress.begin(`purchases of publisher ${index + 1} of ${publishers.length}`, purchases)
        differences.push(...(await verifyTransactions(tx, publisher, progress.checked)))
      }
      return { publishers: publishers.length, differences }
    })
    .finally(progress.stop)
}

function createProgress(): Progress {
  const bar = createProgressBar('{bar} {percentage}% | {step}')
  return {
    begin: (step, purchases = 0) => bar.start(purchases, 0, { step }),
    checked: (purchases) => bar.increment(purchases),
    stop: () => bar.stop(),
  }
}

function describe(differences: readonly Difference[]): string[] {
  const columns = ['check', 'where', '>expected', '>found']
  return [
    ...formatTable(
      columns,
      differences.map((one) => [one.check, one.where, one.expected, one.found]),
    ),
    '',
    styled('red', `${formatCount(differences.length, 'difference')}; amounts are in minor units.`),
  ]
}
