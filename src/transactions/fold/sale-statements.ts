import { startOfDay } from '../../platform/calendar.ts'
import type { EventKind, SaleStatement, SourceEvent } from '../intake/event.ts'

type Statement = SourceEvent & { readonly facts: { readonly stated: SaleStatement } }

/** An item of a sale, or the order as a whole, by its newest statement. */
type SaleItem = {
  readonly item: string
  /** Minor units, from the last statement that is not a rejection; amendments count. */
  readonly amount: bigint
  /** Minor units less than the most that was ever stated; all of it if the item itself was rejected. */
  readonly lost: bigint
  /** The most that was ever stated, in minor units; 0 if it was only ever rejected. */
  readonly bought: bigint
  /** Minor units by which a correction lowered what had been approved. */
  readonly corrected: bigint
  readonly isApproved: boolean
  /** Rejected itself, or with its order. */
  readonly isRejected: boolean
  /** The first approval of the last unbroken series, because a correction does not approve again. */
  readonly approvedAt: Date
  readonly statedAt: Date
}

/**
 * Replaces the statements of a sale by its state: a hold for what was bought, a clearing for what was approved, a
 * reversal for what was rejected. Statements replace each other instead of adding up: each item has its newest state
 * and its newest amount, in any order of arrival, and a rejected item does not count.
 */
export function withSalesStated(events: readonly SourceEvent[], timeZone: string): readonly SourceEvent[] {
  const statements = events.filter(isStatement)
  if (statements.length === 0) return events
  const others = events.filter(({ facts }) => facts.isFromClick !== true)
  return [...others, ...saleOf(statements, timeZone)]
}

/** Every total of the sale, in minor units, after each of its statements. */
export function statedTotals(events: readonly SourceEvent[]): bigint[] {
  const amounts = new Map<string, bigint>()
  const statements = events.filter(isStatement)
  return chronological(statements).map(({ kind, amount, facts }) => {
    const { item } = facts.stated
    const isRejected = amounts.get(item) === 0n
    if (rejectsOrder({ kind, facts })) for (const one of amounts.keys()) amounts.set(one, 0n)
    else if (kind !== 'AMENDMENT' || !isRejected) amounts.set(item, kind === 'REVERSAL' ? 0n : amount)
    return worthOf([...amounts].map(([item, amount]) => ({ item, amount })))
  })
}

/** The highest total of the sale and its present one, in minor units, both before what `withSalesStated` reverses. */
export function loweredTotal(events: readonly SourceEvent[]): { readonly from: bigint; readonly to: bigint } {
  const statements = events.filter(isStatement)
  const { standing, rejected } = stateOf(statements)
  return { from: statedTotals(statements).reduce(greater, 0n), to: standing + rejected }
}

function isStatement(event: SourceEvent): event is Statement {
  return event.facts.stated !== undefined
}

const WHOLE_ORDER = ''

/** The rejection of an order is that of each of its items. */
function rejectsOrder({ kind, facts }: Pick<Statement, 'kind' | 'facts'>): boolean {
  return kind === 'REVERSAL' && facts.stated.item === WHOLE_ORDER
}

type SaleState = {
  readonly items: readonly SaleItem[]
  readonly approved: readonly SaleItem[]
  readonly isCleared: boolean
  /** What is neither rejected nor lost, pending items included. */
  readonly standing: bigint
  /** What is rejected or lost of the amount that counts. */
  readonly rejected: bigint
}

/**
 * Of a sale that is partly approved, only what was approved counts. An item that was rejected while pending is still taken
 * off its order.
 */
function stateOf(statements: readonly Statement[]): SaleState {
  const rejections = statements.filter(rejectsOrder)
  const byItem = Map.groupBy(statements, ({ facts }) => facts.stated.item)
  const items = [...byItem].map(([item, own]) => itemOf(own, item === WHOLE_ORDER ? [] : rejections))
  const lost = lostOf(items)
  const leftOf = (parts: readonly SaleItem[]): bigint =>
    worthOf(
      parts.filter(({ isRejected }) => !isRejected),
      lost,
    )
  const approved = items.filter(({ isApproved }) => isApproved)
  const standing = leftOf(items)
  const isCleared = standing === 0n ? approved.length > 0 : leftOf(approved) > 0n
  const counted = isCleared ? approved : items
  return { items, approved, isCleared, standing, rejected: worthOf(counted) - leftOf(counted) }
}

function saleOf(statements: readonly Statement[], timeZone: string): SourceEvent[] {
  const [base] = statements
  if (base === undefined) return []
  const { items, approved, isCleared, rejected } = stateOf(statements)
  const event = (kind: EventKind, amount: bigint, occurredAt: Date, original: string | null): SourceEvent => ({
    ...{ ...base, kind, amount, occurredAt },
    ...{ externalId: `${base.originalExternalId}:${kind}`, originalExternalId: original },
  })
  const sold = soldOf(statements, timeZone)
  const hold = event('AUTHORIZATION', worthOf(items), sold.at, base.originalExternalId)
  const standing = approved.filter(({ isRejected }) => !isRejected)
  const approvedAt = latest((standing.length > 0 ? standing : approved).map((one) => one.approvedAt))
  const lessAt = latest(items.filter(({ isRejected, lost }) => isRejected || lost > 0n).map((one) => one.statedAt))
  return [
    { ...hold, dateOnly: sold.dateOnly },
    ...(isCleared ? [event('CLEARING', worthOf(approved), approvedAt, hold.externalId)] : []),
    // Names neither hold nor clearing, so that it takes back a part of the purchase.
    ...(rejected > 0n ? [event('REVERSAL', rejected, lessAt, null)] : []),
  ]
}

/** @param orderRejections rejections of the whole order, which reject each item */
function itemOf(own: readonly Statement[], orderRejections: readonly Statement[]): SaleItem {
  const ordered = chronological([...own, ...orderRejections])
  const states = ordered.filter(hasState)
  const last = states.findLast(({ kind }) => kind !== 'REVERSAL')
  const before = last === undefined ? [] : states.slice(0, states.indexOf(last))
  const approvals = before.slice(before.findLastIndex(({ kind }) => kind !== 'CLEARING') + 1)
  const statedAt = ordered.at(-1)?.occurredAt ?? new Date(0)
  // Amounts of rejections count only for an item that is never reported as anything else.
  const stated = ordered.filter(({ kind }) => kind !== 'REVERSAL')
  const most = mostOf(stated.length === 0 ? own : stated)
  const amount = stated.at(-1)?.amount ?? most
  const isApproved = last?.kind === 'CLEARING'
  return {
    item: own[0]?.facts.stated.item ?? WHOLE_ORDER,
    amount,
    lost: chronological(own).findLast(hasState)?.kind === 'REVERSAL' ? most : most - amount,
    bought: stated.length === 0 ? 0n : most,
    isApproved,
    corrected: isApproved ? greater(0n, mostOf(statedWhileApproved(ordered)) - amount) : 0n,
    isRejected: states.at(-1)?.kind === 'REVERSAL',
    approvedAt: (approvals[0] ?? last)?.occurredAt ?? statedAt,
    statedAt,
  }
}

/** False for an amendment, which changes the amount and keeps the state, whichever arrives first. */
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

function mostOf(statements: readonly Statement[]): bigint {
  return statements.reduce((most, { amount }) => greater(most, amount), 0n)
}

/**
 * What items lost that the order's total still includes. A lowered total already accounts for what they lost before it
 * was stated, up to the amount by which it was lowered, and for their first losses if they come to exactly that amount.
 * It accounts for later losses up to the amount by which an approved total was corrected, because they may be the same,
 * unless it is the sum of the items and so still includes them (docs/decisions/0025-events-of-a-purchase.md).
 */
function lostOf(items: readonly SaleItem[]): bigint {
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
 * The statements of an item, newest last. They are dated by the time at which the network made them if all have one,
 * otherwise by their date if all have one. If neither decides, a pending after an approval or rejection is late, and
 * the others count in order of receipt.
 */
function chronological(statements: readonly Statement[]): Statement[] {
  const stated = statements.map(({ facts }) => facts.stated)
  const isTimed = stated.every((one) => one.isTimed)
  const isDated = stated.every(({ soldAt }) => soldAt !== undefined)
  const precision = stated.some(({ soldAt }) => soldAt?.length === DAY_LENGTH) ? DAY_LENGTH : undefined
  const timeOf = ({ occurredAt, facts }: Statement): string => {
    if (isTimed) return occurredAt.toISOString()
    return isDated ? (facts.stated.soldAt?.slice(0, precision) ?? '') : ''
  }
  const keyOf = (one: Statement): string =>
    [timeOf(one), Number(one.kind !== 'AUTHORIZATION'), one.occurredAt.toISOString(), one.externalId].join(' ')
  return statements.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const DAY_LENGTH = 'yyyy-MM-dd'.length

/** The time of the sale: the first of all dates and times of its statements. */
function soldOf(statements: readonly Statement[], timeZone: string): { readonly at: Date; readonly dateOnly: boolean } {
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
 * An order as a whole and its items are two statements of one sale, of which the larger counts.
 *
 * @param lost what items lost that the order's total still includes
 */
function worthOf(parts: readonly Pick<SaleItem, 'item' | 'amount'>[], lost: bigint = 0n): bigint {
  const sumOf = (isWhole: boolean): bigint =>
    parts.reduce((sum, { item, amount }) => sum + ((item === WHOLE_ORDER) === isWhole ? amount : 0n), 0n)
  const [whole, items] = [sumOf(true) - lost, sumOf(false)]
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
