import { type Account, judgeLink, linkCards, linkOfAccounts, listLinks, lockCards } from '../cards/index.ts'
import type { Tx } from '../platform/database.ts'
import { newUuid, type UserId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Publisher, publisherNow } from '../publishers/index.ts'
import { tellClock } from './clock.ts'
import { type LinkerDeps, webhookAddress } from './deps.ts'
import type { LinkerRefusal } from './errors.ts'
import { cardErrorOf, isTokenRejection, refusalOf } from './health.ts'
import { institutionOf } from './institutions.ts'
import { type Item, isItemKnown, listItems, putItem, refreshItem } from './item-queries.ts'
import { admitUser } from './link-tokens.ts'
import { ProviderFault, type ProviderItem } from './provider.ts'
import { deleteRemovalsOf, insertRemovals } from './removal-queries.ts'
import { fingerprintOf, sealToken } from './tokens.ts'

export type LinkRequest = {
  readonly publisherUserId: string
  /** As the client names it; what the provider says of the item counts. */
  readonly institution: { readonly id: string; readonly name: string }
}

/** What is told and stored once the link is; runs in the commit of the link. */
export type Conclusion<T> = (tx: Tx, userId: UserId, institutionId: string) => Promise<T>

// Longer than any request lives: then nobody can still be storing the item.
const ABANDONED_AFTER_MS = 15 * 60_000

/**
 * Links the login that a user has just chosen. The exchange works once, and an item whose token is lost can never be
 * reached again; so the token is put among the items to remove, dated ahead, before anything else can fail, and taken
 * out of there in the commit that stores the link.
 * @throws Refusal user_not_found, user_not_active, linker_token_rejected, linker_failed, linker_unavailable, linker_timeout
 */
export async function linkPublicToken<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  request: LinkRequest & { readonly publicToken: string },
  conclude: Conclusion<T>,
): Promise<T> {
  const user = await admitUser(deps, publisher, request.publisherUserId)
  return answering(async () => {
    const { accessToken, itemId } = await deps.provider.exchangePublicToken(request.publicToken)
    await secureItem(deps, publisher, user.userId, { accessToken, itemId })
    const item = await deps.provider.getItem(accessToken)
    return storeLink(deps, publisher, user.userId, { owner: 'service', accessToken, item, ...request }, conclude)
  })
}

/**
 * Takes over a token of a publisher that links by itself. The item stays the publisher's: it is polled, its webhook is
 * left alone, and it is not removed at the provider.
 * @throws Refusal as linkPublicToken
 */
export async function linkAccessToken<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  request: LinkRequest & { readonly accessToken: string },
  conclude: Conclusion<T>,
): Promise<T> {
  const user = await admitUser(deps, publisher, request.publisherUserId)
  return answering(async () => {
    const item = await deps.provider.getItem(request.accessToken)
    return storeLink(deps, publisher, user.userId, { owner: 'publisher', item, ...request }, conclude)
  })
}

async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTokenRejection(error)) throw refusalOf(error)
    throw new Refusal<LinkerRefusal>(
      'linker_token_rejected',
      'The linking provider does not accept this token: it is unknown, expired, used, or of another account.',
    )
  }
}

async function secureItem(
  deps: LinkerDeps,
  publisher: Publisher,
  userId: UserId,
  { accessToken, itemId }: { readonly accessToken: string; readonly itemId: string },
): Promise<void> {
  const fingerprint = fingerprintOf(deps.vault, itemId)
  // After a repaired login the item is the one we have; that one must not be removed.
  if (await isItemKnown(deps.db.reader, fingerprint)) return
  const linkId = newUuid<'link'>()
  const sealedToken = sealToken(deps.vault, { publisherId: publisher.id, userId, linkId }, accessToken)
  const dueAt = new Date(deps.clock.now().getTime() + ABANDONED_AFTER_MS)
  await insertRemovals(deps.db.reader, publisher.id, [{ userId, linkId, sealedToken, fingerprint }], dueAt)
}

type Arrival = LinkRequest & {
  readonly owner: Item['owner']
  readonly accessToken: string
  readonly item: ProviderItem
}

async function storeLink<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  userId: UserId,
  arrival: Arrival,
  conclude: Conclusion<T>,
): Promise<T> {
  const { item, accessToken } = arrival
  await tellClock(deps, publisher, { fingerprint: fingerprintOf(deps.vault, item.itemId), accessToken })
  const accounts = await readAccounts(deps, publisher, userId, arrival)
  const id = item.institutionId ?? arrival.institution.id
  const known = await institutionOf(deps, id)
  const institution = { id, name: known?.name ?? item.institutionName ?? arrival.institution.name }
  if (arrival.owner === 'service' && item.webhook !== webhookAddress(deps)) await setWebhook(deps, accessToken)
  return deps.db.transaction(async (tx) => {
    await lockCards(tx, publisher.id, userId)
    await placeLink(tx, deps, publisher, { userId, arrival, institution, accounts })
    return conclude(tx, userId, institution.id)
  })
}

/** A login that is broken at this moment shows no accounts; it keeps those it had. */
async function readAccounts(
  deps: LinkerDeps,
  publisher: Publisher,
  userId: UserId,
  { item, accessToken }: Arrival,
): Promise<readonly Account[]> {
  if (cardErrorOf(item.errorCode) === null) return deps.provider.listAccounts(accessToken)
  const items = await listItems(deps.db.reader, publisher.id, userId)
  const same = items.find((one) => one.fingerprint.equals(fingerprintOf(deps.vault, item.itemId)))
  const links = await listLinks(deps.db.reader, publisher, userId)
  return links.find(({ link }) => link.linkId === same?.linkId)?.cards ?? []
}

/** The provider tells changes to whoever the item names; without that only the daily poll would find them. */
async function setWebhook(deps: LinkerDeps, accessToken: string): Promise<void> {
  try {
    await deps.provider.setWebhook(accessToken, webhookAddress(deps))
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    deps.log.warn({ err: error }, 'the webhook address of an item could not be set')
  }
}

type Placement = {
  readonly userId: UserId
  readonly arrival: Arrival
  readonly institution: { readonly id: string; readonly name: string }
  readonly accounts: readonly Account[]
}

/** The item is one we have, or takes the place of an older one that shows the same accounts, or is a new link. */
async function placeLink(tx: Tx, deps: LinkerDeps, publisher: Publisher, placement: Placement): Promise<void> {
  const { userId, arrival, institution, accounts } = placement
  const now = publisherNow(publisher, deps.clock)
  const fingerprint = fingerprintOf(deps.vault, arrival.item.itemId)
  const items = await listItems(tx, publisher.id, userId)
  const same = items.find((item) => item.fingerprint.equals(fingerprint))
  const links = await listLinks(tx, publisher, userId)
  const linkId = same?.linkId ?? linkOfAccounts(links, institution.id, accounts)
  const { link } = await linkCards(tx, publisher, { userId, linkId, institution, accounts }, now)
  const owner = { publisherId: publisher.id, userId, linkId: link.linkId }
  const sealedToken = sealToken(deps.vault, owner, arrival.accessToken)
  if (same !== undefined) {
    await refreshItem(tx, publisher.id, { userId, linkId: link.linkId, sealedToken }, deps.clock.now())
  } else {
    const replaced = items.filter((item) => item.linkId === linkId && item.owner === 'service')
    await insertRemovals(tx, publisher.id, replaced, deps.clock.now())
    const item = { userId, linkId: link.linkId, owner: arrival.owner, sealedToken, fingerprint }
    await putItem(tx, publisher.id, item, deps.clock.now())
  }
  await deleteRemovalsOf(tx, publisher.id, userId, fingerprint)
  await judgeLink(tx, publisher, userId, link.linkId, cardErrorOf(arrival.item.errorCode), now)
}
