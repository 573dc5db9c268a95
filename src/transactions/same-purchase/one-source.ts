import { type PairRules, pairsOf, type Side } from './pairs.ts'
import type { Report } from './reports.ts'

/** A card purchase or a sale, reported by the publisher, by the feed of the linked card or the network, or by both. */
export type SourcePurchase = Side & {
  /** The preferred report first. */
  readonly reports: readonly Report[]
  readonly hasMatured: boolean
}

/**
 * The purchases that reports of one source tell of. A purchase has one preferred report, one other, or both; several
 * others, if the preferred one has several parts.
 */
export function purchasesOf(
  preferred: readonly Report[],
  others: readonly Report[],
  rules: PairRules<Report, Report>,
  isSettled: (a: Report, b: Report) => boolean,
): SourcePurchase[] {
  const wholesAndParts = preferred.flatMap((one) => [one, ...one.parts])
  const pairs = pairsOf(others, wholesAndParts, rules, isSettled)
  const paired = new Set(pairs.map(([other]) => other))
  const partners = Map.groupBy(pairs, ([, { transactionId }]) => transactionId)
  return [
    ...preferred.map((one) => purchaseOf(one, ...(partners.get(one.transactionId) ?? []).map(([other]) => other))),
    ...others.filter((one) => !paired.has(one)).map((one) => purchaseOf(one)),
  ]
}

function purchaseOf(first: Report, ...others: readonly Report[]): SourcePurchase {
  const reports = [first, ...others]
  return {
    reports,
    at: first.at,
    rootId: first.rootId,
    isAlive: reports.some(({ isAlive }) => isAlive),
    hasMatured: reports.some(({ hasMatured }) => hasMatured),
  }
}
