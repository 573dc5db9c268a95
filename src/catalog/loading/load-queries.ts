import type { Reader, Tx } from '../../platform/database.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import type { Store } from '../offer.ts'

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
    select brand_uid, ordinal::float8 as ordinal, category_id, name, website, aliases, domains,
      merchant_ids, mccs, countries, description, logo_img_url, large_img_url,
      small_img_url, offer_description, reward_type,
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
    select offer_uid, ordinal::float8 as ordinal, brand_uid, offer_type,
      reward_type, currency, name, description, formatted_description,
      banner_url, commission_groups::text as groups, refund_period_days,
      voucher_code, location, channels, one_time_use,
      new_customer_only, new_customer_days, min_spend,
      max_spend, denominations, start_date, end_date,
      terms_and_conditions, retired_at is not null as retired, version, conditions::text as conditions
    from offers
    where changed_in > ${since}`.cursor(ROWS_AT_ONCE)
}

type StoreRow = Store & { readonly offerUid: string }

/** The stores of offers that changed: an offer changes whenever its stores do. */
export function readStores(reader: Reader, since: number): Pieces<StoreRow> {
  return reader<StoreRow[]>`
    select offer_uid, location_name, store_number,
      street_address1, street_address2, city, state, zip_code,
      latitude, longitude, phone, complete_address, country
    from stores join offers using (offer_uid)
    where changed_in > ${since}
    order by offer_uid, position`.cursor(ROWS_AT_ONCE)
}
