import Type, { type TString } from 'typebox'
import { enumField, nullable, textField } from '../../platform/http/index.ts'
import { AMOUNT_MAX, ppmToPercent, toJsonNumber } from '../../platform/money.ts'
import { boolean, field, integer, oneOf, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'

/**
 * The ways to pay out a redemption: by the publisher itself, which reports the outcome; by a file that an operator
 * sends to the bank; by the simulated bank, in a sandbox; or as a gift card.
 */
export const PAYOUT_METHODS = ['publisher', 'file', 'simulated', 'gift_card'] as const
export type PayoutMethod = (typeof PAYOUT_METHODS)[number]

/** The outcome of a claim that is still open at its deadline. */
export const CLAIM_DEFAULTS = ['decline', 'keep_open'] as const
/** Longer than any shop would answer questions about a purchase. */
export const CLAIM_DAYS_MAX = 365
/** A year, longer than anyone would need to verify a new destination. */
export const COOL_DOWN_HOURS_MAX = 8_784
// Far above any useful rate, but within the range of an integer column.
const RATE_MAX = 1_000_000
const LIST_MAX = 50

type Described<Shown> = { readonly example: Shown; readonly description: string }

/** A line of text. Requests are validated by `request`, but responses contain the text as it is stored. */
const line = (maxLength: number, options: Described<string>) => ({
  ...text(options),
  request: textField(maxLength, options.description),
})
const lines = (item: string, options: Described<string[]>) => {
  const list = (schema: TString) =>
    Type.Array(schema, { minItems: 1, maxItems: LIST_MAX, description: options.description })
  const ofStored = list(Type.String({ description: item }))
  return {
    ...field(ofStored, options, (values: readonly string[]) => values),
    request: list(textField(100, item)),
  }
}
const percent = <const Property extends string>(property: Property, example: number, description: string) =>
  field(Type.Number({ minimum: 0, maximum: 100, description }), { property, example }, (ppm: number) =>
    ppmToPercent(ppm),
  )
const rate = (example: number, description: string) => ({
  ...integer({ example }),
  schema: Type.Integer({ minimum: 1, maximum: RATE_MAX, description }),
})
const LINK_NAME = "Name shown to users while they link an account, or null for the publisher's own name."

/** The settings of a publisher that an operator can change. */
export const SETTINGS = {
  name: line(255, { example: 'Acme Rewards', description: 'Name of the publisher.' }),
  time_zone: line(64, {
    example: 'America/New_York',
    description: "IANA time zone that determines the publisher's calendar days.",
  }),
  timestamp_format: oneOf(['interface', 'rfc3339'], {
    example: 'interface',
    description: "Format of a user's created_at and updated_at: 2026-11-21T10:15:30:Z or 2026-11-21T10:15:30Z.",
  }),
  own_card_feed: boolean({
    example: false,
    description: "True if the publisher reports its users' purchases, so users need not link cards.",
  }),
  /** If false, the service starts without a linking provider for the publisher. */
  links_cards: boolean({ example: true, description: "False if the publisher's users do not link cards." }),
  link_name: {
    ...text({ nullable: true, example: null, description: LINK_NAME }),
    request: nullable(textField(30, LINK_NAME)),
  },
  link_language: line(10, { example: 'en', description: 'Language of the link page, such as en.' }),
  link_countries: lines('A country.', {
    example: ['US'],
    description: 'Countries whose banks can be linked, such as US.',
  }),
  link_products: lines('A product.', {
    example: ['transactions'],
    description: 'Provider products to request, including transactions.',
  }),
  link_account_subtypes: lines('A subtype.', {
    example: ['credit card', 'checking', 'savings'],
    description: 'Account subtypes that can be linked, such as checking.',
  }),
  fee_percent: percent('feePpm', 10, "The service's share of each commission."),
  share_percent: percent('sharePpm', 20, "The publisher's share of each commission."),
  /** BOTH rewards the purchase twice. */
  stacking_policy: oneOf(['AFFILIATE', 'CARD', 'BOTH'], {
    example: 'AFFILIATE',
    description: 'Which report is rewarded if a purchase is reported both by card and by affiliate link.',
  }),
  marketplace_policy: oneOf(['MARKETPLACE', 'MERCHANT'], {
    example: 'MARKETPLACE',
    description: 'Which brand counts if a marketplace takes payment for a merchant that also has offers.',
  }),
  redemption_methods: field(
    Type.Array(enumField(PAYOUT_METHODS), {
      maxItems: PAYOUT_METHODS.length,
      uniqueItems: true,
      description: 'Payout methods available to users.',
    }),
    { example: ['publisher', 'file'] },
    (methods: readonly PayoutMethod[]) => methods,
  ),
  /** Counts redemptions in all currencies, by day in the publisher's time zone. */
  redemption_user_day_count: field(
    Type.Integer({
      minimum: 0,
      maximum: RATE_MAX,
      description: 'Maximum number of redemptions per user per day, or null for no limit.',
    }),
    { nullable: true, example: null },
    (count: number) => count,
  ),
  destination_cool_down_hours: {
    ...integer({ example: 24 }),
    schema: Type.Integer({
      minimum: 0,
      maximum: COOL_DOWN_HOURS_MAX,
      description: 'Hours before a destination that replaced another one can be paid.',
    }),
  },
  claim_days: {
    ...integer({ example: 30 }),
    schema: Type.Integer({
      minimum: 1,
      maximum: CLAIM_DAYS_MAX,
      description: 'Number of days within which a claim must be decided.',
    }),
  },
  claim_default: oneOf(CLAIM_DEFAULTS, {
    example: 'decline',
    description: 'What happens to a claim that reaches its deadline.',
  }),
  reads_per_second: rate(200, 'Rate limit on reads, per key.'),
  writes_per_second: rate(100, 'Rate limit on writes, per key.'),
  /** Counts events whether they are sent individually or in batches. */
  events_per_second: rate(500, 'Rate limit on reported events, per key.'),
}

const amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX, description: `${description} In major units.` })
const toMajor = (minor: bigint, { currency }: { readonly currency: string }): number => toJsonNumber(minor, currency)

/** A publisher's limits on amounts in one of its currencies, by day in its time zone. */
export const PUBLISHER_LIMITS = resource('PublisherLimits', {
  currency: text({ example: 'USD' }),
  redemption_minimum: field(
    Type.Number({ exclusiveMinimum: 0, maximum: AMOUNT_MAX, description: 'Minimum redemption. In major units.' }),
    { example: 5 },
    toMajor,
  ),
  redemption_user_day_max: field(
    amount('Maximum that a user can redeem per day, or null for no limit.'),
    { nullable: true, example: 500 },
    toMajor,
  ),
  redemption_review_above: field(
    amount("Redemptions above this amount need an operator's approval. Null if none do."),
    { nullable: true, example: 100 },
    toMajor,
  ),
  redemption_two_people_above: field(
    amount("Redemptions above this amount need two operators' approval. Null if one is always enough."),
    { nullable: true, example: null },
    toMajor,
  ),
  adjustment_alone_max: field(
    amount(
      'Maximum that an operator can give per day without a second person, across all users, by adjustments and by claims granted with new events.',
    ),
    { example: 25 },
    toMajor,
  ),
})

/** Limits in minor units of one currency. */
export type MoneyLimits = Omit<ResourceRow<typeof PUBLISHER_LIMITS>, 'currency'>
