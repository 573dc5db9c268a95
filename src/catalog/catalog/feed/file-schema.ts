import Type, { type Static } from 'typebox'
import {
  currencyField,
  dayField,
  enumField,
  explainPattern,
  named,
  namedStrictObject,
  patternField,
  postalCodeField,
  twoLetters,
  webAddress,
} from '../../../platform/http/index.ts'
import { AMOUNT_MAX } from '../../../platform/money.ts'
import { CHANNELS, CUSTOMER_KINDS, OFFER_TYPES, PERIODS, REWARD_TYPES, WEEKDAYS } from '../offer.ts'

/**
 * The schema of catalog files, using the API's field names. Additional fields hold data only the advertiser's side
 * knows (commission, tracking URL template) or help match purchases to the brand (aliases, identifiers, codes).
 */

// Uids appear in URLs, so they contain only characters that need no escaping.
export const uid = patternField('^[A-Za-z0-9._~-]{1,64}$', '1 to 64 letters, digits or characters of ._~-')
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, format: 'printable' })
/** Multi-line text. Control characters other than line breaks and tabs cannot be displayed. */
const prose = Type.String({ maxLength: 20_000, format: 'prose' })
const address = webAddress()
/** An http or https URL, or a host without a scheme. The pattern rejects any other scheme. */
const website = patternField(
  '^([Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+|[^\\s:/?#]+)([/?#].*)?$',
  'an http or https URL, or a host name',
  { minLength: 1, maxLength: 500, format: 'printable', examples: ['https://example.com'] },
)
const amount = Type.Number({ minimum: 0, maximum: AMOUNT_MAX })
const rate = Type.Number({ exclusiveMinimum: 0, maximum: 100 })
const list = Type.Optional(Type.Array(line(255), { maxItems: 1000 }))
const CATEGORY_ID = '^[1-9]\\d{0,8}$'
explainPattern(CATEGORY_ID, 'its digits as text')
const categoryId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: 2_147_483_647,
  pattern: CATEGORY_ID,
})
const text = (maxLength: number) => Type.Optional(line(maxLength))

export const CategoryFileSchema = namedStrictObject('CatalogCategory', { category_id: categoryId, category: line(100) })

const COORDINATE = '^-?\\d{1,3}(\\.\\d{1,15})?$'
explainPattern(COORDINATE, 'the same as decimal text')
const coordinate = (limit: number) =>
  Type.Optional(
    Type.Unsafe<number | string>({
      type: ['number', 'string'],
      minimum: -limit,
      maximum: limit,
      pattern: COORDINATE,
    }),
  )

const StoreFileSchema = namedStrictObject('CatalogStore', {
  location_name: text(255),
  store_number: text(50),
  street_address1: text(255),
  street_address2: text(255),
  city: text(100),
  state: Type.Optional(twoLetters('NY')),
  zip_code: Type.Optional(postalCodeField(undefined, 15)),
  latitude: coordinate(90),
  longitude: coordinate(180),
  phone: Type.Optional(
    patternField(
      '^([+]?1?[-. (]*(\\d[-. ()]*){10}|[+][1-9]([-. ()]*\\d){6,14})$',
      'a ten-digit telephone number, or one with + and the country code,',
      { maxLength: 30, examples: ['(212) 555-0100'] },
    ),
  ),
  complete_address: text(1000),
  country: text(100),
})

const CommissionSchema = namedStrictObject(
  'Commission',
  { rate: Type.Optional(rate), amount: Type.Optional(amount) },
  { minProperties: 1, maxProperties: 1 },
)

const positive = Type.Number({ exclusiveMinimum: 0, maximum: AMOUNT_MAX })
const timeOfDay = patternField('^([01]\\d|2[0-3]):[0-5]\\d$', 'a time of day', { examples: ['17:30'] })
const HoursSchema = namedStrictObject('Hours', { from: timeOfDay, to: timeOfDay })
const UserLimitSchema = namedStrictObject(
  'UserLimit',
  {
    period: named('LimitPeriod', enumField(PERIODS)),
    uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    reward: Type.Optional(positive),
  },
  { minProperties: 2 },
)
const BudgetSchema = namedStrictObject('Budget', { period: enumField(PERIODS), amount: positive })

const GroupFileSchema = namedStrictObject('CommissionGroup', {
  name: line(255),
  rate: Type.Optional(rate),
  amount: Type.Optional(amount),
  product_groups: list,
  skus: list,
  customer: Type.Optional(enumField(CUSTOMER_KINDS)),
  min_amount: Type.Optional(amount),
  max_amount: Type.Optional(amount),
})

export const OfferFileSchema = namedStrictObject('CatalogOffer', {
  offer_uid: Type.Optional(uid),
  name: text(255),
  description: Type.Optional(prose),
  formatted_description: Type.Optional(prose),
  banner_url: Type.Optional(address),
  refund_period_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
  tracking_url: text(2048),
  network: Type.Optional(
    patternField('^[a-z0-9][a-z0-9_-]{0,63}$', '1 to 64 lowercase letters, digits, _ or -', { examples: ['awin'] }),
  ),
  offer_type: enumField(OFFER_TYPES),
  reward_type: enumField(REWARD_TYPES),
  voucher_code: text(100),
  commission: Type.Optional(CommissionSchema),
  commission_groups: Type.Optional(Type.Array(GroupFileSchema, { minItems: 1, maxItems: 100 })),
  customer_offer: Type.Optional(amount),
  max_customer_offer: Type.Optional(amount),
  currency: Type.Optional({
    ...currencyField(),
    description: 'ISO 4217 code. Defaults to USD. Publishers whose ledger uses another currency do not list the offer.',
  }),
  location: text(255),
  channels: Type.Optional(Type.Array(enumField(CHANNELS), { minItems: 1, maxItems: 2 })),
  one_time_use: Type.Optional(Type.Boolean()),
  new_customer_only: Type.Optional(Type.Boolean()),
  new_customer_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_525 })),
  max_spend: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: AMOUNT_MAX })),
  min_spend: Type.Optional(amount),
  denominations: Type.Optional(
    Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: AMOUNT_MAX }), { maxItems: 200 }),
  ),
  start_date: Type.Optional(dayField('First day, inclusive.')),
  end_date: Type.Optional(dayField('Last day, inclusive.')),
  days_of_week: Type.Optional(Type.Array(named('Weekday', enumField(WEEKDAYS)), { maxItems: 7, uniqueItems: true })),
  hours: Type.Optional(HoursSchema),
  lapsed_customer_only: Type.Optional(Type.Boolean()),
  lapsed_customer_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_525 })),
  activation_required: Type.Optional(Type.Boolean()),
  user_limits: Type.Optional(Type.Array(UserLimitSchema, { maxItems: 10 })),
  budgets: Type.Optional(Type.Array(BudgetSchema, { maxItems: 4 })),
  unique_codes: Type.Optional(Type.Boolean()),
  local_radius_metres: Type.Optional(Type.Integer({ minimum: 1, maximum: 500_000 })),
  terms_and_conditions: Type.Optional(prose),
  store_addresses: Type.Optional(Type.Array(StoreFileSchema, { maxItems: 10_000 })),
  retired: Type.Optional(Type.Boolean({ description: 'True if the offer is no longer shown or matched.' })),
})

export const BrandFileSchema = namedStrictObject('CatalogBrand', {
  brand_uid: Type.Optional(uid),
  category_id: categoryId,
  category: text(100),
  name: line(255),
  website: Type.Optional(website),
  aliases: list,
  domains: list,
  merchant_ids: list,
  mccs: Type.Optional(
    Type.Array(patternField('^\\d{4}$', 'a four-digit merchant category code', { examples: ['5812'] }), {
      maxItems: 1000,
    }),
  ),
  countries: Type.Optional(Type.Array(twoLetters('US'), { maxItems: 250 })),
  description: Type.Optional(prose),
  logo_img_url: Type.Optional(address),
  large_img_url: Type.Optional(address),
  small_img_url: Type.Optional(address),
  offer_description: Type.Optional(prose),
  reward_type: Type.Optional(enumField(REWARD_TYPES)),
  max_customer_offer: Type.Optional(amount),
  global_terms_and_conditions: Type.Optional(prose),
  retired: Type.Optional(
    Type.Boolean({ description: 'True if the brand and its offers are no longer shown or matched.' }),
  ),
  offers: Type.Optional(Type.Array(OfferFileSchema, { maxItems: 1000 })),
})

export const CatalogFileSchema = namedStrictObject(
  'CatalogFile',
  { categories: Type.Optional(Type.Array(CategoryFileSchema)), brands: Type.Optional(Type.Array(BrandFileSchema)) },
  { minProperties: 1 },
)

export type CatalogFile = Static<typeof CatalogFileSchema>
export type BrandInFile = Static<typeof BrandFileSchema>
export type OfferInFile = Static<typeof OfferFileSchema>
export type StoreInFile = Static<typeof StoreFileSchema>
export type GroupInFile = Static<typeof GroupFileSchema>

/** The path to a value: member names and list positions. */
export type Path = readonly (string | number)[]
export type Fault = { readonly path: Path; readonly message: string }
// Nobody would read more errors than this, and the next attempt reports any that remain.
export const FAULTS_MAX = 50

/** A parsed file: its value, of any shape, and a lookup for the line of each part. */
export type ReadFile = {
  readonly value: unknown
  readonly findLine: (path: Path) => number
  /** Parsing errors. */
  readonly faults: readonly Fault[]
}
