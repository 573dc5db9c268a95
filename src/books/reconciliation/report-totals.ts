import { yieldTransactionLines } from '../../data/reports/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { toMinor } from '../../platform/money.ts'
import type { PresentedTransaction } from '../../purchases/transactions/index.ts'
import { toBookRow } from './read-rows.ts'
import { type BookRow, sortRows } from './rules.ts'
import type { ComparedSpan } from './span.ts'

type Total = { readonly currency: string; rewards: number; userCashback: bigint; publisherShare: bigint }

/** Computes the pending and earned totals of the transaction report, by currency. */
export async function computeReportedTotals(tx: Tx, { publisher, days }: ComparedSpan): Promise<BookRow[]> {
  const totals = new Map<string, Total>()
  for await (const lines of yieldTransactionLines(tx, publisher, days)) {
    for (const line of lines.split('\n')) if (line !== '') add(totals, JSON.parse(line) as PresentedTransaction)
  }
  return sortRows([...totals].map(([key, total]) => toBookRow({ key, ...total }, null)))
}

function add(totals: Map<string, Total>, { currency, status, ...shown }: PresentedTransaction): void {
  const [user, share] = [shown.user_cashback, shown.publisher_share].map((amount) => toMinor(amount, currency) ?? 0n)
  if (user === undefined || share === undefined || (user === 0n && share === 0n)) return
  const key = `${currency} ${status.toLowerCase()}`
  const total = totals.get(key) ?? { currency, rewards: 0, userCashback: 0n, publisherShare: 0n }
  total.rewards += 1
  total.userCashback += user
  total.publisherShare += share
  totals.set(key, total)
}
