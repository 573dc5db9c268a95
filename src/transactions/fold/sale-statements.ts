import { startOfDay } from '../../platform/calendar.ts'
import type { EventKind, SaleStatement, SourceEvent } from '../intake/event.ts'

type Statement = SourceEvent & { readonly facts: { readonly stated: SaleStatement } }

/** An item of a sale by its newest statement. */
type SaleItem = {
  readonly item: string
  /** Minor units, by the last statement that is no rejection. */
  readonly amount: bigint
  readonly isApproved: boolean
  readonly isRejected: boolean
  /** The first approval of the last unbroken series, because a correction does not approve again. */
  readonly approvedAt: Date
  readonly statedAt: Date
}

/**
 * Replaces the statements of a sale by its state: a hold of what is pending or approved, a clearing of what is
 * approved, a reversal if everything was rejected. A state is stated, not added: of each item the newest statement
 * counts, in any order of arrival, and a rejected item counts for nothing.
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
    if (rejectsOrder({ kind, facts })) amounts.clear()
    else amounts.set(facts.stated.item, kind === 'REVERSAL' ? 0n : amount)
    return worthOf([...amounts].map(([item, amount]) => ({ item, amount })))
  })
}

function isStatement(event: SourceEvent): event is Statement {
  return event.facts.stated !== undefined
}

const WHOLE_ORDER = ''

/** The rejection of an order is that of each of its items. */
function rejectsOrder({ kind, facts }: Pick<Statement, 'kind' | 'facts'>): boolean {
  return kind === 'REVERSAL' && facts.stated.item === WHOLE_ORDER
}

/** Ignores rejected items, unless the whole sale was rejected: then it is the former sale and its reversal. */
function saleOf(statements: readonly Statement[], timeZone: string): SourceEvent[] {
  const [base] = statements
  if (base === undefined) return []
  const rejections = statements.filter(rejectsOrder)
  const byItem = Map.groupBy(statements, ({ facts }) => facts.stated.item)
  const items = [...byItem].map(([item, own]) => itemOf(item === WHOLE_ORDER ? own : [...own, ...rejections]))
  const standing = items.filter(({ isRejected }) => !isRejected)
  const isRejected = standing.length === 0
  const bought = isRejected ? items : standing
  const approved = bought.filter(({ isApproved }) => isApproved)
  const last = approved.length > 0 ? 'CLEARING' : 'AUTHORIZATION'
  const idOf = (kind: EventKind): string => `${base.originalExternalId}:${kind}`
  const event = (kind: EventKind, parts: readonly SaleItem[], occurredAt: Date, originalExternalId: string | null) => ({
    ...{ ...base, kind, occurredAt, externalId: idOf(kind), originalExternalId },
    amount: worthOf(parts),
  })
  const sold = soldOf(statements, timeZone)
  const hold = { ...event('AUTHORIZATION', bought, sold.at, base.originalExternalId), dateOnly: sold.dateOnly }
  const approvedAt = latest(approved.map((item) => item.approvedAt))
  const rejectedAt = latest(items.map((item) => item.statedAt))
  return [
    hold,
    ...(approved.length > 0 ? [event('CLEARING', approved, approvedAt, idOf('AUTHORIZATION'))] : []),
    ...(isRejected ? [event('REVERSAL', approved.length > 0 ? approved : items, rejectedAt, idOf(last))] : []),
  ]
}

function itemOf(statements: readonly Statement[]): SaleItem {
  const ordered = chronological(statements)
  const newest = ordered.at(-1)
  const last = ordered.findLast(({ kind }) => kind !== 'REVERSAL')
  const before = last === undefined ? [] : ordered.slice(0, ordered.indexOf(last))
  const approvals = before.slice(before.findLastIndex(({ kind }) => kind !== 'CLEARING') + 1)
  const statedAt = newest?.occurredAt ?? new Date(0)
  return {
    item: statements[0]?.facts.stated.item ?? WHOLE_ORDER,
    amount: last?.amount ?? 0n,
    isApproved: last?.kind === 'CLEARING',
    isRejected: newest?.kind === 'REVERSAL',
    approvedAt: (approvals[0] ?? last)?.occurredAt ?? statedAt,
    statedAt,
  }
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

/** An order as a whole and its items are two statements of one sale, of which the larger counts. */
function worthOf(parts: readonly Pick<SaleItem, 'item' | 'amount'>[]): bigint {
  const sumOf = (isWhole: boolean): bigint =>
    parts.reduce((sum, { item, amount }) => sum + ((item === WHOLE_ORDER) === isWhole ? amount : 0n), 0n)
  const [whole, items] = [sumOf(true), sumOf(false)]
  return whole > items ? whole : items
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(0, ...dates.map((date) => date.getTime())))
}
