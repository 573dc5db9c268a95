/**
 * Catalog: brands, categories, offers and their stores, and publishers' assortments. Guarantees that a catalog state
 * never changes and that an import takes effect completely or not at all.
 */
export { brandFilter, findOfferOfCatalog, offerList } from './across-queries.ts'
export { type AliasRow, listAliasHistory, recordSightings, type Sighting } from './aliases/alias-queries.ts'
export { type Alias, type Aliases, decideAlias, revokeAlias, revokeDecision } from './aliases/aliases.ts'
export { learnMerchants } from './aliases/learning.ts'
export type { Assortment } from './assortment/assortment.ts'
export { readAssortmentContent, readSubjectNames } from './assortment/change-assortment.ts'
export type { AssortmentContent } from './assortment/content.ts'
export { type CarriageMode, changeCarriage, changeSplit, changeWording } from './assortment/edits.ts'
export { assortmentRoutes } from './assortment/operator-routes.ts'
export { saveAssortment } from './assortment/save-assortment.ts'
export { presentAssortment, readAssortment } from './assortment/schema.ts'
export { operatorBrandRoutes } from './brand-operator-routes.ts'
export type { CatalogOffer } from './catalog.ts'
export type { CatalogRefusal } from './errors.ts'
export { EXPORT_FORMATS, type ExportFormat, exportCatalog } from './feed/export.ts'
export { listVersions, type OfferVersion } from './feed/export-queries.ts'
export { OfferFileSchema } from './feed/file-schema.ts'
export type { CatalogInput } from './feed/read-feed.ts'
export { catalogPublicRoutes } from './images/routes.ts'
export { type CatalogChange, type CatalogDiff, type FieldChange, listFieldChanges } from './import/diff.ts'
export { type ImportOutcome, importCatalog } from './import/import.ts'
export { trackingLinkRoutes } from './links/routes.ts'
export type { BrandView } from './listing/brand-view.ts'
export { createBrowsing } from './listing/browse.ts'
export { searchBrands } from './listing/search-everything.ts'
export type { OffersOfUser } from './listing/service.ts'
export { listOffersForLapsed, listOffersWithPools } from './listing/user-filter.ts'
export { type CatalogStore, createCatalogStore } from './loading/catalog-store.ts'
export { displayNumber, type Split } from './net.ts'
export {
  CHANNELS,
  type Channel,
  type CommissionGroup,
  type CustomerKind,
  type Offer,
  type OfferConditions,
  type OfferType,
  PERIODS,
  type Period,
  type RewardType,
  type UserLimit,
  type Weekday,
} from './offer.ts'
export { CATALOG_OFFER, OFFER_FIELDS, type OfferOfCatalog } from './offer-operator-schema.ts'
export type { CatalogOperatorDeps } from './operator-deps.ts'
export { operatorCatalogRoutes } from './operator-routes.ts'
export { bumpAssortments, listBrandNames } from './queries.ts'
export { catalogRoutes } from './routes.ts'
export type { Store } from './store.ts'
export { operatorStoreRoutes } from './store-operator-routes.ts'
export type { Catalog } from './table/assemble.ts'
