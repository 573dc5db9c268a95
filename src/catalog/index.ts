/**
 * Catalog: brands, categories, offers, their stores, and what a publisher's terms make of them.
 * Promises that a catalog once handed out never changes, and that an import is taken whole or not at all.
 */

export { type AliasRow, listAliasHistory, type Sighting } from './alias-queries.ts'
export {
  type Alias,
  type Aliases,
  aliasBookOf,
  decideAlias,
  LEARNT,
  revokeAlias,
} from './aliases.ts'
export { type Assortment, isCarriedIn, wholeCatalog } from './assortment.ts'
export {
  type AssortmentChange,
  assortmentContentOf,
  type ChangedAssortment,
  changeAssortment,
  namesIn,
} from './assortment-changes.ts'
export type { AssortmentContent, Said } from './assortment-content.ts'
export { type CarriageMode, withCarriage, withSplit, withWording } from './assortment-edits.ts'
export {
  type AssortmentInput,
  AssortmentSchema,
  contentIn,
  presentAssortment,
  readAssortment,
  sizeOfAssortment,
} from './assortment-schema.ts'
export type { Brand, BrandFacts, Catalog, CatalogOffer, Category, ChangedBrands } from './catalog.ts'
export { type CatalogStore, createCatalogStore } from './catalog-store.ts'
export { type CatalogDiff, type Change, type FieldChange, fieldChanges } from './diff.ts'
export type { CatalogRefusal } from './errors.ts'
export { EXPORT_FORMATS, type ExportFormat, writeExport } from './export.ts'
export { listVersions, type OfferVersion } from './export-queries.ts'
export { CatalogFileSchema } from './file.ts'
export { catalogPublicRoutes } from './image-routes.ts'
export { type ImportOptions, type ImportOutcome, importCatalog, importCatalogWithin } from './import.ts'
export { learnMerchants, noteSightings } from './learning.ts'
export { type NetOffer, netOf, netOfOffer, rewardText, type Split, shownNumber } from './net.ts'
export * from './offer.ts'
export { offersForLapsed, offersWithPools } from './personal.ts'
export type { CatalogInput } from './read-feed.ts'
export { catalogRoutes } from './routes.ts'
export type { BrandOfTransaction, OffersOfUser } from './service.ts'
