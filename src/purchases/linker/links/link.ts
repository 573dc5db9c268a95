import type { Tx } from '../../../platform/db/database.ts'
import type { UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import {
  type BankAccount,
  detectDuplicates,
  findLinksByAccounts,
  type Link,
  type LinkId,
  type Linking,
  type LinkKey,
  type LinkWithCards,
  linkCards,
  listLinks,
  lockCards,
  markAccountsChosen,
  setLinkDeadline,
  setLinkError,
} from '../../../sources/cards/index.ts'
import { type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { findWebhookAddress, type LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { moveRows } from '../feed/queries.ts'
import { toCardError } from '../health/login-state.ts'
import { getInstitution } from '../institutions/institutions.ts'
import { listHolders, listItems, putItem, refreshItem, requestRuns } from '../item-queries.ts'
import { ProviderFault, type ProviderItem } from '../provider.ts'
import { setClock } from '../schedule/sandbox-clock.ts'
import { fingerprintItem, sealToken } from '../sealed-tokens.ts'
import { exchange, type HeldItem, refuseFaults, rejected, takeOver } from './exchange.ts'
import { admitUser } from './link-tokens.ts'
import { settlePublicToken, type TokenOutcome } from './public-token-queries.ts'
import { type BroughtToken, linkOncePerToken } from './public-tokens.ts'
import { deleteRemoval, insertHandedOver, insertRemovals, makeRemovalDue, wasHandedOver } from './removal-queries.ts'
import { endLinks } from './unlink.ts'

export type LinkRequest = {
  readonly publisherUserId: string
  /** As sent by the client. The provider's own data takes precedence. */
  readonly institution: { readonly id: string; readonly name: string }
}

/** Builds and stores the answer in the link's transaction. */
export type Conclusion<T> = (tx: Tx, userId: UserId, institutionId: string) => Promise<T>

/**
 * Links the login that a user has just chosen, or records that they repaired it. Sending a token again for the same
 * user returns the same answer.
 * @throws Refusal user_not_found, user_not_active, account_already_linked, linker_token_rejected, linker_failed,
 * linker_unavailable, linker_timeout
 */
export async function linkPublicToken<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  request: LinkRequest & { readonly publicToken: string },
  conclude: Conclusion<T>,
): Promise<T> {
  const { publicToken } = request
  const { userId } = await admitUser(deps, publisher, request.publisherUserId)
  const link = (brought: BroughtToken) =>
    refuseFaults('public_token', async () => {
      const held = await exchange(deps, publisher, brought, publicToken)
      return storeLink(deps, publisher, { ...request, ...held, userId, brought }, conclude)
    })
  return linkOncePerToken(deps, publisher, { userId, publicToken }, link, (outcome) => {
    if (outcome.refusedAccounts !== null) throw alreadyLinked(JSON.parse(outcome.refusedAccounts))
    return deps.db.transaction(async (tx) => {
      const links = await listLinks(tx, publisher, userId)
      // The login has since been unlinked, so the token is treated as used.
      if (!links.some(({ link }) => link.institutionId === outcome.institutionId))
        throw rejected('public_token', 'INVALID_PUBLIC_TOKEN')
      return conclude(tx, userId, outcome.institutionId)
    })
  })
}

/**
 * Takes over an access token from a publisher that links cards on its own. The item remains the publisher's: Laurel
 * polls it, leaves its webhook unchanged and never removes it at the provider.
 * @throws Refusal as linkPublicToken
 */
export async function linkAccessToken<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  request: LinkRequest & { readonly accessToken: string },
  conclude: Conclusion<T>,
): Promise<T> {
  const { userId } = await admitUser(deps, publisher, request.publisherUserId)
  return refuseFaults('provider_access_token', async () => {
    const held = await takeOver(deps, publisher, request.accessToken)
    return storeLink(deps, publisher, { ...request, ...held, userId, brought: null }, conclude)
  })
}

type LinkAttempt = LinkRequest &
  HeldItem & {
    readonly userId: UserId
    /** The public token that was exchanged for the item; null if there was none. */
    readonly brought: BroughtToken | null
  }
type FetchedLogin = LinkAttempt & {
  readonly item: ProviderItem
  readonly fingerprint: Buffer
  /** Null for a login that is currently broken and shows no accounts. */
  readonly accounts: readonly BankAccount[] | null
  /** True if the publisher hands over the item now or has done so before. */
  readonly isHandedOver: boolean
}

async function storeLink<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  attempt: LinkAttempt,
  conclude: Conclusion<T>,
): Promise<T> {
  const { provider, accessToken, userId } = attempt
  const item = await provider.getItem(accessToken)
  const fingerprint = fingerprintItem(deps.vault, item.itemId)
  await setClock(deps, publisher, accessToken)
  const accounts = toCardError(item.errorCode) === null ? await provider.listAccounts(accessToken) : null
  const institution = await findItemInstitution(deps, publisher, attempt, item)
  const isHandedOver = attempt.brought === null || (await wasHandedOver(deps.db.reader, publisher.id, fingerprint))
  const login = { ...attempt, institution, item, fingerprint, accounts, isHandedOver }
  if (!isHandedOver && item.webhook !== findWebhookAddress(deps, publisher.environment))
    await setWebhook(deps, publisher, attempt)
  const stored = await deps.db.transaction(async (tx) => {
    await lockCards(tx, publisher.id, userId)
    // A user deactivated in the meantime has been unlinked, or will be once this lock is released.
    await admitUser(deps, publisher, attempt.publisherUserId, tx)
    const duplicates = await placeLink(tx, deps, publisher, login)
    if (attempt.brought !== null)
      await settlePublicToken(tx, publisher.id, attempt.brought, toOutcome(institution.id, duplicates))
    // Thrown only after the commit, which must include the event about the duplicates even though nothing is linked.
    if (duplicates !== null) return { duplicates }
    return { answer: await conclude(tx, userId, institution.id) }
  })
  if ('duplicates' in stored) throw alreadyLinked(toNames(stored.duplicates))
  return stored.answer
}

type NamedAccount = Pick<BankAccount, 'name' | 'mask'>

const toNames = (accounts: readonly BankAccount[]): NamedAccount[] => accounts.map(({ name, mask }) => ({ name, mask }))

function toOutcome(institutionId: string, duplicates: readonly BankAccount[] | null): TokenOutcome {
  if (duplicates === null) return { institutionId, refusedAccounts: null }
  return { institutionId: null, refusedAccounts: JSON.stringify(toNames(duplicates)) }
}

/** Lists the accounts as this user has just shared them, without revealing who has linked them. */
function alreadyLinked(named: readonly NamedAccount[]): Refusal<LinkerRefusal> {
  const names = named.map(({ name, mask }) => (mask === null ? name : `${name} ${mask}`)).join(', ')
  const what = named.length === 0 ? 'This login' : named.length === 1 ? `The account ${names}` : `The accounts ${names}`
  return new Refusal<LinkerRefusal>(
    'account_already_linked',
    `${what} cannot be linked because another user has already linked it and must unlink it first. To link other ` +
      'accounts of the institution, choose only those.',
    { members: { accounts: named } },
  )
}

/** Returns the item's institution, even if the client sent a different one. */
async function findItemInstitution(
  deps: LinkerDeps,
  publisher: Publisher,
  { institution }: LinkAttempt,
  item: ProviderItem,
) {
  const id = item.institutionId ?? institution.id
  if (id !== institution.id)
    deps.log.info(
      { named: institution.id, institution_id: id },
      'a login belongs to a different institution than the one named',
    )
  const known = await getInstitution(deps, publisher, id)
  return { id, name: known?.name ?? item.institutionName ?? institution.name }
}

/**
 * Sets the item's webhook address. Without it, only polls would find changes. If this fails, the next check tries
 * again.
 */
async function setWebhook(
  deps: LinkerDeps,
  { environment }: Publisher,
  { provider, accessToken }: HeldItem,
): Promise<void> {
  try {
    await provider.setWebhook(accessToken, findWebhookAddress(deps, environment))
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    deps.log.warn({ err: error }, 'the webhook address of an item could not be set')
  }
}

/**
 * Stores the item by refreshing the link it already has, by replacing older items that show some of its accounts, or as
 * a new link. If another user has linked any of its accounts, makes the item due for removal, stores nothing else and
 * returns those accounts; otherwise returns null.
 *
 * A handed-over item replaces at most one link. It may have been linked before, and another login that held the card at
 * the time may have reported the same purchases.
 */
async function placeLink(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  login: FetchedLogin,
): Promise<readonly BankAccount[] | null> {
  const { userId, fingerprint, institution } = login
  const items = await listItems(tx, publisher.id, userId)
  const same = items.find((item) => item.fingerprint.equals(fingerprint))
  const links = await listLinks(tx, publisher, userId)
  // A broken login keeps the accounts it had.
  const accounts = login.accounts ?? links.find(({ link }) => link.linkId === same?.linkId)?.cards ?? []
  const older = same === undefined ? findLinksByAccounts(links, institution.id, accounts) : []
  const linkId = same?.linkId ?? older[0]?.link.linkId ?? null
  const linking = { userId, linkId, institution, accounts }
  if (same === undefined) {
    const duplicates = await findDuplicates(tx, deps, publisher, { ...linking, fingerprint })
    if (duplicates !== null) return duplicates
  }
  if (login.brought === null) await insertHandedOver(tx, publisher.id, fingerprint)
  const replaced = login.isHandedOver ? [] : older.slice(1)
  const link = await showLogin(tx, deps, publisher, login, { ...linking, replaced: replaced.map(getLinkId) })
  const owner = { publisherId: publisher.id, userId, linkId: link.linkId }
  const sealedToken = sealToken(deps.vault, owner, login.accessToken)
  if (same !== undefined) {
    await refreshItem(tx, publisher.id, { userId, linkId: link.linkId, sealedToken }, deps.clock.now())
  } else {
    const former = items.filter((item) => item.linkId === linkId)
    await insertRemovals(tx, publisher.id, former, deps.clock.now())
    const item = { userId, linkId: link.linkId, owner: login.owner, sealedToken, fingerprint }
    await putItem(tx, publisher.id, item, deps.clock.now())
    const emptied = replaced.map((one) => ({ ...one, cards: [] }))
    await endLinks(tx, deps, publisher, emptied)
    // At some banks a new login ends the user's older ones. Handed-over logins have no webhook that announces this.
    const ended = [linkId, ...replaced.map(getLinkId)]
    const others = links.filter((one) => one.link.institutionId === institution.id && !ended.includes(getLinkId(one)))
    const logins = others.map((one) => one.link)
    await requestRuns(tx, publisher.id, 'check', logins, deps.clock.now())
  }
  await deleteRemoval(tx, publisher.id, login)
  return null
}

const getLinkId = ({ link }: LinkWithCards): LinkId => link.linkId

/** Returns the accounts that belong to another user, after making the item due for removal; null if there are none. */
async function findDuplicates(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  { fingerprint, ...linking }: Linking & Pick<FetchedLogin, 'fingerprint'>,
): Promise<readonly BankAccount[] | null> {
  const { userId, linkId } = linking
  const holders = await listHolders(tx, fingerprint)
  const isHeld = holders.some((holder) => holder.publisherId === publisher.id && holder.userId !== userId)
  if (linkId !== null && !isHeld) return null
  const duplicates = await detectDuplicates(tx, publisher, { ...linking, isHeld }, publisherNow(publisher, deps.clock))
  if (!isHeld && duplicates.length === 0) return null
  await makeRemovalDue(tx, publisher.id, { userId, fingerprint }, deps.clock.now())
  return duplicates
}

/** Updates the link to show the login's accounts and health. */
async function showLogin(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  login: FetchedLogin,
  linking: Linking,
): Promise<Link> {
  const { userId, linkId } = linking
  const now = publisherNow(publisher, deps.clock)
  const error = toCardError(login.item.errorCode)
  const setHealth = async (link: LinkKey) => {
    await setLinkError(tx, publisher, link, error, now, deps.clock.now())
    // A user who has just signed in has renewed their consent. The next check finds any deadline that remains.
    await setLinkDeadline(tx, publisher, link, null, now)
  }
  // Health comes first so that the events of linkCards show it.
  if (linkId !== null) await setHealth({ userId, linkId })
  const { link, moved } = await linkCards(tx, publisher, linking, now)
  if (linkId === null) await setHealth(link)
  const cardIds = moved.map(({ cardId }) => cardId)
  if (cardIds.length > 0) await moveRows(tx, publisher.id, link, cardIds)
  await markAccountsChosen(tx, publisher, link)
  return link
}
