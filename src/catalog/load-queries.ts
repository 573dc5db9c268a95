import type { Reader, Tx } from '../platform/database.ts'
import type { Brand, CatalogOffer } from './catalog.ts'
import type { Store } from './offer.ts'

// The catalog is reference data: none of its rows belongs to a publisher. What changed after a version is asked for; every row changed
// after version -1. Read in pieces, because whole half a million rows would stop everything else for seconds.

const ROWS_AT_ONCE = 500

export type Pieces<Row> = AsyncIterable<readonly Row[]>

/** Loads all parts as of one instant, so that no import is seen half. */
export async function startReading(tx: Tx): Promise<void> {
  await tx`set transaction isolation level repeatable read, read only`
}

export function readBrands(reader: Reader, since: number): Pieces<Brand> {
  return reader<Brand[]>`
    select brand_uid as "brandUid", ordinal::float8 as ordinal, category_id as "categoryId", name, website, aliases, domains,
      merchant_ids as "merchantIds", mccs, countries, description, logo_img_url as "logoImgUrl", large_img_url as "largeImgUrl",
      small_img_url as "smallImgUrl", offer_description as "offerDescription", reward_type as "rewardType",
      global_terms_and_conditions as "globalTerms", retired_at is not null as retired
    from brands
    where changed_in > ${since}`.cursor(ROWS_AT_ONCE)
}

/** Groups and conditions as their texts: many offers have the same, and each is read once. */
export type OfferRow = Omit<CatalogOffer, 'stores' | 'groups' | 'conditions'> & {
  readonly groups: string
  readonly conditions: string
}

export function readOffers(reader: Reader, since: number): Pieces<OfferRow> {
  return reader<OfferRow[]>`
    select offer_uid as "offerUid", ordinal::float8 as ordinal, brand_uid as "brandUid", offer_type as "offerType",
      reward_type as "rewardType", currency, name, description, formatted_description as "formattedDescription",
      banner_url as "bannerUrl", commission_groups::text as groups, refund_period_days as "refundPeriodDays",
      voucher_code as "voucherCode", location, channels, one_time_use as "oneTimeUse",
      new_customer_only as "newCustomerOnly", new_customer_days as "newCustomerDays", min_spend as "minSpend",
      max_spend as "maxSpend", denominations, start_date as "startDate", end_date as "endDate",
      terms_and_conditions as "termsAndConditions", retired_at is not null as retired, version, conditions::text as conditions
    from offers
    where changed_in > ${since}`.cursor(ROWS_AT_ONCE)
}

type StoreRow = Store & { readonly offerUid: string }

/** The stores of offers that changed: an offer changes whenever its stores do. */
export function readStores(reader: Reader, since: number): Pieces<StoreRow> {
  return reader<StoreRow[]>`
    select offer_uid as "offerUid", location_name as "locationName", store_number as "storeNumber",
      street_address1 as "streetAddress1", street_address2 as "streetAddress2", city, state, zip_code as "zipCode",
      latitude, longitude, phone, complete_address as "completeAddress", country
    from stores join offers using (offer_uid)
    where changed_in > ${since}
    order by offer_uid, position`.cursor(ROWS_AT_ONCE)
}
