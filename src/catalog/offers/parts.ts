import { formatDecimal, formatProduct, PPM, ppmToPercent } from '../../platform/money.ts'
import { assignPortions, type Goods, getWorth, type Portion } from './goods.ts'
import { fitsAmount } from './rules-goods.ts'
import type { Terms, TermsGroup } from './terms.ts'

/** The part of a purchase rewarded by one commission group. Minor units. */
export type Part = {
  /** Null if these goods earn nothing. */
  readonly group: TermsGroup | null
  /** Names of the line items; empty for an amount that is not itemized. */
  readonly items: readonly string[]
  /** The amount after refunds, and how much of it fits within max_spend. */
  readonly left: bigint
  readonly eligible: bigint
  /** The commission before rounding, in millionths of a minor unit. */
  readonly product: bigint
}

/**
 * Divides what is left of a purchase after refunds among the groups of its terms, best-paying first. Rates apply up to
 * max_spend, and the highest-paying goods use it up first. Raising the cap therefore never lowers a reward, and no
 * reward exceeds the cap times the best rate. A fixed amount is paid once, by the best-paying group with goods.
 */
export function divideIntoParts(terms: Terms, goods: Goods): Part[] {
  const applying = terms.groups.filter((group) => isForCustomer(terms, group) && fitsAmount(group, goods.amount))
  const portions = assignPortions(applying, goods).filter(({ left }) => left > 0n)
  const byGroup = bestFirst(applying, portions)
  let within = terms.maxSpend === null ? null : BigInt(terms.maxSpend)
  return byGroup.map(({ group, some }, index) => {
    const left = some.reduce((sum, portion) => sum + portion.left, 0n)
    const eligible = group === null ? 0n : within === null || left < within ? left : within
    if (within !== null) within -= eligible
    return { group, items: toNames(some), left, eligible, product: computeProduct(group, eligible, index) }
  })
}

type GroupPortions = { readonly group: TermsGroup | null; readonly some: readonly Portion<TermsGroup>[] }

/** Ranks groups by what they pay. Groups that pay the same amount keep their order, and unpaid goods come last. */
function bestFirst(groups: readonly TermsGroup[], portions: readonly Portion<TermsGroup>[]): GroupPortions[] {
  if (portions.length === 1) return portions.map(({ group }) => ({ group, some: portions }))
  const ranked = [...groups.toSorted((a, b) => Number(getWorth(b) - getWorth(a))), null]
  return ranked.flatMap((group) => {
    const some = portions.filter((portion) => portion.group === group)
    return some.length === 0 ? [] : [{ group, some }]
  })
}

/** Computes a part's commission before rounding. For fixed amounts, only the first and best-paying group pays. */
function computeProduct(group: TermsGroup | null, eligible: bigint, index: number): bigint {
  if (group === null) return 0n
  if (group.amount !== null) return index === 0 ? BigInt(group.amount) * PPM : 0n
  return eligible * BigInt(group.ratePpm ?? 0)
}

function isForCustomer({ customer }: Terms, group: TermsGroup): boolean {
  return group.customer === undefined || customer?.kinds.includes(group.customer) === true
}

// The trace is read by people, who gain nothing from hundreds of item names.
const NAMES_MAX = 20

function toNames(portions: readonly Portion<TermsGroup>[]): string[] {
  const names = portions.flatMap(({ item }) => (item === null ? [] : [item.sku ?? item.productGroup ?? 'unnamed']))
  return names.length <= NAMES_MAX ? names : [...names.slice(0, NAMES_MAX), `and ${names.length - NAMES_MAX} more`]
}

/** Shows a part in the trace. Amounts are decimal text in major units. */
export function showPart({ group, items, left, eligible, product }: Part, currency: string) {
  return {
    commission_group: group?.name ?? null,
    items,
    amount: formatDecimal(left, currency),
    eligible_amount: formatDecimal(eligible, currency),
    rate_percent: group?.ratePpm == null ? null : ppmToPercent(group.ratePpm),
    fixed_amount: group?.amount == null ? null : formatDecimal(BigInt(group.amount), currency),
    unrounded: formatProduct(product, currency),
  }
}
