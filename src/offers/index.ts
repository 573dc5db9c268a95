/**
 * Offers: the rules that a purchase must meet, the terms it freezes, and the amounts those terms owe.
 * Pure: no I/O, no clock; the same input always gives the same answer.
 */
export { type Amounts, isNothing, minus, noAmounts, plus, showSplit, splitOf, targetOf } from './amounts.ts'
export { type Bound, type BoundedArithmetic, bounded, grossWithin, type LimitedBy } from './bounds.ts'
export { type BoughtItem, type Goods, portionsOf } from './goods.ts'
export {
  budgetRule,
  type CodeState,
  isLimited,
  type LimitFacts,
  noLimitFacts,
  rewardLeft,
  type Taken,
} from './limits.ts'
export { type Circumstances, judge, type Purchase, type RuleLine, type RuleReason, type Verdict } from './rules.ts'
export {
  type CustomerWindows,
  customerKindsOf,
  customerWindowsOf,
  isLapsedCustomer,
  isNewCustomer,
} from './rules-customers.ts'
export { freezeTerms, type Terms, termsAsKnown, termsAskForHistory, userLimitsOf } from './terms.ts'
