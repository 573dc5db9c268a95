import { type Month, monthsBetween } from '../month-rules.ts'

/** The part of an advertiser's charges for one month that is still open. */
type OpenMonth = { readonly month: Month; readonly amount: bigint }
export type Open = { readonly months: readonly OpenMonth[]; readonly credit: bigint }

export const nothingOpen: Open = { months: [], credit: 0n }

/** The months that a payment settled, and the amount left over. */
export type Matched = { readonly matched: readonly OpenMonth[]; readonly unmatched: bigint }

/**
 * Adds a month's net charges, after reversals and moves. A positive amount first uses up any credit, and the rest is
 * owed for that month. A negative amount reduces what is owed for the oldest months.
 */
export function charge(open: Open, month: Month, net: bigint): { readonly open: Open; readonly creditUsed: bigint } {
  if (net < 0n) return { open: settle(open, -net).open, creditUsed: 0n }
  const creditUsed = net < open.credit ? net : open.credit
  return { open: owed({ ...open, credit: open.credit - creditUsed }, month, net - creditUsed), creditUsed }
}

/**
 * Applies a payment to the oldest months first and leaves any excess as a credit. The amount of a reversed payment is
 * owed again, for the month of the reversal.
 */
export function pay(open: Open, month: Month, amount: bigint): Matched & { readonly open: Open } {
  if (amount < 0n) return { open: charge(open, month, -amount).open, matched: [], unmatched: 0n }
  return settle(open, amount)
}

function settle({ months, credit }: Open, amount: bigint): Matched & { readonly open: Open } {
  let left = amount
  const matched: OpenMonth[] = []
  const still: OpenMonth[] = []
  for (const one of months) {
    const taken = left < one.amount ? left : one.amount
    left -= taken
    if (taken > 0n) matched.push({ month: one.month, amount: taken })
    if (taken < one.amount) still.push({ month: one.month, amount: one.amount - taken })
  }
  return { open: { months: still, credit: credit + left }, matched, unmatched: left }
}

function owed({ months, credit }: Open, month: Month, amount: bigint): Open {
  if (amount === 0n) return { months, credit }
  const before = months.find((one) => one.month === month)?.amount ?? 0n
  return { months: [...months.filter((one) => one.month !== month), { month, amount: before + amount }], credit }
}

/**
 * Groups open amounts by age at the end of a month, counting 30 days per month: current, 1-30, 31-60, 61-90, over 90.
 */
export function sumByAge({ months }: Open, month: Month): [bigint, bigint, bigint, bigint, bigint] {
  const sums: [bigint, bigint, bigint, bigint, bigint] = [0n, 0n, 0n, 0n, 0n]
  for (const one of months) {
    const age = Math.min(monthsBetween(one.month, month), 4) as 0 | 1 | 2 | 3 | 4
    sums[age] += one.amount
  }
  return sums
}
