import { decimalText, PPM, ppmToPercent, productText } from '../platform/money.ts'
import { type Goods, type Portion, portionsOf, worthOf } from './goods.ts'
import { amountFits } from './rules-goods.ts'
import type { Terms, TermsGroup } from './terms.ts'

/** The part of a purchase that one commission group pays for. Minor units. */
export type Part = {
  /** Null: nothing is paid for these goods. */
  readonly group: TermsGroup | null
  /** Names of its line items; empty: what is not itemized. */
  readonly items: readonly string[]
  /** The amount after refunds, and what of it is within max_spend. */
  readonly left: bigint
  readonly eligible: bigint
  /** The commission before rounding: minor units times a million. */
  readonly product: bigint
}

/**
 * Divides the rest of a purchase after refunds over the groups of its terms, best paying first. Rates are paid up to
 * max_spend, which the best paid goods fill first: a higher bound never pays less, and no bound pays more than itself
 * at the best rate. A fixed amount is paid once, by the best paying group that has goods.
 */
export function partsOf(terms: Terms, goods: Goods): Part[] {
  const applying = terms.groups.filter((group) => isForCustomer(terms, group) && amountFits(group, goods.amount))
  const portions = portionsOf(applying, goods).filter(({ left }) => left > 0n)
  const byGroup = bestFirst(applying, portions)
  let within = terms.maxSpend === null ? null : BigInt(terms.maxSpend)
  return byGroup.map(({ group, some }, index) => {
    const left = some.reduce((sum, portion) => sum + portion.left, 0n)
    const eligible = group === null ? 0n : within === null || left < within ? left : within
    if (within !== null) within -= eligible
    return { group, items: namesOf(some), left, eligible, product: productOf(group, eligible, index) }
  })
}

type GroupPortions = { readonly group: TermsGroup | null; readonly some: readonly Portion<TermsGroup>[] }

/** Groups of equal worth keep their order; unpaid goods come last. */
function bestFirst(groups: readonly TermsGroup[], portions: readonly Portion<TermsGroup>[]): GroupPortions[] {
  if (portions.length === 1) return portions.map(({ group }) => ({ group, some: portions }))
  const ranked = [...groups.toSorted((a, b) => Number(worthOf(b) - worthOf(a))), null]
  return ranked.flatMap((group) => {
    const some = portions.filter((portion) => portion.group === group)
    return some.length === 0 ? [] : [{ group, some }]
  })
}

/** Of fixed amounts only the first, best paying one is paid. */
function productOf(group: TermsGroup | null, eligible: bigint, index: number): bigint {
  if (group === null) return 0n
  if (group.amount !== null) return index === 0 ? BigInt(group.amount) * PPM : 0n
  return eligible * BigInt(group.ratePpm ?? 0)
}

function isForCustomer({ customer }: Terms, group: TermsGroup): boolean {
  return group.customer === undefined || customer?.kinds.includes(group.customer) === true
}

// People read the trace; hundreds of items say no more than the first few.
const NAMES_MAX = 20

function namesOf(portions: readonly Portion<TermsGroup>[]): string[] {
  const names = portions.flatMap(({ item }) => (item === null ? [] : [item.sku ?? item.productGroup ?? 'unnamed']))
  return names.length <= NAMES_MAX ? names : [...names.slice(0, NAMES_MAX), `and ${names.length - NAMES_MAX} more`]
}

/** A part as in the trace. Amounts are decimal text in major units. */
export type ShownPart = {
  readonly commission_group: string | null
  readonly items: readonly string[]
  readonly amount: string
  readonly eligible_amount: string
  readonly rate_percent: number | null
  readonly fixed_amount: string | null
  readonly unrounded: string
}

export function showPart({ group, items, left, eligible, product }: Part, currency: string): ShownPart {
  return {
    commission_group: group?.name ?? null,
    items,
    amount: decimalText(left, currency),
    eligible_amount: decimalText(eligible, currency),
    rate_percent: group?.ratePpm == null ? null : ppmToPercent(group.ratePpm),
    fixed_amount: group?.amount == null ? null : decimalText(BigInt(group.amount), currency),
    unrounded: productText(product, currency),
  }
}
