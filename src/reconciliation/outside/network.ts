import { type SaleOfReport, salesOfReport } from '../../affiliate/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Comparison } from '../comparisons.ts'
import { amountOf } from '../read-rows.ts'
import { type BookRow, inOrder } from '../rules.ts'
import type { ComparedSpan } from '../span.ts'
import { type KnownSale, listForeign, listSales } from './queries.ts'

/**
 * Compares a network's report with the purchases that came of its sales. Rows of other publishers do not matter.
 * @throws Refusal report_invalid, network_invalid when it compares
 */
export function networkComparison(network: string, text: string): Comparison {
  return {
    ...{ left: 'affiliate transactions', right: network, hint: `import the report: laurel networks import ${network}` },
    sides: (tx, span) => sidesOf(tx, span, network, text),
  }
}

async function sidesOf(
  tx: Tx,
  span: ComparedSpan,
  network: string,
  text: string,
): Promise<readonly [BookRow[], BookRow[]]> {
  const all = await salesOfReport(tx, network, text)
  const names = all.map(nameOf)
  const subIds = [...new Set(all.flatMap((sale) => sale.subIds))]
  const foreign = await listForeign(tx, span, network, { subIds, names })
  const reported = all.filter((sale) => !foreign.has(nameOf(sale)) && !sale.subIds.some((subId) => foreign.has(subId)))
  const known = await listSales(tx, span, network, names)
  const byName = Map.groupBy(known, nameOfKnown)
  return [
    inOrder([...byName].map(([key, sales]) => ({ key, values: valuesOf(sales) }))),
    inOrder(
      // What was only ever rejected is no purchase.
      reported
        .filter((sale) => sale.status !== 'rejected' || byName.has(nameOf(sale)))
        .map((sale) => {
          const currency = sale.currency ?? byName.get(nameOf(sale))?.[0]?.currency ?? null
          const left = sale.status === 'rejected' ? 0n : sale.amount
          return { key: nameOf(sale), values: { amount: amountOf(left, currency), status: sale.status } }
        }),
    ),
  ]
}

function nameOf({ orderId, transactionId }: Pick<SaleOfReport, 'orderId' | 'transactionId'>): string {
  return orderId ?? transactionId ?? ''
}

function nameOfKnown({ orderId, externalId }: KnownSale): string {
  return orderId ?? externalId.split(':')[1] ?? externalId
}

/** Orders of the same number at several advertisers are added up, as in the report. */
function valuesOf(sales: readonly KnownSale[]): BookRow['values'] {
  const standing = sales.filter(({ amount }) => amount !== 0n)
  const amount = standing.reduce((sum, sale) => sum + sale.amount, 0n)
  const isApproved = standing.every(({ isCleared }) => isCleared)
  const status = standing.length === 0 ? 'rejected' : isApproved ? 'approved' : 'pending'
  return { amount: amountOf(amount, sales[0]?.currency ?? null), status }
}
