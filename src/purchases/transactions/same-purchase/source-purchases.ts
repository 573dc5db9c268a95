import { findPairs, type PairRules, type Side } from './pairs.ts'
import type { Report } from './reports.ts'

/** A card purchase or a sale with its reports: from the publisher, from the feed or network, or from both. */
export type SourcePurchase = Side & {
  /** The preferred report first. */
  readonly reports: readonly Report[]
  readonly hasMatured: boolean
}

/**
 * Groups the reports of one source into purchases, each with a preferred report, another report, or both. A preferred
 * report with partial clearings may have several others, one for each clearing.
 */
export function groupSourcePurchases(
  preferred: readonly Report[],
  others: readonly Report[],
  rules: PairRules<Report, Report>,
  isSettled: (a: Report, b: Report) => boolean,
): SourcePurchase[] {
  const wholes = findPairs(others, preferred, rules, isSettled)
  const rowsByReport = new Map(wholes.map(([row, one]) => [one, row]))
  const rows = new Set(rowsByReport.values())
  // If a row has the full amount, there are no rows for partial clearings, unless that row began as a hold for the full
  // amount.
  const clearings = preferred.flatMap((one) => {
    const row = rowsByReport.get(one)
    if (row === undefined) return one.partialClearings
    const nth = one.partialClearings.findIndex(({ totals }) => totals.includes(row.amount))
    return nth < 0 ? [] : one.partialClearings.toSpliced(nth, 1)
  })
  const pairs = [
    ...wholes,
    ...findPairs(
      others.filter((one) => !rows.has(one)),
      clearings,
      rules,
      isSettled,
    ),
  ]
  const paired = new Set(pairs.map(([other]) => other))
  const partners = Map.groupBy(pairs, ([, { transactionId }]) => transactionId)
  return [
    ...preferred.map((one) => toPurchase(one, ...(partners.get(one.transactionId) ?? []).map(([other]) => other))),
    ...others.filter((one) => !paired.has(one)).map((one) => toPurchase(one)),
  ]
}

function toPurchase(first: Report, ...others: readonly Report[]): SourcePurchase {
  const reports = [first, ...others]
  return {
    reports,
    at: first.at,
    rootId: first.rootId,
    isAlive: reports.some(({ isAlive }) => isAlive),
    hasMatured: reports.some(({ hasMatured }) => hasMatured),
  }
}
