import Type, { type Static } from 'typebox'
import { namedObject } from '../../platform/http/index.ts'
import { boolean, integer, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { BrandFileSchema } from './feed/file-schema.ts'

const CATEGORY_MAX = 2 ** 31 - 1
export const categoryField = (description: string) => Type.Integer({ minimum: 0, maximum: CATEGORY_MAX, description })

/** A brand as operators see it, regardless of which publishers carry it. */
export const CATALOG_BRAND = resource('BrandOfCatalog', {
  brand_uid: text({ example: 'corner-market' }),
  name: text({ example: 'Corner Market' }),
  category_id: integer({ example: 3 }),
  category: text({ example: 'GROCERY', description: 'Name of the category.' }),
  website: text({ nullable: true, example: 'corner-market.example' }),
  retired: boolean({ example: false, description: 'True if it was removed from the catalog.' }),
  offers: integer({ example: 2, description: 'Number of offers that are not retired.' }),
  live_offers: integer({
    example: 1,
    description: 'Number of offers valid today, in UTC; 0 for a retired brand.',
  }),
})

export const WholeBrandSchema = namedObject('WholeBrand', {
  ...CATALOG_BRAND.schema.properties,
  content: { ...BrandFileSchema, description: 'The brand and its offers as they appear in a catalog file.' },
})

export const CATALOG_CATEGORY = resource('CategoryOfCatalog', {
  category_id: integer({ example: 3 }),
  category: text({ example: 'GROCERY', description: 'Name of the category.' }),
  brands: integer({ example: 12, description: 'Number of brands in the category that are not retired.' }),
  live_offers: integer({
    example: 31,
    description: 'Number of offers from those brands that are valid today, in UTC.',
  }),
})

/** Example for the API reference. */
export const wholeBrandExample: Static<typeof WholeBrandSchema> = {
  ...CATALOG_BRAND.example,
  content: { category_id: 3, name: 'Corner Market', website: 'corner-market.example', aliases: ['CRNR MKT'] },
}
