import type { Day } from '../../platform/calendar.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Period } from '../catalog/index.ts'
import type { Taken } from '../offers/index.ts'
import type { Holder } from './budgets.ts'
import { findPeriodStart } from './periods.ts'

/** The part of an allowance that a purchase has taken. A purchase that earns nothing holds nothing. */
export type Hold = Holder & {
  readonly offerUid: string
  readonly kind: 'use' | 'user_limit' | 'budget' | 'code'
  /** `use` and `code`: LIFETIME. `user_limit`: DAY. `budget`: the period of the budget. */
  readonly period: Period
  /**
   * `user_limit`: the day of the purchase in the publisher's time zone. `budget`: the first day of the period, in UTC.
   */
  readonly startsOn: Day
  /**
   * `use` and `code`: 1. `user_limit`: the user's part of the reward. `budget`: the commission. Both are in minor
   * units.
   */
  readonly amount: bigint
  /**
   * The commission that was still available to the purchase, in minor units; null unless this amount capped the reward.
   */
  readonly mostGross: bigint | null
  readonly codeId: string | null
}

export type HoldIndex = ReturnType<typeof indexHolds>

/** Indexes holds by purchase, and by user and offer with their totals for a period. */
export function indexHolds(holds: readonly Hold[]) {
  const byHolder = new Map<string, Hold[]>()
  const uses = new Map<string, Hold>()
  const codes = new Map<string, Hold>()
  const limited = new Map<string, Set<Hold>>()
  const offerKey = (userId: UserId, offerUid: string): string => `${userId} ${offerUid}`
  const add = (hold: Hold): void => {
    byHolder.set(holderKey(hold), [...(byHolder.get(holderKey(hold)) ?? []), hold])
    const key = offerKey(hold.userId, hold.offerUid)
    if (hold.kind === 'use') uses.set(key, hold)
    if (hold.codeId !== null) codes.set(hold.codeId, hold)
    if (hold.kind === 'user_limit') limited.set(key, (limited.get(key) ?? new Set()).add(hold))
  }
  for (const hold of holds) add(hold)
  return {
    add,
    removeHolds: (holder: Holder): Hold[] => {
      const removed = byHolder.get(holderKey(holder)) ?? []
      byHolder.delete(holderKey(holder))
      for (const hold of removed) {
        const key = offerKey(hold.userId, hold.offerUid)
        if (uses.get(key) === hold) uses.delete(key)
        if (hold.codeId !== null) codes.delete(hold.codeId)
        limited.get(key)?.delete(hold)
      }
      return removed
    },
    findUse: (userId: UserId, offerUid: string) => uses.get(offerKey(userId, offerUid)),
    findCode: (codeId: string) => codes.get(codeId),
    takenIn: (userId: UserId, offerUid: string, period: Period, day: Day): Taken => {
      const start = findPeriodStart(period, day)
      let [count, reward] = [0, 0n]
      for (const hold of limited.get(offerKey(userId, offerUid)) ?? []) {
        if (findPeriodStart(period, hold.startsOn) !== start) continue
        count++
        reward += hold.amount
      }
      return { uses: count, reward }
    },
    changes: (before: readonly Hold[]) => {
      const now = new Map([...byHolder.values()].flat().map((hold) => [holdKey(hold), hold]))
      const then = new Map(before.map((hold) => [holdKey(hold), hold]))
      return {
        freed: before.filter((hold) => !isSame(hold, now.get(holdKey(hold)))),
        taken: [...now.values()].filter((hold) => !isSame(hold, then.get(holdKey(hold)))),
      }
    },
  }
}

const holderKey = ({ userId, transactionId }: Holder): string => `${userId} ${transactionId}`
const holdKey = (hold: Hold): string => `${holderKey(hold)} ${hold.kind} ${hold.period}`

export function isHeldBy(hold: Hold, { userId, transactionId }: Holder): boolean {
  return hold.transactionId === transactionId && hold.userId === userId
}

function isSame(a: Hold, b: Hold | undefined): boolean {
  return (
    a.offerUid === b?.offerUid &&
    a.startsOn === b.startsOn &&
    a.amount === b.amount &&
    a.mostGross === b.mostGross &&
    a.codeId === b.codeId
  )
}
