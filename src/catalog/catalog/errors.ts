/** Refusal codes of the catalog. src/refusals-purchases.ts defines the status and title of each. */
export type CatalogRefusal =
  | 'brand_not_found'
  | 'catalog_invalid'
  | 'alias_not_found'
  | 'decider_invalid'
  | 'assortment_invalid'
