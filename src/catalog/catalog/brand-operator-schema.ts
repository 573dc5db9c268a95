import Type, { type Static } from 'typebox'
import { namedObject, nullable } from '../../platform/http/index.ts'
import { BrandFileSchema } from './feed/file-schema.ts'
import type { BrandOfCatalog, CategoryCounts } from './listing/whole-catalog.ts'

const CATEGORY_MAX = 2 ** 31 - 1
export const categoryField = (description: string) => Type.Integer({ minimum: 0, maximum: CATEGORY_MAX, description })

const BRAND = {
  brand_uid: Type.String(),
  name: Type.String(),
  category_id: Type.Integer(),
  category: Type.String({ description: 'Name of the category.' }),
  website: nullable(Type.String()),
  retired: Type.Boolean({ description: 'True if it was removed from the catalog.' }),
  offers: Type.Integer({ description: 'Number of offers that are not retired.' }),
  live_offers: Type.Integer({ description: 'Number of offers valid today, in UTC; 0 for a retired brand.' }),
}

export const BrandOfCatalogSchema = namedObject('BrandOfCatalog', BRAND)

export const WholeBrandSchema = namedObject('WholeBrand', {
  ...BRAND,
  content: { ...BrandFileSchema, description: 'The brand and its offers as they appear in a catalog file.' },
})

export const CategorySchema = namedObject('CategoryOfCatalog', {
  category_id: Type.Integer(),
  category: Type.String({ description: 'Name of the category.' }),
  brands: Type.Integer({ description: 'Number of brands in the category that are not retired.' }),
  live_offers: Type.Integer({ description: 'Number of offers from those brands that are valid today, in UTC.' }),
})

export function presentBrand({
  brand,
  category,
  offers,
  liveOffers,
}: BrandOfCatalog): Static<typeof BrandOfCatalogSchema> {
  const { brandUid, name, categoryId, website, retired } = brand
  return {
    brand_uid: brandUid,
    name,
    category_id: categoryId,
    category,
    website,
    retired,
    offers,
    live_offers: liveOffers,
  }
}

export function presentCategory({
  categoryId,
  category,
  brands,
  liveOffers,
}: CategoryCounts): Static<typeof CategorySchema> {
  return { category_id: categoryId, category, brands, live_offers: liveOffers }
}

/** Example for the API reference. */
export const brandExample: Static<typeof BrandOfCatalogSchema> = {
  brand_uid: 'corner-market',
  name: 'Corner Market',
  category_id: 3,
  category: 'GROCERY',
  website: 'corner-market.example',
  retired: false,
  offers: 2,
  live_offers: 1,
}
export const wholeBrandExample: Static<typeof WholeBrandSchema> = {
  ...brandExample,
  content: { category_id: 3, name: 'Corner Market', website: 'corner-market.example', aliases: ['CRNR MKT'] },
}
export const categoryExample: Static<typeof CategorySchema> = {
  category_id: 3,
  category: 'GROCERY',
  brands: 12,
  live_offers: 31,
}
