import {
  announceNewAccounts,
  type CardError,
  judgeLink,
  linkCards,
  listLinks,
  lockCards,
  warnOfLink,
} from '../../cards/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { getPublisher, publisherNow } from '../../publishers/index.ts'
import { providerOf } from '../accounts/provider-of-item.ts'
import { type LinkerDeps, webhookAddress } from '../deps.ts'
import { listItems, requestChecks, requestReading, takeNewAccountsHint } from '../item-queries.ts'
import { openToken } from '../links/sealed-tokens.ts'
import { endIfEmpty } from '../links/unlink.ts'
import { isFault, type Provider, type ProviderItem } from '../provider.ts'
import { createRests, type Rests } from '../schedule/account-backoff.ts'
import { CHECKS_AT_ONCE, LEASE_MS } from '../schedule/bounds.ts'
import { renewChecks } from '../schedule/lease-queries.ts'
import { createLeases, type Leases } from '../schedule/leases.ts'
import { createPool, type Pool } from '../schedule/pool.ts'
import { type CheckRun, claimChecks, finishCheck, markChecked } from '../schedule/run-queries.ts'
import { presentOf } from '../schedule/sandbox-clock.ts'
import { judgeFailure, showVerdict } from './failures.ts'
import {
  breaksLogin,
  cardErrorOf,
  deadlineOf,
  isDisconnectSettled,
  isStale,
  saysNothing,
  sparesAccount,
} from './login-state.ts'

/**
 * Asks the provider how logins are. Webhooks come late, twice or in the wrong order, so none of them is believed: each
 * only leads here, and what the item itself says now is what is shown. Every login is asked about once a day, too.
 */

/** The logins to be asked about, of all publishers, as many at once as there is room for. */
export function createChecks(deps: LinkerDeps): Pool {
  const rests = createRests()
  const leases = leasesOf(deps)
  return createPool<CheckRun>({
    size: CHECKS_AT_ONCE,
    claim: ({ free }) => claimFor(deps, null, free, rests),
    work: (run) => leases.during(run, () => check(deps, run, { isAwaited: false, rests })),
  })
}

/** Asks about the logins of a publisher, or of all, that are due; answers whether there may be more. Somebody waits for it. */
export async function checkDue(deps: LinkerDeps, publisherId: PublisherId | null): Promise<boolean> {
  const rests = createRests()
  const leases = leasesOf(deps)
  const runs = await claimFor(deps, publisherId, CHECKS_AT_ONCE, rests)
  await Promise.all(runs.map((run) => leases.during(run, () => check(deps, run, { isAwaited: true, rests }))))
  return runs.length > 0
}

function leasesOf(deps: LinkerDeps): Leases<CheckRun> {
  return createLeases(deps, (runs, until, now) => renewChecks(deps.db.reader, runs, until, now))
}

function claimFor(deps: LinkerDeps, publisherId: PublisherId | null, limit: number, rests: Rests): Promise<CheckRun[]> {
  const now = deps.clock.now()
  return claimChecks(deps.db.reader, publisherId, { limit, leaseMs: LEASE_MS, resting: rests.list(now) }, now)
}

type Manner = {
  /** Somebody waits for it, so it does not take its turn with the polls. */
  readonly isAwaited: boolean
  readonly rests: Rests
}

async function check(deps: LinkerDeps, run: CheckRun, { isAwaited, rests }: Manner): Promise<void> {
  const startedAt = deps.clock.now()
  let end = { retryAt: null as Date | null, isPostponed: false }
  try {
    const present = await presentOf(deps, run)
    const provider = await providerOf(deps, run)
    const finding = await examine(deps, run, isAwaited ? provider : provider.patient)
    await deps.db.transaction((tx) => storeFinding(tx, deps, run, finding, { startedAt, present }))
  } catch (error) {
    const { retryAt, isPostponed, verdict } = await judgeFailure(deps, run, error)
    if (sparesAccount(error)) rests.add(run, retryAt, deps.clock.now())
    deps.log.warn({ err: error, link_id: run.linkId }, 'the provider could not be asked about a login')
    if (verdict === undefined) end = { retryAt, isPostponed }
    else await showVerdict(deps, run, verdict, startedAt)
  }
  await finishCheck(deps.db.reader, run.publisherId, run, end, deps.clock.now())
}

type Finding = {
  readonly item: ProviderItem
  /** Null when they could not be seen, which says nothing about them. */
  readonly accounts: Awaited<ReturnType<Provider['listAccounts']>> | null
}

async function examine(deps: LinkerDeps, run: CheckRun, provider: Provider): Promise<Finding> {
  const token = openToken(deps.vault, run, run.sealedToken)
  const item = await provider.getItem(token)
  if (item.errorCode !== null) return { item, accounts: null }
  const address = webhookAddress(deps)
  if (run.owner === 'service' && item.webhook !== address) await provider.setWebhook(token, address)
  try {
    return { item, accounts: await provider.listAccounts(token) }
  } catch (error) {
    // One of the accounts has just gone: which, the next look shows.
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
  const same = items.some((item) => item.linkId === run.linkId && item.generation === run.generation)
  // Unlinked or replaced meanwhile: what was found is about an item that is not this link's any more.
  if (link === undefined || !same) return
  const { item, accounts } = finding
  if (await takeNewAccountsHint(tx, publisher.id, run)) await announceNewAccounts(tx, publisher, link, now)
  if (accounts !== null) {
    const institution = { id: link.institutionId, name: link.institutionName }
    const { userId, linkId } = run
    const shown = await linkCards(tx, publisher, { userId, linkId, institution, accounts }, now)
    if (await endIfEmpty(tx, deps, publisher, shown)) return
  }
  const error = errorOf(item, { heardAt: run.heardAt, shown: link.error }, at.present)
  const judged = await judgeLink(tx, publisher, run.userId, run.linkId, error, now, at.startedAt)
  // Nobody tells that there is something to read of a login that was never read; so whoever finds it mended, reads it.
  if (error === null && (link.error !== null || breaksLogin(run.fault)))
    await requestReading(tx, publisher.id, run, deps.clock.now())
  const ends = { consentEndsAt: item.consentEndsAt, disconnectsAt: run.disconnectsAt }
  const isSettled = isDisconnectSettled({ ...ends, formerlyEndedAt: run.consentEndsAt }, at.present)
  const deadline = deadlineOf({ ...ends, disconnectsAt: isSettled ? null : ends.disconnectsAt }, at.present)
  if (error === null) await warnOfLink(tx, publisher, run.userId, run.linkId, deadline, now)
  const { lastUpdatedAt, consentEndsAt } = item
  const known = { lastUpdatedAt, consentEndsAt, isDisconnectSettled: isSettled }
  await markChecked(tx, publisher.id, run, known, deps.clock.now())
  // Two looks at the same time that do not agree: another decides.
  if (judged === 'overruled') await requestChecks(tx, publisher.id, run.userId, [run.linkId], deps.clock.now())
}

/** What the cards are to show. An error that says nothing of the login leaves what is shown, unless that goes on for long. */
function errorOf(
  { errorCode, lastUpdatedAt }: ProviderItem,
  { heardAt, shown }: { readonly heardAt: Date | null; readonly shown: CardError | null },
  present: Date,
): CardError | null {
  const error = saysNothing(errorCode) ? shown : cardErrorOf(errorCode)
  return error ?? (isStale({ lastUpdatedAt, heardAt }, present) ? 'UNKNOWN' : null)
}
