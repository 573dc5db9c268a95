import type { Reader } from '../platform/database.ts'
import { type Environment, listPublishers, type Publisher } from '../publishers/index.ts'
import { type Provider, ProviderFault } from './provider.ts'

/**
 * Publishers of an environment link under the provider's environment of the same name: production at the real banks,
 * sandboxes at the simulator or the provider's sandbox. No token, webhook or institution of one is used for the other.
 */
export type Providers = {
  readonly sandbox: Provider
  /** Null if it is not configured, so that production publishers cannot link cards. */
  readonly production: Provider | null
}

export const NO_ENVIRONMENT = 'NO_PROVIDER_ENVIRONMENT'
export const FOREIGN_TOKEN = 'TOKEN_OF_OTHER_ENVIRONMENT'
/** What an operator sets so that production publishers can link. */
export const PRODUCTION_SETTINGS =
  'LAUREL_LINKER=plaid, LAUREL_PLAID_ENV=production, and LAUREL_PLAID_CLIENT_ID and LAUREL_PLAID_SECRET of production'

/** What else an operator can do. */
export const WITHOUT_LINKING =
  'for publishers whose users link no cards, run `./laurel publishers set ID --links-cards false`; for those that report card purchases themselves, `./laurel publishers set ID --own-card-feed true`'

// Only the operator can end this.
const RETRY_AFTER_S = 60

/** @throws ProviderFault NO_PROVIDER_ENVIRONMENT */
export function providerIn(providers: Providers, environment: Environment): Provider {
  const provider = providers[environment]
  if (provider !== null) return provider
  const spared = { symptom: 'spared', retryAfterSeconds: RETRY_AFTER_S } as const
  throw new ProviderFault('unavailable', NO_ENVIRONMENT, `a call without ${PRODUCTION_SETTINGS}`, null, spared)
}

/** The script that shows the provider's component to users of a publisher; null if they can link no card here. */
export function linkScriptOf(
  { providers }: { readonly providers: Providers },
  { environment, ownCardFeed, linksCards }: Pick<Publisher, 'environment' | 'ownCardFeed' | 'linksCards'>,
): string | null {
  return ownCardFeed || !linksCards ? null : (providers[environment]?.linkScript ?? null)
}

/** True if users of the publisher can link cards, or do not need to. */
export function isServed(
  { environment, ownCardFeed, linksCards }: Pick<Publisher, 'environment' | 'ownCardFeed' | 'linksCards'>,
  providers: Readonly<Record<Environment, unknown>>,
): boolean {
  return providers[environment] !== null || ownCardFeed || !linksCards
}

/**
 * The publishers whose users could link no card, because the settings name no provider for their environment. Issuers,
 * and publishers that say that their users link no cards, need none.
 */
export async function listUnserved(reader: Reader, providers: Readonly<Record<Environment, unknown>>) {
  const publishers = await listPublishers(reader)
  return publishers.filter((publisher) => !isServed(publisher, providers))
}

const TOKEN = /"(?:access|public|link)-(sandbox|development|production)-/g

/**
 * The provider writes the environment into every token. One of another environment is refused here, instead of being
 * sent to an address that must not learn it; with a code of our own, because the provider's may mean wrong credentials.
 * @param request the request as it is sent
 * @throws ProviderFault TOKEN_OF_OTHER_ENVIRONMENT
 */
export function refuseForeignTokens(environment: Environment, operation: string, request: string): void {
  for (const [, named] of request.matchAll(TOKEN))
    if (named !== environment)
      throw new ProviderFault('refused', FOREIGN_TOKEN, `${operation}, with a token of ${named}`, null)
}

/** The environment in which an item was linked; null when its token does not say. */
export function environmentOf(accessToken: string): Environment | null {
  const named = accessToken.split('-')[1]
  return named === 'sandbox' || named === 'production' ? named : null
}
