import { formatDecimal, PPM } from '../../platform/money.ts'
import { type Amounts, type Arithmetic, type computeTarget, showSplit, splitGross } from './amounts.ts'
import type { Terms } from './terms.ts'

/** The highest commission a reward may have, in minor units, and why it is below what the terms provide. */
export type Bound = { readonly gross: bigint; readonly reason: BoundReason }
export type BoundReason = 'user_limit_reached' | 'budget_exhausted' | 'voucher_code_used'

type BoundedTarget = {
  readonly amounts: Amounts
  readonly reason: BoundReason | ReturnType<typeof computeTarget>['reason']
  readonly arithmetic: BoundedArithmetic
}
/** The calculation, including the step that applies a bound. */
export type BoundedArithmetic = Arithmetic & { readonly limited_by?: LimitedBy; readonly limited_to?: string }

const LIMITED_BY = {
  user_limit_reached: 'user_limit',
  budget_exhausted: 'budget_left',
  voucher_code_used: 'voucher_code',
} as const satisfies Record<BoundReason, string>
export type LimitedBy = (typeof LIMITED_BY)[BoundReason]

/** Applies the bound to the target: caps the gross, then recomputes fee and share from it. */
export function applyBound(terms: Terms, target: ReturnType<typeof computeTarget>, bound: Bound | null): BoundedTarget {
  if (bound === null || target.amounts.gross <= bound.gross) return target
  const amounts = splitGross(terms, bound.gross)
  return {
    amounts,
    reason: bound.gross === 0n ? bound.reason : target.reason,
    arithmetic: {
      ...target.arithmetic,
      limited_by: LIMITED_BY[bound.reason],
      limited_to: formatDecimal(bound.gross, terms.currency),
      ...showSplit(terms, amounts),
    },
  }
}

/** Returns the highest commission, up to `gross`, that keeps the user's part within `userPart`. Minor units. */
export function capGross(
  terms: Pick<Terms, 'feePpm' | 'sharePpm' | 'rewardType'>,
  gross: bigint,
  userPart: bigint,
): bigint {
  const userPpm = PPM - BigInt(terms.feePpm) - BigInt(terms.sharePpm)
  // The user gets at least their rate of the gross, because the other parts are rounded down.
  const most = userPpm > 0n ? (userPart * PPM) / userPpm : gross
  let found = most < gross ? most : gross
  for (;;) {
    const { user, discount } = splitGross(terms, found)
    const above = user + discount - userPart
    if (above <= 0n) return found
    // Lowering the gross by one unit lowers the user's part by at most one, so the loop neither skips the answer nor
    // drops below zero.
    found -= above
  }
}
