/**
 * Matching: merchant facts to a brand, and a purchase by an offer to a verdict with reasons.
 * Pure: no I/O, no clock; the same input always gives the same answer.
 */
export { type BrandIndex, buildBrandIndex, changeBrandIndex } from './brand-index.ts'
export { matchBrand } from './brands.ts'
export { type BoughtItem, type Goods, type Portion, portionsOf, worthOf } from './goods.ts'
export {
  budgetRule,
  type CodeState,
  isLimited,
  type LimitFacts,
  noLimitFacts,
  rewardLeft,
  type Taken,
} from './limits.ts'
export { categoryCodes } from './packs.ts'
export {
  type Circumstances,
  type Judged,
  judge,
  type Purchase,
  type RuleLine,
  type RuleReason,
  type Verdict,
} from './rules.ts'
export {
  type CustomerWindows,
  customerKindsOf,
  customerWindowsOf,
  isLapsedCustomer,
  isNewCustomer,
} from './rules-customers.ts'
export { amountFits } from './rules-goods.ts'
export { providerKeyOf, templateOf } from './templates.ts'
export type {
  AliasVerdict,
  Band,
  BrandFacts,
  BrandMatch,
  MatchEvidence,
  MatchMethod,
  MatchOptions,
  MerchantFacts,
  UnmatchedReason,
} from './types.ts'
