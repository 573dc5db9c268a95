import Type from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { Refusal } from '../../platform/refusal.ts'
import { field, id, oneOf, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import type { PublisherRefusal } from './errors.ts'
import { type MoneyLimits, PUBLISHER_LIMITS, SETTINGS } from './settings.ts'

export const ENVIRONMENTS = ['sandbox', 'production'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** A publisher's currencies, each with its limits. Amounts are never converted between them. */
type Currencies = { readonly currency: string; readonly limits: ReadonlyMap<string, MoneyLimits> }

export const PUBLISHER = resource('Publisher', {
  publisher_id: id('pub', { property: 'id', joined: true, example: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v' }),
  environment: oneOf(ENVIRONMENTS, { example: 'sandbox', description: 'Fixed when the publisher is created.' }),
  currency: text({ example: 'USD', description: 'Default currency.' }),
  ...SETTINGS,
  limits: field(
    Type.Array(PUBLISHER_LIMITS.schema, {
      description: 'Limits in each currency that the publisher keeps books in, starting with the default.',
    }),
    { joined: true, example: [PUBLISHER_LIMITS.example] },
    (limits: Currencies['limits'], { currency }: Pick<Currencies, 'currency'>) =>
      getCurrencies({ currency, limits }).map((one) =>
        PUBLISHER_LIMITS.present({ currency: one, ...getLimits({ limits }, one) }),
      ),
  ),
})

export type Publisher = ResourceRow<typeof PUBLISHER> & { readonly clockOffsetMs: number }

/** @throws Refusal sandbox_only, with `sentence` as its detail */
export function requireSandbox(publisher: Publisher, sentence: string): Publisher {
  if (publisher.environment !== 'sandbox') throw new Refusal<PublisherRefusal>('sandbox_only', sentence)
  return publisher
}

export function publisherNotFound(): Refusal<PublisherRefusal> {
  return new Refusal<PublisherRefusal>('publisher_not_found', 'There is no such publisher.')
}

/** The limits of a newly added currency. Until they are changed, a person reviews everything. */
export const STRICT_LIMITS: MoneyLimits = {
  redemptionMinimum: 1n,
  redemptionUserDayMax: null,
  redemptionReviewAbove: 0n,
  redemptionTwoPeopleAbove: null,
  adjustmentAloneMax: 0n,
}
export const LIMITS = Object.keys(STRICT_LIMITS) as readonly (keyof MoneyLimits)[]

/** Returns the publisher's currencies, starting with its default. */
export function getCurrencies({ currency, limits }: Currencies): readonly string[] {
  return [currency, ...[...limits.keys()].filter((one) => one !== currency).sort()]
}

/**
 * Returns the currency given in a request, or the publisher's default if none is given.
 * @throws Refusal currency_unknown if the publisher does not use it
 */
export function resolveCurrency(publisher: Currencies, named: string | undefined, field = 'currency'): string {
  const currency = named ?? publisher.currency
  if (publisher.limits.has(currency)) return currency
  const text = `The currency must be ${getCurrencies(publisher).join(' or ')}, because the publisher keeps books in no other.`
  throw new Refusal<PublisherRefusal>('currency_unknown', text, { field })
}

/** Returns the publisher's limits in one of its currencies. */
export function getLimits({ limits }: Pick<Currencies, 'limits'>, currency: string): MoneyLimits {
  const found = limits.get(currency)
  if (found === undefined) throw new Error(`the publisher does not keep books in ${currency}`)
  return found
}

const AREAS = [
  'users',
  'brands',
  'terms',
  'linker',
  'transactions',
  'rewards',
  'webhooks',
  'events',
  'reports',
  'staff',
] as const
export type Scope = `${(typeof AREAS)[number]}:${'read' | 'write'}`
export const SCOPES: readonly Scope[] = AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const)

/** The supported API versions, newest last. They are dates in the API's change log. */
export const VERSIONS = ['2024-12-12'] as const

/** Returns the publisher's current time: real time, moved ahead in a sandbox. */
export function publisherNow(publisher: Publisher, clock: Clock): Date {
  return new Date(clock.now().getTime() + publisher.clockOffsetMs)
}
