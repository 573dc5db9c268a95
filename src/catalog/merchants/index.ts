/**
 * Merchants: maps what a statement, a network or a publisher reports about a merchant to a brand in the catalog. Pure:
 * no I/O, no clock; the same input always yields the same result.
 */
export { type BrandIndex, buildBrandIndex, changeBrandIndex, draftBrandIndex } from './brands/brand-index.ts'
export { matchBrand } from './match.ts'
export { categoryCodes } from './packs/businesses.ts'
export { noMatch } from './results.ts'
export { deriveTemplate, toProviderKey } from './template.ts'
export type { Band, BrandFacts, BrandMatch, MatchEvidence, MatchMethod, MatchOptions, MerchantFacts } from './types.ts'
