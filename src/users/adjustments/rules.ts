import type { Balances } from '../../ledger/index.ts'
import type { MoneyLimits } from '../../tenants/publishers/index.ts'

/**
 * A person proposes an adjustment. Up to the publisher's limit, it is booked immediately. Above the limit, and for
 * every write-off, another person must book or decline it.
 */
export const ADJUSTMENT_STATUSES = ['proposed', 'booked', 'declined'] as const

/** Goodwill only adds money. A correction adds or deducts it. A write-off forgives a debt. */
export const ADJUSTMENT_KINDS = ['goodwill', 'correction', 'write_off'] as const
type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

/** The party that pays for an adjustment. */
export const PAYERS = ['service', 'publisher'] as const
type PaidBy = (typeof PAYERS)[number]

export type AdjustmentFault = 'adjustment_invalid' | 'adjustment_too_large'

type Asked = { readonly kind: AdjustmentKind; readonly paidBy: PaidBy; readonly amount: bigint }

/** Returns the reason the adjustment cannot be booked for a user with these balances; null if it can. */
export function findAdjustmentFault(
  { kind, paidBy, amount }: Asked,
  { available, debt }: Balances,
): AdjustmentFault | null {
  if (amount === 0n || (kind !== 'correction' && amount < 0n)) return 'adjustment_invalid'
  if (kind === 'write_off')
    return paidBy === 'publisher' ? 'adjustment_invalid' : amount > debt ? 'adjustment_too_large' : null
  return amount < 0n && -amount > available ? 'adjustment_too_large' : null
}

/**
 * Returns true if someone other than the proposer must approve. Includes everything that the proposer has given to any
 * user without approval in this currency on the same day, so that the limit cannot be circumvented with small amounts.
 */
export function needsAnother(
  { kind, amount }: Asked,
  givenAlone: bigint,
  { adjustmentAloneMax }: Pick<MoneyLimits, 'adjustmentAloneMax'>,
): boolean {
  const size = amount < 0n ? -amount : amount
  return kind === 'write_off' || givenAlone + size > adjustmentAloneMax
}
