import { type Day, toDay } from '../../platform/calendar.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { textField } from '../../platform/http/index.ts'
import type { ResourceRow } from '../../platform/resource/resource.ts'
import { equals, type OperatorList } from '../../tenants/access/index.ts'
import { likePattern } from './across-queries.ts'
import { type CATALOG_BRAND, categoryField } from './brand-operator-schema.ts'

type CatalogBrand = ResourceRow<typeof CATALOG_BRAND>

const columns = (reader: Reader, today: Day) => reader`
  brands.brand_uid, brands.name, brands.category_id, brands.website, brands.retired_at is not null as retired,
  (select category from categories where categories.category_id = brands.category_id) as category,
  (
    select count(*)::int from offers where offers.brand_uid = brands.brand_uid and offers.retired_at is null
  ) as offers,
  (
    select count(*)::int from offers
    where offers.brand_uid = brands.brand_uid and offers.retired_at is null and brands.retired_at is null
      and coalesce(offers.start_date <= ${today}, true) and coalesce(offers.end_date >= ${today}, true)
  ) as live_offers`

/** Finds a brand, retired or not; null if there is none. */
export async function findCatalogBrand(reader: Reader, brandUid: string, today: Day): Promise<CatalogBrand | null> {
  const [brand] = await reader<CatalogBrand[]>`
    select ${columns(reader, today)} from brands where brand_uid = ${brandUid}`
  return brand ?? null
}

/** Builds the list of brands, in catalog order. */
export function brandList(clock: Clock): OperatorList<CatalogBrand> {
  return {
    table: 'brands',
    id: null,
    columns: (reader) => columns(reader, toDay(clock.now(), 'UTC')),
    sorts: { created: { type: 'ordinal', column: 'ordinal' }, '-created': { type: 'ordinal', column: 'ordinal' } },
    filters: {
      search_text: {
        parameter: textField(
          255,
          'Only brands with this text in their name, an alias, a domain or their website, or with this id.',
        ),
        unindexed: true,
        where: (reader, _table, text: string) => {
          const like = likePattern(text)
          return reader`(
            brands.name ilike ${like} or brands.website ilike ${like} or lower(brands.brand_uid) = lower(${text})
            or exists (select 1 from unnest(brands.aliases || brands.domains) as known where known ilike ${like})
          )`
        },
      },
      category_id: { ...equals('category_id', categoryField('Only brands in this category.')), unindexed: true },
    },
  }
}
