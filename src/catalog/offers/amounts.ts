import { floorShare, formatDecimal, formatProduct, ppmToPercent, roundHalfUp } from '../../platform/money.ts'
import type { Goods } from './goods.ts'
import { divideIntoParts, type Part, showPart } from './parts.ts'
import type { Terms } from './terms.ts'

/** The parts of a reward in minor units: gross = user + publisher + fee + discount. */
export type Amounts = {
  readonly gross: bigint
  readonly user: bigint
  readonly publisher: bigint
  readonly fee: bigint
  /** The reward of a DISCOUNT offer. The till already deducted it, so it is recorded but not credited. */
  readonly discount: bigint
}
export const noAmounts: Amounts = { gross: 0n, user: 0n, publisher: 0n, fee: 0n, discount: 0n }

type Target = {
  readonly amounts: Amounts
  /** The reason nothing is owed; null if something is. */
  readonly reason: 'below_min_spend' | 'no_commission_group' | 'no_reward_value' | null
  readonly arithmetic: Arithmetic
}

/**
 * Computes what is owed for a purchase under its frozen terms. Because the function is pure, repeatedly posting the
 * difference between its result and what is already posted converges. Sums the parts of the commission groups unrounded
 * and rounds the gross half up once. Rounds the fee and the share down and gives the user the remainder, so the split
 * always adds up.
 */
export function computeTarget(terms: Terms, purchase: Goods): Target {
  const left = purchase.amount - purchase.refunded
  const met = left > 0n && (terms.minSpend === null || left >= BigInt(terms.minSpend))
  const parts = met ? divideIntoParts(terms, purchase) : []
  const product = parts.reduce((sum, part) => sum + part.product, 0n)
  const amounts = splitGross(terms, roundHalfUp(product))
  const isPaid = parts.some(({ group }) => group !== null)
  return {
    amounts,
    reason: !met
      ? 'below_min_spend'
      : !isPaid
        ? 'no_commission_group'
        : amounts.gross === 0n
          ? 'no_reward_value'
          : null,
    arithmetic: buildArithmetic(terms, purchase, { parts, product, amounts }),
  }
}

type Reckoned = { readonly parts: readonly Part[]; readonly product: bigint; readonly amounts: Amounts }

/** The calculation from purchase to reward, as displayed in the trace. Amounts are decimal text in major units. */
export type Arithmetic = ReturnType<typeof buildArithmetic>

function buildArithmetic(terms: Terms, purchase: Goods, { parts, product, amounts }: Reckoned) {
  const text = (minor: bigint): string => formatDecimal(minor, terms.currency)
  const shown = parts.map((part) => showPart(part, terms.currency))
  const paying = shown.filter((_part, index) => (parts[index]?.product ?? 0n) > 0n)
  const only = paying.length === 1 ? paying[0] : undefined
  const named = paying.flatMap((part) => part.commission_group ?? [])
  return {
    amount: text(purchase.amount),
    refunded: text(purchase.refunded),
    eligible_amount: text(parts.reduce((sum, { eligible }) => sum + eligible, 0n)),
    min_spend: terms.minSpend === null ? null : text(BigInt(terms.minSpend)),
    max_spend: terms.maxSpend === null ? null : text(BigInt(terms.maxSpend)),
    // One part per commission group, best rate first.
    parts: shown,
    commission_group: named.length === 0 ? null : named.join(', '),
    rate_percent: only?.rate_percent ?? null,
    fixed_amount: only?.fixed_amount ?? null,
    // The sum of the parts, before rounding half up to the gross.
    unrounded: formatProduct(product, terms.currency),
    gross: text(amounts.gross),
    ...showSplit(terms, amounts),
  }
}

/** Shows the split of the gross: fee and share before and after rounding down, and the remainder for the user. */
export function showSplit({ feePpm, sharePpm, currency }: Terms, amounts: Amounts) {
  return {
    fee_percent: ppmToPercent(feePpm),
    fee_unrounded: formatProduct(amounts.gross * BigInt(feePpm), currency),
    fee: formatDecimal(amounts.fee, currency),
    share_percent: ppmToPercent(sharePpm),
    publisher_share_unrounded: formatProduct(amounts.gross * BigInt(sharePpm), currency),
    publisher_share: formatDecimal(amounts.publisher, currency),
    user_reward: formatDecimal(amounts.user + amounts.discount, currency),
  }
}

export function splitGross(terms: Pick<Terms, 'feePpm' | 'sharePpm' | 'rewardType'>, gross: bigint): Amounts {
  const fee = floorShare(gross, BigInt(terms.feePpm))
  const publisher = floorShare(gross, BigInt(terms.sharePpm))
  const rest = gross - fee - publisher
  const atTheTill = terms.rewardType === 'DISCOUNT_DOLLAR' || terms.rewardType === 'DISCOUNT_PERCENTAGE'
  return { gross, user: atTheTill ? 0n : rest, publisher, fee, discount: atTheTill ? rest : 0n }
}

export function plus(a: Amounts, b: Amounts): Amounts {
  return minus(a, minus(noAmounts, b))
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

/** Splits a change into increases and decreases, because recomputing can raise one party's part and lower another's. */
export function splitBySign(change: Amounts): { readonly risen: Amounts; readonly fallen: Amounts } {
  return { risen: pickParts(change, (part) => part > 0n), fallen: pickParts(change, (part) => part < 0n) }
}

function pickParts(amounts: Amounts, isIn: (part: bigint) => boolean): Amounts {
  const part = (amount: bigint): bigint => (isIn(amount) ? amount : 0n)
  const [user, publisher] = [part(amounts.user), part(amounts.publisher)]
  const [fee, discount] = [part(amounts.fee), part(amounts.discount)]
  return { gross: user + publisher + fee + discount, user, publisher, fee, discount }
}

export function isNothing(amounts: Amounts): boolean {
  return Object.values(amounts).every((amount) => amount === 0n)
}
