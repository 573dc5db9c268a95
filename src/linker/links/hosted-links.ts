import type { LinkId } from '../../cards/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../platform/calendar.ts'
import { newUuid, type UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type LinkerDeps, webhookAddress } from '../deps.ts'
import type { Item } from '../item-queries.ts'
import type { LinkToken } from '../provider.ts'
import { type HostedLink, insertHostedLink } from './hosted-link-queries.ts'
import { sealToken } from './sealed-tokens.ts'

/**
 * Links that a user finishes on the provider's own page, opened from an app without the provider's script or from a
 * mail. The publisher's app is not there to bring the public token, so the provider is asked for it: when its webhook
 * says that a session has ended, or again and again where webhooks cannot arrive. What comes of it is announced by the
 * same events as any link.
 */

// A public token lives for half an hour, so asking less often would find it dead.
const ASK_EVERY_MS = 10 * MINUTE_MS
// A session that began before the end may outlast it.
const AFTER_EXPIRY_MS = HOUR_MS

/** Remembers a link token of a hosted link until it is used or has expired. */
export async function rememberHostedLink(
  deps: LinkerDeps,
  publisher: Publisher,
  { userId, owner }: { readonly userId: UserId; readonly owner: Item['owner'] },
  { linkToken, expiration }: LinkToken,
): Promise<void> {
  const hostedId = newUuid<'link'>() as LinkId
  const expiresAt = new Date(expiration)
  await insertHostedLink(deps.db.reader, publisher.id, {
    userId,
    hostedId,
    owner,
    sealedToken: sealToken(deps.vault, { publisherId: publisher.id, userId, linkId: hostedId }, linkToken),
    fingerprint: fingerprintOfLinkToken(deps, linkToken),
    expiresAt,
    dueAt: nextAskAt(deps, { environment: publisher.environment, expiresAt }),
  })
}

/** Webhooks name the link token; it is found by this hash. */
export function fingerprintOfLinkToken({ vault }: Pick<LinkerDeps, 'vault'>, linkToken: string): Buffer {
  return vault.fingerprint(linkToken, 'hosted_links')
}

/**
 * When to ask unless a webhook comes before. Where webhooks arrive, only once after the end: the provider repeats a
 * webhook that was not acknowledged, three times within the life of a public token.
 */
export function nextAskAt(
  deps: LinkerDeps,
  { environment, expiresAt }: Pick<HostedLink, 'environment' | 'expiresAt'>,
): Date {
  const soon = new Date(deps.clock.now().getTime() + ASK_EVERY_MS)
  const end = endOf({ expiresAt })
  return webhookAddress(deps, environment) !== null && end > soon ? end : soon
}

/** From then on nothing can come of the link any more. */
export function endOf({ expiresAt }: Pick<HostedLink, 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() + AFTER_EXPIRY_MS)
}
