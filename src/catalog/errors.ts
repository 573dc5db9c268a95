/**
 * Status and title of each, for the table of all refusals:
 * brand_not_found 404 "No such brand"; catalog_invalid 400 "Faulty catalog file"; alias_not_found 404 "No such alias";
 * decider_invalid 400 "Invalid name"; assortment_invalid 400 "Invalid assortment".
 */
export type CatalogRefusal =
  | 'brand_not_found'
  | 'catalog_invalid'
  | 'alias_not_found'
  | 'decider_invalid'
  | 'assortment_invalid'
