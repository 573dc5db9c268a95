import type { Command } from 'commander'
import { type Difference, verifyLedger } from '../../src/ledger/index.ts'
import type { Database } from '../../src/platform/database.ts'
import { listPublishers } from '../../src/publishers/index.ts'
import { verifyRewards } from '../../src/rewards/index.ts'
import { verifyTransactions } from '../../src/transactions/index.ts'
import { shell } from '../shell.ts'
import { withStorage } from '../storage.ts'
import { answer, answerJson, counted, styled, tableOf } from '../terminal.ts'

export function define(ledger: Command): void {
  ledger
    .command('verify')
    .description('recompute all balances, rollups and rewards from postings and frozen terms; list the differences')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { readonly json?: true }) => {
      const { publishers, differences } = await withStorage(({ db }) => verifyAll(db))
      if (differences.length > 0) shell().exitCode = 1
      if (json) return answerJson({ ok: differences.length === 0, publishers, differences })
      if (differences.length === 0)
        return answer(`The books of ${counted(publishers, 'publisher')} are right: no difference.`)
      for (const line of describe(differences)) answer(line)
    })
}

/** All checks see one snapshot: a purchase that arrives meanwhile is wholly in or wholly out. */
export async function verifyAll(db: Database): Promise<{ publishers: number; differences: Difference[] }> {
  return db.snapshot(async (tx) => {
    const publishers = await listPublishers(tx)
    const differences = [...(await verifyLedger(tx)), ...(await verifyRewards(tx))]
    for (const publisher of publishers) differences.push(...(await verifyTransactions(tx, publisher)))
    return { publishers: publishers.length, differences }
  })
}

function describe(differences: readonly Difference[]): string[] {
  const columns = ['check', 'where', { right: 'expected' }, { right: 'found' }] as const
  return [
    ...tableOf(
      columns,
      differences.map((one) => [one.check, one.where, one.expected, one.found]),
    ),
    '',
    styled('red', `${counted(differences.length, 'difference')}; amounts are in minor units.`),
  ]
}
