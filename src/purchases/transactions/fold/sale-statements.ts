import { startOfDay } from '../../../platform/calendar.ts'
import type { EventKind, SaleStatement, SourceEvent } from '../event.ts'

type Statement = SourceEvent & { readonly facts: { readonly stated: SaleStatement } }

/** An item of a sale, or the entire order, according to its latest statement. */
type SaleItem = {
  readonly item: string
  /** The amount in minor units from the latest statement that is not a rejection, which may be an amendment. */
  readonly amount: bigint
  /**
   * The shortfall from the highest amount ever reported, in minor units, or all of that amount if the item itself was
   * rejected.
   */
  readonly lost: bigint
  /** The highest amount ever reported, in minor units; 0 if the item was only ever rejected. */
  readonly bought: bigint
  /** The amount in minor units by which a correction lowered an approved amount. */
  readonly corrected: bigint
  readonly isApproved: boolean
  /** True if the item or its entire order was rejected. */
  readonly isRejected: boolean
  /** When the latest uninterrupted series of approvals began, because a correction is not a new approval. */
  readonly approvedAt: Date
  readonly statedAt: Date
}

/**
 * Replaces the statements of a sale with its state: a hold for what was bought, a clearing for what was approved, and a
 * reversal for what was rejected. Statements supersede one another instead of adding up. Regardless of arrival order,
 * each item has its latest state and amount, and rejected items are excluded.
 */
export function foldSaleStatements(events: readonly SourceEvent[], timeZone: string): readonly SourceEvent[] {
  const statements = events.filter(isStatement)
  if (statements.length === 0) return events
  const others = events.filter(({ facts }) => facts.isFromClick !== true)
  return [...others, ...buildSaleEvents(statements, timeZone)]
}

/** Returns the sale's total after each of its statements, in minor units. */
export function listStatedTotals(events: readonly SourceEvent[]): bigint[] {
  const amounts = new Map<string, bigint>()
  const statements = events.filter(isStatement)
  return chronological(statements).map(({ kind, amount, facts }) => {
    const { item } = facts.stated
    const isRejected = amounts.get(item) === 0n
    if (rejectsOrder({ kind, facts })) for (const one of amounts.keys()) amounts.set(one, 0n)
    else if (kind !== 'AMENDMENT' || !isRejected) amounts.set(item, kind === 'REVERSAL' ? 0n : amount)
    return computeTotal([...amounts].map(([item, amount]) => ({ item, amount })))
  })
}

/**
 * Returns the highest and the current total of the sale, in minor units, both before the reversal that
 * `foldSaleStatements` adds.
 */
export function findLoweredTotal(events: readonly SourceEvent[]): { readonly from: bigint; readonly to: bigint } {
  const statements = events.filter(isStatement)
  const { standing, rejected } = deriveState(statements)
  return { from: listStatedTotals(statements).reduce(greater, 0n), to: standing + rejected }
}

function isStatement(event: SourceEvent): event is Statement {
  return event.facts.stated !== undefined
}

const WHOLE_ORDER = ''

/** True if the statement rejects an entire order, including each of its items. */
function rejectsOrder({ kind, facts }: Pick<Statement, 'kind' | 'facts'>): boolean {
  return kind === 'REVERSAL' && facts.stated.item === WHOLE_ORDER
}

type SaleState = {
  readonly items: readonly SaleItem[]
  readonly approved: readonly SaleItem[]
  readonly isCleared: boolean
  /** The amount in minor units neither rejected nor lost, including pending items. */
  readonly standing: bigint
  /** The rejected or lost portion, in minor units, of the items considered. */
  readonly rejected: bigint
}

/**
 * Only the approved part of a partly approved sale is considered. An item rejected while pending is still deducted from
 * its order.
 */
function deriveState(statements: readonly Statement[]): SaleState {
  const rejections = statements.filter(rejectsOrder)
  const byItem = Map.groupBy(statements, ({ facts }) => facts.stated.item)
  const items = [...byItem].map(([item, own]) => toItem(own, item === WHOLE_ORDER ? [] : rejections))
  const lost = sumLost(items)
  const sumLeft = (parts: readonly SaleItem[]): bigint =>
    computeTotal(
      parts.filter(({ isRejected }) => !isRejected),
      lost,
    )
  const approved = items.filter(({ isApproved }) => isApproved)
  const standing = sumLeft(items)
  const isCleared = standing === 0n ? approved.length > 0 : sumLeft(approved) > 0n
  const counted = isCleared ? approved : items
  return { items, approved, isCleared, standing, rejected: computeTotal(counted) - sumLeft(counted) }
}

function buildSaleEvents(statements: readonly Statement[], timeZone: string): SourceEvent[] {
  const [base] = statements
  if (base === undefined) return []
  const { items, approved, isCleared, rejected } = deriveState(statements)
  const event = (kind: EventKind, amount: bigint, occurredAt: Date, original: string | null): SourceEvent => ({
    ...base,
    kind,
    amount,
    occurredAt,
    externalId: `${base.originalExternalId}:${kind}`,
    originalExternalId: original,
  })
  const sold = findSoldAt(statements, timeZone)
  const hold = event('AUTHORIZATION', computeTotal(items), sold.at, base.originalExternalId)
  const standing = approved.filter(({ isRejected }) => !isRejected)
  const approvedAt = latest((standing.length > 0 ? standing : approved).map((one) => one.approvedAt))
  const lessAt = latest(items.filter(({ isRejected, lost }) => isRejected || lost > 0n).map((one) => one.statedAt))
  return [
    { ...hold, dateOnly: sold.dateOnly },
    ...(isCleared ? [event('CLEARING', computeTotal(approved), approvedAt, hold.externalId)] : []),
    // References neither hold nor clearing, so it takes back part of the purchase.
    ...(rejected > 0n ? [event('REVERSAL', rejected, lessAt, null)] : []),
  ]
}

/** @param orderRejections rejections of the entire order, which apply to every item */
function toItem(own: readonly Statement[], orderRejections: readonly Statement[]): SaleItem {
  const ordered = chronological([...own, ...orderRejections])
  const states = ordered.filter(hasState)
  const last = states.findLast(({ kind }) => kind !== 'REVERSAL')
  const before = last === undefined ? [] : states.slice(0, states.indexOf(last))
  const approvals = before.slice(before.findLastIndex(({ kind }) => kind !== 'CLEARING') + 1)
  const statedAt = ordered.at(-1)?.occurredAt ?? new Date(0)
  // The amount of a rejection is used only if the item was never reported in any other state.
  const stated = ordered.filter(({ kind }) => kind !== 'REVERSAL')
  const most = pickMost(stated.length === 0 ? own : stated)
  const amount = stated.at(-1)?.amount ?? most
  const isApproved = last?.kind === 'CLEARING'
  return {
    item: own[0]?.facts.stated.item ?? WHOLE_ORDER,
    amount,
    lost: chronological(own).findLast(hasState)?.kind === 'REVERSAL' ? most : most - amount,
    bought: stated.length === 0 ? 0n : most,
    isApproved,
    corrected: isApproved ? greater(0n, pickMost(statedWhileApproved(ordered)) - amount) : 0n,
    isRejected: states.at(-1)?.kind === 'REVERSAL',
    approvedAt: (approvals[0] ?? last)?.occurredAt ?? statedAt,
    statedAt,
  }
}

/** False for an amendment, which changes the amount but keeps the state, regardless of arrival order. */
function hasState({ kind }: Statement): boolean {
  return kind !== 'AMENDMENT'
}

function statedWhileApproved(ordered: readonly Statement[]): Statement[] {
  let isApproved = false
  return ordered.filter((one) => {
    if (hasState(one)) isApproved = one.kind === 'CLEARING'
    return isApproved
  })
}

function pickMost(statements: readonly Statement[]): bigint {
  return statements.reduce((most, { amount }) => greater(most, amount), 0n)
}

/**
 * Returns the item losses that the order's total still includes. A lowered total already accounts for losses reported
 * before it, up to the amount by which it was lowered, and for the first losses if they add up to exactly that amount.
 * It also accounts for later losses, up to the amount by which an approved total was corrected, because the correction
 * may be for those losses. The exception is a total that equals the sum of the items as bought, which still includes
 * the later losses (docs/purchase-events.md).
 */
function sumLost(items: readonly SaleItem[]): bigint {
  const order = items.find(({ item }) => item === WHOLE_ORDER)
  const lowered = order?.lost ?? 0n
  const parts = items.filter(({ item }) => item !== WHOLE_ORDER).toSorted(chronologically)
  let [all, before, exactly] = [0n, 0n, 0n]
  for (const { lost, statedAt } of parts) {
    all += lost
    if (order !== undefined && statedAt <= order.statedAt) before = all
    if (all === lowered) exactly = all
  }
  const includesAll = parts.reduce((sum, { bought }) => sum + bought, 0n) === order?.amount
  const corrected = includesAll ? 0n : (order?.corrected ?? 0n)
  return all - greater(exactly, greater(lesser(before, lowered), lesser(all, corrected)))
}

function chronologically(a: SaleItem, b: SaleItem): number {
  return a.statedAt.getTime() - b.statedAt.getTime() || (a.item < b.item ? -1 : 1)
}

/**
 * Sorts an item's statements, latest last: by the network's timestamps if all have one, otherwise by their dates if all
 * have one. In case of a tie, pending statements go first, because one received after an approval or rejection is late,
 * and the remaining ones keep their order of receipt.
 */
function chronological(statements: readonly Statement[]): Statement[] {
  const stated = statements.map(({ facts }) => facts.stated)
  const isTimed = stated.every((one) => one.isTimed)
  const isDated = stated.every(({ soldAt }) => soldAt !== undefined)
  const precision = stated.some(({ soldAt }) => soldAt?.length === DAY_LENGTH) ? DAY_LENGTH : undefined
  const toTime = ({ occurredAt, facts }: Statement): string => {
    if (isTimed) return occurredAt.toISOString()
    return isDated ? (facts.stated.soldAt?.slice(0, precision) ?? '') : ''
  }
  const toKey = (one: Statement): string =>
    [toTime(one), Number(one.kind !== 'AUTHORIZATION'), one.occurredAt.toISOString(), one.externalId].join(' ')
  return statements.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1))
}

const DAY_LENGTH = 'yyyy-MM-dd'.length

/** Returns the time of the sale: the earliest of all dates and times in its statements. */
function findSoldAt(
  statements: readonly Statement[],
  timeZone: string,
): { readonly at: Date; readonly dateOnly: boolean } {
  const dates = statements.flatMap(({ occurredAt, facts: { stated } }) => {
    const { soldAt } = stated
    const dateOnly = soldAt?.length === DAY_LENGTH
    const at = soldAt === undefined ? occurredAt : dateOnly ? startOfDay(soldAt, timeZone) : new Date(soldAt)
    return [
      { at, dateOnly },
      { at: occurredAt, dateOnly: false },
    ]
  })
  return dates.reduce((first, one) => (one.at < first.at ? one : first))
}

/**
 * Returns the total of a sale. The order and its items report the same sale twice, so the larger of the two totals is
 * used.
 *
 * @param lost item losses that the order's total still includes
 */
function computeTotal(parts: readonly Pick<SaleItem, 'item' | 'amount'>[], lost: bigint = 0n): bigint {
  const addUp = (isWhole: boolean): bigint =>
    parts.reduce((sum, { item, amount }) => sum + ((item === WHOLE_ORDER) === isWhole ? amount : 0n), 0n)
  const [whole, items] = [addUp(true) - lost, addUp(false)]
  return greater(whole, items)
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(0, ...dates.map((date) => date.getTime())))
}
