import type { RuleLine } from '../../../catalog/offers/index.ts'
import type { PurchaseFacts } from '../event.ts'
import type { Trace } from '../trace-schema.ts'

/** The reward that a hypothetical purchase would earn if the user met the remaining conditions. */
export type Conditional = {
  readonly offerUid: string
  readonly isDiscount: boolean
  /** In major units; null if it depends on the items bought. */
  readonly reward: number | null
  /** The rules still to be met, with the current values. */
  readonly conditions: readonly RuleLine[]
}

/** The facts that the caller stated about the purchase. */
type Asked = { readonly occurredAt: Date | null; readonly facts: PurchaseFacts }

const hasNoTime = (_: RuleLine, { occurredAt }: Asked): boolean => occurredAt === null

const PLACE = ['storeNumber', 'street', 'city', 'state', 'zipCode', 'latitude', 'longitude'] as const

/**
 * The rules that a future purchase can still meet, depending on when, where and how the user buys. Facts stated by the
 * caller are final: a purchase at a store that does not participate remains refused.
 */
const IS_OPEN: Readonly<Record<string, (line: RuleLine, asked: Asked) => boolean>> = {
  user_active: (line, asked) => line.value === 'PENDING' && hasNoTime(line, asked),
  card_linked: (_, { facts }) => facts.accountId === undefined,
  start_date: hasNoTime,
  days: hasNoTime,
  hours: hasNoTime,
  activation: hasNoTime,
  voucher_code: (_, { facts }) => facts.voucherCode === undefined && facts.voucherCodeId === undefined,
  store: (_, { facts }) => PLACE.every((part) => facts[part] === undefined),
  commission_group: (_, { facts }) => (facts.items ?? []).length === 0,
}

/**
 * Returns the best-paying offer whose failed rules can all still be met. Returns null if there is none, or if the
 * purchase was not refused by an offer's rule. For example, a purchase already paid as a sale remains refused whatever
 * the user does.
 */
export function findConditional(
  { status_reason, chosen, candidates }: Trace,
  asked: Asked,
  isDiscount: (offerUid: string) => boolean,
): Conditional | null {
  const isRefusedByRule = candidates.some((one) => !one.eligible && one.status_reason === status_reason)
  if (status_reason === null || chosen !== null || !isRefusedByRule) return null
  const open = candidates.flatMap(({ eligible, rules, offer_uid, would_earn }): Conditional[] => {
    const conditions = rules.filter(({ passed }) => !passed)
    if (eligible || conditions.length === 0 || !conditions.every((line) => IS_OPEN[line.rule]?.(line, asked))) return []
    const isOfGoods = conditions.some(({ rule }) => rule === 'commission_group')
    const reward = isOfGoods ? null : (would_earn ?? null)
    if (reward === 0) return []
    return [{ offerUid: offer_uid, isDiscount: isDiscount(offer_uid), reward, conditions }]
  })
  return open.toSorted((a, b) => (b.reward ?? 0) - (a.reward ?? 0))[0] ?? null
}
