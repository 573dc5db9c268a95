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
import { boolean, day, field, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import type { Brand, CatalogOffer } from './catalog.ts'
import { buildImagePath, type ImageSize } from './images/monogram.ts'
import { describeReward, displayNumber, type NetOffer } from './net.ts'
import { OFFER_TYPES, REWARD_TYPES } from './offer.ts'
import { STORE, type Store } from './store.ts'

const offerType = named('OfferType', enumField(OFFER_TYPES))

const netNumber = (which: keyof NetOffer, description: string) =>
  field(Type.Number({ description }), { property: 'net', example: 5 }, (net: NetOffer, offer: CatalogOffer) =>
    displayNumber(offer, net[which]),
  )

/** An offer without its type, because that member is named differently in the list than for a single brand. */
const OFFER = resource('Offer', {
  offer_uid: text({ example: 'off_2x4y6v8wb0e3hr9k5m7n1p3q5s' }),
  name: text({ example: '5% back online' }),
  description: text({ nullable: true, example: 'Buy through the link and get 5% of the purchase back.' }),
  formatted_description: text({ nullable: true, example: '5% cashback' }),
  banner_url: text({ nullable: true, example: null }),
  refund_period_days: integer({ example: 30 }),
  tracking_url: text({
    nullable: true,
    example: 'https://rewards.example.com/r/AbCdEfGhIjKlMnOpQrStUv0123456789abcdefoff_2x4y6v8wb0e3hr9k5m7n1p3q5s',
    description: "The user's own affiliate link; AFFILIATE offers only.",
  }),
  reward_type: oneOf(REWARD_TYPES, { title: 'RewardType', example: 'CASHBACK_PERCENTAGE' }),
  voucher_code: text({ nullable: true, example: null }),
  customer_offer: netNumber(
    'customerOffer',
    'Net of share and fees: a percentage or an amount, depending on the reward type.',
  ),
  max_customer_offer: netNumber('maxCustomerOffer', 'Highest commission group, net.'),
  currency: text({
    example: 'USD',
    description: 'ISO 4217 code of all amounts of the offer, including the reward.',
  }),
  location: text({ nullable: true, example: null }),
  one_time_use: boolean({ example: false }),
  new_customer_only: boolean({ example: false }),
  activation_required: boolean({
    example: false,
    description: 'True if purchases count only after the user has activated the offer.',
  }),
  activated: boolean({
    nullable: true,
    example: null,
    description: 'Whether this user has activated the offer; null if activation is not required.',
  }),
  max_spend: money({ nullable: true, example: 500 }),
  min_spend: money({ nullable: true, example: 20 }),
  denominations: field(
    Type.Array(Type.Number()),
    { example: [] },
    (amounts: readonly bigint[], { currency }: CatalogOffer) => amounts.map((one) => toJsonNumber(one, currency)),
  ),
  start_date: day({ nullable: true, example: '2026-01-01', description: 'yyyy-MM-dd, inclusive.' }),
  end_date: day({ nullable: true, example: null, description: 'yyyy-MM-dd, inclusive.' }),
  terms_and_conditions: text({ nullable: true, example: 'Not on gift cards.' }),
  store_addresses: field(Type.Array(STORE.schema), { property: 'stores', example: [] }, (stores: readonly Store[]) =>
    stores.map(STORE.present),
  ),
})
const offerMembers = {
  ...OFFER.schema.properties,
  distance_metres: Type.Optional(
    nullable(
      Type.Integer({
        description:
          'Straight-line distance to the nearest store; only in lists that specify a point or sort by distance.',
      }),
    ),
  ),
}
const OfferSchema = namedObject('Offer', { ...offerMembers, offer_type: offerType })
const SingleOfferSchema = namedObject('SingleOffer', { ...offerMembers, offer_types: offerType })

const imageExample = (size: ImageSize) =>
  `https://rewards.example.com${buildImagePath('brd_1a3c5e7g9j2k4m6n8p0q2r4s6t', size)}`
const BRAND = resource('Brand', {
  brand_uid: text({ example: 'brd_1a3c5e7g9j2k4m6n8p0q2r4s6t' }),
  category_id: field(Type.String(), { example: '3' }, (categoryId: number) => String(categoryId)),
  category: text({ example: 'ELECTRONICS' }),
  name: text({ example: 'Acme' }),
  website: text({ nullable: true, example: 'https://acme.example.com' }),
  description: text({ example: 'Tools and devices for coyotes.' }),
  logo_img_url: text({ example: imageExample('regular') }),
  large_img_url: text({ example: imageExample('large') }),
  small_img_url: text({ example: imageExample('small') }),
  offer_description: text({ nullable: true, example: '5% cashback' }),
  reward_type: oneOf(REWARD_TYPES, { nullable: true, example: 'CASHBACK_PERCENTAGE' }),
  max_customer_offer: field(Type.Number(), { nullable: true, example: 5 }, (value: number) => value),
  currency: text({
    nullable: true,
    example: 'USD',
    description:
      'ISO 4217 code of `max_customer_offer`, which comes from an offer in your default currency if there is one. Null if there is no offer.',
  }),
  global_terms_and_conditions: text({ property: 'globalTerms', nullable: true, example: null }),
})
export const BrandSchema = namedObject('Brand', { ...BRAND.schema.properties, offers: Type.Array(OfferSchema) })
export const SingleBrandSchema = Type.Array(
  namedObject('SingleBrand', { ...BRAND.schema.properties, offers: Type.Array(SingleOfferSchema) }),
)

/** Builds an example brand. An offer's type has a different member name when a single brand is returned. */
export function brandExample(typeMember: 'offer_type' | 'offer_types'): object {
  const inStore = { offer_uid: 'off_6t8r0e2w4q6y8u1p3a5s7d9f0g', tracking_url: null, store_addresses: [STORE.example] }
  return {
    ...BRAND.example,
    offers: [
      { ...OFFER.example, [typeMember]: 'AFFILIATE' },
      { ...OFFER.example, ...inStore, [typeMember]: 'CARD_LINKED' },
    ],
  }
}

export const CATEGORY = resource('Category', {
  category_id: integer({ example: 3 }),
  category: text({ example: 'ELECTRONICS' }),
})

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

/** Presents an offer without its type. */
export function presentOffer(
  { offer, net, wording, activated, metres }: PresentedOffer,
  trackingUrl: string | null,
): OfferMembers {
  const { activationRequired } = offer.conditions
  return {
    ...OFFER.present({
      ...offer,
      net,
      formattedDescription: wording ?? offer.formattedDescription ?? describeReward(offer, net),
      trackingUrl,
      activationRequired,
      activated: activationRequired ? activated : null,
    }),
    ...(metres === undefined ? {} : { distance_metres: metres }),
  }
}

/** The offer that represents a brand. */
export type BestOffer = { readonly offer: CatalogOffer; readonly net: NetOffer }

export function presentBrand(
  brand: Brand,
  category: string,
  best: BestOffer | null,
  baseUrl: string,
): Static<typeof BRAND.schema> {
  return BRAND.present({
    ...brand,
    category,
    description: brand.description ?? `Rewards for purchases at ${brand.name}.`,
    logoImgUrl: brand.logoImgUrl ?? `${baseUrl}${buildImagePath(brand.brandUid, 'regular')}`,
    largeImgUrl: brand.largeImgUrl ?? `${baseUrl}${buildImagePath(brand.brandUid, 'large')}`,
    smallImgUrl: brand.smallImgUrl ?? `${baseUrl}${buildImagePath(brand.brandUid, 'small')}`,
    offerDescription: brand.offerDescription ?? (best === null ? null : describeReward(best.offer, best.net)),
    rewardType: brand.rewardType ?? best?.offer.rewardType ?? null,
    maxCustomerOffer: best === null ? null : displayNumber(best.offer, best.net.maxCustomerOffer),
    currency: best?.offer.currency ?? null,
  })
}
