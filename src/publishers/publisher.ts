import type { Clock } from '../platform/clock.ts'
import type { PublisherId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from './errors.ts'

export type Environment = 'sandbox' | 'production'

export type Publisher = {
  readonly id: PublisherId
  readonly name: string
  readonly environment: Environment
  /** The one that is meant where none is named. */
  readonly currency: string
  /** The currencies in which it keeps books, with the limits in each. Nothing converts between them. */
  readonly limits: ReadonlyMap<string, MoneyLimits>
  readonly timeZone: string
  readonly timestampFormat: 'interface' | 'rfc3339'
  /** An issuer reports its own card purchases; its users need not link a card. */
  readonly ownCardFeed: boolean
  /** False: the publisher has no card-linked offers, so the service starts without a linking provider for it. */
  readonly linksCards: boolean
  /** What the linking provider shows its users as the name of the client; null: the publisher's own name. */
  readonly linkName: string | null
  /** In which language it speaks with them, such as `en`. */
  readonly linkLanguage: string
  /** Whose banks it offers, such as `US`. */
  readonly linkCountries: readonly string[]
  readonly linkProducts: readonly string[]
  /** The accounts that may be linked, such as `credit card`. */
  readonly linkAccountSubtypes: readonly string[]
  readonly feePpm: number
  readonly sharePpm: number
  /** Which report earns when a purchase is reported by card and by affiliate network; BOTH rewards it twice. */
  readonly stackingPolicy: 'AFFILIATE' | 'CARD' | 'BOTH'
  /** Which brand earns when a marketplace was paid and both it and the merchant on it have offers. */
  readonly marketplacePolicy: 'MARKETPLACE' | 'MERCHANT'
  readonly readsPerSecond: number
  readonly writesPerSecond: number
  /** Events that may be reported, alone or in batches. */
  readonly eventsPerSecond: number
  readonly clockOffsetMs: number
  /** How users may be paid out. */
  readonly redemptionMethods: readonly PayoutMethod[]
  /** How often a user may redeem on a day in the publisher's time zone, in all currencies together; null: no limit. */
  readonly redemptionUserDayCount: number | null
  /** How long a destination that replaces another one cannot be paid to. */
  readonly destinationCoolDownHours: number
  /** Within how many days a claim must be decided, and what becomes of it then. */
  readonly claimDays: number
  readonly claimDefault: (typeof CLAIM_DEFAULTS)[number]
}

/** @throws Refusal sandbox_only, with this sentence */
export function sandboxOnly(publisher: Publisher, sentence: string): Publisher {
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
  /** How much a user may redeem on a day in the publisher's time zone; null: no limit. */
  readonly redemptionUserDayMax: bigint | null
  /** Above this a redemption waits for an operator; null: none does. */
  readonly redemptionReviewAbove: bigint | null
  /** Above this it waits for two different operators; null: none does. */
  readonly redemptionTwoPeopleAbove: bigint | null
  /** The maximum that one person may give all users together in a day without a second person. */
  readonly adjustmentAloneMax: bigint
}

/** The limits in a currency that is added: a person looks at everything until they are set. */
export const STRICT_LIMITS: MoneyLimits = {
  redemptionMinimum: 1n,
  redemptionUserDayMax: null,
  redemptionReviewAbove: 0n,
  redemptionTwoPeopleAbove: null,
  adjustmentAloneMax: 0n,
}
export const LIMITS = Object.keys(STRICT_LIMITS) as readonly (keyof MoneyLimits)[]

/** Its currencies, the one that is meant where none is named first. */
export function currenciesOf({ currency, limits }: Pick<Publisher, 'currency' | 'limits'>): readonly string[] {
  return [currency, ...[...limits.keys()].filter((one) => one !== currency).sort()]
}

/**
 * The currency that a request names, or the one that is meant where it names none.
 * @throws Refusal currency_unknown for one in which the publisher keeps no books
 */
export function currencyNamed(
  publisher: Pick<Publisher, 'currency' | 'limits'>,
  named: string | undefined,
  field = 'currency',
): string {
  const currency = named ?? publisher.currency
  if (publisher.limits.has(currency)) return currency
  const text = `The currency must be ${currenciesOf(publisher).join(' or ')}, in which the publisher keeps books.`
  throw new Refusal<PublisherRefusal>('currency_unknown', text, { field })
}

/** The limits in one of its currencies. */
export function limitsIn({ limits }: Pick<Publisher, 'limits'>, currency: string): MoneyLimits {
  const found = limits.get(currency)
  if (found === undefined) throw new Error(`the publisher keeps no books in ${currency}`)
  return found
}

/** What becomes of a claim at its deadline. */
export const CLAIM_DEFAULTS = ['decline', 'keep_open'] as const

/**
 * How a redemption is paid out: by the publisher itself, which reports what became of it; by a file that an operator
 * sends to the bank; by the simulated bank, in a sandbox; or by a gift card.
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

/** The dates of the interface's change log that this service supports, the newest last. */
export const VERSIONS = ['2024-12-12'] as const

/** The publisher's current time: real time, moved ahead in a sandbox. */
export function publisherNow(publisher: Publisher, clock: Clock): Date {
  return new Date(clock.now().getTime() + publisher.clockOffsetMs)
}
