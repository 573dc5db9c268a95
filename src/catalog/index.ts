/**
 * Catalog: brands, categories, offers and their stores, and the assortments of publishers. Guarantees that a catalog
 * state never changes and that an import takes effect completely or not at all.
 */

export { findOfferOfCatalog, OFFER_STATES, type OfferOfCatalog, walkOffers } from './across-queries.ts'
export { type AliasRow, listAliasHistory, noteSightings, type Sighting } from './aliases/alias-queries.ts'
export { type Alias, type Aliases, decideAlias, revokeAlias, revokeDecision } from './aliases/aliases.ts'
export { learnMerchants } from './aliases/learning.ts'
export { type Assortment, isCarriedIn, wholeCatalog } from './assortment/assortment.ts'
export {
  type AssortmentChange,
  assortmentContentOf,
  type ChangedAssortment,
  changeAssortment,
  namesIn,
} from './assortment/change-assortment.ts'
export type { AssortmentContent } from './assortment/content.ts'
export { type CarriageMode, withCarriage, withSplit, withWording } from './assortment/edits.ts'
export {
  ASSORTMENT_ENTRIES_MAX,
  AssortmentSchema,
  contentIn,
  presentAssortment,
  readAssortment,
  sizeOfAssortment,
  withNames,
} from './assortment/schema.ts'
export type { CatalogOffer } from './catalog.ts'
export type { CatalogRefusal } from './errors.ts'
export { EXPORT_FORMATS, type ExportFormat, exportBrand, exportCatalog } from './feed/export.ts'
export { listVersions, type OfferVersion } from './feed/export-queries.ts'
export { BrandFileSchema, CatalogFileSchema, OfferFileSchema } from './feed/file-schema.ts'
export { readCsvInThread } from './feed/read-csv-in-thread.ts'
export type { CatalogInput } from './feed/read-feed.ts'
export { catalogPublicRoutes } from './images/routes.ts'
export { type CatalogChange, type CatalogDiff, type FieldChange, fieldChanges } from './import/diff.ts'
export { type ImportOptions, type ImportOutcome, importCatalog, importCatalogWithin } from './import/import.ts'
export { createBrowsing, type ShownBrand } from './listing/browse.ts'
export { type FoundStores, findStores } from './listing/find-stores.ts'
export { searchBrands } from './listing/search-everything.ts'
export type { OffersOfUser } from './listing/service.ts'
export { PLACE_PATTERN } from './listing/store-places.ts'
export { offersForLapsed, offersWithPools } from './listing/user-filter.ts'
export {
  type BrandOfCatalog,
  type CategoryCounts,
  countByCategory,
  findBrandOfCatalog,
  listBrands,
} from './listing/whole-catalog.ts'
export { type CatalogStore, createCatalogStore } from './loading/catalog-store.ts'
export type { OffersAsOf } from './loading/former-offers.ts'
export { type Split, shownNumber } from './net.ts'
export * from './offer.ts'
export { assortmentsChanged, listBrandNames } from './queries.ts'
export { catalogRoutes } from './routes.ts'
export type { Catalog } from './table/assemble.ts'
