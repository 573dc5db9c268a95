import { percentToPpm } from '../../../platform/money.ts'
import type { GroupInFile, OfferInFile, Path } from '../feed/file-schema.ts'
import { isPercentage } from '../offer.ts'
import type { GroupRow } from '../queries.ts'

/** Records an error for a member of the offer. Returns null, to be used in place of the value. */
export type Complain = (steps: Path, message: string) => null
/** Returns minor units as text; null if the number is missing or invalid. */
export type ReadMinor = (given: number | undefined, steps: Path) => string | null

type StatedGroup = {
  readonly group: Omit<GroupInFile, 'name'> & { readonly name: string | null }
  readonly steps: Path
}

/**
 * Returns the advertiser's commission as groups: `commission_groups` if given, otherwise a single group derived from
 * `commission` or, without that, from `customer_offer`. The reward type determines whether groups have rates or
 * amounts. No group may exceed the stated maximum, and the customer's part must not exceed the highest group.
 */
export function buildGroups(
  offer: OfferInFile,
  bound: number | undefined,
  complain: Complain,
  minor: ReadMinor,
): readonly GroupRow[] {
  const isRate = isPercentage(offer.reward_type)
  const [wanted, other] = isRate ? (['rate', 'amount'] as const) : (['amount', 'rate'] as const)
  /** Parts per million or minor units, depending on the reward type. */
  const readFigure: ReadMinor = (given, steps) => {
    if (!isRate || given === undefined) return minor(given, steps)
    const ppm = given > 100 ? null : percentToPpm(given)
    return ppm === null
      ? complain(steps, 'must be a percentage up to 100 with at most four decimal places')
      : String(ppm)
  }
  let highest = 0
  const rows = statedGroups(offer, complain).flatMap(({ group, steps }): GroupRow[] => {
    const given = group[wanted]
    if (given === undefined || group[other] !== undefined) {
      complain(steps, `must have a${isRate ? '' : 'n'} ${wanted}, because the reward type is ${offer.reward_type}`)
      return []
    }
    const figure = readFigure(given, steps)
    if (figure === null) return []
    if (given <= 0) complain(steps, 'must be greater than 0')
    if (bound !== undefined && given > bound) complain(steps, `exceeds max_customer_offer ${bound}`)
    highest = Math.max(highest, given)
    return [
      {
        name: group.name,
        ratePpm: isRate ? Number(figure) : null,
        amount: isRate ? null : figure,
        productGroups: group.product_groups ?? [],
        skus: group.skus ?? [],
        customer: group.customer ?? null,
        ...amountBounds(group, steps, complain, minor),
      },
    ]
  })
  readFigure(bound, ['max_customer_offer'])
  readFigure(offer.customer_offer, ['customer_offer'])
  if (rows.length > 0 && (offer.customer_offer ?? 0) > highest) complain(['customer_offer'], 'exceeds the commission')
  return rows
}

function statedGroups(offer: OfferInFile, complain: Complain): readonly StatedGroup[] {
  const { commission, commission_groups: groups, customer_offer: customer } = offer
  if (commission !== undefined && groups !== undefined) {
    complain(['commission_groups'], 'cannot be combined with commission')
    return []
  }
  if (groups !== undefined) return groups.map((group, index) => ({ group, steps: ['commission_groups', index] }))
  if (commission !== undefined) return [{ group: { name: null, ...commission }, steps: ['commission'] }]
  if (customer === undefined) {
    complain(['commission'], 'is required, unless commission_groups or customer_offer is set')
    return []
  }
  const only = isPercentage(offer.reward_type) ? { rate: customer } : { amount: customer }
  return [{ group: { name: null, ...only }, steps: ['customer_offer'] }]
}

function amountBounds(
  { min_amount: min, max_amount: max }: Pick<GroupInFile, 'min_amount' | 'max_amount'>,
  steps: Path,
  complain: Complain,
  minor: ReadMinor,
): Pick<GroupRow, 'minAmount' | 'maxAmount'> {
  if (min !== undefined && max !== undefined && max < min) {
    complain([...steps, 'max_amount'], 'must not be less than min_amount')
  }
  return { minAmount: minor(min, [...steps, 'min_amount']), maxAmount: minor(max, [...steps, 'max_amount']) }
}
