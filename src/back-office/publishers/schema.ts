import Type, { type Static, type TSchema } from 'typebox'
import { currencyField, EXPECTED, enumField, namedStrictObject, refuseStale } from '../../platform/http/index.ts'
import { percentToPpm, toMinor } from '../../platform/money.ts'
import { field, texts } from '../../platform/resource/fields.ts'
import { resource, toCamelCase } from '../../platform/resource/resource.ts'
import { faultAt } from '../../tenants/access/index.ts'
import {
  type changeSettings,
  ENVIRONMENTS,
  PUBLISHER,
  PUBLISHER_LIMITS,
  type Publisher,
  SETTINGS,
} from '../../tenants/publishers/index.ts'

export const LISTED_PUBLISHER = resource('ListedPublisher', {
  ...PUBLISHER.fields,
  users: field(
    Type.Integer({ description: 'Number of users, including deactivated ones.' }),
    { joined: true, example: 1234 },
    (users: string) => Number(users),
  ),
})

export const PUBLISHER_DETAIL = resource('PublisherDetail', {
  ...PUBLISHER.fields,
  redirect_uris: texts({
    joined: true,
    example: ['https://app.example/linked'],
    description: 'URIs that the link page may return to.',
  }),
  android_packages: texts({
    joined: true,
    example: ['com.example.app'],
    description: 'Applications that the link page may return to.',
  }),
})

export const NewPublisherSchema = namedStrictObject('NewPublisher', {
  name: SETTINGS.name.request,
  environment: enumField(ENVIRONMENTS, 'Cannot be changed.'),
  currency: Type.Optional(currencyField('Currency of its books; defaults to USD. Others can be added.')),
  time_zone: Type.Optional(SETTINGS.time_zone.request),
  links_cards: Type.Optional(SETTINGS.links_cards.schema),
})

type Changeable = Readonly<Record<string, { readonly schema: TSchema; readonly request?: TSchema }>>

/** Returns the schemas of changes to these fields, all optional. */
function optional<Fields extends Changeable>(fields: Fields) {
  const schemas = Object.entries(fields).map(([name, { schema, request = schema }]) => [name, request])
  const all = Object.fromEntries(schemas) as { readonly [Name in keyof Fields]: Fields[Name]['schema'] }
  return Type.Partial(Type.Object(all)).properties
}

const { currency: _, ...LIMIT_FIELDS } = PUBLISHER_LIMITS.fields
const changes = {
  ...optional(SETTINGS),
  limits: Type.Optional(
    namedStrictObject(
      'PublisherLimitChanges',
      {
        currency: Type.Optional(
          currencyField("Currency of the amounts; defaults to the publisher's default currency."),
        ),
        ...optional(LIMIT_FIELDS),
      },
      { description: 'Limits to change, in one currency.' },
    ),
  ),
}
export const PublisherChangesSchema = namedStrictObject('PublisherChanges', {
  ...changes,
  expected: Type.Optional(namedStrictObject('ExpectedPublisher', changes, { description: EXPECTED })),
})
type PublisherChanges = Static<typeof PublisherChangesSchema>

/** @throws Refusal changed_meanwhile if a member differs from the expected value */
export function refuseStaleSettings(publisher: Publisher, expected: NonNullable<PublisherChanges['expected']>): void {
  const { limits: { currency = publisher.currency, ...amounts } = {}, ...settings } = expected
  const { limits, ...shown } = PUBLISHER.present(publisher)
  refuseStale(settings, shown)
  refuseStale(amounts, limits.find((one) => one.currency === currency) ?? {}, 'limits.')
}

type SettingChanges = Parameters<typeof changeSettings>[2]

/**
 * Returns the settings in a request body.
 * @throws Problem invalid_input if a percentage has more than four decimal places
 */
export function parseSettings(body: PublisherChanges): SettingChanges {
  const given = Object.entries(SETTINGS).flatMap(([field, { property }]) => {
    const value = body[field as keyof typeof SETTINGS]
    if (value === undefined) return []
    // Only percentages are stored under another name.
    return property === null ? [[toCamelCase(field), value]] : [[property, parsePpm(field, Number(value))]]
  })
  return Object.fromEntries(given)
}

/**
 * Returns the limits in a request body.
 * @throws Problem invalid_input if a value is not an amount in the currency
 */
export function parseLimits(body: PublisherChanges, currency: string): SettingChanges {
  const given = Object.keys(LIMIT_FIELDS).flatMap((field) => {
    const value = body.limits?.[field as keyof typeof LIMIT_FIELDS]
    if (value === undefined) return []
    const minor = value === null ? null : toMinor(value, currency)
    if (value !== null && minor === null) throw faultAt(`limits.${field}`, `must be an amount in ${currency}`)
    return [[toCamelCase(field), minor]]
  })
  return Object.fromEntries(given)
}

export function parsePpm(field: string, value: number): number {
  const ppm = percentToPpm(value)
  if (ppm === null) throw faultAt(field, 'must have at most four decimal places')
  return ppm
}
