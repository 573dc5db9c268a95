/**
 * Matching: merchant facts to a brand, and a purchase by an offer to a verdict with reasons.
 * Pure: no I/O, no clock; the same input always gives the same answer.
 */
export { type BrandIndex, buildBrandIndex, changeBrandIndex, matchBrand } from './brands.ts'
export {
  type Circumstances,
  groupsFor,
  judge,
  type Purchase,
  type RuleLine,
  type RuleReason,
  type Verdict,
} from './rules.ts'
export { distanceMetres } from './stores.ts'
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
