import { given, type Tx } from '../../platform/database.ts'
import type { Category } from '../catalog.ts'

/** The second half of an import: changes are written, each table in one statement. */
export async function upsertCategories(tx: Tx, categories: readonly Category[]): Promise<void> {
  await tx`
    insert into categories (category_id, category)
    select category_id, category from ${given(tx, categories, { categoryId: 'int4', category: 'text' })}
    on conflict (category_id) do update set category = excluded.category`
}

// Columns that are named as members of the file.
const BRAND_COLUMNS = [
  ...['category_id', 'name', 'website', 'aliases', 'domains', 'merchant_ids', 'mccs', 'countries', 'description'],
  ...['logo_img_url', 'large_img_url', 'small_img_url', 'offer_description', 'reward_type'],
  ...['global_terms_and_conditions'],
]
const OFFER_COLUMNS = [
  ...['offer_type', 'reward_type', 'currency', 'name', 'description', 'formatted_description', 'banner_url'],
  ...['commission_groups', 'refund_period_days', 'voucher_code', 'location', 'channels', 'one_time_use'],
  ...['new_customer_only', 'new_customer_days', 'min_spend', 'max_spend', 'denominations', 'start_date', 'end_date'],
  ...['terms_and_conditions', 'conditions'],
]
const excluded = (columns: readonly string[]): string[] => columns.map((column) => `excluded.${column}`)

export async function writeBrands(tx: Tx, now: Date): Promise<void> {
  await tx`
    insert into brands (${tx(BRAND_COLUMNS)}, brand_uid, retired_at, content, content_sha256)
    select ${tx(BRAND_COLUMNS.map((column) => `brand.${column}`))}, s.brand_uid,
      case when s.retired then ${now}::timestamptz end, s.content, s.sha256
    from staged_brands s
      cross join lateral jsonb_populate_record(null::brands, s.content::jsonb || s.computed::jsonb) brand
    order by s.position
    on conflict (brand_uid) do update set
      (${tx(BRAND_COLUMNS)}) = row (${tx(excluded(BRAND_COLUMNS))}),
      retired_at = case when excluded.retired_at is not null then coalesce(brands.retired_at, excluded.retired_at) end,
      content = excluded.content, content_sha256 = excluded.content_sha256`
}

/** Before writeOffers: the offers that it replaces stay known as they were, with their stores. */
export async function keepFormerOffers(tx: Tx): Promise<void> {
  await tx`
    insert into former_offers
    select o.*,
      coalesce((select jsonb_agg(to_jsonb(st) order by st.position) from stores st where st.offer_uid = o.offer_uid), '[]'),
      (select version + 1 from catalog_version)
    from offers o join staged_offers s using (offer_uid)`
}

export async function writeOffers(tx: Tx, now: Date): Promise<void> {
  await tx`
    insert into offers (${tx(OFFER_COLUMNS)}, offer_uid, brand_uid, retired_at, content_sha256)
    select ${tx(OFFER_COLUMNS.map((column) => `offer.${column}`))}, s.offer_uid, s.brand_uid,
      case when s.retired then ${now}::timestamptz end, s.sha256
    from staged_offers s
      cross join lateral jsonb_populate_record(null::offers, s.content::jsonb || s.computed::jsonb) offer
    order by s.brand_position, s.position
    on conflict (offer_uid) do update set
      (${tx(OFFER_COLUMNS)}) = row (${tx(excluded(OFFER_COLUMNS))}),
      retired_at = case when excluded.retired_at is not null then coalesce(offers.retired_at, excluded.retired_at) end,
      content_sha256 = excluded.content_sha256, version = offers.version + 1`
}

/** After writeOffers: every state of an offer is kept. */
export async function writeVersions(tx: Tx, by: string, now: Date): Promise<void> {
  await tx`
    insert into offer_versions (offer_uid, version, content, valid_from, changed_by)
    select s.offer_uid, o.version, s.content, ${now}, ${by}
    from staged_offers s join offers o on o.offer_uid = s.offer_uid`
}

/** Stores have no history; those of an offer are rewritten with it. */
export async function writeStores(tx: Tx): Promise<void> {
  await tx`delete from stores using staged_offers s where stores.offer_uid = s.offer_uid`
  await tx`
    insert into stores
    select store.*
    from staged_offers s
      cross join lateral json_array_elements(s.computed -> 'store_addresses') with ordinality place (members, number)
      cross join lateral jsonb_populate_record(null::stores,
        place.members::jsonb || jsonb_build_object('offer_uid', s.offer_uid, 'position', place.number - 1)) store`
}
