import type { Reader } from '../../platform/db/database.ts'
import { type Environment, listPublishers, type Publisher } from '../../tenants/publishers/index.ts'
import { type Provider, ProviderFault } from './provider.ts'

/**
 * Publishers link cards in the provider environment with the same name as their own: production at real banks, sandbox
 * at the simulator or in the provider's sandbox. Tokens, webhooks and institutions never cross environments.
 */
export type Providers = {
  readonly sandbox: Provider
  /** Null if it is not configured, in which case production publishers cannot link cards. */
  readonly production: Provider | null
}

export const NO_ENVIRONMENT = 'NO_PROVIDER_ENVIRONMENT'
export const FOREIGN_TOKEN = 'TOKEN_OF_OTHER_ENVIRONMENT'
/** The settings an operator must provide so that production publishers can link cards. */
export const PRODUCTION_SETTINGS =
  'LAUREL_LINKER=plaid, LAUREL_PLAID_ENV=production, and the production values of LAUREL_PLAID_CLIENT_ID and ' +
  'LAUREL_PLAID_SECRET'

/** The operator's alternatives to those settings. */
export const WITHOUT_LINKING =
  'for publishers whose users link no cards, run `./laurel publishers set ID --links-cards false`; for ' +
  'publishers that report card purchases themselves, run `./laurel publishers set ID --own-card-feed true`'

// Only the operator can fix this, so retrying sooner is pointless.
const RETRY_AFTER_S = 60

/** @throws ProviderFault NO_PROVIDER_ENVIRONMENT */
export function getProviderFor(providers: Providers, environment: Environment): Provider {
  const provider = providers[environment]
  if (provider !== null) return provider
  const spared = { symptom: 'spared', retryAfterSeconds: RETRY_AFTER_S } as const
  throw new ProviderFault('unavailable', NO_ENVIRONMENT, `a call without ${PRODUCTION_SETTINGS}`, null, spared)
}

/**
 * Returns the script that shows the provider's component to a publisher's users; null if they cannot link cards here.
 */
export function findLinkScript(
  { providers }: { readonly providers: Providers },
  { environment, ownCardFeed, linksCards }: Pick<Publisher, 'environment' | 'ownCardFeed' | 'linksCards'>,
): string | null {
  return ownCardFeed || !linksCards ? null : (providers[environment]?.linkScript ?? null)
}

/** Returns true if the publisher's users can link cards or do not need to. */
export function isServed(
  { environment, ownCardFeed, linksCards }: Pick<Publisher, 'environment' | 'ownCardFeed' | 'linksCards'>,
  providers: Readonly<Record<Environment, unknown>>,
): boolean {
  return providers[environment] !== null || ownCardFeed || !linksCards
}

/**
 * Lists the publishers whose users cannot link cards because no provider is configured for their environment. Excludes
 * issuers, which need none, and publishers that declare that their users link no cards.
 */
export async function listUnserved(reader: Reader, providers: Readonly<Record<Environment, unknown>>) {
  const publishers = await listPublishers(reader)
  return publishers.filter((publisher) => !isServed(publisher, providers))
}

const TOKEN = /"(?:access|public|link)-(sandbox|development|production)-/g

/**
 * Refuses tokens of another environment before they are sent to a host that must not see them. The provider writes the
 * environment into every token. The error code is our own, because the provider's could also mean wrong credentials.
 * @param request the serialized request
 * @throws ProviderFault TOKEN_OF_OTHER_ENVIRONMENT
 */
export function refuseForeignTokens(environment: Environment, operation: string, request: string): void {
  for (const [, named] of request.matchAll(TOKEN))
    if (named !== environment)
      throw new ProviderFault('refused', FOREIGN_TOKEN, `${operation} with a token for ${named}`, null)
}

/** Returns the environment an item was linked in; null if its token does not contain one. */
export function parseEnvironment(accessToken: string): Environment | null {
  const named = accessToken.split('-')[1]
  return named === 'sandbox' || named === 'production' ? named : null
}
