import Type, { type Static } from 'typebox'
import {
  enumField,
  idField,
  named,
  namedObject,
  nullable,
  pageQuery,
  patternField,
  strictObject,
} from '../../platform/http/index.ts'
import { toJsonNumber } from '../../platform/money.ts'
import type { Brand, CatalogOffer } from './catalog.ts'
import { buildImagePath } from './images/monogram.ts'
import { describeReward, displayNumber, type NetOffer } from './net.ts'
import { OFFER_TYPES, REWARD_TYPES, type Store } from './offer.ts'

const maybeText = nullable(Type.String())
const maybeNumber = nullable(Type.Number())
const day = nullable(Type.String({ description: 'yyyy-MM-dd, inclusive.' }))

const StoreAddressSchema = namedObject('StoreAddress', {
  location_name: maybeText,
  street_address1: maybeText,
  street_address2: maybeText,
  city: maybeText,
  state: maybeText,
  zip_code: maybeText,
  latitude: maybeText,
  longitude: maybeText,
  phone: maybeText,
  complete_address: maybeText,
  country: maybeText,
})

const offerMembers = {
  offer_uid: Type.String(),
  name: Type.String(),
  description: maybeText,
  formatted_description: maybeText,
  banner_url: maybeText,
  refund_period_days: Type.Integer(),
  tracking_url: nullable(Type.String({ description: "The user's own affiliate link; AFFILIATE offers only." })),
  reward_type: named('RewardType', enumField(REWARD_TYPES)),
  voucher_code: maybeText,
  customer_offer: Type.Number({
    description: 'Net of share and fees: a percentage or an amount, depending on the reward type.',
  }),
  max_customer_offer: Type.Number({ description: 'Highest commission group, net.' }),
  currency: Type.String({ description: 'ISO 4217 code of all amounts of the offer, including the reward.' }),
  location: maybeText,
  one_time_use: Type.Boolean(),
  new_customer_only: Type.Boolean(),
  activation_required: Type.Boolean({
    description: 'True if purchases count only after the user has activated the offer.',
  }),
  activated: nullable(
    Type.Boolean({ description: 'Whether this user has activated the offer; null if activation is not required.' }),
  ),
  max_spend: maybeNumber,
  min_spend: maybeNumber,
  denominations: Type.Array(Type.Number()),
  start_date: day,
  end_date: day,
  terms_and_conditions: maybeText,
  store_addresses: Type.Array(StoreAddressSchema),
  distance_metres: Type.Optional(
    nullable(
      Type.Integer({
        description:
          'Straight-line distance to the nearest store; only in lists that specify a point or sort by distance.',
      }),
    ),
  ),
}
const offerType = named('OfferType', enumField(OFFER_TYPES))
const OfferSchema = namedObject('Offer', { ...offerMembers, offer_type: offerType })
const SingleOfferSchema = namedObject('SingleOffer', { ...offerMembers, offer_types: offerType })

const brandMembers = {
  brand_uid: Type.String(),
  category_id: Type.String(),
  category: Type.String(),
  name: Type.String(),
  website: maybeText,
  description: Type.String(),
  logo_img_url: Type.String(),
  large_img_url: Type.String(),
  small_img_url: Type.String(),
  offer_description: maybeText,
  reward_type: nullable(enumField(REWARD_TYPES)),
  max_customer_offer: maybeNumber,
  currency: nullable(
    Type.String({
      description:
        'ISO 4217 code of `max_customer_offer`, which comes from an offer in your default currency if there is one. Null if there is no offer.',
    }),
  ),
  global_terms_and_conditions: maybeText,
}
export const BrandSchema = namedObject('Brand', { ...brandMembers, offers: Type.Array(OfferSchema) })
export const SingleBrandSchema = Type.Array(
  namedObject('SingleBrand', { ...brandMembers, offers: Type.Array(SingleOfferSchema) }),
)
export const CategoriesSchema = Type.Array(
  namedObject('Category', { category_id: Type.Integer(), category: Type.String() }),
)

const publisherUserId = idField("The publisher's ID for the user.")
export const BrandsQuery = strictObject({
  publisher_user_id: publisherUserId,
  category_id: Type.Optional(
    patternField('^\\d{1,9}$', 'the number of a category', {
      examples: ['12'],
      description: 'A category from the list of categories.',
    }),
  ),
  offer_type: Type.Optional(Type.Array(offerType, { maxItems: 20, description: 'Only offers of these types.' })),
  location: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 50,
      description:
        'Where to redeem: IN_STORE, ONLINE, a two-letter state, a zip code, or `lat,lng`. Places narrow down only in-store offers. A state includes offers limited to its zip codes, and a zip code includes offers limited to its state. A store without coordinates is treated as located at the center of its zip code.',
    }),
  ),
  radius: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500_000,
      description: 'Radius around `lat,lng` in meters. Defaults to 10,000.',
    }),
  ),
  search_text: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Words from brand and offer names, whole or partial, in any order. Accents are ignored; one typo is tolerated in words of four or more letters, and two in words of seven or more. Without `sort`, the best matches come first. Also accepts a transaction uuid. Blank text is treated as omitted.',
    }),
  ),
  ...pageQuery,
  sort: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description:
        "Sort by `name`, `category_id`, `category`, `max_customer_offer`, `brand_uid` or `distance`: `field,asc`, `field,desc` or `-field`; repeatable. `distance` is the distance to the nearest store from the points or zip codes of `location`, or from the user's zip code if there are none; brands without a store come last. By default, brands follow the publisher's category order, then the catalog's.",
    }),
  ),
})
export type BrandsQuery = Static<typeof BrandsQuery>
export const BrandParams = Type.Object({ brand_uid: Type.String({ minLength: 1, maxLength: 255 }) })
export const BrandQuery = strictObject({ publisher_user_id: publisherUserId })

type OfferMembers = Omit<Static<typeof OfferSchema>, 'offer_type'>

/** An offer as displayed to a user. */
export type PresentedOffer = {
  readonly offer: CatalogOffer
  readonly net: NetOffer
  /** The publisher's custom wording. */
  readonly wording: string | null
  readonly activated: boolean
  /** Null if no store has a known location; absent if not requested. */
  readonly metres?: number | null
}

/** Presents an offer without its type, because that member is named differently in the list than for a single brand. */
export function presentOffer(
  { offer, net, wording, activated, metres }: PresentedOffer,
  trackingUrl: string | null,
): OfferMembers {
  const money = (minor: bigint): number => toJsonNumber(minor, offer.currency)
  return {
    offer_uid: offer.offerUid,
    name: offer.name,
    description: offer.description,
    formatted_description: wording ?? offer.formattedDescription ?? describeReward(offer, net),
    banner_url: offer.bannerUrl,
    refund_period_days: offer.refundPeriodDays,
    tracking_url: trackingUrl,
    reward_type: offer.rewardType,
    voucher_code: offer.voucherCode,
    customer_offer: displayNumber(offer, net.customerOffer),
    max_customer_offer: displayNumber(offer, net.maxCustomerOffer),
    currency: offer.currency,
    location: offer.location,
    one_time_use: offer.oneTimeUse,
    new_customer_only: offer.newCustomerOnly,
    activation_required: offer.conditions.activationRequired,
    activated: offer.conditions.activationRequired ? activated : null,
    max_spend: offer.maxSpend === null ? null : money(offer.maxSpend),
    min_spend: offer.minSpend === null ? null : money(offer.minSpend),
    denominations: offer.denominations.map(money),
    start_date: offer.startDate,
    end_date: offer.endDate,
    terms_and_conditions: offer.termsAndConditions,
    store_addresses: offer.stores.map(presentStore),
    ...(metres === undefined ? {} : { distance_metres: metres }),
  }
}

function presentStore(store: Store): Static<typeof StoreAddressSchema> {
  return {
    location_name: store.locationName,
    street_address1: store.streetAddress1,
    street_address2: store.streetAddress2,
    city: store.city,
    state: store.state,
    zip_code: store.zipCode,
    // Strings, as the API defines them.
    latitude: store.latitude === null ? null : String(store.latitude),
    longitude: store.longitude === null ? null : String(store.longitude),
    phone: store.phone,
    complete_address: store.completeAddress,
    country: store.country,
  }
}

/** The offer that represents a brand. */
export type BestOffer = { readonly offer: CatalogOffer; readonly net: NetOffer }

export function presentBrand(
  brand: Brand,
  category: string,
  best: BestOffer | null,
  baseUrl: string,
): Omit<Static<typeof BrandSchema>, 'offers'> {
  return {
    brand_uid: brand.brandUid,
    category_id: String(brand.categoryId),
    category,
    name: brand.name,
    website: brand.website,
    description: brand.description ?? `Rewards for purchases at ${brand.name}.`,
    logo_img_url: brand.logoImgUrl ?? `${baseUrl}${buildImagePath(brand.brandUid, 'regular')}`,
    large_img_url: brand.largeImgUrl ?? `${baseUrl}${buildImagePath(brand.brandUid, 'large')}`,
    small_img_url: brand.smallImgUrl ?? `${baseUrl}${buildImagePath(brand.brandUid, 'small')}`,
    offer_description: brand.offerDescription ?? (best === null ? null : describeReward(best.offer, best.net)),
    reward_type: brand.rewardType ?? best?.offer.rewardType ?? null,
    max_customer_offer: best === null ? null : displayNumber(best.offer, best.net.maxCustomerOffer),
    currency: best?.offer.currency ?? null,
    global_terms_and_conditions: brand.globalTerms,
  }
}
