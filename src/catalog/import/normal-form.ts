import {
  BrandFileSchema,
  type BrandInFile,
  GroupFileSchema,
  OfferFileSchema,
  type OfferInFile,
  StoreFileSchema,
  type StoreInFile,
} from '../feed/file-schema.ts'
import { isPercentage } from '../offer.ts'

/**
 * The normal form of brands and offers in files: one order of members, one spelling of each value, no defaults. It is
 * stored, compared and exported. Ids are kept beside it.
 */
export type BrandContent = Omit<BrandInFile, 'brand_uid' | 'category' | 'category_id' | 'offers'> & {
  readonly category_id: number
}
export type OfferContent = Omit<OfferInFile, 'offer_uid'>

/** The defaults of an offer. */
export const DEFAULTS = {
  // Long enough for returns at most shops.
  refund_period_days: 30,
  new_customer_days: 365,
  lapsed_customer_days: 180,
  currency: 'USD',
  network: 'default',
} as const

const BRAND_FIELDS = fieldsOf(BrandFileSchema, 'brand_uid', 'category', 'offers')
const OFFER_FIELDS = fieldsOf(OfferFileSchema, 'offer_uid')
const GROUP_FIELDS = fieldsOf(GroupFileSchema)
const STORE_FIELDS = fieldsOf(StoreFileSchema)
const LIMIT_FIELDS = ['period', 'uses', 'reward', 'amount'] as const

export function normalBrand(brand: BrandInFile): BrandContent {
  return ordered(BRAND_FIELDS, {
    ...brand,
    category_id: Number(brand.category_id),
    domains: [...new Set(brand.domains)].filter((domain) => domain !== brand.website),
    countries: brand.countries?.map((code) => code.toLowerCase()),
  }) as BrandContent
}

export function normalOffer(offer: OfferInFile, brand: Pick<BrandInFile, 'name' | 'website'>): OfferContent {
  const { commission, commission_groups: groups, customer_offer: customer } = offer
  const alone = commission === undefined && groups === undefined && customer !== undefined
  const affiliate = offer.offer_type === 'AFFILIATE'
  return orderedOffer({
    ...offer,
    refund_period_days: unless(DEFAULTS.refund_period_days, offer, 'refund_period_days'),
    new_customer_days: unless(DEFAULTS.new_customer_days, offer, 'new_customer_days'),
    lapsed_customer_days: unless(DEFAULTS.lapsed_customer_days, offer, 'lapsed_customer_days'),
    currency: unless(DEFAULTS.currency, offer, 'currency'),
    name: unless(brand.name, offer, 'name'),
    tracking_url: unless(websiteAddress(brand.website), offer, 'tracking_url'),
    network: affiliate ? unless(DEFAULTS.network, offer, 'network') : undefined,
    commission: alone ? (isPercentage(offer.reward_type) ? { rate: customer } : { amount: customer }) : commission,
    customer_offer: alone ? undefined : customer,
    store_addresses: offer.store_addresses?.map(normalStore),
  } as OfferContent)
}

/** Members in the order of the schema, which the database does not keep. */
export function orderedBrand(content: BrandContent): BrandContent {
  return ordered(BRAND_FIELDS, content) as BrandContent
}

export function orderedOffer(content: OfferContent): OfferContent {
  const { hours, commission_groups: groups, user_limits: limits, budgets, store_addresses: stores } = content
  return ordered(OFFER_FIELDS, {
    ...content,
    hours: hours && { from: hours.from, to: hours.to },
    commission_groups: groups?.map((group) => ordered(GROUP_FIELDS, group)),
    user_limits: limits?.map((limit) => ordered(LIMIT_FIELDS, limit)),
    budgets: budgets?.map((budget) => ordered(LIMIT_FIELDS, budget)),
    store_addresses: stores?.map((store) => ordered(STORE_FIELDS, store)),
  }) as OfferContent
}

function normalStore(store: StoreInFile): object {
  const number = (given: number | string | undefined) => (given === undefined ? undefined : Number(given))
  const spelt = {
    ...store,
    state: store.state?.toUpperCase(),
    latitude: number(store.latitude),
    longitude: number(store.longitude),
    phone: store.phone?.replaceAll(/\D/g, '').slice(-10),
  }
  return ordered(STORE_FIELDS, { ...spelt, complete_address: unless(addressLine(spelt), spelt, 'complete_address') })
}

/** The address of a store in one line, from its parts. */
export function addressLine(store: { readonly [Part in AddressPart]?: string | undefined }): string | null {
  const place = [store.state, store.zip_code].filter((part) => part !== undefined).join(' ')
  const parts = [store.street_address1, store.street_address2, store.city, place, store.country]
  const told = parts.filter((part) => part !== undefined && part !== '')
  return told.length === 0 ? null : told.join(', ')
}
type AddressPart = 'street_address1' | 'street_address2' | 'city' | 'state' | 'zip_code' | 'country'

/** The default target of an affiliate offer's links. */
export function websiteAddress(website: string | undefined): string | null {
  return website === undefined ? null : `https://${website.replace(/^https?:\/\//i, '')}`
}

/** The given value, left out where it is the default. */
function unless(usual: unknown, given: object, field: string): unknown {
  const value: unknown = given[field as keyof typeof given]
  return value === usual ? undefined : value
}

/** Members in the order of the fields, without false and empty values. */
function ordered(fields: readonly string[], values: object): object {
  const out: Record<string, unknown> = {}
  const given = values as Readonly<Record<string, unknown>>
  for (const field of fields) {
    const value = given[field]
    const says =
      value !== undefined &&
      value !== null &&
      value !== false &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0)
    if (says) out[field] = value
  }
  return out
}

function fieldsOf({ properties }: { readonly properties: object }, ...without: readonly string[]): string[] {
  return Object.keys(properties).filter((field) => !without.includes(field))
}
