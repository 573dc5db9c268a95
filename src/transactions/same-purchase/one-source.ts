import { type PairRules, pairsOf, type Side } from './pairs.ts'
import type { Report } from './reports.ts'

/** A card purchase or a sale, reported by the publisher, by the feed of the linked card or the network, or by both. */
export type SourcePurchase = Side & {
  /** The preferred report first. */
  readonly reports: readonly Report[]
  readonly hasMatured: boolean
}

/** The purchases that reports of one source tell of. A purchase has one preferred report, one other, or both. */
export function purchasesOf(
  preferred: readonly Report[],
  others: readonly Report[],
  rules: PairRules<Report, Report>,
  isSettled: (a: Report, b: Report) => boolean,
): SourcePurchase[] {
  const pairs = pairsOf(others, preferred, rules, isSettled)
  const paired = new Set(pairs.flat())
  return [
    ...pairs.map(([other, first]) => purchaseOf(first, other)),
    ...[...preferred, ...others].filter((report) => !paired.has(report)).map((report) => purchaseOf(report)),
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
