import type { UserId } from '../platform/ids.ts'
import type { Slot } from './budget-queries.ts'
import type { BudgetKey } from './budgets.ts'

// As many as let the writers of one process pass each other: its pool of connections.
const SLOTS_MAX = 16
// A slot that holds this many purchases is seldom found empty while others are full.
const PURCHASES_PER_SLOT = 16n

/** How many slots an amount is worth spreading over, where one purchase needs this much. */
export function slotCount(amount: bigint, need: bigint): number {
  const worth = need > 0n ? amount / (need * PURCHASES_PER_SLOT) : 1n
  return worth >= BigInt(SLOTS_MAX) ? SLOTS_MAX : worth < 1n ? 1 : Number(worth)
}

/** Where a user's purchases are taken from as long as there is enough. Users' ids are hashes. */
export function slotOf(userId: UserId, slots: number): number {
  return Number.parseInt(userId.slice(-8), 16) % slots
}

/**
 * An amount over the slots in use; the others hold nothing. Less than nothing, after a budget was lowered, lies in the first
 * one, and all are marked, so that what is freed in another slot is not spent.
 */
export function spreadOver(key: BudgetKey, total: bigint, used: number, present: number): Slot[] {
  const isOverspent = total < 0n
  const share = isOverspent ? 0n : total / BigInt(used)
  const rest = total - share * BigInt(used)
  return Array.from({ length: Math.max(used, present) }, (_, slot) => ({
    offerUid: key.offerUid,
    environment: key.environment,
    period: key.period,
    startsOn: key.startsOn,
    slot,
    unspent: (slot < used ? share : 0n) + (slot === 0 ? rest : 0n),
    isOverspent,
  }))
}
