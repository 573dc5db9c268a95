import Type from 'typebox'
import { dayOf } from '../../platform/calendar.ts'
import {
  idField,
  pageExample,
  pageOf,
  pageQuery,
  pageSchema,
  sortOf,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { OperatorOperation } from '../../tenants/access/index.ts'
import {
  BrandOfCatalogSchema,
  brandExample,
  CategorySchema,
  categoryExample,
  categoryField,
  presentBrand,
  presentCategory,
  WholeBrandSchema,
  wholeBrandExample,
} from './brand-operator-schema.ts'
import type { CatalogRefusal } from './errors.ts'
import { exportBrand } from './feed/export.ts'
import { countByCategory, findBrandOfCatalog, listBrands } from './listing/whole-catalog.ts'
import type { CatalogOperatorDeps } from './operator-deps.ts'

const BrandQuery = strictObject({
  search_text: Type.Optional(
    textField(255, 'Only brands with this text in their name, an alias, a domain or their website, or with this id.'),
  ),
  category_id: Type.Optional(categoryField('Only brands in this category.')),
  page: pageQuery.page,
  size: pageQuery.size,
})

/** Registers the routes for the brands and categories of the whole catalog, independent of assortments. */
export function operatorBrandRoutes(operation: OperatorOperation, { db, catalog, clock }: CatalogOperatorDeps): void {
  const today = () => dayOf(clock.now(), 'UTC')
  operation('GET /operator/brands', {
    config: { permission: 'catalog:read' },
    id: 'listCatalogBrands',
    summary: 'List brands in catalog order',
    description:
      'Includes retired brands. To see what users of a publisher see, name the publisher in `Laurel-Publisher` and read `GET /brands`.',
    query: BrandQuery,
    answer: pageSchema(BrandOfCatalogSchema),
    example: pageExample([brandExample]),
    handler: async ({ query }) => {
      const { search_text = null, category_id = null } = query
      const paging = sortOf(query, [])
      const filter = { text: search_text, categoryId: category_id }
      const { brands, total } = await listBrands(await catalog.current(), filter, today(), paging)
      return pageOf(brands.map(presentBrand), total, paging)
    },
  })

  operation('GET /operator/brands/:brand_uid', {
    config: { permission: 'catalog:read' },
    id: 'getCatalogBrand',
    summary: 'Get a brand and its offers as they appear in a catalog file',
    description: 'Includes retired offers.',
    params: Type.Object({ brand_uid: idField('The brand.') }),
    answer: WholeBrandSchema,
    // The content is sent as stored, whatever types its members have.
    serializerCompiler: () => JSON.stringify,
    example: wholeBrandExample,
    refusals: ['brand_not_found'],
    handler: async ({ params: { brand_uid } }) => {
      const brand = findBrandOfCatalog(await catalog.current(), brand_uid, today())
      const content = await exportBrand(db.reader, brand_uid)
      if (brand === null || content === null)
        throw new Refusal<CatalogRefusal>('brand_not_found', 'There is no such brand.')
      return { ...presentBrand(brand), content }
    },
  })

  operation('GET /operator/categories', {
    config: { permission: 'catalog:read' },
    id: 'listCatalogCategories',
    summary: 'List all categories with their brand and offer counts',
    description: 'Retired brands and offers are not counted.',
    answer: Type.Object({ content: Type.Array(CategorySchema, { description: 'All categories, sorted by ID.' }) }),
    example: { content: [categoryExample] },
    handler: async () => ({ content: (await countByCategory(await catalog.current(), today())).map(presentCategory) }),
  })
}
