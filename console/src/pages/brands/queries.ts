import { PAGE_SIZE, query } from '../../api/query.ts'
import { search } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

/** Brands, in the order of the catalog. */
export const BRANDS = operatorList(
  '/operator/brands',
  { search_text: search('Name, alias or domain') },
  { limit: PAGE_SIZE },
)

/** Queries a brand with its offers. */
export const catalogBrand = (brand_uid: string) => query('/operator/brands/{brand_uid}', { path: { brand_uid } })
