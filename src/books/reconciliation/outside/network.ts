import type { Tx } from '../../../platform/db/database.ts'
import { readReportSales, type SaleOfReport } from '../../../sources/affiliate/index.ts'
import type { Comparison } from '../comparisons.ts'
import { formatAmount } from '../read-rows.ts'
import { type BookRow, sortRows } from '../rules.ts'
import type { ComparedSpan } from '../span.ts'
import { type KnownSale, listForeign, listSales } from './queries.ts'

/**
 * Compares a network's report with the purchases recorded for its sales. Ignores rows of other publishers.
 * @throws Refusal report_invalid, network_invalid when the comparison runs
 */
export function compareNetworkReport(network: string, text: string): Comparison {
  return {
    left: 'affiliate transactions',
    right: network,
    hint: `import the report with laurel networks import ${network}`,
    sides: (tx, span) => readSides(tx, span, network, text),
  }
}

async function readSides(
  tx: Tx,
  span: ComparedSpan,
  network: string,
  text: string,
): Promise<readonly [BookRow[], BookRow[]]> {
  let known: readonly KnownSale[] = []
  const all = await readReportSales(tx, network, text, async (names) => {
    known = await listSales(tx, span, network, names)
    return new Map(known.map((sale) => [toKnownName(sale), sale.currency]))
  })
  const names = all.map(toName)
  const subIds = [...new Set(all.flatMap((sale) => sale.subIds))]
  const foreign = await listForeign(tx, span, network, { subIds, names })
  const reported = all.filter((sale) => !foreign.has(toName(sale)) && !sale.subIds.some((subId) => foreign.has(subId)))
  const byName = Map.groupBy(known, toKnownName)
  return [
    sortRows([...byName].map(([key, sales]) => ({ key, values: sumValues(sales) }))),
    sortRows(
      // A sale that was only ever rejected is not a purchase.
      reported
        .filter((sale) => sale.status !== 'rejected' || byName.has(toName(sale)))
        .map((sale) => ({ key: toName(sale), values: listReportedValues(sale, byName.get(toName(sale)) ?? []) })),
    ),
  ]
}

function toName({ orderId, transactionId }: Pick<SaleOfReport, 'orderId' | 'transactionId'>): string {
  return orderId ?? transactionId ?? ''
}

function toKnownName({ orderId, externalId }: KnownSale): string {
  return orderId ?? externalId.split(':')[1] ?? externalId
}

/** Adds up orders with the same number at different advertisers, as the report does. */
function sumValues(sales: readonly KnownSale[]): BookRow['values'] {
  const standing = sales.filter(({ amount }) => amount !== 0n)
  const amounts = new Map<string, bigint>()
  for (const { currency, amount } of standing) amounts.set(currency, (amounts.get(currency) ?? 0n) + amount)
  const isApproved = standing.every(({ isCleared }) => isCleared)
  const status = standing.length === 0 ? 'rejected' : isApproved ? 'approved' : 'pending'
  return { amount: toText(amounts), status }
}

/**
 * Returns the reported values. A status missing from the report is taken from the recorded sales, so it never differs.
 */
function listReportedValues({ amounts, status }: SaleOfReport, known: readonly KnownSale[]): BookRow['values'] {
  return { amount: toText(amounts), status: status ?? sumValues(known)['status'] ?? '' }
}

/** Formats amounts by currency, omitting zeros, which are equal in every currency. */
function toText(amounts: ReadonlyMap<string, bigint>): string {
  const texts = [...amounts]
    .filter(([, amount]) => amount !== 0n)
    .map(([currency, amount]) => formatAmount(amount, currency))
  return texts.length === 0 ? '0' : texts.toSorted().join(' and ')
}
