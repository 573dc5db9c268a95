/**
 * Offers: the rules a purchase must meet, the terms frozen for it, and the amounts those terms owe. Pure: no I/O, no
 * clock.
 */
export { type Amounts, bySign, isNothing, minus, noAmounts, plus, splitOf, targetOf } from './amounts.ts'
export { type Bound, type BoundedArithmetic, bounded, grossWithin, type LimitedBy } from './bounds.ts'
export type { BoughtItem, Goods } from './goods.ts'
export {
  budgetRule,
  type CodeState,
  isLimited,
  type LimitFacts,
  noLimitFacts,
  rewardLeft,
  type Taken,
} from './limits.ts'
export type { Circumstances, Purchase } from './purchase.ts'
export { RULE_REASONS, type RuleLine } from './rule-line.ts'
export { judge, SOURCE_OF_TYPE, type Verdict } from './rules.ts'
export { freezeTerms, type Terms, termsAsKnown, termsAskForHistory, userLimitsOf } from './terms.ts'
