import Type from 'typebox'
import { toDay } from '../../platform/calendar.ts'
import { idField } from '../../platform/http/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { listOperation, type OperatorOperation } from '../../tenants/access/index.ts'
import { CATALOG_BRAND, CATALOG_CATEGORY, WholeBrandSchema, wholeBrandExample } from './brand-operator-schema.ts'
import { brandList, findCatalogBrand } from './brand-queries.ts'
import type { CatalogRefusal } from './errors.ts'
import { exportBrand } from './feed/export.ts'
import { countByCategory } from './listing/whole-catalog.ts'
import type { CatalogOperatorDeps } from './operator-deps.ts'

/** Registers the routes for all brands and categories in the catalog, independent of assortments. */
export function operatorBrandRoutes(operation: OperatorOperation, { db, catalog, clock }: CatalogOperatorDeps): void {
  const today = () => toDay(clock.now(), 'UTC')
  listOperation(operation, db, {
    route: 'GET /operator/brands',
    permission: 'catalog:read',
    id: 'listCatalogBrands',
    summary: 'List brands in catalog order',
    description:
      "Includes retired brands. Filters search a limited number of brands per page, so a page may be empty: follow `next_cursor` until it is null. To see what a publisher's users see, set `Laurel-Publisher` to the publisher and read `GET /brands`.",
    list: brandList(clock),
    resource: CATALOG_BRAND,
  })

  operation('GET /operator/brands/:brand_uid', {
    config: { permission: 'catalog:read' },
    id: 'getCatalogBrand',
    summary: 'Get a brand and its offers as they appear in a catalog file',
    description: 'Includes retired offers.',
    params: Type.Object({ brand_uid: idField('The brand.') }),
    answer: WholeBrandSchema,
    // Sends the content as stored, without converting its members to the types in the schema.
    serializerCompiler: () => JSON.stringify,
    example: wholeBrandExample,
    refusals: ['brand_not_found'],
    handler: async ({ params: { brand_uid } }) => {
      const brand = await findCatalogBrand(db.reader, brand_uid, today())
      const content = await exportBrand(db.reader, brand_uid)
      if (brand === null || content === null)
        throw new Refusal<CatalogRefusal>('brand_not_found', 'There is no such brand.')
      return { ...CATALOG_BRAND.present(brand), content }
    },
  })

  operation('GET /operator/categories', {
    config: { permission: 'catalog:read' },
    id: 'listCatalogCategories',
    summary: 'List all categories with their brand and offer counts',
    description: 'Retired brands and offers are not counted.',
    answer: Type.Object({
      content: Type.Array(CATALOG_CATEGORY.schema, { description: 'All categories, sorted by ID.' }),
    }),
    example: { content: [CATALOG_CATEGORY.example] },
    handler: async () => {
      const counts = await countByCategory(await catalog.current(), today())
      return { content: counts.map(CATALOG_CATEGORY.present) }
    },
  })
}
