import Type, { type Static } from 'typebox'
import {
  currencyField,
  EXPECTED,
  enumField,
  idField,
  invalidInput,
  namedObject,
  namedStrictObject,
  nullable,
  refuseStale,
  textField,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { AMOUNT_MAX, percentToPpm, ppmToPercent, toJsonNumber, toMinor } from '../../platform/money.ts'
import { CLAIM_DAYS_MAX } from './claim-settings.ts'
import {
  CLAIM_DEFAULTS,
  getCurrencies,
  getLimits,
  type MoneyLimits,
  PAYOUT_METHODS,
  type Publisher,
} from './publisher.ts'
import { COOL_DOWN_HOURS_MAX } from './redemption-settings.ts'
import type { changeSettings } from './service.ts'

export const PublisherParams = Type.Object({ publisher_id: idField('The publisher (pub_…).') })

// Far above any useful rate, but within the range of an integer column.
const RATE_MAX = 1_000_000
const LIST_MAX = 50

const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })
const rate = (description: string) => Type.Integer({ minimum: 1, maximum: RATE_MAX, description })
const amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX, description: `${description} In major units.` })

/** The limits on amounts in one currency. */
const limits = {
  redemption_minimum: Type.Number({
    exclusiveMinimum: 0,
    maximum: AMOUNT_MAX,
    description: 'Minimum redemption. In major units.',
  }),
  redemption_user_day_max: nullable(amount('Maximum that a user can redeem per day, or null for no limit.')),
  redemption_review_above: nullable(
    amount("Redemptions above this amount need an operator's approval. Null if none do."),
  ),
  redemption_two_people_above: nullable(
    amount("Redemptions above this amount need two operators' approval. Null if one is always enough."),
  ),
  adjustment_alone_max: amount(
    'Maximum that an operator can give per day without a second person, across all users, by adjustments and by claims granted with new events.',
  ),
}
type TextSchema = typeof textField

/** @param text the schema for text fields, which are validated in requests but returned as stored in responses */
function settingsWith(text: TextSchema) {
  const texts = (item: string, description: string) =>
    Type.Array(text(100, item), { minItems: 1, maxItems: LIST_MAX, description })
  return {
    name: text(255, 'Name of the publisher.'),
    time_zone: text(64, "IANA time zone that determines the publisher's calendar days."),
    timestamp_format: enumField(
      ['interface', 'rfc3339'],
      "Format of a user's created_at and updated_at: 2026-11-21T10:15:30:Z or 2026-11-21T10:15:30Z.",
    ),
    own_card_feed: Type.Boolean({
      description: "True if the publisher reports its users' purchases, so users need not link cards.",
    }),
    links_cards: Type.Boolean({ description: "False if the publisher's users do not link cards." }),
    link_name: nullable(
      text(30, "Name shown to users while they link an account, or null for the publisher's own name."),
    ),
    link_language: text(10, 'Language of the link page, such as en.'),
    link_countries: texts('A country.', 'Countries whose banks can be linked, such as US.'),
    link_products: texts('A product.', 'Provider products to request, including transactions.'),
    link_account_subtypes: texts('A subtype.', 'Account subtypes that can be linked, such as checking.'),
    fee_percent: percent("The service's share of each commission."),
    share_percent: percent("The publisher's share of each commission."),
    stacking_policy: enumField(
      ['AFFILIATE', 'CARD', 'BOTH'],
      'Which report is rewarded if a purchase is reported both by card and by affiliate link.',
    ),
    marketplace_policy: enumField(
      ['MARKETPLACE', 'MERCHANT'],
      'Which brand counts if a marketplace takes payment for a merchant that also has offers.',
    ),
    redemption_methods: Type.Array(enumField(PAYOUT_METHODS), {
      maxItems: PAYOUT_METHODS.length,
      uniqueItems: true,
      description: 'Payout methods available to users.',
    }),
    redemption_user_day_count: nullable(
      Type.Integer({
        minimum: 0,
        maximum: RATE_MAX,
        description: 'Maximum number of redemptions per user per day, or null for no limit.',
      }),
    ),
    destination_cool_down_hours: Type.Integer({
      minimum: 0,
      maximum: COOL_DOWN_HOURS_MAX,
      description: 'Hours before a destination that replaced another one can be paid.',
    }),
    claim_days: Type.Integer({
      minimum: 1,
      maximum: CLAIM_DAYS_MAX,
      description: 'Number of days within which a claim must be decided.',
    }),
    claim_default: enumField(CLAIM_DEFAULTS, 'What happens to a claim that reaches its deadline.'),
    reads_per_second: rate('Rate limit on reads, per key.'),
    writes_per_second: rate('Rate limit on writes, per key.'),
    events_per_second: rate('Rate limit on reported events, per key.'),
  }
}
const settings = settingsWith(textField)

export const PublisherSchema = namedObject('Publisher', {
  publisher_id: Type.String(),
  environment: enumField(['sandbox', 'production'], 'Fixed when the publisher is created.'),
  currency: Type.String({ description: 'Default currency.' }),
  ...settingsWith((_max, description) => Type.String({ description })),
  limits: Type.Array(namedObject('PublisherLimits', { currency: Type.String(), ...limits }), {
    description: 'Limits in each currency that the publisher keeps books in, starting with the default.',
  }),
})
type ShownPublisher = Static<typeof PublisherSchema>

export const NewPublisherSchema = namedStrictObject('NewPublisher', {
  name: settings.name,
  environment: enumField(['sandbox', 'production'], 'Cannot be changed.'),
  currency: Type.Optional(currencyField('Currency of its books; defaults to USD. Others can be added.')),
  time_zone: Type.Optional(settings.time_zone),
  links_cards: Type.Optional(settings.links_cards),
})

const changes = {
  ...Type.Partial(Type.Object(settings)).properties,
  limits: Type.Optional(
    namedStrictObject(
      'PublisherLimitChanges',
      {
        currency: Type.Optional(
          currencyField("Currency of the amounts; defaults to the publisher's default currency."),
        ),
        ...Type.Partial(Type.Object(limits)).properties,
      },
      { description: 'Limits to change, in one currency.' },
    ),
  ),
}
export const PublisherChangesSchema = namedStrictObject('PublisherChanges', {
  ...changes,
  expected: Type.Optional(
    namedStrictObject('ExpectedPublisher', changes, {
      description: EXPECTED,
    }),
  ),
})
type PublisherChanges = Static<typeof PublisherChangesSchema>

/** @throws Refusal changed_meanwhile if a member differs from the expected value */
export function refuseStaleSettings(publisher: Publisher, expected: NonNullable<PublisherChanges['expected']>): void {
  const { limits: { currency = publisher.currency, ...amounts } = {}, ...settings } = expected
  const { limits, ...shown } = presentPublisher(publisher)
  refuseStale(settings, shown)
  refuseStale(amounts, limits.find((one) => one.currency === currency) ?? {}, 'limits.')
}

export function presentPublisher(publisher: Publisher): ShownPublisher {
  return {
    publisher_id: encodeId('pub', publisher.id),
    environment: publisher.environment,
    currency: publisher.currency,
    name: publisher.name,
    time_zone: publisher.timeZone,
    timestamp_format: publisher.timestampFormat,
    own_card_feed: publisher.ownCardFeed,
    links_cards: publisher.linksCards,
    link_name: publisher.linkName,
    link_language: publisher.linkLanguage,
    link_countries: [...publisher.linkCountries],
    link_products: [...publisher.linkProducts],
    link_account_subtypes: [...publisher.linkAccountSubtypes],
    fee_percent: ppmToPercent(publisher.feePpm),
    share_percent: ppmToPercent(publisher.sharePpm),
    stacking_policy: publisher.stackingPolicy,
    marketplace_policy: publisher.marketplacePolicy,
    redemption_methods: [...publisher.redemptionMethods],
    redemption_user_day_count: publisher.redemptionUserDayCount,
    destination_cool_down_hours: publisher.destinationCoolDownHours,
    claim_days: publisher.claimDays,
    claim_default: publisher.claimDefault,
    reads_per_second: publisher.readsPerSecond,
    writes_per_second: publisher.writesPerSecond,
    events_per_second: publisher.eventsPerSecond,
    limits: getCurrencies(publisher).map((currency) => presentLimitsIn(publisher, currency)),
  }
}

function presentLimitsIn(publisher: Publisher, currency: string): ShownPublisher['limits'][number] {
  const found = getLimits(publisher, currency)
  const shown = (minor: bigint): number => toJsonNumber(minor, currency)
  const orNone = (minor: bigint | null): number | null => (minor === null ? null : shown(minor))
  return {
    currency,
    redemption_minimum: shown(found.redemptionMinimum),
    redemption_user_day_max: orNone(found.redemptionUserDayMax),
    redemption_review_above: orNone(found.redemptionReviewAbove),
    redemption_two_people_above: orNone(found.redemptionTwoPeopleAbove),
    adjustment_alone_max: shown(found.adjustmentAloneMax),
  }
}

type SettingChanges = Parameters<typeof changeSettings>[2]

const SETTING_OF = {
  name: 'name',
  time_zone: 'timeZone',
  timestamp_format: 'timestampFormat',
  own_card_feed: 'ownCardFeed',
  links_cards: 'linksCards',
  link_name: 'linkName',
  link_language: 'linkLanguage',
  link_countries: 'linkCountries',
  link_products: 'linkProducts',
  link_account_subtypes: 'linkAccountSubtypes',
  fee_percent: 'feePpm',
  share_percent: 'sharePpm',
  stacking_policy: 'stackingPolicy',
  marketplace_policy: 'marketplacePolicy',
  redemption_methods: 'redemptionMethods',
  redemption_user_day_count: 'redemptionUserDayCount',
  claim_days: 'claimDays',
  claim_default: 'claimDefault',
  destination_cool_down_hours: 'destinationCoolDownHours',
  reads_per_second: 'readsPerSecond',
  writes_per_second: 'writesPerSecond',
  events_per_second: 'eventsPerSecond',
} as const satisfies Readonly<Record<keyof typeof settings, keyof SettingChanges>>
const LIMIT_OF = {
  redemption_minimum: 'redemptionMinimum',
  redemption_user_day_max: 'redemptionUserDayMax',
  redemption_review_above: 'redemptionReviewAbove',
  redemption_two_people_above: 'redemptionTwoPeopleAbove',
  adjustment_alone_max: 'adjustmentAloneMax',
} as const satisfies Readonly<Record<keyof typeof limits, keyof MoneyLimits>>

/**
 * Returns the settings in a request body.
 * @throws Problem invalid_input if a percentage has more than four decimal places
 */
export function parseSettings(body: PublisherChanges): SettingChanges {
  const given = Object.entries(SETTING_OF).flatMap(([field, setting]) => {
    const value = body[field as keyof typeof SETTING_OF]
    if (value === undefined) return []
    return [[setting, setting === 'feePpm' || setting === 'sharePpm' ? parsePpm(field, Number(value)) : value]]
  })
  return Object.fromEntries(given)
}

/**
 * Returns the limits in a request body.
 * @throws Problem invalid_input if a value is not an amount in the currency
 */
export function parseLimits(body: PublisherChanges, currency: string): SettingChanges {
  const given = Object.entries(LIMIT_OF).flatMap(([field, limit]) => {
    const value = body.limits?.[field as keyof typeof LIMIT_OF]
    if (value === undefined) return []
    const minor = value === null ? null : toMinor(value, currency)
    if (value !== null && minor === null) throw faultAt(`limits.${field}`, `must be an amount in ${currency}`)
    return [[limit, minor]]
  })
  return Object.fromEntries(given)
}

export function parsePpm(field: string, value: number): number {
  const ppm = percentToPpm(value)
  if (ppm === null) throw faultAt(field, 'must have at most four decimal places')
  return ppm
}

export function faultAt(field: string, message: string) {
  return invalidInput([{ field, code: 'invalid', message }])
}

export const publisherExample: ShownPublisher = {
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  environment: 'sandbox',
  currency: 'USD',
  name: 'Acme Rewards',
  time_zone: 'America/New_York',
  timestamp_format: 'interface',
  own_card_feed: false,
  links_cards: true,
  link_name: null,
  link_language: 'en',
  link_countries: ['US'],
  link_products: ['transactions'],
  link_account_subtypes: ['credit card', 'checking', 'savings'],
  fee_percent: 10,
  share_percent: 20,
  stacking_policy: 'AFFILIATE',
  marketplace_policy: 'MARKETPLACE',
  redemption_methods: ['publisher', 'file'],
  redemption_user_day_count: null,
  destination_cool_down_hours: 24,
  claim_days: 30,
  claim_default: 'decline',
  reads_per_second: 200,
  writes_per_second: 100,
  events_per_second: 500,
  limits: [
    {
      currency: 'USD',
      redemption_minimum: 5,
      redemption_user_day_max: 500,
      redemption_review_above: 100,
      redemption_two_people_above: null,
      adjustment_alone_max: 25,
    },
  ],
}
