import { asTable, type Tx } from '../../../platform/db/database.ts'
import type { Category } from '../catalog.ts'

// The second half of an import writes the changes, one statement per table.

export async function upsertCategories(tx: Tx, categories: readonly Category[]): Promise<void> {
  await tx`
    insert into categories (category_id, category)
    select category_id, category from ${asTable(tx, categories, { categoryId: 'int4', category: 'text' })}
    on conflict (category_id) do update set category = excluded.category`
}

/** The columns taken from a row's content and the columns computed from it, with their types. */
type RowColumns = { readonly content: Types; readonly computed: Types }
type Types = Readonly<Record<string, string>>
const texts = (...names: string[]): Types => Object.fromEntries(names.map((name) => [name, 'text']))
const lists = (...names: string[]): Types => Object.fromEntries(names.map((name) => [name, 'text[]']))
const BRAND_COLUMNS: RowColumns = {
  content: {
    category_id: 'integer',
    ...texts('name', 'website', 'description', 'logo_img_url', 'large_img_url', 'small_img_url'),
    ...texts('offer_description', 'reward_type', 'global_terms_and_conditions'),
  },
  computed: lists('aliases', 'domains', 'merchant_ids', 'mccs', 'countries'),
}
const OFFER_COLUMNS: RowColumns = {
  content: {
    ...texts('offer_type', 'reward_type', 'description', 'formatted_description', 'banner_url', 'voucher_code'),
    ...texts('location', 'terms_and_conditions'),
    ...lists('channels'),
    start_date: 'date',
    end_date: 'date',
  },
  computed: {
    ...texts('currency', 'name'),
    one_time_use: 'boolean',
    new_customer_only: 'boolean',
    refund_period_days: 'integer',
    new_customer_days: 'integer',
    min_spend: 'bigint',
    max_spend: 'bigint',
    denominations: 'bigint[]',
    commission_groups: 'jsonb',
    conditions: 'jsonb',
  },
}
const toColumnNames = ({ content, computed }: RowColumns): string[] => Object.keys({ ...content, ...computed })
const excluded = (columns: RowColumns): string[] => toColumnNames(columns).map((column) => `excluded.${column}`)

/**
 * Expands the JSON of staged rows into columns. Each part is parsed separately and no further than needed, because
 * merging both as jsonb takes the server 50% longer.
 */
function expandRecords(tx: Tx, { content, computed }: RowColumns) {
  const typed = (types: Types) =>
    tx.unsafe(
      Object.entries(types)
        .map(([name, type]) => `${name} ${type}`)
        .join(', '),
    )
  return tx`
    cross join lateral json_to_record(s.content) content (${typed(content)})
    cross join lateral json_to_record(s.computed) computed (${typed(computed)})`
}

export async function writeBrands(tx: Tx, now: Date): Promise<void> {
  await tx`
    insert into brands (${tx(toColumnNames(BRAND_COLUMNS))}, brand_uid, retired_at, content, content_sha256)
    select ${tx(toColumnNames(BRAND_COLUMNS))}, s.brand_uid,
      case when s.retired then ${now}::timestamptz end, s.content, s.sha256
    from staged_brands s ${expandRecords(tx, BRAND_COLUMNS)}
    order by s.position
    on conflict (brand_uid) do update set
      (${tx(toColumnNames(BRAND_COLUMNS))}) = row (${tx(excluded(BRAND_COLUMNS))}),
      retired_at = case when excluded.retired_at is not null then coalesce(brands.retired_at, excluded.retired_at) end,
      content = excluded.content, content_sha256 = excluded.content_sha256`
}

/** Archives the offers that writeOffers is about to replace, with their stores. Call it before writeOffers. */
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
    insert into offers (${tx(toColumnNames(OFFER_COLUMNS))}, offer_uid, brand_uid, retired_at, content_sha256)
    select ${tx(toColumnNames(OFFER_COLUMNS))}, s.offer_uid, s.brand_uid,
      case when s.retired then ${now}::timestamptz end, s.sha256
    from staged_offers s ${expandRecords(tx, OFFER_COLUMNS)}
    order by s.brand_position, s.position
    on conflict (offer_uid) do update set
      (${tx(toColumnNames(OFFER_COLUMNS))}) = row (${tx(excluded(OFFER_COLUMNS))}),
      retired_at = case when excluded.retired_at is not null then coalesce(offers.retired_at, excluded.retired_at) end,
      content_sha256 = excluded.content_sha256, version = offers.version + 1`
}

/** Stores a version of every written offer. Call it after writeOffers. */
export async function writeVersions(tx: Tx, by: string, now: Date): Promise<void> {
  await tx`
    insert into offer_versions (offer_uid, version, content, valid_from, changed_by)
    select s.offer_uid, o.version, s.content, ${now}, ${by}
    from staged_offers s join offers o on o.offer_uid = s.offer_uid`
}

/** Rewrites the stores of written offers. Stores have no history. */
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
