import type { Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'
import { createLeasedWork, type LeasedWork } from '../../../platform/queue/leased-work.ts'
import { type LinkWithCards, listLinks, lockCards, unlinkCards } from '../../../sources/cards/index.ts'
import { type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { getUser } from '../../../users/users/index.ts'
import { getProvider } from '../accounts/provider-accounts.ts'
import type { LinkerDeps } from '../deps.ts'
import { FOREIGN_TOKEN, NO_ENVIRONMENT, parseEnvironment } from '../environments.ts'
import { deleteItems, listHolders } from '../item-queries.ts'
import { isFault } from '../provider.ts'
import { claimRemovals, type Removal, renewLeases } from '../schedule/run-queries.ts'
import { computeBackoffMs, REMOVALS_AT_ONCE } from '../schedule/timing.ts'
import { openToken } from '../sealed-tokens.ts'
import { deleteHostedLinksByUser } from './hosted-link-queries.ts'
import { linkNotFound } from './link-tokens.ts'
import * as removals from './removal-queries.ts'

/**
 * Unlinking takes two steps, because the provider may be down. The cards are unlinked immediately, in the caller's
 * transaction. The sealed token moves to the items to remove and is destroyed once the provider has removed the item,
 * however long that takes, because the item cannot be removed without it.
 */

/**
 * Unlinks a user's logins at an institution. Returns the number of cards unlinked.
 * @throws Refusal user_not_found, link_not_found
 */
export async function unlinkInstitution(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  target: { readonly publisherUserId: string; readonly institutionId: string },
): Promise<number> {
  const now = publisherNow(publisher, deps.clock)
  const { user } = await getUser(tx, publisher, target.publisherUserId, now)
  await lockCards(tx, publisher.id, user.userId)
  const links = (await listLinks(tx, publisher, user.userId)).filter(
    ({ link }) => link.institutionId === target.institutionId,
  )
  if (links.length === 0) throw linkNotFound()
  await endLinks(tx, deps, publisher, links)
  return links.reduce((count, { cards }) => count + cards.length, 0)
}

/** Unlinks all of a user's logins and deletes their hosted links. */
export async function unlinkUser(tx: Tx, deps: LinkerDeps, publisher: Publisher, userId: UserId): Promise<void> {
  await lockCards(tx, publisher.id, userId)
  await endLinks(tx, deps, publisher, await listLinks(tx, publisher, userId))
  await deleteHostedLinksByUser(tx, publisher.id, userId)
}

/**
 * Ends a login that has no accounts left, because its token is no longer needed. Keeps a login whose user can share
 * other accounts by repairing it. The caller must hold lockCards.
 */
export async function endIfEmpty(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  shown: LinkWithCards,
): Promise<boolean> {
  if (shown.cards.length > 0 || shown.link.newAccountsAvailable) return false
  await endLinks(tx, deps, publisher, [shown])
  return true
}

/** Ends these logins and unlinks the cards they still have. */
export async function endLinks(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  links: readonly LinkWithCards[],
): Promise<void> {
  const ended = links.map(({ link }) => link)
  await unlinkCards(tx, publisher, links, publisherNow(publisher, deps.clock))
  const items = await deleteItems(tx, publisher.id, ended)
  await removals.insertRemovals(tx, publisher.id, items, deps.clock.now())
}

/**
 * Creates the worker that removes items at the provider, for all publishers or only for a publisher that a caller is
 * waiting for.
 */
export function createRemovals(deps: LinkerDeps, publisherId: PublisherId | null): LeasedWork {
  const { reader } = deps.db
  return createLeasedWork<Removal, void>(deps, {
    name: 'linker removals',
    everyMs: 1_000,
    heldMax: REMOVALS_AT_ONCE,
    toKey: (removal) => removal.publisherId,
    claim: (capacity) => claimRemovals(reader, publisherId, capacity),
    renew: (held, leasedUntil) => renewLeases(reader, 'removal', held, leasedUntil),
    process: (removal) => remove(deps, removal),
  })
}

// A token unknown to the provider is dead, unless our keys are wrong or the publisher's account was removed
// temporarily. After a month of hourly attempts, it is presumed dead.
const UNKNOWN_TOKEN_TRIES_MAX = 30 * 24

async function remove(deps: LinkerDeps, removal: Removal): Promise<void> {
  const { reader } = deps.db
  try {
    // Otherwise the item was linked after all, or another user holds it.
    if ((await listHolders(reader, removal.fingerprint)).length === 0) {
      const token = openToken(deps.vault, removal, removal.sealedToken)
      // Items linked before environments were separated may be in the other environment, where they incur costs until
      // they are removed.
      const environment = parseEnvironment(token) ?? removal.environment
      const provider = await getProvider(deps, { ...removal, environment })
      await provider.patient.removeItem(token)
    }
  } catch (error) {
    if (!isGone(error, removal)) {
      deps.log.warn({ err: error, link_id: removal.linkId }, 'an item could not be removed at the provider yet')
      const nextAt = new Date(deps.clock.now().getTime() + computeBackoffMs(removal.failures))
      return removals.failRemoval(reader, removal, nextAt)
    }
  }
  await removals.endRemoval(reader, removal)
}

function isGone(error: unknown, { failures }: Removal): boolean {
  return (
    isFault(error, 'INVALID_ACCESS_TOKEN', FOREIGN_TOKEN, 'NO_PROVIDER_ACCOUNT', NO_ENVIRONMENT) &&
    failures >= UNKNOWN_TOKEN_TRIES_MAX
  )
}
