import { decimalText, ppmToPercent, shareFloor, shareHalfUp } from '../platform/money.ts'
import type { Terms, TermsGroup } from './terms.ts'

/** The amounts of a reward in minor units: gross = user + publisher + fee + discount. */
export type Amounts = {
  readonly gross: bigint
  readonly user: bigint
  readonly publisher: bigint
  readonly fee: bigint
  /** What a DISCOUNT reward gave at the till: recorded, never credited. */
  readonly discount: bigint
}
export const noAmounts: Amounts = { gross: 0n, user: 0n, publisher: 0n, fee: 0n, discount: 0n }

export type Target = {
  readonly amounts: Amounts
  /** Why nothing is owed, or null. */
  readonly reason: 'below_min_spend' | 'no_commission_group' | 'no_reward_value' | null
  readonly arithmetic: Arithmetic
}

/** The steps from the purchase to the cent, as the trace shows them; amounts are decimal texts of major units. */
export type Arithmetic = {
  readonly amount: string
  readonly refunded: string
  readonly eligible_amount: string
  readonly min_spend: string | null
  readonly max_spend: string | null
  readonly commission_group: string | null
  readonly rate_percent: number | null
  readonly fixed_amount: string | null
  readonly gross: string
  readonly fee_percent: number
  readonly fee: string
  readonly share_percent: number
  readonly publisher_share: string
  readonly user_reward: string
}

/**
 * What the frozen terms owe for a purchase as it stands. The same input always gives the same answer, so posting the
 * difference to what is posted converges whatever happened before. Rounding happens once, on the gross, half up; fee and
 * share are floors of it and the user gets the rest, so the parts always add up.
 * The commission group follows from the purchase before refunds: giving goods back does not move it to another tier.
 */
export function targetOf(terms: Terms, purchase: { readonly amount: bigint; readonly refunded: bigint }): Target {
  const left = purchase.amount - purchase.refunded
  const cap = terms.maxSpend === null ? left : BigInt(terms.maxSpend)
  const eligible = left < cap ? left : cap
  const group = payingGroup(terms, purchase.amount, eligible)
  const met = left > 0n && (terms.minSpend === null || left >= BigInt(terms.minSpend))
  const gross = group !== null && met ? grossOf(group, eligible) : 0n
  const amounts = splitOf(terms, gross)
  const text = (minor: bigint): string => decimalText(minor, terms.currency)
  return {
    amounts,
    reason: !met ? 'below_min_spend' : group === null ? 'no_commission_group' : gross === 0n ? 'no_reward_value' : null,
    arithmetic: {
      amount: text(purchase.amount),
      refunded: text(purchase.refunded),
      eligible_amount: text(met ? eligible : 0n),
      min_spend: terms.minSpend === null ? null : text(BigInt(terms.minSpend)),
      max_spend: terms.maxSpend === null ? null : text(cap),
      commission_group: group?.name ?? null,
      rate_percent: group?.ratePpm == null ? null : ppmToPercent(group.ratePpm),
      fixed_amount: group?.amount == null ? null : text(BigInt(group.amount)),
      gross: text(gross),
      fee_percent: ppmToPercent(terms.feePpm),
      fee: text(amounts.fee),
      share_percent: ppmToPercent(terms.sharePpm),
      publisher_share: text(amounts.publisher),
      user_reward: text(amounts.user + amounts.discount),
    },
  }
}

export function splitOf(terms: Pick<Terms, 'feePpm' | 'sharePpm' | 'rewardType'>, gross: bigint): Amounts {
  const fee = shareFloor(gross, BigInt(terms.feePpm))
  const publisher = shareFloor(gross, BigInt(terms.sharePpm))
  const rest = gross - fee - publisher
  const atTheTill = terms.rewardType === 'DISCOUNT_DOLLAR' || terms.rewardType === 'DISCOUNT_PERCENTAGE'
  return { gross, user: atTheTill ? 0n : rest, publisher, fee, discount: atTheTill ? rest : 0n }
}

/** Of the groups whose bounds hold the amount, the one that pays most; the first of equals. */
function payingGroup(terms: Terms, amount: bigint, eligible: bigint): TermsGroup | null {
  let best: TermsGroup | null = null
  for (const group of terms.groups) {
    const fits =
      (group.minAmount === null || amount >= BigInt(group.minAmount)) &&
      (group.maxAmount === null || amount <= BigInt(group.maxAmount))
    if (fits && (best === null || grossOf(group, eligible) > grossOf(best, eligible))) best = group
  }
  return best
}

function grossOf(group: TermsGroup, eligible: bigint): bigint {
  return group.amount !== null ? BigInt(group.amount) : shareHalfUp(eligible, BigInt(group.ratePpm ?? 0))
}

export function minus(a: Amounts, b: Amounts): Amounts {
  return {
    gross: a.gross - b.gross,
    user: a.user - b.user,
    publisher: a.publisher - b.publisher,
    fee: a.fee - b.fee,
    discount: a.discount - b.discount,
  }
}

export function isNothing(amounts: Amounts): boolean {
  return (
    amounts.gross === 0n &&
    amounts.user === 0n &&
    amounts.publisher === 0n &&
    amounts.fee === 0n &&
    amounts.discount === 0n
  )
}
