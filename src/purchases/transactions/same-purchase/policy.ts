import type { Tx } from '../../../platform/db/database.ts'
import type { TransactionId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { LoadedPurchase, Restored } from '../load/load.ts'
import { type CrossSourcePair, type PairRows, type SameSourcePair, writePairs } from './pair-queries.ts'
import type { Policy, Report } from './reports.ts'
import { getReports, type SamePurchase } from './same-purchases.ts'
import { getIds, pairKey } from './stored-pairs.ts'

/** A purchase with its reports in order of decision. The first report that earns anything is paid. */
export type DecidedReports = SamePurchase & {
  /** The policy that decides between card and sale; null unless both were reported. */
  readonly policy: Policy | null
  readonly ranked: readonly Report[]
}

/**
 * Ranks the reports of each purchase. A stored pair keeps its policy. A new pair, or one decided in a re-match, gets
 * the publisher's current policy.
 */
export function decideReports(
  publisher: Publisher,
  found: readonly SamePurchase[],
  former: PairRows,
  purchases: readonly LoadedPurchase[],
  findRestored: (purchase: LoadedPurchase) => Restored | null,
): DecidedReports[] {
  if (found.length === 0) return []
  const stored = new Map(former.crossSource.map((row) => [pairKey(getIds(row)), row.policy]))
  const loaded = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  const findLoaded = ({ transactionId }: Report): LoadedPurchase[] => {
    const one = loaded.get(transactionId)
    return one === undefined ? [] : [one]
  }
  // An undo pays the report that was paid originally.
  const wasUnpaid = (report: Report): boolean =>
    findLoaded(report).some((one) => findRestored(one)?.reason === 'stacked')
  return found.map((same) => {
    const [cards, sales] = [same.cards, same.sales].map((reports) =>
      reports.toSorted((a, b) => Number(wasUnpaid(a)) - Number(wasUnpaid(b))),
    ) as [Report[], Report[]]
    if (cards.length === 0 || sales.length === 0)
      return { ...same, policy: null, ranked: maturedFirst([...cards, ...sales]) }
    const before = cards.flatMap((card) =>
      sales.map((sale) => stored.get(pairKey([card.transactionId, sale.transactionId]))),
    )
    const sides = { cards: cards.flatMap(findLoaded), sales: sales.flatMap(findLoaded) }
    const policy = restoredPolicy(sides, findRestored) ?? presentPolicy(publisher, before, sides)
    return { ...same, policy, ranked: maturedFirst(policy === 'CARD' ? [...cards, ...sales] : [...sales, ...cards]) }
  })
}

/**
 * Ranks matured reports first. More than one has matured only if they were recognized as the same purchase too late.
 */
function maturedFirst(reports: readonly Report[]): Report[] {
  return reports.toSorted((a, b) => Number(b.hasMatured) - Number(a.hasMatured))
}

type Sides = { readonly cards: readonly LoadedPurchase[]; readonly sales: readonly LoadedPurchase[] }

/**
 * Returns the policy that an undo restores: the same report remains unpaid, or both are paid if both were. Null in all
 * other cases.
 */
function restoredPolicy(
  { cards, sales }: Sides,
  findRestored: (purchase: LoadedPurchase) => Restored | null,
): Policy | null {
  if (![...cards, ...sales].some(({ redecided }) => typeof redecided === 'object')) return null
  const wereUnpaid = (some: readonly LoadedPurchase[]): boolean =>
    some.some((one) => findRestored(one)?.reason === 'stacked') &&
    some.every((one) => (findRestored(one)?.gross ?? 0n) === 0n)
  if (wereUnpaid(cards)) return 'AFFILIATE'
  if (wereUnpaid(sales)) return 'CARD'
  const werePaid = (some: readonly LoadedPurchase[]): boolean =>
    some.some((one) => (findRestored(one)?.gross ?? 0n) > 0n)
  return werePaid(cards) && werePaid(sales) ? 'BOTH' : null
}

function presentPolicy(publisher: Publisher, before: readonly (Policy | undefined)[], { cards, sales }: Sides): Policy {
  const isRematched = [...cards, ...sales].some(({ redecided }) => redecided === 'rematch')
  const known = before.find((policy) => policy !== undefined)
  return isRematched ? publisher.stackingPolicy : (known ?? publisher.stackingPolicy)
}

/** Maps each report to its competitors. Among competing reports, only the first that earns anything is paid. */
export function mapRivals(decided: readonly DecidedReports[]): ReadonlyMap<TransactionId, readonly TransactionId[]> {
  return new Map(
    decided.flatMap((one) => {
      const rivals = one.policy === 'BOTH' ? [one.cards, one.sales] : [getReports(one)]
      return rivals.flatMap((reports) =>
        reports.map((own) => {
          const others = reports.filter((other) => other !== own && !arePartialClearings(own, other))
          return [own.transactionId, others.map(({ transactionId }) => transactionId)] as const
        }),
      )
    }),
  )
}

/** True for feed rows of different partial clearings, which do not compete with one another. */
function arePartialClearings(a: Report, b: Report): boolean {
  return a.source === 'CARD' && b.source === 'CARD' && !a.isByPublisher && !b.isByPublisher
}

/**
 * Keeps purchases in order, but moves the preferred reports of a purchase, and all earlier ones from the same source
 * and reporter, ahead of its other reports.
 */
export function sortPreferredFirst(
  purchases: readonly LoadedPurchase[],
  decided: readonly DecidedReports[],
): LoadedPurchase[] {
  if (decided.length === 0) return [...purchases]
  const preferred = new Map(
    decided.flatMap(({ ranked }) =>
      ranked.flatMap(({ transactionId }, nth) => {
        const before = ranked[nth - 1]
        return before === undefined ? [] : [[transactionId, before.transactionId] as const]
      }),
    ),
  )
  const byId = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  const toReporter = ({ group: { root }, isByPublisher }: LoadedPurchase): string =>
    `${root.userId} ${root.source} ${isByPublisher}`
  const bySource = Map.groupBy(purchases, toReporter)
  const previous = new Map([...bySource.values()].flatMap((own) => own.map((one, index) => [one, own[index - 1]])))
  const begun = new Set<LoadedPurchase>()
  const ordered: LoadedPurchase[] = []
  const take = (one: LoadedPurchase | undefined): void => {
    if (one === undefined || begun.has(one)) return
    begun.add(one)
    take(previous.get(one))
    const before = preferred.get(one.group.root.transactionId)
    if (before !== undefined) take(byId.get(before))
    ordered.push(one)
  }
  for (const one of purchases) take(one)
  return ordered
}

export function toPairRows(decided: readonly DecidedReports[], stacked: ReadonlySet<TransactionId>): PairRows {
  const isStacked = ({ transactionId }: Report): boolean => stacked.has(transactionId)
  const crossSource = decided.flatMap(({ cards, sales, policy }): CrossSourcePair[] => {
    const [[card], [sale]] = [cards, sales]
    if (card === undefined || sale === undefined || policy === null) return []
    const { userId, transactionId: cardId } = card
    const isUnpaid = (side: readonly Report[]): boolean =>
      side.some(isStacked) && side.every((one) => isStacked(one) || !one.isAlive)
    const unpaid = policy === 'BOTH' ? null : isUnpaid(cards) ? 'CARD' : isUnpaid(sales) ? 'AFFILIATE' : null
    return [{ userId, cardId, affiliateId: sale.transactionId, policy, stacked: unpaid }]
  })
  const sameSource = decided.flatMap(({ cards, sales }) =>
    [cards, sales].flatMap((reports): SameSourcePair[] => {
      const [preferred, ...others] = reports
      if (preferred === undefined) return []
      const { userId, source, transactionId } = preferred
      const first = source === 'CARD' ? 'card_pairs' : 'sale_pairs'
      return others.map((other, nth) => ({
        userId,
        table: nth === 0 ? first : 'further_card_pairs',
        ids: [transactionId, other.transactionId],
        stacked: [preferred, other].filter(isStacked).map((one) => one.transactionId),
      }))
    }),
  )
  return { crossSource, sameSource }
}

export async function storePairs(
  tx: Tx,
  publisher: Publisher,
  former: PairRows,
  rows: PairRows,
  now: Date,
): Promise<void> {
  const [crossSource, sameSource] = [
    compareRows(former.crossSource, rows.crossSource),
    compareRows(former.sameSource, rows.sameSource),
  ]
  const gone = { crossSource: crossSource.gone, sameSource: sameSource.gone }
  await writePairs(
    tx,
    publisher.id,
    { gone, kept: { crossSource: crossSource.kept, sameSource: sameSource.kept } },
    now,
  )
}

function compareRows<R extends CrossSourcePair | SameSourcePair>(
  former: readonly R[],
  rows: readonly R[],
): { gone: R[]; kept: R[] } {
  const toKey = (row: R): string => `${'table' in row ? row.table : ''} ${pairKey(getIds(row))}`
  const toState = (row: R | undefined): string => JSON.stringify(row && ['policy' in row && row.policy, row.stacked])
  const [before, after] = [new Map(former.map((row) => [toKey(row), row])), new Set(rows.map(toKey))]
  return {
    gone: former.filter((row) => !after.has(toKey(row))),
    kept: rows.filter((row) => toState(before.get(toKey(row))) !== toState(row)),
  }
}
