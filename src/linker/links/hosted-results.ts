import { announceFailedLinks, type FailedLink } from '../../cards/index.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { createLeasedWork, type LeasedWork } from '../../platform/leased-work.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getPublisher, publisherNow } from '../../publishers/index.ts'
import { findUser } from '../../users/index.ts'
import { providerOf } from '../accounts/provider-accounts.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { type HostedResult, isFault } from '../provider.ts'
import { claimHostedLinks, renewLeases } from '../schedule/run-queries.ts'
import { backoffMs, HOSTED_LINKS_AT_ONCE } from '../schedule/timing.ts'
import { deleteHostedLink, type HostedLink, postponeHostedLink } from './hosted-link-queries.ts'
import { keptUntil, nextPollAt } from './hosted-links.ts'
import { linkPublicToken } from './link.ts'
import { openToken } from './sealed-tokens.ts'

/** Links what users have finished: those of all publishers, or of one for a caller that waits. */
export function createHostedLinks(deps: LinkerDeps, publisherId: PublisherId | null): LeasedWork {
  const { reader } = deps.db
  return createLeasedWork<HostedLink, void>(deps, {
    name: 'linker hosted links',
    everyMs: 500,
    heldMax: HOSTED_LINKS_AT_ONCE,
    keyOf: (hosted) => hosted.publisherId,
    claim: (capacity) => claimHostedLinks(reader, publisherId, capacity),
    renew: (held, leasedUntil) => renewLeases(reader, 'hosted', held, leasedUntil),
    process: (hosted) => finish(deps, hosted),
  })
}

async function finish(deps: LinkerDeps, hosted: HostedLink): Promise<void> {
  const { reader } = deps.db
  const isOver = (): boolean => deps.clock.now() >= keptUntil(hosted)
  try {
    const provider = await providerOf(deps, hosted)
    const token = openToken(deps.vault, { ...hosted, linkId: hosted.hostedId }, hosted.sealedToken)
    const results = await provider.patient.listHostedResults(token)
    const failed: FailedLink[] = []
    for (const result of results) {
      const refusal = await link(deps, hosted, result)
      if (refusal !== null) failed.push({ institution: result.institution, refusal })
    }
    if (results.length > 0 || isOver()) return end(deps, hosted, failed)
    await postponeHostedLink(reader, hosted, { dueAt: nextPollAt(deps, hosted), failures: 0 })
  } catch (error) {
    if (isFault(error, 'INVALID_LINK_TOKEN') || isOver()) return end(deps, hosted, [])
    deps.log.warn({ err: error, hosted_id: hosted.hostedId }, 'a hosted link could not be finished yet')
    const dueAt = new Date(deps.clock.now().getTime() + backoffMs(hosted.failures))
    await postponeHostedLink(reader, hosted, { dueAt, failures: hosted.failures + 1 })
  }
}

/** Refusals that a retry cannot change. */
const FINAL: readonly string[] = ['user_not_active', 'account_already_linked', 'linker_token_rejected'] satisfies (
  | LinkerRefusal
  | 'user_not_active'
)[]

/** Null when it is linked; otherwise why it cannot be. */
async function link(
  deps: LinkerDeps,
  hosted: HostedLink,
  { publicToken, institution }: HostedResult,
): Promise<Refusal | null> {
  const { reader } = deps.db
  const publisher = await getPublisher(reader, hosted.publisherId)
  const user = await findUser(reader, hosted.publisherId, hosted.userId)
  if (user === null) return null
  try {
    const { publisherUserId } = user
    await linkPublicToken(deps, publisher, { publisherUserId, institution, publicToken }, async () => undefined)
    return null
  } catch (error) {
    if (!(error instanceof Refusal) || !FINAL.includes(error.code)) throw error
    deps.log.info({ code: error.code, hosted_id: hosted.hostedId }, 'a hosted link was finished, and is refused')
    return error
  }
}

/** Forgets the hosted link and announces what could not be linked, in one commit. */
async function end(deps: LinkerDeps, hosted: HostedLink, failed: readonly FailedLink[]): Promise<void> {
  const { publisherId, userId } = hosted
  await deps.db.transaction(async (tx) => {
    const isDeleted = await deleteHostedLink(tx, publisherId, hosted)
    if (!isDeleted || failed.length === 0) return
    const publisher = await getPublisher(tx, publisherId)
    await announceFailedLinks(tx, publisher, { userId, failed }, publisherNow(publisher, deps.clock))
  })
}
