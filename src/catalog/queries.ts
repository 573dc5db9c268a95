import type { Reader, Tx } from '../platform/database.ts'
import type { Brand, CatalogOffer, Category } from './catalog.ts'
import {
  type Budget,
  type CommissionGroup,
  noConditions,
  type OfferConditions,
  type Store,
  type UserLimit,
} from './offer.ts'
import type { PlannedBrand, PlannedOffer } from './plan.ts'

// The catalog is reference data: none of its rows belongs to a publisher.

export async function getVersion(reader: Reader): Promise<number> {
  const [row] = await reader<{ version: number }[]>`select version from catalog_version`
  return row?.version ?? 0
}

/** The version, held until the end of the transaction: imports happen one after the other. */
export async function lockVersion(tx: Tx): Promise<number> {
  const [row] = await tx<{ version: number }[]>`select version from catalog_version for update`
  return row?.version ?? 0
}

export async function bumpVersion(tx: Tx): Promise<void> {
  await tx`update catalog_version set version = version + 1`
}

export async function listCategories(reader: Reader): Promise<Category[]> {
  return reader<Category[]>`
    select category_id as "categoryId", category from categories order by category_id`
}

export async function listBrands(reader: Reader): Promise<Brand[]> {
  return reader<Brand[]>`
    select brand_uid as "brandUid", ordinal::float8 as ordinal, category_id as "categoryId", name, website, aliases, domains,
      merchant_ids as "merchantIds", mccs, countries, description, logo_img_url as "logoImgUrl", large_img_url as "largeImgUrl",
      small_img_url as "smallImgUrl", offer_description as "offerDescription", reward_type as "rewardType",
      global_terms_and_conditions as "globalTerms", retired_at is not null as retired
    from brands order by brands.ordinal`
}

type OfferRow = Omit<CatalogOffer, 'stores' | 'groups' | 'conditions'> & {
  readonly groups: readonly GroupRow[]
  readonly conditions: ConditionsRow
}

/** A commission group as JSON: amounts are texts of minor units, for JSON has no exact integers. */
export type GroupRow = Omit<CommissionGroup, 'amount' | 'minAmount' | 'maxAmount' | 'skus'> & {
  /** Absent in rows from before there were any. */
  readonly skus?: readonly string[]
  readonly amount: string | null
  readonly minAmount: string | null
  readonly maxAmount: string | null
}

/** What an offer asks as JSON: what is absent is not asked; amounts are texts of minor units. */
export type ConditionsRow = Partial<
  Omit<OfferConditions, 'userLimits' | 'budgets'> & {
    readonly userLimits: readonly (Omit<UserLimit, 'reward'> & { readonly reward: string | null })[]
    readonly budgets: readonly (Omit<Budget, 'amount'> & { readonly amount: string })[]
  }
>

export async function listOffers(reader: Reader): Promise<OfferRow[]> {
  return reader<OfferRow[]>`
    select offer_uid as "offerUid", ordinal::float8 as ordinal, brand_uid as "brandUid", offer_type as "offerType",
      reward_type as "rewardType", currency, name, description, formatted_description as "formattedDescription",
      banner_url as "bannerUrl", commission_groups as groups, refund_period_days as "refundPeriodDays",
      voucher_code as "voucherCode", location, channels, one_time_use as "oneTimeUse",
      new_customer_only as "newCustomerOnly", new_customer_days as "newCustomerDays", min_spend as "minSpend",
      max_spend as "maxSpend", denominations, start_date as "startDate", end_date as "endDate",
      terms_and_conditions as "termsAndConditions", retired_at is not null as retired, version, conditions
    from offers order by offers.ordinal`
}

export type StoreRow = Store & { readonly offerUid: string }

export async function listStores(reader: Reader): Promise<StoreRow[]> {
  return reader<StoreRow[]>`
    select offer_uid as "offerUid", location_name as "locationName", store_number as "storeNumber",
      street_address1 as "streetAddress1", street_address2 as "streetAddress2", city, state, zip_code as "zipCode",
      latitude, longitude, phone, complete_address as "completeAddress", country
    from stores order by offer_uid, position`
}

export function offerOf({ groups, conditions, ...row }: OfferRow, stores: readonly StoreRow[]): CatalogOffer {
  const minor = (text: string | null): bigint | null => (text === null ? null : BigInt(text))
  return {
    ...row,
    stores: stores.map(({ offerUid: _, ...store }) => store),
    conditions: conditionsOf(conditions),
    groups: groups.map((group) => ({
      ...group,
      skus: group.skus ?? [],
      amount: minor(group.amount),
      minAmount: minor(group.minAmount),
      maxAmount: minor(group.maxAmount),
    })),
  }
}

function conditionsOf(row: ConditionsRow): OfferConditions {
  return {
    ...noConditions,
    ...row,
    userLimits: (row.userLimits ?? []).map((one) => ({
      ...one,
      reward: one.reward === null ? null : BigInt(one.reward),
    })),
    budgets: (row.budgets ?? []).map((one) => ({ ...one, amount: BigInt(one.amount) })),
  }
}

export type KnownBrand = {
  readonly brandUid: string
  readonly name: string
  readonly website: string | null
  readonly sha256: string
  readonly retired: boolean
}
export type KnownOffer = Pick<CatalogOffer, 'offerUid' | 'brandUid' | 'name' | 'offerType' | 'retired'> & {
  readonly sha256: string
}

export async function listKnownBrands(reader: Reader): Promise<KnownBrand[]> {
  return reader<KnownBrand[]>`
    select brand_uid as "brandUid", name, website, content_sha256 as sha256, retired_at is not null as retired
    from brands order by ordinal`
}

export async function listKnownOffers(reader: Reader): Promise<KnownOffer[]> {
  return reader<KnownOffer[]>`
    select offer_uid as "offerUid", brand_uid as "brandUid", name, offer_type as "offerType", content_sha256 as sha256,
      retired_at is not null as retired
    from offers order by ordinal`
}

export async function upsertCategories(tx: Tx, categories: readonly Category[]): Promise<void> {
  await tx`
    insert into categories (category_id, category)
    select * from unnest(
      ${categories.map((one) => one.categoryId)}::integer[], ${categories.map((one) => one.category)}::text[])
    on conflict (category_id) do update set category = excluded.category`
}

/** One JSON parameter instead of arrays of columns: unnest would flatten the lists that a brand has. */
export async function upsertBrands(tx: Tx, brands: readonly PlannedBrand[], now: Date): Promise<void> {
  await tx`
    insert into brands (brand_uid, category_id, name, website, aliases, domains, merchant_ids, mccs, countries,
      description, logo_img_url, large_img_url, small_img_url, offer_description, reward_type, global_terms_and_conditions,
      retired_at, content_sha256)
    select "brandUid", "categoryId", name, website, aliases, domains, "merchantIds", mccs, countries, description,
      "logoImgUrl", "largeImgUrl", "smallImgUrl", "offerDescription", "rewardType", "globalTerms",
      case when retired then ${now}::timestamptz end, sha256
    from jsonb_to_recordset(${tx.json(brands as never)}) as given (
      "brandUid" text, "categoryId" integer, name text, website text, aliases text[], domains text[], "merchantIds" text[],
      mccs text[], countries text[], description text, "logoImgUrl" text, "largeImgUrl" text, "smallImgUrl" text, "offerDescription" text,
      "rewardType" text, "globalTerms" text, retired boolean, sha256 text, position integer)
    order by position
    on conflict (brand_uid) do update set
      category_id = excluded.category_id, name = excluded.name, website = excluded.website, aliases = excluded.aliases,
      domains = excluded.domains, merchant_ids = excluded.merchant_ids, mccs = excluded.mccs, countries = excluded.countries,
      description = excluded.description, logo_img_url = excluded.logo_img_url, large_img_url = excluded.large_img_url,
      small_img_url = excluded.small_img_url, offer_description = excluded.offer_description,
      reward_type = excluded.reward_type, global_terms_and_conditions = excluded.global_terms_and_conditions,
      retired_at = excluded.retired_at, content_sha256 = excluded.content_sha256`
}

export async function upsertOffers(tx: Tx, offers: readonly PlannedOffer[], now: Date): Promise<void> {
  await tx`
    insert into offers (offer_uid, brand_uid, offer_type, reward_type, currency, name, description, formatted_description,
      banner_url, commission_groups, refund_period_days, voucher_code, location, channels, one_time_use, new_customer_only,
      new_customer_days, min_spend, max_spend, denominations, start_date, end_date, terms_and_conditions, conditions,
      retired_at, content_sha256)
    select "offerUid", "brandUid", "offerType", "rewardType", currency, name, description, "formattedDescription",
      "bannerUrl", groups, "refundPeriodDays", "voucherCode", location, channels, "oneTimeUse", "newCustomerOnly",
      "newCustomerDays", "minSpend", "maxSpend", denominations, "startDate", "endDate", "termsAndConditions",
      conditions, case when retired then ${now}::timestamptz end, sha256
    from jsonb_to_recordset(${tx.json(offers as never)}) as given (
      "offerUid" text, "brandUid" text, "offerType" text, "rewardType" text, currency text, name text, description text,
      "formattedDescription" text, "bannerUrl" text, groups jsonb, "refundPeriodDays" integer, "voucherCode" text,
      location text, channels text[], "oneTimeUse" boolean, "newCustomerOnly" boolean, "newCustomerDays" integer,
      "minSpend" bigint, "maxSpend" bigint, denominations bigint[], "startDate" date, "endDate" date,
      "termsAndConditions" text, conditions jsonb, retired boolean, sha256 text, position integer)
    order by position
    on conflict (offer_uid) do update set
      brand_uid = excluded.brand_uid, offer_type = excluded.offer_type, reward_type = excluded.reward_type,
      currency = excluded.currency, name = excluded.name, description = excluded.description,
      formatted_description = excluded.formatted_description, banner_url = excluded.banner_url,
      commission_groups = excluded.commission_groups, refund_period_days = excluded.refund_period_days,
      voucher_code = excluded.voucher_code, location = excluded.location, channels = excluded.channels,
      one_time_use = excluded.one_time_use, new_customer_only = excluded.new_customer_only,
      new_customer_days = excluded.new_customer_days, min_spend = excluded.min_spend, max_spend = excluded.max_spend,
      denominations = excluded.denominations, start_date = excluded.start_date, end_date = excluded.end_date,
      terms_and_conditions = excluded.terms_and_conditions, conditions = excluded.conditions,
      retired_at = excluded.retired_at, content_sha256 = excluded.content_sha256, version = offers.version + 1`
}

export async function deleteStores(tx: Tx, offerUids: readonly string[]): Promise<void> {
  await tx`delete from stores where offer_uid = any(${offerUids as string[]}::text[])`
}

export async function insertStores(tx: Tx, stores: readonly (StoreRow & { position: number })[]): Promise<void> {
  await tx`
    insert into stores (offer_uid, position, location_name, store_number, street_address1, street_address2, city, state,
      zip_code, latitude, longitude, phone, complete_address, country)
    select "offerUid", position, "locationName", "storeNumber", "streetAddress1", "streetAddress2", city, state,
      "zipCode", latitude, longitude, phone, "completeAddress", country
    from jsonb_to_recordset(${tx.json(stores as never)}) as given (
      "offerUid" text, position integer, "locationName" text, "storeNumber" text, "streetAddress1" text,
      "streetAddress2" text, city text, state text, "zipCode" text, latitude double precision, longitude double precision,
      phone text, "completeAddress" text, country text)`
}
