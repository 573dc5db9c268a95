import { startOfDay } from '../../platform/calendar.ts'
import type { EventKind, SaleStatement, SourceEvent } from './event.ts'

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
 * or approved, a clearing of what is or was approved, a reversal of what was rejected. A state is stated, not added: of
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
  return inOrder(events.filter(isStatement)).map(({ kind, amount, facts }) => {
    amounts.set(facts.stated.item, kind === 'REVERSAL' ? 0n : amount)
    return sumOf([...amounts.values()])
  })
}

function isStatement(event: SourceEvent): event is Statement {
  return event.facts.stated !== undefined
}

function saleOf(statements: readonly Statement[], timeZone: string): SourceEvent[] {
  const items = [...Map.groupBy(statements, ({ facts }) => facts.stated.item).values()].map(itemOf)
  const approved = items.filter(({ isApproved }) => isApproved)
  const standing = items.filter(({ isRejected, isApproved }) => isApproved || !isRejected)
  // Items that were rejected while pending count for nothing beside others; alone they are a hold that was reversed.
  const isVoid = standing.length === 0
  const bought = isVoid ? items : standing
  const rejected = isVoid ? items : approved.filter(({ isRejected }) => isRejected)
  const cleared = approved.some(({ isRejected }) => !isRejected) ? approved.filter((one) => !one.isRejected) : approved
  const [base] = statements
  if (base === undefined) return []
  const sold = soldOf(statements, timeZone)
  const name = (kind: EventKind): string => `${base.originalExternalId}:${kind}`
  const event = (kind: EventKind, parts: readonly Item[], occurredAt: Date, original: string | null): SourceEvent[] =>
    parts.length === 0
      ? []
      : [
          {
            ...{ ...base, kind, occurredAt, externalId: name(kind), originalExternalId: original },
            ...{
              amount: sumOf(parts.map(({ amount }) => amount)),
              dateOnly: kind === 'AUTHORIZATION' && sold.dateOnly,
            },
          },
        ]
  return [
    ...event('AUTHORIZATION', bought, sold.at, base.originalExternalId),
    ...event('CLEARING', approved, latest(cleared.map(({ approvedAt }) => approvedAt)), name('AUTHORIZATION')),
    ...event(
      'REVERSAL',
      rejected,
      latest(rejected.map(({ statedAt }) => statedAt)),
      name(isVoid ? 'AUTHORIZATION' : 'CLEARING'),
    ),
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
