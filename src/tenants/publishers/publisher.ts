import type { Clock } from '../../platform/clock.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { PublisherRefusal } from './errors.ts'

export type Environment = 'sandbox' | 'production'

export type Publisher = {
  readonly id: PublisherId
  readonly name: string
  readonly environment: Environment
  /** The currency used by default. */
  readonly currency: string
  /** The publisher's currencies, each with its limits. Amounts are never converted between them. */
  readonly limits: ReadonlyMap<string, MoneyLimits>
  readonly timeZone: string
  readonly timestampFormat: 'interface' | 'rfc3339'
  /** True for an issuer that reports its own card purchases. Its users do not need to link a card. */
  readonly ownCardFeed: boolean
  /** False if the publisher has no card-linked offers. The service then starts without a linking provider for it. */
  readonly linksCards: boolean
  /** The client name that the linking provider displays; null for the publisher's own name. */
  readonly linkName: string | null
  /** The language of the linking provider's pages, such as `en`. */
  readonly linkLanguage: string
  /** The countries whose banks can be linked, such as `US`. */
  readonly linkCountries: readonly string[]
  readonly linkProducts: readonly string[]
  /** The accounts that may be linked, such as `credit card`. */
  readonly linkAccountSubtypes: readonly string[]
  readonly feePpm: number
  readonly sharePpm: number
  /**
   * The report that earns if both a card and an affiliate network report a purchase. BOTH rewards the purchase twice.
   */
  readonly stackingPolicy: 'AFFILIATE' | 'CARD' | 'BOTH'
  /** The brand that earns if a payment went to a marketplace and both the marketplace and the merchant have offers. */
  readonly marketplacePolicy: 'MARKETPLACE' | 'MERCHANT'
  readonly readsPerSecond: number
  readonly writesPerSecond: number
  /** The limit on reported events, whether sent individually or in batches. */
  readonly eventsPerSecond: number
  readonly clockOffsetMs: number
  /** The methods by which users may be paid. */
  readonly redemptionMethods: readonly PayoutMethod[]
  /**
   * The number of redemptions a user may make per day, in the publisher's time zone, across all currencies; null for no
   * limit.
   */
  readonly redemptionUserDayCount: number | null
  /** The number of hours before a payout destination that replaces another one can be paid. */
  readonly destinationCoolDownHours: number
  /** The number of days within which a claim must be decided. Afterward, `claimDefault` applies. */
  readonly claimDays: number
  readonly claimDefault: (typeof CLAIM_DEFAULTS)[number]
}

/** @throws Refusal sandbox_only, with `sentence` as its detail */
export function requireSandbox(publisher: Publisher, sentence: string): Publisher {
  if (publisher.environment !== 'sandbox') throw new Refusal<PublisherRefusal>('sandbox_only', sentence)
  return publisher
}

export function publisherNotFound(): Refusal<PublisherRefusal> {
  return new Refusal<PublisherRefusal>('publisher_not_found', 'There is no such publisher.')
}

/** Limits in minor units of one currency. */
export type MoneyLimits = {
  /** The smallest redemption; at least 1. */
  readonly redemptionMinimum: bigint
  /** The amount a user may redeem per day, in the publisher's time zone; null for no limit. */
  readonly redemptionUserDayMax: bigint | null
  /** The amount above which a redemption waits for an operator's decision; null if none does. */
  readonly redemptionReviewAbove: bigint | null
  /** The amount above which a redemption waits for the approval of two different operators; null if none does. */
  readonly redemptionTwoPeopleAbove: bigint | null
  /** The total that one person may grant per day, across all users, without another person's approval. */
  readonly adjustmentAloneMax: bigint
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
export function getCurrencies({ currency, limits }: Pick<Publisher, 'currency' | 'limits'>): readonly string[] {
  return [currency, ...[...limits.keys()].filter((one) => one !== currency).sort()]
}

/**
 * Returns the currency given in a request, or the publisher's default if none is given.
 * @throws Refusal currency_unknown if the publisher does not use it
 */
export function resolveCurrency(
  publisher: Pick<Publisher, 'currency' | 'limits'>,
  named: string | undefined,
  field = 'currency',
): string {
  const currency = named ?? publisher.currency
  if (publisher.limits.has(currency)) return currency
  const text = `The currency must be ${getCurrencies(publisher).join(' or ')}, because the publisher keeps books in no other.`
  throw new Refusal<PublisherRefusal>('currency_unknown', text, { field })
}

/** Returns the publisher's limits in one of its currencies. */
export function getLimits({ limits }: Pick<Publisher, 'limits'>, currency: string): MoneyLimits {
  const found = limits.get(currency)
  if (found === undefined) throw new Error(`the publisher does not keep books in ${currency}`)
  return found
}

/** The outcome of a claim that is still open at its deadline. */
export const CLAIM_DEFAULTS = ['decline', 'keep_open'] as const

/**
 * The ways to pay out a redemption: by the publisher itself, which reports the outcome; by a file that an operator
 * sends to the bank; by the simulated bank, in a sandbox; or as a gift card.
 */
export const PAYOUT_METHODS = ['publisher', 'file', 'simulated', 'gift_card'] as const
export type PayoutMethod = (typeof PAYOUT_METHODS)[number]

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
