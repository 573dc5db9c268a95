import { startOfDay } from '../../platform/calendar.ts'
import type { EventKind, SaleStatement, SourceEvent } from '../intake/event.ts'

type Statement = SourceEvent & { readonly facts: { readonly stated: SaleStatement } }

/** What an item of a sale is by its newest statement. */
type Item = {
  /** Minor units by the last statement that did not reject it. */
  readonly amount: bigint
  readonly isApproved: boolean
  readonly isRejected: boolean
  /** The first of the approvals that followed one another last; a correction does not approve anew. */
  readonly approvedAt: Date
  readonly statedAt: Date
}

/**
 * The events of a purchase with all that a network stated of its sale replaced by what the sale is: a hold of what is pending
 * or approved, a clearing of what is approved, a reversal if everything was rejected. A state is stated, not added: of
 * each item the newest statement counts, in any order of arrival, and a rejected item is nothing.
 */
export function withSalesStated(events: readonly SourceEvent[], timeZone: string): readonly SourceEvent[] {
  const statements = events.filter(isStatement)
  if (statements.length === 0) return events
  const others = events.filter(({ facts }) => facts.isFromClick !== true)
  return [...others, ...saleOf(statements, timeZone)]
}

/** Every total, in minor units, that the sale came to while its statements arrived. */
export function statedTotals(events: readonly SourceEvent[]): bigint[] {
  const amounts = new Map<string, bigint>()
  const statements = events.filter(isStatement)
  return inOrder(statements).map(({ kind, amount, facts }) => {
    amounts.set(facts.stated.item, kind === 'REVERSAL' ? 0n : amount)
    return sumOf([...amounts.values()])
  })
}

function isStatement(event: SourceEvent): event is Statement {
  return event.facts.stated !== undefined
}

/** Rejected items count for nothing beside others; a sale that was rejected whole is what it was, and the reversal of that. */
function saleOf(statements: readonly Statement[], timeZone: string): SourceEvent[] {
  const [base] = statements
  if (base === undefined) return []
  const items = [...Map.groupBy(statements, ({ facts }) => facts.stated.item).values()].map(itemOf)
  const standing = items.filter(({ isRejected }) => !isRejected)
  const isRejected = standing.length === 0
  const bought = isRejected ? items : standing
  const approved = bought.filter(({ isApproved }) => isApproved)
  const last = approved.length > 0 ? 'CLEARING' : 'AUTHORIZATION'
  const idOf = (kind: EventKind): string => `${base.originalExternalId}:${kind}`
  const event = (kind: EventKind, parts: readonly Item[], occurredAt: Date, originalExternalId: string | null) => ({
    ...{ ...base, kind, occurredAt, externalId: idOf(kind), originalExternalId },
    amount: sumOf(parts.map(({ amount }) => amount)),
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

function itemOf(statements: readonly Statement[]): Item {
  const ordered = inOrder(statements)
  const newest = ordered.at(-1)
  const last = ordered.findLast(({ kind }) => kind !== 'REVERSAL')
  const before = last === undefined ? [] : ordered.slice(0, ordered.indexOf(last))
  const approvals = before.slice(before.findLastIndex(({ kind }) => kind !== 'CLEARING') + 1)
  const statedAt = newest?.occurredAt ?? new Date(0)
  return {
    amount: last?.amount ?? 0n,
    isApproved: last?.kind === 'CLEARING',
    isRejected: newest?.kind === 'REVERSAL',
    approvedAt: (approvals[0] ?? last)?.occurredAt ?? statedAt,
    statedAt,
  }
}

/**
 * The statements of one item, the newest last. What dates them is the first of these that all of them have: the time at
 * which the network made them, or the date that they carry. Where that tells nothing, a pending that comes after an
 * approval or a rejection is a late one, and the others count in the order of receipt.
 */
function inOrder(statements: readonly Statement[]): Statement[] {
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

/** A sale was made when the first of its dates says, and not after anything was stated of it. */
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

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n)
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(0, ...dates.map((date) => date.getTime())))
}
