import { isPercentage } from '../offer.ts'
import {
  BrandFileSchema,
  type BrandInFile,
  OfferFileSchema,
  type OfferInFile,
  type StoreInFile,
} from './file-schema.ts'

/**
 * The normal form of brands and offers in files: a fixed member order, a single spelling for each value, and no
 * defaults. This form is stored, compared and exported, and rows are derived from it. Ids are stored separately.
 */
export type BrandContent = Omit<BrandInFile, 'brand_uid' | 'category' | 'category_id' | 'offers'> & {
  readonly category_id: number
}
export type OfferContent = Omit<OfferInFile, 'offer_uid'>

/** The default values of an offer. */
export const DEFAULTS = {
  // Long enough for returns at most stores.
  refund_period_days: 30,
  new_customer_days: 365,
  lapsed_customer_days: 180,
  currency: 'USD',
  network: 'default',
} as const

export function normalizeBrand(brand: BrandInFile): BrandContent {
  return ordered(BRAND_SHAPE, {
    ...brand,
    category_id: Number(brand.category_id),
    domains: [...new Set(brand.domains)].filter((domain) => domain !== brand.website),
    countries: brand.countries?.map((code) => code.toLowerCase()) ?? [],
  }) as BrandContent
}

export function normalizeOffer(offer: OfferInFile, brand: Pick<BrandInFile, 'name' | 'website'>): OfferContent {
  const { commission, commission_groups: groups, customer_offer: customer, network, ...rest } = offer
  const isAlone = commission === undefined && groups === undefined && customer !== undefined
  const only = isPercentage(offer.reward_type) ? { rate: customer } : { amount: customer }
  return ordered(
    OFFER_SHAPE,
    {
      ...rest,
      network: offer.offer_type === 'AFFILIATE' ? network : undefined,
      commission: isAlone ? only : commission,
      commission_groups: groups,
      customer_offer: isAlone ? undefined : customer,
      store_addresses: offer.store_addresses?.map(normalStore),
    },
    { ...DEFAULTS, name: brand.name, tracking_url: toWebsiteUrl(brand.website) },
  ) as OfferContent
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
  return store.complete_address === formatAddressLine(spelt) ? { ...spelt, complete_address: undefined } : spelt
}

/** The part of a schema that lists the members of a value. */
type Shape = { readonly properties?: object; readonly items?: Shape }

const { brand_uid: _brand, category: _category, offers: _offers, ...brandMembers } = BrandFileSchema.properties
const { offer_uid: _offer, ...offerMembers } = OfferFileSchema.properties
const BRAND_SHAPE: Shape = { properties: brandMembers }
const OFFER_SHAPE: Shape = { properties: offerMembers }

/** Arranges members in schema order and drops false, empty and default values. */
function ordered(shape: Shape, value: unknown, defaults: Readonly<Record<string, unknown>> = {}): unknown {
  if (Array.isArray(value)) {
    const { items } = shape
    return items?.properties === undefined ? value : value.map((one) => ordered(items, one))
  }
  if (shape.properties === undefined) return value
  const out: Record<string, unknown> = {}
  const given = value as Readonly<Record<string, unknown>>
  for (const [name, inner] of Object.entries(shape.properties)) {
    const member = given[name]
    if (!isEmpty(member) && member !== defaults[name]) out[name] = ordered(inner as Shape, member)
  }
  return out
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || (value as string | unknown[]).length === 0
}

/** Joins the parts of a store's address into one line. */
export function formatAddressLine(store: { readonly [Member in keyof StoreInFile]: unknown }): string | null {
  const place = [store.state, store.zip_code].filter((part) => part !== undefined).join(' ')
  const parts = [store.street_address1, store.street_address2, store.city, place, store.country].filter(Boolean)
  return parts.length === 0 ? null : parts.join(', ')
}

/** Returns the default link target of an affiliate offer, which is the brand's website. */
export function toWebsiteUrl(website: string | undefined): string | null {
  return website === undefined ? null : `https://${website.replace(/^https?:\/\//i, '')}`
}
