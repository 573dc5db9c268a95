import type { LinkId } from '../../cards/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../platform/calendar.ts'
import type { Tx } from '../../platform/database.ts'
import { newUuid, type UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type LinkerDeps, webhookAddress } from '../deps.ts'
import type { Item } from '../item-queries.ts'
import type { LinkToken } from '../provider.ts'
import { type HostedLink, insertHostedLink } from './hosted-link-queries.ts'
import { sealToken } from './sealed-tokens.ts'

/**
 * Links that a user finishes on the provider's own page, opened from an app without the provider's script or from a
 * mail. The publisher's app does not receive the public token, so it is fetched from the provider: when a webhook says
 * that a session has ended, or by polling where webhooks cannot arrive. The outcome is announced by the same events as
 * any link.
 */

// A public token lives for half an hour, so asking less often would find it dead.
const POLL_EVERY_MS = 10 * MINUTE_MS
// A session that began before the end may outlast it.
const KEPT_AFTER_EXPIRY_MS = HOUR_MS
const SHOWN_FOR_MS = 6 * HOUR_MS

/** Remembers a link token of a hosted link until it is used or has expired. */
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
    fingerprint: fingerprintOfLinkToken(deps, linkToken),
    expiresAt,
    dueAt: nextPollAt(deps, { environment: publisher.environment, expiresAt }),
  })
}

/** Webhooks name the link token; it is found by this hash. */
export function fingerprintOfLinkToken({ vault }: Pick<LinkerDeps, 'vault'>, linkToken: string): Buffer {
  return vault.fingerprint(linkToken, 'hosted_links')
}

/**
 * When to ask unless a webhook comes before. Where webhooks arrive, a link that can be used for longer is asked about
 * only after its end, because there may be many of them. The provider repeats a webhook that was not acknowledged, but
 * its third repeat comes after ten minutes and the fourth after the life of a public token.
 */
export function nextPollAt(
  deps: LinkerDeps,
  { environment, expiresAt }: Pick<HostedLink, 'environment' | 'expiresAt'>,
): Date {
  const now = deps.clock.now().getTime()
  const isLong = expiresAt.getTime() - now > HOUR_MS
  if (isLong && webhookAddress(deps, environment) !== null) return keptUntil({ expiresAt })
  return new Date(now + POLL_EVERY_MS)
}

/** From then on no session can end any more. */
export function keptUntil({ expiresAt }: Pick<HostedLink, 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() + KEPT_AFTER_EXPIRY_MS)
}

/** From then on the provider no longer shows what the sessions ended with. */
export function givenUpAt(hosted: Pick<HostedLink, 'expiresAt'>): Date {
  return new Date(keptUntil(hosted).getTime() + SHOWN_FOR_MS)
}
