import { setTimeout as pause } from 'node:timers/promises'
import {
  type Account,
  detectDuplicates,
  linkCards,
  linkOfAccounts,
  listLinks,
  lockCards,
  markAccountsChosen,
  recordDuplicateLogin,
  setLinkDeadline,
  setLinkError,
} from '../../cards/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Publisher, publisherNow } from '../../publishers/index.ts'
import { type LinkerDeps, webhookAddress } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { cardErrorOf } from '../health/login-state.ts'
import { institutionOf } from '../institutions/institutions.ts'
import { listItems, putItem, refreshItem } from '../item-queries.ts'
import { ProviderFault, type ProviderItem } from '../provider.ts'
import { setClock } from '../schedule/sandbox-clock.ts'
import { answering, exchange, type HeldItem, rejected, takeOver } from './exchange.ts'
import { insertHandedOver } from './handed-over-queries.ts'
import { admitUser } from './link-tokens.ts'
import { isHeldByAnother, type Outcome, settlePublicToken } from './public-token-queries.ts'
import { type BroughtToken, oncePerToken } from './public-tokens.ts'
import { deleteRemovalsOf, hastenRemovals, insertRemovalsOf } from './removal-queries.ts'
import { fingerprintOf, sealToken } from './sealed-tokens.ts'

type LinkRequest = {
  readonly publisherUserId: string
  /** As the client names it; what the provider says of the item counts. */
  readonly institution: { readonly id: string; readonly name: string }
}

/** Makes the answer and stores it; runs in the commit of the link. */
export type Conclusion<T> = (tx: Tx, userId: UserId, institutionId: string) => Promise<T>

/**
 * Links the login that a user has just chosen, or records that they repaired it. The same token again, from the same
 * user, gets the same answer.
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
    answering('public_token', async () => {
      const held = await exchange(deps, publisher, brought, publicToken)
      const item = await despiteLimits(() => held.provider.getItem(held.accessToken))
      return storeLink(deps, publisher, userId, { ...held, item, brought, ...request }, conclude)
    })
  return oncePerToken(deps, publisher, { userId, publicToken }, link, (outcome) => {
    if (outcome.refusedAccounts !== null) throw alreadyLinked(JSON.parse(outcome.refusedAccounts))
    return deps.db.transaction(async (tx) => {
      const links = await listLinks(tx, publisher, userId)
      // Unlinked since then: the token is what it is for everyone else, used.
      if (!links.some(({ link }) => link.institutionId === outcome.institutionId))
        throw rejected('public_token', 'INVALID_PUBLIC_TOKEN')
      return conclude(tx, userId, outcome.institutionId)
    })
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
  const { userId } = await admitUser(deps, publisher, request.publisherUserId)
  return answering('provider_access_token', async () => {
    const held = await takeOver(deps, publisher, request.accessToken)
    const item = await despiteLimits(() => held.provider.getItem(held.accessToken))
    return storeLink(deps, publisher, userId, { ...held, item, brought: null, ...request }, conclude)
  })
}

type Arrival = LinkRequest &
  HeldItem & {
    readonly item: ProviderItem
    /** The public token that was exchanged for it; null when there was none. */
    readonly brought: BroughtToken | null
  }

async function storeLink<T>(
  deps: LinkerDeps,
  publisher: Publisher,
  userId: UserId,
  arrival: Arrival,
  conclude: Conclusion<T>,
): Promise<T> {
  const { item, accessToken } = arrival
  await setClock(deps, publisher, { fingerprint: fingerprintOf(deps.vault, item.itemId), accessToken })
  const accounts = await readAccounts(deps, publisher, userId, arrival)
  const institution = await institutionOfArrival(deps, arrival)
  if (arrival.owner === 'service' && item.webhook !== webhookAddress(deps)) await setWebhook(deps, arrival)
  const stored = await deps.db.transaction(async (tx) => {
    await lockCards(tx, publisher.id, userId)
    // A user who was deactivated meanwhile has been unlinked, or will be once this lock is free.
    await admitUser(deps, publisher, arrival.publisherUserId, tx)
    const duplicates = await placeLink(tx, deps, publisher, { userId, arrival, institution, accounts })
    if (arrival.brought !== null)
      await settlePublicToken(tx, publisher.id, arrival.brought, outcomeOf(institution.id, duplicates))
    // No exception: the event about the duplicates is part of this commit, though nothing is linked.
    if (duplicates !== null) return { duplicates }
    return { answer: await conclude(tx, userId, institution.id) }
  })
  if ('duplicates' in stored) throw alreadyLinked(namesOf(stored.duplicates))
  return stored.answer
}

type NamedAccount = Pick<Account, 'name' | 'mask'>

const namesOf = (accounts: readonly Account[]): NamedAccount[] => accounts.map(({ name, mask }) => ({ name, mask }))

function outcomeOf(institutionId: string, duplicates: readonly Account[] | null): Outcome {
  if (duplicates === null) return { institutionId, refusedAccounts: null }
  return { institutionId: null, refusedAccounts: JSON.stringify(namesOf(duplicates)) }
}

/** Names the account as this user has just shown it, and says nothing about who has it. */
function alreadyLinked(named: readonly NamedAccount[]): Refusal<LinkerRefusal> {
  const names = named.map(({ name, mask }) => (mask === null ? name : `${name} ${mask}`)).join(', ')
  const what = named.length === 0 ? 'This login' : named.length === 1 ? `The account ${names}` : `The accounts ${names}`
  return new Refusal<LinkerRefusal>(
    'account_already_linked',
    `${what} cannot be linked: already linked for another user, who must unlink first. Other accounts of the ` +
      'institution can be linked when only those are chosen.',
    { members: { accounts: named } },
  )
}

/** The client names an institution too; where it is another one, the provider is right. */
async function institutionOfArrival(deps: LinkerDeps, { item, institution }: Arrival) {
  const id = item.institutionId ?? institution.id
  if (id !== institution.id)
    deps.log.info({ named: institution.id, institution_id: id }, 'a login is at another institution than was said')
  const known = await institutionOf(deps, id)
  return { id, name: known?.name ?? item.institutionName ?? institution.name }
}

/** A login that is broken now shows no accounts; it keeps those it had. */
async function readAccounts(
  deps: LinkerDeps,
  publisher: Publisher,
  userId: UserId,
  { item, accessToken, provider }: Arrival,
): Promise<readonly Account[]> {
  if (cardErrorOf(item.errorCode) === null) return despiteLimits(() => provider.listAccounts(accessToken))
  const items = await listItems(deps.db.reader, publisher.id, userId)
  const same = items.find((one) => one.fingerprint.equals(fingerprintOf(deps.vault, item.itemId)))
  const links = await listLinks(deps.db.reader, publisher, userId)
  return links.find(({ link }) => link.linkId === same?.linkId)?.cards ?? []
}

// Within what a user waits for; the provider counts by the minute, over all of our calls.
const LIMITED_PAUSES_MS = [500, 1_500]

/** Retries after "too often": a link that fails here costs the user more than a call or two cost the account. */
async function despiteLimits<T>(call: () => Promise<T>): Promise<T> {
  for (const pauseMs of LIMITED_PAUSES_MS) {
    try {
      return await call()
    } catch (error) {
      const isMomentary =
        error instanceof ProviderFault && error.symptom === 'limited' && error.retryAfterSeconds === null
      if (!isMomentary) throw error
      await pause(pauseMs)
    }
  }
  return call()
}

/** Without the webhook address, only the daily poll would find changes. */
async function setWebhook(deps: LinkerDeps, { provider, accessToken }: HeldItem): Promise<void> {
  try {
    await provider.setWebhook(accessToken, webhookAddress(deps))
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

/**
 * The item is one we have, or takes the place of an older one that shows the same accounts, or is a new link. Answers
 * the accounts for which it is none of these, for another user has them; then the item is to be removed, and nothing is
 * stored of it.
 */
async function placeLink(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  placement: Placement,
): Promise<readonly Account[] | null> {
  const { userId, arrival, institution, accounts } = placement
  const now = publisherNow(publisher, deps.clock)
  const fingerprint = fingerprintOf(deps.vault, arrival.item.itemId)
  const items = await listItems(tx, publisher.id, userId)
  const same = items.find((item) => item.fingerprint.equals(fingerprint))
  const links = await listLinks(tx, publisher, userId)
  const linkId = same?.linkId ?? linkOfAccounts(links, institution.id, accounts)
  const linking = { userId, linkId, institution, accounts }
  if (same === undefined) {
    const isTheirs = await isHeldByAnother(tx, publisher.id, userId, fingerprint)
    const duplicates = linkId === null || isTheirs ? await detectDuplicates(tx, publisher, linking, now) : []
    if (isTheirs && duplicates.length === 0) await recordDuplicateLogin(tx, publisher, linking, now)
    if (isTheirs || duplicates.length > 0) {
      await hastenRemovals(tx, publisher.id, userId, fingerprint, deps.clock.now())
      return duplicates
    }
  }
  if (arrival.brought === null) await insertHandedOver(tx, publisher.id, fingerprint)
  const { link } = await linkCards(tx, publisher, linking, now)
  await markAccountsChosen(tx, publisher, link)
  const owner = { publisherId: publisher.id, userId, linkId: link.linkId }
  const sealedToken = sealToken(deps.vault, owner, arrival.accessToken)
  if (same !== undefined) {
    await refreshItem(tx, publisher.id, { userId, linkId: link.linkId, sealedToken }, deps.clock.now())
  } else {
    const replaced = items.filter((item) => item.linkId === linkId)
    await insertRemovalsOf(tx, publisher.id, replaced, deps.clock.now())
    const item = { userId, linkId: link.linkId, owner: arrival.owner, sealedToken, fingerprint }
    await putItem(tx, publisher.id, item, deps.clock.now())
  }
  await deleteRemovalsOf(tx, publisher.id, userId, fingerprint)
  const error = cardErrorOf(arrival.item.errorCode)
  await setLinkError(tx, publisher, userId, link.linkId, error, now, deps.clock.now())
  // A user who has just signed in has renewed the consent; the next check shows what still ends soon.
  await setLinkDeadline(tx, publisher, userId, link.linkId, null, now)
  return null
}
