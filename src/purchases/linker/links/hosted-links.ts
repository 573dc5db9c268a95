import { HOUR_MS, MINUTE_MS } from '../../../platform/calendar.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { newUuid, type UserId } from '../../../platform/ids.ts'
import type { LinkId } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { findWebhookAddress, type LinkerDeps } from '../deps.ts'
import type { Item } from '../item-queries.ts'
import type { LinkToken } from '../provider.ts'
import type { HostedLink } from '../schedule/run-queries.ts'
import { sealToken } from '../sealed-tokens.ts'
import { insertHostedLink } from './hosted-link-queries.ts'

/**
 * Links that a user finishes on the provider's own page, opened from an app without the provider's script or from an
 * email. The publisher's app does not receive the public token. The linker fetches it from the provider when a webhook
 * reports that a session has ended, or by polling where webhooks cannot arrive. The outcome is announced by the same
 * events as for any other link.
 */

// A public token expires after half an hour, so a slower poll would be too late.
const POLL_EVERY_MS = 10 * MINUTE_MS
// A session that began before the link expired may outlast the link.
const KEPT_AFTER_EXPIRY_MS = HOUR_MS
const SHOWN_FOR_MS = 6 * HOUR_MS

/** Stores the token of a hosted link until it is used or has expired. */
export async function storeHostedLink(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  { userId, owner }: { readonly userId: UserId; readonly owner: Item['owner'] },
  { linkToken, expiration }: LinkToken,
): Promise<void> {
  const hostedId = newUuid<'link'>() as LinkId
  const expiresAt = new Date(expiration)
  await insertHostedLink(tx, publisher.id, {
    userId,
    hostedId,
    owner,
    sealedToken: sealToken(deps.vault, { publisherId: publisher.id, userId, linkId: hostedId }, linkToken),
    fingerprint: fingerprintLinkToken(deps, linkToken),
    expiresAt,
    dueAt: nextPollAt(deps, { environment: publisher.environment, expiresAt }),
  })
}

/** Hashes a link token. Webhooks contain the token, and its hosted link is found by this hash. */
export function fingerprintLinkToken({ vault }: Pick<LinkerDeps, 'vault'>, linkToken: string): Buffer {
  return vault.fingerprint(linkToken, 'hosted_links')
}

/**
 * Returns when to poll unless a webhook arrives first. Where webhooks are available, a long-lived link is polled only
 * after its last session must have ended, because there may be many such links. The provider retries an unacknowledged
 * webhook, but the third retry comes after ten minutes and the fourth after the public token has expired.
 */
export function nextPollAt(
  deps: LinkerDeps,
  { environment, expiresAt }: Pick<HostedLink, 'environment' | 'expiresAt'>,
): Date {
  const now = deps.clock.now().getTime()
  const isLong = expiresAt.getTime() - now > HOUR_MS
  if (isLong && findWebhookAddress(deps, environment) !== null) return computeKeptUntil({ expiresAt })
  return new Date(now + POLL_EVERY_MS)
}

/** Returns the latest instant at which a session can end. */
export function computeKeptUntil({ expiresAt }: Pick<HostedLink, 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() + KEPT_AFTER_EXPIRY_MS)
}

/** Returns the instant after which the provider no longer shows the sessions' results. */
export function computeGivenUpAt(hosted: Pick<HostedLink, 'expiresAt'>): Date {
  return new Date(computeKeptUntil(hosted).getTime() + SHOWN_FOR_MS)
}
