import type { Brand, Category } from '../../src/catalog/catalog/catalog.ts'
import type { Catalog, CatalogOffer, CommissionGroup, Store } from '../../src/catalog/catalog/index.ts'
import { noConditions } from '../../src/catalog/catalog/offer.ts'
import { assembleCatalog } from '../../src/catalog/catalog/table/assemble.ts'

// Helpers that build complete catalog rows and catalogs. Tests pass only the fields that matter to them.

export const makeBrand = (more: Partial<Brand>): Brand => ({
  brandUid: 'brand',
  ordinal: 0,
  categoryId: 1,
  name: 'Brand',
  website: null,
  aliases: [],
  domains: [],
  merchantIds: [],
  mccs: [],
  countries: [],
  description: null,
  logoImgUrl: null,
  largeImgUrl: null,
  smallImgUrl: null,
  offerDescription: null,
  rewardType: null,
  globalTerms: null,
  retired: false,
  ...more,
})

/** A commission group without conditions, which pays nothing until a test adds a rate or an amount. */
export const makeGroup = (more: Partial<CommissionGroup>): CommissionGroup => ({
  name: null,
  ratePpm: null,
  amount: null,
  productGroups: [],
  skus: [],
  customer: null,
  minAmount: null,
  maxAmount: null,
  ...more,
})

export const makeOffer = (more: Partial<CatalogOffer>): CatalogOffer => ({
  offerUid: 'offer',
  brandUid: 'brand',
  ordinal: 0,
  version: 1,
  name: 'Offer',
  offerType: 'CARD_LINKED',
  rewardType: 'CASHBACK_PERCENTAGE',
  currency: 'USD',
  groups: [],
  refundPeriodDays: 0,
  oneTimeUse: false,
  newCustomerOnly: false,
  newCustomerDays: 365,
  minSpend: null,
  maxSpend: null,
  denominations: [],
  startDate: null,
  endDate: null,
  voucherCode: null,
  location: null,
  stores: [],
  channels: null,
  conditions: noConditions,
  description: null,
  formattedDescription: null,
  bannerUrl: null,
  termsAndConditions: null,
  retired: false,
  ...more,
})

export const makeStore = (more: Partial<Store>): Store => ({
  locationName: null,
  storeNumber: null,
  streetAddress1: null,
  streetAddress2: null,
  city: null,
  state: null,
  zipCode: null,
  latitude: null,
  longitude: null,
  phone: null,
  completeAddress: null,
  country: null,
  ...more,
})

type Rows = {
  readonly version?: number
  readonly categories?: readonly Category[]
  readonly brands: readonly Brand[]
  readonly offers: readonly CatalogOffer[]
}

export const makeCatalog = ({ version = 1, categories = [], brands, offers }: Rows): Promise<Catalog> =>
  assembleCatalog({ version, categories, brands, offers }, async () => undefined)
