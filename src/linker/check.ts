import { judgeLink, linkCards, listLinks, lockCards } from '../cards/index.ts'
import type { Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { getPublisher, publisherNow } from '../publishers/index.ts'
import { backoffMs, LEASE_MS, RUNS_AT_ONCE } from './bounds.ts'
import { type LinkerDeps, webhookAddress } from './deps.ts'
import { cardErrorOf, verdictOf } from './health.ts'
import { listItems } from './item-queries.ts'
import { providerOf } from './providers.ts'
import { type CheckRun, claimChecks, finishCheck } from './run-queries.ts'
import { openToken } from './tokens.ts'

/**
 * Asks the provider how logins are. Webhooks come late, twice or in the wrong order, so none of them is believed: each
 * only leads here, and what the item itself says now is what is shown. Answers whether there may be more to check.
 */
export async function checkDue(deps: LinkerDeps, publisherId: PublisherId | null): Promise<boolean> {
  const claim = { limit: RUNS_AT_ONCE, leaseMs: LEASE_MS }
  const runs = await claimChecks(deps.db.reader, publisherId, claim, deps.clock.now())
  await Promise.all(runs.map((run) => check(deps, run)))
  return runs.length === RUNS_AT_ONCE
}

async function check(deps: LinkerDeps, run: CheckRun): Promise<void> {
  let retryAt: Date | null = null
  try {
    const finding = await examine(deps, run)
    await deps.db.transaction((tx) => storeFinding(tx, deps, run, finding))
  } catch (error) {
    deps.log.warn({ err: error, link_id: run.linkId }, 'the provider could not be asked about a login')
    retryAt = new Date(deps.clock.now().getTime() + backoffMs(run.failures))
  }
  await finishCheck(deps.db.reader, run.publisherId, run, retryAt, deps.clock.now())
}

type Finding = {
  readonly error: ReturnType<typeof cardErrorOf>
  /** Null when they could not be seen, which says nothing about them. */
  readonly accounts: Awaited<ReturnType<LinkerDeps['provider']['listAccounts']>> | null
}

async function examine(deps: LinkerDeps, run: CheckRun): Promise<Finding> {
  const provider = await providerOf(deps, run)
  const token = openToken(deps.vault, run, run.sealedToken)
  try {
    const item = await provider.getItem(token)
    const error = cardErrorOf(item.errorCode)
    if (error !== null || item.errorCode !== null) return { error, accounts: null }
    const address = webhookAddress(deps)
    if (run.owner === 'service' && item.webhook !== address) await provider.setWebhook(token, address)
    return { error, accounts: await provider.listAccounts(token) }
  } catch (error) {
    const verdict = verdictOf(error)
    if (verdict === undefined) throw error
    return { error: verdict, accounts: null }
  }
}

async function storeFinding(tx: Tx, deps: LinkerDeps, run: CheckRun, finding: Finding): Promise<void> {
  await lockCards(tx, run.publisherId, run.userId)
  const publisher = await getPublisher(tx, run.publisherId)
  const now = publisherNow(publisher, deps.clock)
  const links = await listLinks(tx, publisher, run.userId)
  const link = links.find((candidate) => candidate.link.linkId === run.linkId)?.link
  const items = await listItems(tx, publisher.id, run.userId)
  const same = items.some((item) => item.linkId === run.linkId && item.generation === run.generation)
  // Unlinked or replaced meanwhile: what was found is about an item that is not this link's any more.
  if (link === undefined || !same) return
  if (finding.accounts !== null) {
    const institution = { id: link.institutionId, name: link.institutionName }
    const { userId, linkId } = run
    await linkCards(tx, publisher, { userId, linkId, institution, accounts: finding.accounts }, now)
  }
  await judgeLink(tx, publisher, run.userId, run.linkId, finding.error, now)
}
