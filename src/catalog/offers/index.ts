/**
 * Offers: the rules a purchase must meet, the terms frozen for it, and the amounts owed under those terms. Pure: no
 * I/O, no clock.
 */
export { type Amounts, computeTarget, isNothing, minus, noAmounts, plus, splitBySign, splitGross } from './amounts.ts'
export { applyBound, type Bound, type BoundedArithmetic, capGross, type LimitedBy } from './bounds.ts'
export type { BoughtItem, Goods } from './goods.ts'
export {
  type CodeState,
  checkBudget,
  computeRewardLeft,
  isLimited,
  type LimitFacts,
  noLimitFacts,
  type Taken,
} from './limits.ts'
export type { Circumstances, Purchase } from './purchase.ts'
export { RULE_REASONS, type RuleLine } from './rule-line.ts'
export { judge, SOURCE_OF_TYPE, type Verdict } from './rules.ts'
export { freezeTerms, needsHistory, parseUserLimits, reevaluateTerms, type Terms } from './terms.ts'
