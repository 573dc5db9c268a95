import { percentToPpm, toMinor } from '../../platform/money.ts'
import type { Fault, GroupInFile, OfferInFile, Path } from '../feed/file-schema.ts'
import { isPercentage, type RewardType } from '../offer.ts'
import type { GroupRow } from '../queries.ts'

/**
 * What the advertiser pays, as groups: `commission_groups`, or one group for `commission` or for a lone
 * `customer_offer`. The reward type decides between rates and amounts. Stated upper bounds and customers' parts must
 * not be exceeded.
 */
export function groupsOf(
  offer: OfferInFile,
  currency: string,
  path: Path,
): { readonly groups: readonly GroupRow[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const complain = (steps: Path, message: string): null => {
    faults.push({ path: [...path, ...steps], message })
    return null
  }
  const value = valueReader(offer.reward_type, currency, complain)
  const groups = givenGroups(offer, value, complain)
  const highest = groups.reduce((most, group) => maxOf(most, group.value), 0n)
  const bound = value(offer.max_customer_offer, ['max_customer_offer'])
  if (bound !== null) {
    groups.forEach((group, index) => {
      const steps = offer.commission_groups === undefined ? ['commission'] : ['commission_groups', index]
      if (group.value > bound) complain(steps, `exceeds max_customer_offer ${offer.max_customer_offer}`)
    })
  }
  const customer = value(offer.customer_offer, ['customer_offer'])
  if (customer !== null && groups.length > 0 && customer > highest)
    complain(['customer_offer'], 'exceeds the commission')
  return { groups: groups.map((group) => group.row), faults }
}

type Complain = (steps: Path, message: string) => null
type ReadValue = (given: number | undefined, steps: Path) => bigint | null
type ReadGroup = { readonly row: GroupRow; readonly value: bigint }

/** Reads a number as parts per million or as minor units, as the reward type says. */
function valueReader(rewardType: RewardType, currency: string, complain: Complain): ReadValue {
  return (given, steps) => {
    if (given === undefined) return null
    if (isPercentage(rewardType)) {
      const ppm = given > 100 ? null : percentToPpm(given)
      return ppm === null ? complain(steps, 'must be a percentage up to 100 with at most four decimals') : BigInt(ppm)
    }
    return toMinor(given, currency) ?? complain(steps, `must have no more decimals than ${currency}`)
  }
}

function givenGroups(offer: OfferInFile, value: ReadValue, complain: Complain): ReadGroup[] {
  const { commission, commission_groups, customer_offer, reward_type } = offer
  if (commission !== undefined && commission_groups !== undefined) {
    complain(['commission_groups'], 'cannot stand beside commission')
    return []
  }
  if (commission_groups !== undefined) {
    return commission_groups.flatMap((group, index) =>
      groupOf(group, offer, value, complain, ['commission_groups', index]),
    )
  }
  if (commission !== undefined) {
    return groupOf({ name: '', ...commission }, offer, value, complain, ['commission'])
  }
  if (customer_offer === undefined) {
    complain(['commission'], 'is required, or commission_groups, or customer_offer')
    return []
  }
  const only = isPercentage(reward_type) ? { rate: customer_offer } : { amount: customer_offer }
  return groupOf({ name: '', ...only }, offer, value, complain, ['customer_offer'])
}

function groupOf(
  group: GroupInFile,
  offer: OfferInFile,
  value: ReadValue,
  complain: Complain,
  steps: Path,
): ReadGroup[] {
  const percentage = isPercentage(offer.reward_type)
  const wanted = percentage ? 'rate' : 'amount'
  const given = percentage ? group.rate : group.amount
  if (given === undefined || (percentage ? group.amount : group.rate) !== undefined) {
    complain(steps, `must give a${percentage ? '' : 'n'} ${wanted}, for the reward type is ${offer.reward_type}`)
    return []
  }
  const read = value(given, steps)
  if (read === null) return []
  if (read <= 0n) {
    complain(steps, 'must be above 0')
    return []
  }
  const bounds = amountBounds(group, offer.currency ?? 'USD', complain, steps)
  const row: GroupRow = {
    name: group.name === '' ? null : group.name,
    ratePpm: percentage ? Number(read) : null,
    amount: percentage ? null : String(read),
    productGroups: group.product_groups ?? [],
    skus: group.skus ?? [],
    customer: group.customer ?? null,
    ...bounds,
  }
  return [{ row, value: read }]
}

function amountBounds(group: GroupInFile, currency: string, complain: Complain, steps: Path) {
  const minor = (name: 'min_amount' | 'max_amount'): bigint | null => {
    const given = group[name]
    if (given === undefined) return null
    return toMinor(given, currency) ?? complain([...steps, name], `must have no more decimals than ${currency}`)
  }
  const minAmount = minor('min_amount')
  const maxAmount = minor('max_amount')
  if (minAmount !== null && maxAmount !== null && maxAmount < minAmount) {
    complain([...steps, 'max_amount'], 'must not be below min_amount')
  }
  return {
    minAmount: minAmount === null ? null : String(minAmount),
    maxAmount: maxAmount === null ? null : String(maxAmount),
  }
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
