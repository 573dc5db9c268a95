import type { Reader } from '../../../platform/db/database.ts'
import type { RateLimiter } from '../../../platform/http/callers/rate-limit.ts'
import { encodeId, type UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { listLinks, lockCards } from '../../../sources/cards/index.ts'
import {
  buildAccountFilters,
  getLinkName,
  isAllowedAndroidPackage,
  isAllowedRedirectUri,
  type Publisher,
  type PublisherRefusal,
  publisherNow,
} from '../../../tenants/publishers/index.ts'
import { getUser, type User, type UserRefusal } from '../../../users/users/index.ts'
import { findOwnProvider, getProvider } from '../accounts/provider-accounts.ts'
import { findWebhookAddress, type LinkerDeps } from '../deps.ts'
import { getProviderFor } from '../environments.ts'
import type { LinkerRefusal } from '../errors.ts'
import { NEEDS_NEW_LINK, toRefusal } from '../health/login-state.ts'
import { type Item, listItems } from '../item-queries.ts'
import { isFault, type LinkClient, type LinkToken, type LinkTokenRequest, type Provider } from '../provider.ts'
import { openToken } from '../sealed-tokens.ts'
import { storeHostedLink } from './hosted-links.ts'

/**
 * Controls how the link page opens and where it returns to. By default, the app opens the provider's page itself and
 * may give a redirect URI or an Android package to return to. With `hosted`, the provider hosts the page at a URL.
 */
type Opening = Pick<LinkTokenRequest, 'redirectUri' | 'androidPackageName' | 'hosted'>

// Each link token costs a provider call, and a user rarely opens the link page.
const ALLOWANCE = { perSecond: 1, burst: 5 }

/** The user, and the institution of a login to repair; null for a first link. */
export type LinkTarget = { readonly publisherUserId: string; readonly institutionId: string | null }

/**
 * Creates a token that lets a user link a login for the first time or repair one. If the login cannot be repaired, the
 * token starts a new link.
 * @throws Refusal user_not_found, user_not_active, link_not_found, rate_limited, linker_…, and those of the return
 * address
 */
export async function createLinkToken(
  deps: LinkerDeps,
  limits: RateLimiter,
  publisher: Publisher,
  { publisherUserId, institutionId }: LinkTarget,
  opening: Opening,
): Promise<LinkToken> {
  const user = await admitUser(deps, publisher, publisherUserId)
  const { provider, owner, accessToken } =
    institutionId === null
      ? { ...(await accountFor(deps, publisher)), accessToken: null }
      : await itemAt(deps, publisher, user.userId, institutionId)
  await checkReturn(deps, publisher, opening)
  takeAllowance(deps, limits, user.userId)
  const request = {
    ...opening,
    client: toClient(publisher),
    clientUserId: encodeId('usr', user.userId),
    webhook: findWebhookAddress(deps, publisher.environment),
  }
  const made = await provider.createLinkToken({ ...request, accessToken }).catch((error: unknown) => {
    if (accessToken === null || !isFault(error, ...NEEDS_NEW_LINK)) throw toRefusal(error)
    // Created under the old login's account, so that the new item belongs to the same account.
    return provider.createLinkToken({ ...request, accessToken: null }).catch(refuse)
  })
  if (opening.hosted === null) return made
  if (made.linkUrl === null) throw hostedLinkNotEnabled(deps, publisher)
  await deps.db.transaction(async (tx) => {
    await lockCards(tx, publisher.id, user.userId)
    // A user deactivated in the meantime has lost their hosted links and must not get a new one.
    await admitUser(deps, publisher, publisherUserId, tx)
    await storeHostedLink(tx, deps, publisher, { userId: user.userId, owner }, made)
  })
  return made
}

function hostedLinkNotEnabled({ log }: LinkerDeps, publisher: Publisher): Refusal<LinkerRefusal> {
  log.warn({ publisher_id: encodeId('pub', publisher.id) }, 'the provider has not enabled Hosted Link for the account')
  return new Refusal<LinkerRefusal>(
    'linker_not_configured',
    'Hosted Link is not enabled for the account at the linking provider. The operator can have it enabled there. ' +
      'Link tokens without hosted=true work.',
  )
}

function toClient(publisher: Publisher): LinkClient {
  const { linkLanguage: language, linkCountries: countries, linkProducts: products } = publisher
  return { name: getLinkName(publisher), language, countries, products, accountFilters: buildAccountFilters(publisher) }
}

/**
 * Returns the user, who may be PENDING but must not be deactivated.
 * @throws Refusal user_not_found, user_not_active
 */
export async function admitUser(
  deps: LinkerDeps,
  publisher: Publisher,
  publisherUserId: string,
  reader: Reader = deps.db.reader,
): Promise<User> {
  const now = publisherNow(publisher, deps.clock)
  const { user, status } = await getUser(reader, publisher, publisherUserId, now)
  if (status === 'INACTIVE') {
    throw new Refusal<UserRefusal>('user_not_active', 'This user is INACTIVE and cannot link cards.', {
      field: 'publisher_user_id',
      members: { account_status: status },
    })
  }
  return user
}

async function checkReturn({ db }: LinkerDeps, publisher: Publisher, opening: Opening): Promise<void> {
  const { redirectUri, androidPackageName } = opening
  const refused = (code: LinkerRefusal, detail: string, field: string) =>
    new Refusal<LinkerRefusal>(code, detail, { field })
  if (redirectUri !== null && androidPackageName !== null) {
    const detail = 'Send redirect_uri or android_package_name, but not both. On Android, leave redirect_uri blank.'
    throw refused('redirect_uri_and_android_package', detail, 'redirect_uri')
  }
  if (redirectUri !== null && !(await isAllowedRedirectUri(db.reader, publisher, redirectUri))) {
    const detail =
      "The redirect_uri must be https without a query string, fragment or wildcard, and be on the publisher's " +
      'list. In a sandbox, it may also be http://localhost with any port and path.'
    throw refused('redirect_uri_not_allowed', detail, 'redirect_uri')
  }
  if (androidPackageName !== null && !(await isAllowedAndroidPackage(db.reader, publisher, androidPackageName))) {
    const detail = "The android_package_name is not on the publisher's list."
    throw refused('android_package_not_allowed', detail, 'android_package_name')
  }
}

function takeAllowance(deps: LinkerDeps, limits: RateLimiter, userId: UserId): void {
  const verdict = limits.take(userId, ALLOWANCE, deps.clock.now().getTime())
  if (verdict.allowed) return
  throw new Refusal<PublisherRefusal>('rate_limited', 'Too many link tokens for this user.', {
    retryAfterSeconds: Math.max(1, verdict.resetSeconds),
  })
}

/**
 * Returns the provider account for new links: the publisher's own if it has one.
 * @throws Refusal linker_not_configured; the log tells the operator what to set
 */
async function accountFor(
  deps: LinkerDeps,
  publisher: Publisher,
): Promise<{ readonly provider: Provider; readonly owner: Item['owner'] }> {
  try {
    const own = await findOwnProvider(deps, publisher)
    if (own !== null) return { provider: own, owner: 'publisher' }
    return { provider: getProviderFor(deps.providers, publisher.environment), owner: 'service' }
  } catch (error) {
    deps.log.warn({ err: error, publisher_id: encodeId('pub', publisher.id) }, 'a publisher cannot link cards')
    throw toRefusal(error)
  }
}

/** Returns the latest broken login at the institution or, if none is broken, the newest login there. */
async function itemAt(deps: LinkerDeps, publisher: Publisher, userId: UserId, institutionId: string) {
  const links = (await listLinks(deps.db.reader, publisher, userId)).map(({ link }) => link)
  const there = links.filter((link) => link.institutionId === institutionId)
  const chosen = there.findLast((link) => link.error !== null) ?? there.at(-1)
  const items = await listItems(deps.db.reader, publisher.id, userId)
  const item = items.find((candidate) => candidate.linkId === chosen?.linkId)
  if (item === undefined) throw linkNotFound()
  const provider = await getProvider(deps, item).catch(refuse)
  return { provider, owner: item.owner, accessToken: openToken(deps.vault, item, item.sealedToken) }
}

export function linkNotFound(): Refusal<LinkerRefusal> {
  return new Refusal<LinkerRefusal>('link_not_found', 'This user has no linked card at this institution.', {
    field: 'institution_id',
  })
}

function refuse(error: unknown): never {
  throw toRefusal(error)
}
