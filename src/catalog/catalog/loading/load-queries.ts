import { asTable, type Reader, selectColumns } from '../../../platform/db/database.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import { STORE, type Store } from '../store.ts'

// The catalog is reference data, so none of its rows belongs to a publisher. Rows are processed as they arrive, because
// handling half a million rows in a single step would block all other work for seconds.

/** Streams the brands that changed after a version, or all brands for version -1. */
export async function readBrands(reader: Reader, since: number, take: (row: Brand) => void): Promise<void> {
  await reader<Brand[]>`
    select brand_uid, ordinal::float8 as ordinal, category_id, name, website, aliases, domains, merchant_ids, mccs,
      countries, description, logo_img_url, large_img_url, small_img_url, offer_description, reward_type,
      global_terms_and_conditions as global_terms, retired_at is not null as retired
    from brands
    where changed_in > ${since}`.forEach(take)
}

/** Groups and conditions as text. Many offers share the same text, which is then parsed only once. */
export type OfferRow = Omit<CatalogOffer, 'stores' | 'groups' | 'conditions'> & {
  readonly groups: string
  readonly conditions: string
}

export async function readOffers(reader: Reader, since: number, take: (row: OfferRow) => void): Promise<void> {
  await reader<OfferRow[]>`
    select ${offerColumns(reader)} from offers o
    where changed_in > ${since}`.forEach(take)
}

const offerColumns = (reader: Reader) => reader`
  o.offer_uid, o.ordinal::float8 as ordinal, o.brand_uid, o.offer_type, o.reward_type, o.currency, o.name, o.description,
  o.formatted_description, o.banner_url, o.commission_groups::text as groups, o.refund_period_days, o.voucher_code,
  o.location, o.channels, o.one_time_use, o.new_customer_only, o.new_customer_days, o.min_spend, o.max_spend,
  o.denominations, o.start_date, o.end_date, o.terms_and_conditions, o.retired_at is not null as retired, o.version,
  o.conditions::text as conditions`

type StoreRow = Store & { readonly offerUid: string }

/** Streams the stores of offers that changed. An offer changes whenever its stores do. */
export async function readStores(reader: Reader, since: number, take: (row: StoreRow) => void): Promise<void> {
  await reader<StoreRow[]>`
    select offer_uid, ${selectColumns(reader, 'stores', STORE.columns)}
    from stores join offers using (offer_uid)
    where changed_in > ${since}
    order by offer_uid, position`.forEach(take)
}

/** A brand as of a catalog version. */
export type BrandVersion = { readonly brandUid: string; readonly version: number }
type ChangedOffer = BrandVersion & { readonly offerUid: string }
type FormerOfferRow = OfferRow & { readonly asOf: number; readonly stores: readonly StoreJson[] }
/** A store row as JSON, keyed by column name. */
export type StoreJson = Readonly<Record<string, string | number | null>>

/** Lists offers that were added, changed or retired after these versions. */
export function listChangedOffers(reader: Reader, earlier: readonly BrandVersion[]): Promise<ChangedOffer[]> {
  return reader<ChangedOffer[]>`
    select given.brand_uid, given.version, o.offer_uid
    from ${asTable(reader, earlier, { brandUid: 'text', version: 'int4' })}
    join offers o on o.brand_uid = given.brand_uid and o.changed_in > given.version`
}

export function listFormerOffers(reader: Reader, earlier: readonly BrandVersion[]): Promise<FormerOfferRow[]> {
  return reader<FormerOfferRow[]>`
    select ${offerColumns(reader)}, o.stores, given.version as as_of
    from ${asTable(reader, earlier, { brandUid: 'text', version: 'int4' })}
    join former_offers o on o.brand_uid = given.brand_uid
      and o.changed_in <= given.version and o.replaced_in > given.version`
}
