import type { Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { createLeasedWork, type LeasedWork } from '../../platform/queue/leased-work.ts'
import {
  announceNewAccounts,
  type CardError,
  linkCards,
  listLinks,
  lockCards,
  setLinkDeadline,
} from '../../sources/cards/index.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import { getProvider } from './accounts/provider-accounts.ts'
import { findWebhookAddress, type LinkerDeps } from './deps.ts'
import { failRun, showError } from './health/failures.ts'
import {
  findDeadline,
  isDisconnectSettled,
  isLoginError,
  isStale,
  isUninformative,
  isUnreadable,
  toCardError,
} from './health/login-state.ts'
import { markChecked } from './health/queries.ts'
import { filterRevoked, listItems, requestRuns } from './item-queries.ts'
import { endIfEmpty } from './links/unlink.ts'
import { isFault, type Provider, type ProviderItem } from './provider.ts'
import { type CheckRun, claimChecks, releaseRun, renewLeases } from './schedule/run-queries.ts'
import { readItemNow } from './schedule/sandbox-clock.ts'
import { CHECKS_AT_ONCE } from './schedule/timing.ts'
import { openToken } from './sealed-tokens.ts'

/**
 * Checks logins. Webhooks arrive late, twice or out of order, so they are not trusted. Each webhook only requests a
 * check, and cards show the state that the provider then reports for the item. Every login is also checked once a day.
 */

/** Creates the worker that checks due logins, for all publishers or only for the publisher a caller is waiting on. */
export function createChecks(deps: LinkerDeps, publisherId: PublisherId | null): LeasedWork {
  const { reader } = deps.db
  return createLeasedWork<CheckRun, void>(deps, {
    name: 'linker checks',
    everyMs: 250,
    heldMax: CHECKS_AT_ONCE,
    toKey: (run) => run.publisherId,
    claim: (capacity) => claimChecks(reader, publisherId, capacity),
    renew: (runs, leasedUntil) => renewLeases(reader, 'check', runs, leasedUntil),
    process: (run) => check(deps, run, publisherId !== null),
  })
}

/** @param isAwaited true if a caller is waiting, so calls skip the wait for slots */
async function check(deps: LinkerDeps, run: CheckRun, isAwaited: boolean): Promise<void> {
  const startedAt = deps.clock.now()
  try {
    const present = await readItemNow(deps, run)
    const provider = await getProvider(deps, run)
    const finding = await examine(deps, run, isAwaited ? provider : provider.patient)
    await deps.db.transaction((tx) => storeFinding(tx, deps, run, finding, { startedAt, present }))
  } catch (error) {
    return failRun(deps, 'check', run, { error, startedAt, calls: 1 })
  }
  const release = { dueAt: null, calls: 1, ended: 'done', failures: 0 } as const
  await releaseRun(deps.db.reader, 'check', run, release, deps.clock.now())
}

type Finding = {
  readonly item: ProviderItem
  /** Null if they could not be read. */
  readonly accounts: Awaited<ReturnType<Provider['listAccounts']>> | null
}

async function examine(deps: LinkerDeps, run: CheckRun, provider: Provider): Promise<Finding> {
  const token = openToken(deps.vault, run, run.sealedToken)
  const item = await provider.getItem(token)
  if (item.errorCode !== null) return { item, accounts: null }
  const address = findWebhookAddress(deps, run.environment)
  if (!run.isHandedOver && item.webhook !== address) await provider.setWebhook(token, address)
  try {
    return { item, accounts: await provider.listAccounts(token) }
  } catch (error) {
    // One of the accounts was just closed. The next check shows which one.
    if (isFault(error, 'INVALID_ACCOUNT_ID')) return { item, accounts: null }
    throw error
  }
}

type Moments = { readonly startedAt: Date; readonly present: Date }

async function storeFinding(tx: Tx, deps: LinkerDeps, run: CheckRun, finding: Finding, at: Moments): Promise<void> {
  await lockCards(tx, run.publisherId, run.userId)
  const publisher = await getPublisher(tx, run.publisherId)
  const now = publisherNow(publisher, deps.clock)
  const links = await listLinks(tx, publisher, run.userId)
  const link = links.find((candidate) => candidate.link.linkId === run.linkId)?.link
  const items = await listItems(tx, publisher.id, run.userId)
  const same = items.find((item) => item.linkId === run.linkId && item.generation === run.generation)
  // The item was unlinked or replaced in the meantime, so the result no longer applies to this link.
  if (link === undefined || same === undefined) return
  const { item, accounts } = finding
  if (same.newAccountsHinted) await announceNewAccounts(tx, publisher, link, now)
  if (accounts !== null) {
    const institution = { id: link.institutionId, name: link.institutionName }
    const { userId, linkId } = run
    const shared = await filterRevoked(tx, publisher.id, run, accounts)
    const shown = await linkCards(tx, publisher, { userId, linkId, institution, accounts: shared }, now)
    if (await endIfEmpty(tx, deps, publisher, shown)) return
  }
  const error =
    deriveError(item, { heardAt: run.heardAt, shown: link.error }, at.present) ??
    (isUnreadable(run.faultSince, deps.clock.now()) ? 'UNKNOWN' : null)
  await showError(tx, deps, publisher, run, error, at.startedAt)
  // No webhook announces a feed that was never read. Therefore, once a check finds the login working again, it requests
  // a sync.
  if (error === null && (link.error !== null || isLoginError(run.fault)))
    await requestRuns(tx, publisher.id, 'sync', [run], deps.clock.now())
  const { consentEndsAt } = item
  const { disconnectsAt } = run
  const ends = { consentEndsAt, disconnectsAt, formerlyEndedAt: run.consentEndsAt }
  const isSettled = isDisconnectSettled(ends, at.present)
  const deadline = findDeadline({ consentEndsAt, disconnectsAt: isSettled ? null : disconnectsAt }, at.present)
  if (error === null) await setLinkDeadline(tx, publisher, run, deadline, now)
  const known = { ...item, isDisconnectSettled: isSettled, newAccountsHinted: same.newAccountsHinted }
  await markChecked(tx, run, known, deps.clock.now())
}

/**
 * Returns the error to show on the cards. A provider error that does not concern the login leaves them unchanged until
 * the bank has been silent for too long.
 */
function deriveError(
  { errorCode, lastUpdatedAt }: ProviderItem,
  { heardAt, shown }: { readonly heardAt: Date | null; readonly shown: CardError | null },
  present: Date,
): CardError | null {
  const error = isUninformative(errorCode) ? shown : toCardError(errorCode)
  return error ?? (isStale({ lastUpdatedAt, heardAt }, present) ? 'UNKNOWN' : null)
}
