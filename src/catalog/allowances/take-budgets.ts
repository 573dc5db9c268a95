import { type Tx, withSavepoint } from '../../platform/db/database.ts'
import * as queries from './budget-queries.ts'
import { type BudgetKey, type BudgetState, computeRaise, nameBudget, type OfferBudget, type Take } from './budgets.ts'
import { computeSlotCount, spreadOverSlots, toSlot } from './slots.ts'

/**
 * Takes purchases' commission from their offers' budgets, or gives it back. Never takes more than is left. Call it late
 * in a transaction, because other transactions that spend from the same slots wait for the commit.
 *
 * Each user has a slot. If it has enough left, only that slot is locked. Otherwise, the whole budget is locked, the
 * amount is taken from all slots, and the remainder is spread over them again. The locks of the first attempt are
 * released before that, so that locks are always taken in the same order: budgets by name, then slots by name.
 *
 * @param states as read without a lock; used only to choose the budgets to open and the slots to try.
 * @returns false if too little is left. The caller must then roll back.
 */
export async function takeFromBudgets(
  tx: Tx,
  takes: readonly Take[],
  states: readonly BudgetState[],
): Promise<boolean> {
  if (takes.length === 0) return true
  const budgets = mergeTakes(takes, states)
  return (
    (await withSavepoint(tx, 'own_slots', () => takeFromOwnSlots(tx, takes, budgets))) ||
    (await takeFromAll(tx, budgets))
  )
}

/**
 * Locks budgets until the commit and returns their exact state. Opens and locks all of them in one go, because locking
 * some later could deadlock.
 *
 * @param need the approximate amount one purchase takes.
 */
export async function lockWholeBudgets(
  tx: Tx,
  keys: readonly BudgetKey[],
  { offered, states, need }: { offered: readonly OfferBudget[]; states: readonly BudgetState[]; need: bigint },
): Promise<BudgetState[]> {
  const known = new Set(states.map(nameBudget))
  const missing = new Map(offered.filter((one) => !known.has(nameBudget(one))).map((one) => [nameBudget(one), one]))
  const opened = [...missing.values()].map((one) => ({ ...one, need, state: undefined }))
  await openMissing(tx, opened)
  const locked = await queries.lockBudgets(tx, keys)
  const slots = Map.groupBy(await queries.lockSlots(tx, keys), nameBudget)
  return locked.map((one) => ({ ...one, unspent: sumUnspent(slots.get(nameBudget(one)) ?? []) }))
}

/** The amounts a batch takes from one budget. */
type Wanted = OfferBudget & {
  readonly takes: readonly Take[]
  /** Negative if more is given back than taken. */
  readonly net: bigint
  /** The approximate amount one purchase takes. */
  readonly need: bigint
  readonly state: BudgetState | undefined
}

function mergeTakes(takes: readonly Take[], states: readonly BudgetState[]): Wanted[] {
  const known = new Map(states.map((state) => [nameBudget(state), state]))
  return [...Map.groupBy(takes, nameBudget)].map(([name, of]) => {
    const newest = of.reduce((a, b) => (b.offerVersion > a.offerVersion ? b : a))
    const net = of.reduce((sum, one) => sum + one.amount, 0n)
    const need = of.reduce((most, { amount }) => (amount > most ? amount : most), 0n)
    return { ...newest, takes: of, net, need, state: known.get(name) }
  })
}

async function takeFromOwnSlots(tx: Tx, takes: readonly Take[], budgets: readonly Wanted[]): Promise<boolean> {
  if (
    budgets.some(({ state, ...one }) => state !== undefined && computeRaise(one.budget, one.offerVersion, state) !== 0n)
  )
    return false
  await openMissing(tx, budgets)
  const counts = new Map(
    budgets.map((one) => [nameBudget(one), one.state?.slots ?? computeSlotCount(one.budget, one.need)]),
  )
  const wanted = new Map<string, BudgetKey & { readonly slot: number; readonly amount: bigint }>()
  for (const take of takes) {
    const slot = toSlot(take.userId, counts.get(nameBudget(take)) ?? 1)
    const name = `${nameBudget(take)} ${slot}`
    wanted.set(name, { ...take, slot, amount: (wanted.get(name)?.amount ?? 0n) + take.amount })
  }
  const locked = await queries.lockSlots(tx, [...wanted.values()])
  const taken = locked.map((slot) => ({
    ...slot,
    unspent: slot.unspent - (wanted.get(`${nameBudget(slot)} ${slot.slot}`)?.amount ?? 0n),
  }))
  if (taken.length < wanted.size || taken.some((slot) => slot.isOverspent || slot.unspent < 0n)) return false
  await queries.writeSlots(tx, taken)
  return true
}

async function takeFromAll(tx: Tx, budgets: readonly Wanted[]): Promise<boolean> {
  await openMissing(tx, budgets)
  const locked = new Map((await queries.lockBudgets(tx, budgets)).map((one) => [nameBudget(one), one]))
  const slots = Map.groupBy(await queries.lockSlots(tx, budgets), nameBudget)
  const after = budgets.map((wanted) => {
    const kept = locked.get(nameBudget(wanted))
    if (kept === undefined) throw new Error('an open budget is missing')
    const raised = computeRaise(wanted.budget, wanted.offerVersion, kept)
    const present = slots.get(nameBudget(wanted)) ?? []
    const unspent = sumUnspent(present) + raised - wanted.net
    const used = wanted.need > 0n ? computeSlotCount(unspent, wanted.need) : kept.slots
    const offerVersion = raised === 0n ? kept.offerVersion : wanted.offerVersion
    const after = { ...kept, amount: kept.amount + raised, offerVersion, slots: used }
    return { wanted, unspent, present: present.length, kept: after }
  })
  if (after.some(({ wanted, unspent }) => wanted.net > 0n && unspent < 0n)) return false
  await queries.writeBudgets(
    tx,
    after.map((one) => one.kept),
  )
  await queries.writeSlots(
    tx,
    after.flatMap(({ kept, unspent, present }) => spreadOverSlots(kept, unspent, kept.slots, present)),
  )
  return true
}

async function openMissing(tx: Tx, budgets: readonly (OfferBudget & Pick<Wanted, 'need' | 'state'>)[]): Promise<void> {
  const missing = budgets.filter((one) => one.state === undefined)
  if (missing.length === 0) return
  const opened = missing.map((one) => ({ ...one, amount: one.budget, slots: computeSlotCount(one.budget, one.need) }))
  await queries.openBudgetSlots(
    tx,
    opened,
    opened.flatMap((one) => spreadOverSlots(one, one.amount, one.slots, 0)),
  )
}

function sumUnspent(slots: readonly { readonly unspent: bigint }[]): bigint {
  return slots.reduce((sum, slot) => sum + slot.unspent, 0n)
}
