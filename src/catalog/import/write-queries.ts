import { given, type Tx } from '../../platform/database.ts'
import type { Category } from '../catalog.ts'

/** The second half of an import: changes are written, each table in one statement. */
export async function upsertCategories(tx: Tx, categories: readonly Category[]): Promise<void> {
  await tx`
    insert into categories (category_id, category)
    select category_id, category from ${given(tx, categories, { categoryId: 'int4', category: 'text' })}
    on conflict (category_id) do update set category = excluded.category`
}

export async function writeBrands(tx: Tx, now: Date): Promise<void> {
  await tx`
    insert into brands (brand_uid, category_id, name, website, aliases, domains, merchant_ids, mccs, countries,
      description, logo_img_url, large_img_url, small_img_url, offer_description, reward_type, global_terms_and_conditions,
      retired_at, content, content_sha256)
    select s.brand_uid, "categoryId", name, website, aliases, domains, "merchantIds", mccs, countries, description,
      "logoImgUrl", "largeImgUrl", "smallImgUrl", "offerDescription", "rewardType", "globalTerms",
      case when s.retired then ${now}::timestamptz end, s.content::json, s.sha256
    from staged_brands s cross join lateral jsonb_to_record(s.entry::jsonb) as given (
      "categoryId" integer, name text, website text, aliases text[], domains text[], "merchantIds" text[], mccs text[],
      countries text[], description text, "logoImgUrl" text, "largeImgUrl" text, "smallImgUrl" text,
      "offerDescription" text, "rewardType" text, "globalTerms" text)
    order by s.position
    on conflict (brand_uid) do update set
      category_id = excluded.category_id, name = excluded.name, website = excluded.website, aliases = excluded.aliases,
      domains = excluded.domains, merchant_ids = excluded.merchant_ids, mccs = excluded.mccs, countries = excluded.countries,
      description = excluded.description, logo_img_url = excluded.logo_img_url, large_img_url = excluded.large_img_url,
      small_img_url = excluded.small_img_url, offer_description = excluded.offer_description,
      reward_type = excluded.reward_type, global_terms_and_conditions = excluded.global_terms_and_conditions,
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
    insert into offers (offer_uid, brand_uid, offer_type, reward_type, currency, name, description, formatted_description,
      banner_url, commission_groups, refund_period_days, voucher_code, location, channels, one_time_use, new_customer_only,
      new_customer_days, min_spend, max_spend, denominations, start_date, end_date, terms_and_conditions, conditions,
      retired_at, content_sha256)
    select s.offer_uid, s.brand_uid, "offerType", "rewardType", currency, name, description, "formattedDescription",
      "bannerUrl", groups, "refundPeriodDays", "voucherCode", location, channels, "oneTimeUse", "newCustomerOnly",
      "newCustomerDays", "minSpend", "maxSpend", denominations, "startDate", "endDate", "termsAndConditions",
      conditions, case when s.retired then ${now}::timestamptz end, s.sha256
    from staged_offers s cross join lateral jsonb_to_record(s.entry::jsonb) as given (
      "offerType" text, "rewardType" text, currency text, name text, description text, "formattedDescription" text,
      "bannerUrl" text, groups jsonb, "refundPeriodDays" integer, "voucherCode" text, location text, channels text[],
      "oneTimeUse" boolean, "newCustomerOnly" boolean, "newCustomerDays" integer, "minSpend" bigint, "maxSpend" bigint,
      denominations bigint[], "startDate" date, "endDate" date, "termsAndConditions" text, conditions jsonb)
    order by s.brand_position, s.position
    on conflict (offer_uid) do update set
      offer_type = excluded.offer_type, reward_type = excluded.reward_type,
      currency = excluded.currency, name = excluded.name, description = excluded.description,
      formatted_description = excluded.formatted_description, banner_url = excluded.banner_url,
      commission_groups = excluded.commission_groups, refund_period_days = excluded.refund_period_days,
      voucher_code = excluded.voucher_code, location = excluded.location, channels = excluded.channels,
      one_time_use = excluded.one_time_use, new_customer_only = excluded.new_customer_only,
      new_customer_days = excluded.new_customer_days, min_spend = excluded.min_spend, max_spend = excluded.max_spend,
      denominations = excluded.denominations, start_date = excluded.start_date, end_date = excluded.end_date,
      terms_and_conditions = excluded.terms_and_conditions, conditions = excluded.conditions,
      retired_at = case when excluded.retired_at is not null then coalesce(offers.retired_at, excluded.retired_at) end,
      content_sha256 = excluded.content_sha256, version = offers.version + 1`
}

/** After writeOffers: every state of an offer is kept. */
export async function writeVersions(tx: Tx, by: string, now: Date): Promise<void> {
  await tx`
    insert into offer_versions (offer_uid, version, content, valid_from, changed_by)
    select s.offer_uid, o.version, s.content::json, ${now}, ${by}
    from staged_offers s join offers o on o.offer_uid = s.offer_uid`
}

/** Stores have no history of their own; an offer's are written anew with it. */
export async function writeStores(tx: Tx): Promise<void> {
  await tx`delete from stores using staged_offers s where stores.offer_uid = s.offer_uid`
  await tx`
    insert into stores (offer_uid, position, location_name, store_number, street_address1, street_address2, city, state,
      zip_code, latitude, longitude, phone, complete_address, country)
    select s.offer_uid, place.position - 1, given."locationName", given."storeNumber", given."streetAddress1",
      given."streetAddress2", given.city, given.state, given."zipCode", given.latitude, given.longitude, given.phone,
      given."completeAddress", given.country
    from staged_offers s
      cross join lateral jsonb_array_elements(s.stores::jsonb) with ordinality as place (store, position)
      cross join lateral jsonb_to_record(place.store) as given (
        "locationName" text, "storeNumber" text, "streetAddress1" text, "streetAddress2" text, city text, state text,
        "zipCode" text, latitude double precision, longitude double precision, phone text, "completeAddress" text,
        country text)
    where s.stores is not null`
}
