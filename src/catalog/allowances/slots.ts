import type { UserId } from '../../platform/ids.ts'
import type { Slot } from './budget-queries.ts'
import type { BudgetKey } from './budgets.ts'

// A process decides purchases on fewer connections than this, so its writers rarely wait for each other.
const SLOTS_MAX = 16
// A slot with room for this many purchases is rarely empty while others are full.
const PURCHASES_PER_SLOT = 16n

/**
 * Returns the number of slots for an amount.
 * @param need the approximate amount one purchase takes
 */
export function computeSlotCount(amount: bigint, need: bigint): number {
  const worth = need > 0n ? amount / (need * PURCHASES_PER_SLOT) : 1n
  return worth >= BigInt(SLOTS_MAX) ? SLOTS_MAX : worth < 1n ? 1 : Number(worth)
}

/** Returns a user's slot. User ids are hashes, so they are distributed evenly. */
export function toSlot(userId: UserId, slots: number): number {
  return Number.parseInt(userId.slice(-8), 16) % slots
}

/**
 * Spreads an amount over the used slots. A negative amount, left when a budget was lowered, goes into the first slot,
 * and all slots are marked as overspent so that nothing returned to another slot is spent.
 */
export function spreadOverSlots(key: BudgetKey, total: bigint, used: number, present: number): Slot[] {
  const isOverspent = total < 0n
  const share = isOverspent ? 0n : total / BigInt(used)
  const rest = total - share * BigInt(used)
  return Array.from({ length: Math.max(used, present) }, (_, slot) => ({
    ...key,
    slot,
    unspent: (slot < used ? share : 0n) + (slot === 0 ? rest : 0n),
    isOverspent,
  }))
}
