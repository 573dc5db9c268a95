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
